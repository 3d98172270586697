"""The names of what the pipeline may change on its way, and how a flag shows a change. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tools.pipeline.kinds import field_of
from tools.pipeline.values import Flag
from tools.schema_words import path_of, shortened

FORMAT_MENDS = frozenset(
    {"fence", "prose", "quotes", "unquoted", "commas", "comments", "literals", "escapes", "encoded"}
)
"""Mends that touch how a value is written, never the value."""
MENDS = FORMAT_MENDS | {"brackets"}
LONGEST_EXCERPT = 120
MOST = 100
"""Flags of one call. Mends come first and are few, so that none of those is ever left out."""


def coerced(path: tuple[str | int, ...], before: Any, after: Any, detail: str) -> Flag:
    """A value that was read as the type its schema wants."""
    told = {"before": shortened(before), "after": shortened(after), "detail": detail}
    return {"name": "coerced", "path": path_of(path), **told}


def encoded(text: str, inner: str) -> Flag:
    """The whole object stood in a JSON text."""
    return {"name": "encoded", "before": excerpt(text), "after": excerpt(inner)}


def excerpt(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= LONGEST_EXCERPT else text[: LONGEST_EXCERPT - 1] + "…"


def one_a_field(told: Iterable[Flag]) -> tuple[Flag, ...]:
    """Of flags about the same field of the items of a list only the first, with how many `times` it was."""
    fields: dict[tuple[str, str, str], list[Flag]] = {}
    for flag in told:
        fields.setdefault((flag["name"], field_of(flag["path"]), str(flag["detail"])), []).append(flag)
    return tuple(
        same[0] if len(same) == 1 else {**same[0], "path": path, "times": len(same)}
        for (_name, path, _detail), same in fields.items()
    )


def at_most(told: Sequence[Flag]) -> tuple[Flag, ...]:
    """Not more than anybody reads; the last one then says how many more there were."""
    if len(told) <= MOST:
        return tuple(told)
    return (*told[: MOST - 1], {"name": "more", "detail": len(told) - MOST + 1})
