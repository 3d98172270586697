"""Counted wishes as parts of a whole: percentages, the pieces of a stacked bar, and the rows behind each number."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise

from tools.models import ChainResult
from tools.review.counts import Tally
from tools.review.filters import Filters
from tools.review.words import RESULTS


@dataclass(frozen=True, slots=True)
class Part:
    """One way of ending among the wishes; `x` and `width` are where a bar of 100 % shows it."""

    result: ChainResult
    name: str | Promise
    count: int
    share: str
    query: str
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table: what was counted, how much there is of it, and its parts. `narrow`: insights of it alone."""

    name: str
    total: int
    query: str
    parts: list[Part]
    narrow: str = ""


def line(name: str, tally: Tally, rows: Filters, narrow: str = "") -> Line:
    """`rows`: what lets exactly these wishes through."""
    return Line(name, tally.total, rows.query(), parts_of(tally, rows), narrow)


def parts_of(tally: Tally, rows: Filters) -> list[Part]:
    """All results in their order, also those that never happened."""
    parts, before = [], 0
    for result, name in RESULTS.items():
        count = tally.by[result]
        part = Part(
            result, name, count, share(count, tally.total), rows.but(result=str(result)).query(),
            x=at(before, tally.total), width=at(count, tally.total),
        )  # fmt: skip
        parts.append(part)
        before += count
    return parts


def share(count: int, of: int) -> str:
    """A percentage to read; never 0 % of something nor 100 % of less than all."""
    percent = 100 * count / of if of else 0
    if 0 < percent < 1:
        return "<1%"
    return ">99%" if 99 < percent < 100 else f"{percent:.0f}%"


def at(count: float, of: float) -> str:
    """A length in an SVG."""
    return f"{100 * count / of if of else 0:.3f}%"
