"""Several subschemas about one place made into one, as far as can be said: never stricter than all together. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from tools.compile.values import Node

ANNOTATIONS = frozenset({
    "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema", "$id",
    "contentMediaType", "contentEncoding", "contentSchema", "$defs",
})  # fmt: skip
_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
_TOGETHER = (frozenset({"if", "then", "else"}), frozenset({"contains", "minContains", "maxContains"}))
ALL_TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")


def resolved(root: Node, ref: str) -> Any:
    """The subschema a reference leads to; true (anything) if it leads nowhere."""
    found: Any = root
    for step in ref.removeprefix("#").split("/")[1:]:
        step = unquote(step).replace("~1", "/").replace("~0", "~")
        found = found.get(step) if isinstance(found, Mapping) else None
    return True if found is None else found


def merged(first: Node, second: Node) -> tuple[dict[str, Any], list[str]]:
    """Both in one, and the keywords of the second that could not be kept."""
    made, lost = dict(first), list[str]()
    for word, value in second.items():
        if word not in made and not _belongs_to_other(word, first):
            made[word] = value
        elif word in ANNOTATIONS or made.get(word) == value:
            continue
        elif word == "properties":
            made[word], inner = _both_properties(made[word], value)
            lost += inner
        elif (both := _both(word, made.get(word), value)) is not None:
            made[word] = both
        else:
            lost.append(word)
    return made, lost


def types_of(node: Node) -> tuple[str, ...]:
    """The types a node allows by `type` and `enum`; empty if it says nothing of types."""
    given = node.get("type")
    named = (given,) if isinstance(given, str) else tuple(given or ())
    if isinstance(options := node.get("enum"), list):
        told = {type_of(option) for option in options}
        allowed = {
            one for one in told if one in named or (one == "integer" and "number" in named) or not named
        }
        return tuple(one for one in ALL_TYPES if one in allowed) or named
    return named


def type_of(value: Any) -> str:
    """The JSON type of a value; 3.0 is an integer, as JSON Schema has it."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case list():
            return "array"
    return "object"


def _belongs_to_other(word: str, first: Node) -> bool:
    """`then` says nothing without its own `if`."""
    return any(word in group and group & first.keys() for group in _TOGETHER)


def _both_properties(first: Node, second: Node) -> tuple[dict[str, Any], list[str]]:
    made, lost = dict(first), list[str]()
    for name, node in second.items():
        here = made.get(name, True)
        if here is False or node is False:
            made[name] = False
        elif isinstance(here, Mapping) and isinstance(node, Mapping):
            made[name], inner = merged(here, node)
            lost += inner
        elif here is True:
            made[name] = node
    return made, lost


def _both(word: str, first: Any, second: Any) -> Any:
    """The conjunction of one keyword's two values; None if one keyword cannot say it."""
    if word in _LOWER:
        return max(first, second)
    if word in _UPPER:
        return min(first, second)
    if word == "required":
        return list(dict.fromkeys([*first, *second]))
    if word == "enum":
        return [option for option in first if option in second] or None
    if word == "type":
        return _both_types(types_of({"type": first}), types_of({"type": second}))
    if word in ("additionalProperties", "unevaluatedProperties") and second is False:
        return False
    return True if word == "uniqueItems" else None


def _both_types(first: tuple[str, ...], second: tuple[str, ...]) -> list[str] | None:
    wide_first = {*first, *(["integer"] if "number" in first else [])}
    wide_second = {*second, *(["integer"] if "number" in second else [])}
    both = [one for one in ALL_TYPES if one in wide_first & wide_second]
    if "number" in both and "integer" in both:
        both.remove("integer")
    return both or None
