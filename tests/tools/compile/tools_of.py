"""Tools to compile, and values moved between a schema and its strict form."""

from __future__ import annotations

from typing import Any

import jsonschema_rs

from tools.spec import PythonExecutor, ToolSpec


def tool(schema: dict[str, Any], **changes: Any) -> ToolSpec:
    values = {
        "name": "order",
        "description": "Orders.",
        "risk": "SAFE",
        "executor": PythonExecutor("general.order"),
    }
    return ToolSpec(schema=schema, **(values | changes))


def of(**properties: Any) -> dict[str, Any]:
    """A closed object with these properties, all of them optional."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def filled(root: dict[str, Any], node: dict[str, Any], value: Any) -> Any:
    """What a model bound to the strict form `node` would write for `value`: every optional name, with null."""
    if "$ref" in node:
        return filled(root, root if node["$ref"] == "#" else root["$defs"][node["$ref"][8:]], value)
    if "anyOf" in node:
        tries = [filled(root, one, value) for one in node["anyOf"]]
        fitting = [made for one, made in zip(node["anyOf"], tries, strict=True) if fits(root, one, made)]
        return fitting[0] if fitting else value
    if isinstance(value, dict) and "properties" in node:
        inner = node["properties"]
        return {name: filled(root, inner[name], value.get(name)) for name in inner} | {
            name: one for name, one in value.items() if name not in inner
        }
    if isinstance(value, list) and "items" in node:
        return [filled(root, node["items"], one) for one in value]
    return value


def fits(root: dict[str, Any], node: dict[str, Any], value: Any) -> bool:
    return bool(jsonschema_rs.is_valid({**node, "$defs": root.get("$defs", {})}, value))
