"""Bars, one a day, as lengths in percent: drawn by the template as SVG, without a script or a style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from django.utils.formats import date_format
from django.utils.translation import pgettext

from agents.usage.counts import Line, Sums
from tools.review.chart import TICKS, WIDTH
from tools.review.shares import at

Measure = Literal["cost", "tokens", "requests"]
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Bar:
    """One day: what it came to, and where its bar stands. `tick`: its label stands below it."""

    day: date
    label: str
    sums: Sums
    x: str
    width: str
    middle: str
    y: str
    height: str
    tick: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """The bars, and what the axis says at its top and its middle, in the measure's own unit."""

    bars: list[Bar]
    measure: Measure
    top: int
    half: int


def chart(days: Sequence[date], lines: Sequence[Line], measure: Measure) -> Chart:
    """A bar for every day, also for those without requests."""
    by_day: Mapping[str, Sums] = {line.key: line.sums for line in lines}
    sums = [by_day.get(day.isoformat(), Sums()) for day in days]
    top = nice(max((value_of(one, measure) for one in sums), default=0))
    every = -(-len(days) // TICKS)
    bars = [
        _bar(day, one, (number, len(days)), (value_of(one, measure), top), (len(days) - 1 - number) % every == 0)
        for number, (day, one) in enumerate(zip(days, sums, strict=True))
    ]  # fmt: skip
    return Chart(bars, measure, top, top // 2)


def value_of(sums: Sums, measure: Measure) -> int:
    return {"cost": sums.cost, "tokens": sums.tokens, "requests": sums.requests}[measure]


def _bar(day: date, sums: Sums, place: tuple[int, int], height: tuple[int, int], tick: bool) -> Bar:
    (number, of), (value, top) = place, height
    label = date_format(day, pgettext("a day below a chart", "M j"))
    return Bar(
        day, label, sums, at(number + (1 - WIDTH) / 2, of), at(WIDTH, of), at(number + 0.5, of),
        at(top - value, top), at(value, top), tick,
    )  # fmt: skip


def nice(most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, … that is enough."""
    power = 1
    while True:
        for step in STEPS:
            if step * power >= most:
                return step * power
        power *= 10
