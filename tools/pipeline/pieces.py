"""The piece of a tool's schema that an error is about, short enough to be told again. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tools.pipeline.kinds import field_of
from tools.pipeline.places import Node, Place, steps_of
from tools.schema import judge_of
from tools.spec import ToolSpec

LONGEST_PIECE = 400
LONGEST_TEXT = 160
_SAID_ALREADY = frozenset({"additionalProperties", "unevaluatedProperties", "json", "truncated", "too_large"})
"""Errors that hold what there is to know."""


def schema_of(schema: Node, errors: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The subschemas that errors, as (path, keyword), are about, by path; items of one list share theirs."""
    root = Place(schema, [schema])
    found: dict[str, Any] = {}
    for path, keyword in errors:
        steps = steps_of(path)
        if steps and keyword not in _SAID_ALREADY and (piece := _piece(root.at(steps))):
            found[field_of(path)] = piece
    return found


def example_of(spec: ToolSpec) -> Any:
    """The first example of a tool's schema, if it is a valid one."""
    examples = spec.schema.get("examples")
    if not isinstance(examples, list) or not examples:
        return None
    return examples[0] if judge_of(spec.version, spec.schema).is_valid(examples[0]) else None


def templates_of(spec: ToolSpec, paths: Iterable[str]) -> dict[str, str]:
    """The templates of the parameters that paths are in."""
    names = {str(steps[0]) for path in paths if (steps := steps_of(path))}
    return {name: text for name, text in spec.templates.items() if name in names}


def _piece(place: Place) -> Any:
    """What is said of a place, shortened in the middle rather than at the end if it is long."""
    node, *others = place.forms or [{}]
    target = others[0] if "$ref" in node and others else {}
    merged = {word: value for word, value in {**target, **node}.items() if word not in ("$ref", "$defs")}
    for shorten in (_with_short_texts, _as_outline, _as_type):
        if _length(merged) <= LONGEST_PIECE:
            break
        merged = shorten(merged)
    return merged if _length(merged) <= LONGEST_PIECE else {}


def _with_short_texts(piece: dict[str, Any]) -> dict[str, Any]:
    told = {word: value for word, value in piece.items() if word not in ("examples", "title", "default")}
    if isinstance(text := told.get("description"), str) and len(text) > LONGEST_TEXT:
        told["description"] = text[: LONGEST_TEXT - 1] + "…"
    return told


def _as_outline(piece: dict[str, Any]) -> dict[str, Any]:
    """Of an object only its properties' types, of a list only its items' type."""
    told = {
        word: value
        for word, value in piece.items()
        if not isinstance(value, dict | list) or word == "required"
    }
    if isinstance(properties := piece.get("properties"), dict):
        told["properties"] = {name: _as_type(inner) for name, inner in properties.items()}
    if isinstance(items := piece.get("items"), dict):
        told["items"] = _as_type(items)
    return told


def _as_type(piece: Any) -> dict[str, Any]:
    known = piece if isinstance(piece, Mapping) else {}
    return {word: known[word] for word in ("type", "$ref") if word in known}


def _length(piece: Any) -> int:
    return len(json.dumps(piece, ensure_ascii=False))
