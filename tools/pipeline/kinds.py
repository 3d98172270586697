"""Errors sorted into the few kinds that statistics count, and paths into the fields they are about. Pure."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal[
    "json", "truncated", "too_large", "type", "missing", "unknown_argument", "enum", "limit", "format", "rule",
    "handler", "unknown_tool", "not_allowed", "other",
]  # fmt: skip
_KINDS: dict[str, Kind] = {
    "json": "json", "truncated": "truncated", "too_large": "too_large", "type": "type", "required": "missing",
    "additionalProperties": "unknown_argument", "unevaluatedProperties": "unknown_argument",
    "propertyNames": "unknown_argument", "enum": "enum", "const": "enum", "pattern": "format", "format": "format",
    "not_allowed": "not_allowed", "unknown_tool": "unknown_tool",
    "minimum": "limit", "maximum": "limit", "exclusiveMinimum": "limit", "exclusiveMaximum": "limit",
    "multipleOf": "limit", "minLength": "limit", "maxLength": "limit", "minItems": "limit", "maxItems": "limit",
    "uniqueItems": "limit", "minProperties": "limit", "maxProperties": "limit", "contains": "limit",
    "anyOf": "type", "oneOf": "type", "dependentRequired": "missing",
}  # fmt: skip
_POSITION = re.compile(r"\[\d+\]")


def kind_of(keyword: str) -> Kind:
    """The kind of an error with this keyword; rules and handlers' own checks name themselves."""
    if keyword.startswith("rule:"):
        return "rule"
    if keyword in _KINDS:
        return _KINDS[keyword]
    return "handler" if "_" in keyword else "other"


def field_of(path: str) -> str:
    """The argument an error is about, whichever item of a list it was: `$.items[3].size` is `$.items[].size`."""
    return _POSITION.sub("[]", path)[:120]
