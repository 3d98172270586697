"""What a description says where a provider's form has no keyword for it. Pure; models are told in English."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tools.compile.values import Node
from tools.spec import ToolSpec

LONGEST_QUOTE = 300
_SENTENCE_ENDS = ".!?:;…。！？：；"
_SENTENCES: Mapping[str, str] = {
    "minLength": "At least {} characters.",
    "maxLength": "At most {} characters.",
    "pattern": "Must match the regular expression {}.",
    "format": "Format: {}.",
    "minimum": "At least {}.",
    "maximum": "At most {}.",
    "exclusiveMinimum": "More than {}.",
    "exclusiveMaximum": "Less than {}.",
    "multipleOf": "A multiple of {}.",
    "minItems": "At least {} items.",
    "maxItems": "At most {} items.",
    "minProperties": "At least {} entries.",
    "maxProperties": "At most {} entries.",
    "enum": "One of {}.",
    "default": "Default: {}.",
    "examples": "Examples: {}.",
}


def sentence(keyword: str, value: Any) -> str:
    """A keyword in words; empty when it would be too long."""
    if keyword == "uniqueItems":
        return "All items differ." if value else ""
    if keyword in ("enum", "examples") and isinstance(value, list):
        text = ", ".join(map(_compact, value))
    else:
        text = value if isinstance(value, str) and keyword in ("pattern", "format") else _compact(value)
    told = _SENTENCES.get(keyword, f"JSON Schema {keyword}: {{}}").format(text)
    return told if len(told) <= LONGEST_QUOTE else ""


def required_alternatives(names: Iterable[Iterable[str]]) -> str:
    """`anyOf` over `required` alone, the usual way to say that one of some arguments is needed."""
    return f"Needed: {', or '.join(' and '.join(group) for group in names)}."


def joined(*texts: str) -> str:
    """Sentences one after another; behind a text of several lines on a line of their own."""
    made = ""
    for text in filter(None, texts):
        made = f"{made}{_between(made)}{text}" if made else text
    return made


def _between(before: str) -> str:
    if "\n" in before:
        return "\n"
    return " " if before[-1] in _SENTENCE_ENDS else ". "


def with_helps(spec: ToolSpec) -> dict[str, Any]:
    """The tool's schema with its templates and examples put into descriptions."""
    schema = dict(spec.schema)
    given = schema.get("properties")
    if spec.templates and isinstance(given, Mapping):
        schema["properties"] = {
            name: _with_template(node, spec.templates.get(name)) for name, node in given.items()
        }
    if examples := schema.pop("examples", None):
        schema["description"] = joined(schema.get("description", ""), sentence("examples", examples[:1]))
    return schema


def _with_template(node: Any, template: str | None) -> Any:
    if not template or not isinstance(node, Mapping):
        return node
    rest = {word: value for word, value in node.items() if word not in ("default", "examples")}
    told = f"Start from this template:\n{template}"
    return {**rest, "description": "\n".join(filter(None, (of_node(node), told)))}


def of_node(node: Node) -> str:
    """A node's own description, with its examples and its default."""
    own = node.get("description") or node.get("title") or ""
    told = [sentence(word, node[word]) for word in ("default", "examples") if node.get(word) is not None]
    return joined(own if isinstance(own, str) else "", *told)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
