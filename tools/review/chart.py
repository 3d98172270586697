"""Stacked bars, one a day, as lengths in percent: drawn by the template as SVG, without a script or a style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import pgettext

from tools.review.counts import Tally
from tools.review.filters import Filters
from tools.review.shares import Line, at, line

WIDTH = 0.74
"""How much of a day's slot its bar takes."""
TICKS = 7
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Segment:
    """One result on one day."""

    result: str
    y: str
    height: str
    query: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One day: its numbers, and where its bar stands. `tick`: its label stands below it."""

    day: date
    line: Line
    x: str
    width: str
    middle: str
    segments: list[Segment]
    tick: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """The bars, and what the axis says at its top and its middle."""

    bars: list[Bar]
    top: int
    half: float


def chart(days: Mapping[date, Tally], rows: Filters) -> Chart:
    """`rows`: what lets the wishes of all these days through."""
    top = _nice(max((tally.total for tally in days.values()), default=0))
    every = -(-len(days) // TICKS)
    bars = [
        _bar(day, tally, rows.but(start=day, end=day), (number, len(days), top), (len(days) - 1 - number) % every == 0)
        for number, (day, tally) in enumerate(days.items())
    ]  # fmt: skip
    return Chart(bars, top, top / 2 if top % 2 else top // 2)


def _bar(day: date, tally: Tally, rows: Filters, place: tuple[int, int, int], tick: bool) -> Bar:
    number, of, top = place
    label = date_format(day, pgettext("a day below a chart", "M j"))
    told = line(label, tally, rows)
    x = at(number + (1 - WIDTH) / 2, of)
    return Bar(day, told, x, at(WIDTH, of), at(number + 0.5, of), _segments(told, top), tick)


def _segments(told: Line, top: int) -> list[Segment]:
    """From the ground up."""
    segments, below = [], 0
    for part in told.parts:
        below += part.count
        if part.count:
            segments.append(Segment(part.result, at(top - below, top), at(part.count, top), part.query))
    return segments


def _nice(most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, … that is enough."""
    power = 1
    while True:
        for step in STEPS:
            if step * power >= most:
                return step * power
        power *= 10
