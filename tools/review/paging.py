"""Long lists in pages, by the place of the first or last row shown: as fast on the last page as on the first, and rows
that come meanwhile shift nothing. A place is `<time>_<id>`; whoever makes one up sees rows they may see anyway.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.dateparse import parse_datetime

from tools.models import CallAttempt

PAGE = 50
NEWEST_FIRST = ("-created_at", "-pk")


@dataclass(frozen=True, slots=True)
class Cut:
    """One page; `newer` and `older` are the query parameters of its neighbours, empty where there are none."""

    rows: list[CallAttempt] = field(default_factory=list)
    newer: str = ""
    older: str = ""


def cut(rows: QuerySet[CallAttempt], given: Mapping[str, str]) -> Cut:
    """The page that `before=` or `after=` ask for; else the newest rows."""
    after, before = _place(given.get("after", "")), _place(given.get("before", ""))
    if after:
        found = list(rows.filter(_beyond(after, "gt")).order_by("created_at", "pk")[: PAGE + 1])
        more, shown = len(found) > PAGE, found[:PAGE][::-1]
        return _cut(shown, newer=more, older=True)
    if before:
        rows = rows.filter(_beyond(before, "lt"))
    found = list(rows.order_by(*NEWEST_FIRST)[: PAGE + 1])
    return _cut(found[:PAGE], newer=before is not None, older=len(found) > PAGE)


def beyond(row: CallAttempt) -> Q:
    """Rows older than this one."""
    return _beyond((row.created_at, row.pk), "lt")


def _cut(rows: list[CallAttempt], *, newer: bool, older: bool) -> Cut:
    if not rows:
        return Cut()
    return Cut(
        rows,
        newer=f"after={_written(rows[0])}" if newer else "",
        older=f"before={_written(rows[-1])}" if older else "",
    )


def _written(row: CallAttempt) -> str:
    return f"{row.created_at:%Y-%m-%dT%H:%M:%S.%fZ}_{row.pk}"


def _place(text: str) -> tuple[datetime, str] | None:
    when, _, id_ = text.partition("_")
    try:
        at = parse_datetime(when)
    except ValueError:
        return None
    return (at, id_) if at and at.tzinfo and id_.isalnum() and len(id_) <= 32 else None


def _beyond(place: tuple[datetime, str], step: str) -> Q:
    at, id_ = place
    in_range = Q(**{f"created_at__{step}e": at})  # says nothing new, but an index can use it
    return in_range & (Q(**{f"created_at__{step}": at}) | Q(**{f"pk__{step}": id_}))
