"""What a year of daily bars comes to: how far a price moved, between what, how wildly, and in which months. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from statistics import stdev
from typing import Any

TRADING_DAYS = 252
FEWEST = 3
"""Bars without which there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One day. The day as ISO writes it."""

    day: str
    open: float
    high: float
    low: float
    close: float

    @classmethod
    def of(cls, row: Sequence[float]) -> Bar:
        """Of a directive's row: time, open, high, low, close, volume."""
        time, open_, high, low, close = row[:5]
        return cls(datetime.fromtimestamp(time, UTC).date().isoformat(), open_, high, low, close)


def is_compared(bar: Bar) -> bool:
    """Prices fall to zero and below (crude oil on 2020-04-20: -37.63); what is more or less than that in percent?"""
    return min(bar.open, bar.high, bar.low, bar.close) > 0


def summary(bars: Sequence[Bar]) -> dict[str, Any]:
    """The figures of a year, rounded as they are read; of bars that can all be compared."""
    first, last = bars[0], bars[-1]
    top, bottom = max(bars, key=lambda bar: bar.high), min(bars, key=lambda bar: bar.low)
    months = by_month(bars)
    best, worst = (choose(months, key=lambda pair: pair[1]) for choose in (max, min))
    return {
        "from": first.day,
        "to": last.day,
        "first": first.open,
        "last": last.close,
        "change_percent": moved(first.open, last.close),
        "highest": {"price": top.high, "date": top.day},
        "lowest": {"price": bottom.low, "date": bottom.day},
        "volatility_percent": volatility(bar.close for bar in bars),
        "best_month": {"month": best[0], "change_percent": best[1]},
        "worst_month": {"month": worst[0], "change_percent": worst[1]},
    }


def moved(before: float, now: float) -> float:
    return round((now / before - 1) * 100, 2)


def volatility(closes: Iterable[float]) -> float:
    """A year's, in percent: how far a day's change usually lies from the average, scaled up."""
    changes = [math.log(now / before) for before, now in pairwise(closes)]
    return round(stdev(changes) * math.sqrt(TRADING_DAYS) * 100, 1)


def by_month(bars: Sequence[Bar]) -> list[tuple[str, float]]:
    """Each month's change, from the close before it (the first one's from its first price)."""
    last_of: dict[str, float] = {}
    for bar in bars:
        last_of[bar.day[:7]] = bar.close
    before = [bars[0].open, *last_of.values()]
    return [(month, moved(was, now)) for (month, now), was in zip(last_of.items(), before, strict=False)]
