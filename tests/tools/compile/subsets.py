"""Checkers of what each provider documents that it takes, written from the documentation and from reported refusals.

Each returns what it would refuse, with the place. They share nothing with the compilers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

ANY = {"description", "anyOf", "enum", "type"}
STRICT_WORDS = ANY | {
    "$ref", "$defs", "properties", "required", "additionalProperties", "items", "pattern", "format", "multipleOf",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
}  # fmt: skip
STRICT_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
GEMINI_WORDS = ANY | {
    "format", "items", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "properties",
    "additionalProperties", "required",
}  # fmt: skip
OPENAPI_WORDS = ANY | {
    "format", "nullable", "maxItems", "minItems", "properties", "required", "minProperties", "maxProperties",
    "minLength", "maxLength", "pattern", "items", "minimum", "maximum",
}  # fmt: skip


def refused_by_strict(parameters: dict[str, Any]) -> list[str]:
    """OpenAI, `strict: true`."""
    top = (
        ["the top is no plain object"] if parameters.get("type") != "object" or "anyOf" in parameters else []
    )
    return top + [f"{path}: {why}" for path, node in walk(parameters) for why in _strict_node(path, node)]


def _strict_node(path: str, node: dict[str, Any]) -> Iterator[str]:
    yield from (f"{word} is not permitted" for word in node.keys() - STRICT_WORDS)
    if "$defs" in node and path != "$":
        yield "definitions below the top"
    if "$ref" in node and len(node) > 1:
        yield "$ref with other words"
    if not node.keys() & {"type", "anyOf", "$ref"}:
        yield "no type"
    if "object" in _types(node):
        if node.get("additionalProperties") is not False:
            yield "not closed"
        if sorted(node.get("required", [])) != sorted(node.get("properties", {})):
            yield "not all required"
    if "array" in _types(node) and "items" not in node:
        yield "no items"
    if node.get("format", "date") not in STRICT_FORMATS:
        yield f"format {node['format']}"


def refused_by_loose(parameters: dict[str, Any]) -> list[str]:
    """OpenAI, not strict."""
    top = parameters.keys() & {"anyOf", "oneOf", "allOf", "enum", "const", "not"}
    found = [f"{word} at the top" for word in top] + (
        [] if parameters.get("type") == "object" else ["no object"]
    )
    for path, node in walk(parameters):
        if "array" in _types(node) and "items" not in node:
            found.append(f"{path}: no items")
    return found


def refused_by_gemini(parameters: dict[str, Any]) -> list[str]:
    """Gemini, `parametersJsonSchema`."""
    found = [] if parameters.get("type") == "object" else ["no object"]
    for path, node in walk(parameters):
        found += [f"{path}: {word}" for word in node.keys() - GEMINI_WORDS]
        if any(
            not isinstance(option, str | int | float) or isinstance(option, bool)
            for option in node.get("enum", [])
        ):
            found.append(f"{path}: enum of something else than texts and numbers")
        if set(node.get("required", [])) - node.get("properties", {}).keys():
            found.append(f"{path}: required, but not defined")
    return found


def refused_by_openapi(parameters: dict[str, Any]) -> list[str]:
    """Gemini, `parameters`: a protocol buffer, so any unknown field and any wrong type of field."""
    found = (
        []
        if parameters.get("type") == "OBJECT" and parameters.get("properties")
        else ["no object with properties"]
    )
    for path, node in walk(parameters):
        found += [f"{path}: unknown field {word}" for word in node.keys() - OPENAPI_WORDS]
        if node.get("type", "STRING") not in (
            "STRING",
            "NUMBER",
            "INTEGER",
            "BOOLEAN",
            "ARRAY",
            "OBJECT",
            "NULL",
        ):
            found.append(f"{path}: type {node['type']}")
        if any(not isinstance(option, str) for option in node.get("enum", [])):
            found.append(f"{path}: enum of something else than texts")
        if node.get("type") == "ARRAY" and "items" not in node:
            found.append(f"{path}: items missing")
        if node.get("format", "date-time") not in ("date-time", "enum"):
            found.append(f"{path}: format {node['format']}")
        if set(node.get("required", [])) - node.get("properties", {}).keys():
            found.append(f"{path}: required, but not defined")
    return found


def as_json_schema(node: Any) -> Any:
    """A Gemini `Schema` as the JSON Schema that it means."""
    if not isinstance(node, dict):
        return node
    made = {
        word: value
        for word, value in node.items()
        if word not in ("nullable", "properties", "items", "anyOf")
    }
    if "type" in made:
        made["type"] = made["type"].lower()
    if "properties" in node:
        made["properties"] = {name: as_json_schema(inner) for name, inner in node["properties"].items()}
    if "items" in node:
        made["items"] = as_json_schema(node["items"])
    if "anyOf" in node:
        made["anyOf"] = [as_json_schema(inner) for inner in node["anyOf"]]
    return {"anyOf": [made, {"type": "null"}]} if node.get("nullable") else made


def walk(node: Any, path: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every subschema with its place."""
    if not isinstance(node, dict):
        return
    yield path, node
    for word in ("properties", "$defs"):
        for name, inner in node.get(word, {}).items():
            yield from walk(inner, f"{path}.{word}.{name}")
    for word in ("anyOf", "prefixItems"):
        for index, inner in enumerate(node.get(word, [])):
            yield from walk(inner, f"{path}.{word}[{index}]")
    for word in ("items", "additionalProperties"):
        yield from walk(node.get(word), f"{path}.{word}")


def _types(node: dict[str, Any]) -> list[str]:
    given = node.get("type", [])
    return [given] if isinstance(given, str) else given
