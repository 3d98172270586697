"""A status moves by one conditional update (rule 4).

Each status has a table of arrows beside it. `move` returns whether this caller made the move: losing the race is
normal and is a value; an arrow that is not in the table is a bug and raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models

Arrows = Mapping[str, frozenset[str]]


class NoSuchArrow(RuntimeError):
    """Code asked for a move the table does not allow."""


def move(row: models.Model, old: str, new: str, arrows: Arrows, **values: Any) -> bool:
    """Move `row.status` from `old` to `new` if it still stands at `old`; `values` change with it."""
    check(arrows, old, new)
    manager = type(row)._base_manager
    moved = manager.filter(pk=row.pk, status=old).update(status=new, **values)
    if moved:
        for name, value in {"status": new, **values}.items():
            setattr(row, name, value)
    return bool(moved)


def check(arrows: Arrows, old: str, new: str) -> None:
    """Raise unless the table has this arrow."""
    if new not in arrows.get(old, frozenset()):
        raise NoSuchArrow(f"{old} -> {new}")
