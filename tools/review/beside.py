"""Two values side by side: every place in either, and whether it differs. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One place; a side that has nothing there is None. Texts stand as they are, everything else as JSON."""

    path: str
    before: str | None
    now: str | None
    changed: bool


def beside(before: Any, now: Any) -> list[Place]:
    """The places of `now` in order, then those that only `before` has. Nothing is left out."""
    old, new = dict(_flat(before)), dict(_flat(now))
    return [
        Place(_path(steps), _shown(old, steps), _shown(new, steps), _json(old, steps) != _json(new, steps))
        for steps in dict.fromkeys([*new, *old])
    ]


def _flat(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Each leaf with the steps to it; a list without anything nested is one leaf."""
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from _flat(item, (*steps, name))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for number, item in enumerate(value):
            yield from _flat(item, (*steps, number))
    else:
        yield steps, value


def _path(steps: Steps) -> str:
    """Names that are not plain words stand in quotes, so that no two places look the same."""
    parts = [f"[{step}]" if isinstance(step, int) else _name(step) for step in steps]
    return "".join(parts).removeprefix(".")


def _name(step: str) -> str:
    return (
        f".{step}" if step.isidentifier() and step.isascii() else f".{json.dumps(step, ensure_ascii=False)}"
    )


def _shown(side: dict[Steps, Any], steps: Steps) -> str | None:
    if steps not in side:
        return None
    value = side[steps]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _json(side: dict[Steps, Any], steps: Steps) -> str | None:
    return json.dumps(side[steps], sort_keys=True) if steps in side else None
