"""Arguments printed line by line, with what is wrong (or was changed) marked at its JSON path. Pure.

An argument that is missing gets a line of its own where it should stand; an error whose place is not in the text is
marked at the nearest thing around it that is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tools import strictjson
from tools.schema_words import path_of

MOST_LINES = 1_000
Step = str | int


@dataclass(slots=True)
class Line:
    """One line: `errors` and `mends` are the numbers of what is marked there, from 1."""

    depth: int
    text: str
    path: str = ""
    errors: list[int] = field(default_factory=list)
    mends: list[int] = field(default_factory=list)
    missing: bool = False

    @property
    def steps(self) -> range:
        """How far in it stands."""
        return range(self.depth)


def readable(text: str) -> Any:
    """The value the pipeline reads in a text; `...` when it reads none: a name twice, Infinity, half a text."""
    try:
        return strictjson.loads(text)
    except strictjson.NotJson:
        return ...


def marked(value: Any, errors: Sequence[Mapping[str, Any]], mends: Sequence[Mapping[str, Any]]) -> list[Line]:
    """The value's lines, at most `MOST_LINES`, with the places of errors and mends marked."""
    lines = _lines(value, _missing(errors))
    _mark((line for line in lines if line.path), errors, mends)
    return lines


def _lines(value: Any, missing: Mapping[str, list[str]]) -> list[Line]:
    found: list[Line] = []
    for line in _print(value, (), "", "", missing):
        if len(found) == MOST_LINES:
            return [*found, Line(0, "…")]
        found.append(line)
    return found


def _missing(errors: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Names that should be there, by the path of the object they are missing from."""
    found: dict[str, list[str]] = {}
    for error in errors:
        parent, dot, name = str(error.get("path", "")).rpartition(".")
        if error.get("keyword") == "required" and dot:
            found.setdefault(parent, []).append(name)
    return found


def _print(
    value: Any, steps: tuple[Step, ...], label: str, comma: str, missing: Mapping[str, list[str]]
) -> Iterator[Line]:
    depth, path = len(steps), path_of(steps)
    absent = missing.get(path, []) if isinstance(value, dict) else []
    if not isinstance(value, dict | list) or not (value or absent):
        yield Line(depth, label + json.dumps(value, ensure_ascii=False) + comma, path)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield Line(depth, label + opening, path)
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for number, (step, item) in enumerate(items, 1):
        name = f"{json.dumps(step, ensure_ascii=False)}: " if isinstance(step, str) else ""
        yield from _print(item, (*steps, step), name, "," if number < len(value) else "", missing)
    yield from (Line(depth + 1, name, path_of((*steps, name)), missing=True) for name in absent)
    yield Line(depth, closing + comma)


def _mark(
    lines: Iterable[Line], errors: Sequence[Mapping[str, Any]], mends: Sequence[Mapping[str, Any]]
) -> None:
    places: dict[str, Line] = {}
    for line in lines:
        places.setdefault(line.path, line)
    for number, error in enumerate(errors, 1):
        if place := _nearest(places, str(error.get("path", "$"))):
            place.errors.append(number)
    for number, mend in enumerate(mends, 1):
        if place := places.get(str(mend.get("path", ""))):
            place.mends.append(number)


def _nearest(places: Mapping[str, Line], path: str) -> Line | None:
    while path and path not in places:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return places.get(path) or places.get("$")
