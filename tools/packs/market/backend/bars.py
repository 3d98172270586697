"""Prices that are made up, always the same for an instrument and a day: five-minute bars, and the longer ones of them.

A day's close comes from a walk that is drawn back to the instrument's level; the day is a bridge from its open to that
close, in whole ticks. Every longer bar is made of the shorter ones, so that all periods agree.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from math import exp, sqrt
from random import Random
from typing import Literal, get_args

from .instruments import INSTRUMENTS, Instrument
from .sessions import BARS_A_DAY, STEP_S, a_year_back, days_back, is_trading_day, opening

Period = Literal["5m", "1h", "1d", "1w"]
PERIODS: tuple[Period, ...] = get_args(Period)
BEGINNING = date(2024, 1, 1)
"""The walk's first day; nothing is known of the time before."""
FINE_DAYS = 10
"""Trading days of which there are bars shorter than a day."""
DAYS_A_YEAR = 261
PULL = 0.012


@dataclass(frozen=True, slots=True)
class Bar:
    """`time`: when it begins, in seconds since 1970; for a day or week, its (first) day at 0:00 UTC."""

    time: int
    open: float
    high: float
    low: float
    close: float
    volume: int

    def row(self) -> list[float]:
        return [self.time, self.open, self.high, self.low, self.close, self.volume]


def joined(bars: Iterable[Bar], at: int) -> Bar:
    """One bar for several that follow each other."""
    parts = list(bars)
    high, low = max(one.high for one in parts), min(one.low for one in parts)
    return Bar(at, parts[0].open, high, low, parts[-1].close, sum(one.volume for one in parts))


def series(what: Instrument, period: Period, now: datetime) -> list[Bar]:
    """Everything there is of this period, oldest first. The newest longer bar may still be growing."""
    if period == "5m":
        return [bar for day in days_back(now, FINE_DAYS) for bar in _finished(what, day, now)]
    if period == "1h":
        return _by(series(what, "5m", now), lambda bar: bar.time - bar.time % 3600)
    days = [*(daily(what, day) for day in a_year_back(now)[:-1]), *newest_days(what, now, 1)]
    return days if period == "1d" else _by(days, monday_of)


def newest_days(what: Instrument, now: datetime, count: int) -> list[Bar]:
    """The newest daily bars, at most `FINE_DAYS`; the last one may still be growing."""
    return [joined(_finished(what, day, now), midnight(day)) for day in days_back(now, count)]


def _by(bars: list[Bar], key: Callable[[Bar], int]) -> list[Bar]:
    return [joined(group, at) for at, group in groupby(bars, key)]


def midnight(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


def monday_of(bar: Bar) -> int:
    day = datetime.fromtimestamp(bar.time, UTC).date()
    return midnight(day - timedelta(days=day.weekday()))


def _finished(what: Instrument, day: date, now: datetime) -> list[Bar]:
    until = now.timestamp() - STEP_S
    return [bar for bar in day_bars(what, day) if bar.time <= until]


@lru_cache(maxsize=len(INSTRUMENTS) * 300)
def daily(what: Instrument, day: date) -> Bar:
    """A whole day as one bar."""
    return joined(_drawn(what, day), midnight(day))


@lru_cache(maxsize=len(INSTRUMENTS) * (FINE_DAYS + 2))
def day_bars(what: Instrument, day: date) -> tuple[Bar, ...]:
    """The whole day's five-minute bars, from the first to the last."""
    return tuple(_drawn(what, day))


def _drawn(what: Instrument, day: date) -> Iterable[Bar]:
    chance = Random(f"{what.symbol} {day.isoformat()}")
    tick, swing = float(what.tick), what.swing / sqrt(DAYS_A_YEAR)
    before, close = _closes(what, day)
    first = before * exp(chance.gauss(0, swing / 4))
    prices = [max(3, round(price / tick)) for price in _bridge(chance, first, close, swing)]
    crowd = what.daily_volume / BARS_A_DAY * chance.lognormvariate(-0.04, 0.28)
    quiet = swing * first / tick / sqrt(BARS_A_DAY)

    def price(ticks: int) -> float:
        return round(ticks * tick, what.decimals)

    for at, (start, end) in enumerate(pairwise(prices)):
        up, down = (round(abs(chance.gauss(0, quiet / 2))) for _ in range(2))
        high, low = max(start, end) + up, max(1, min(start, end) - down)
        busy = 0.6 + 1.6 * (2 * at / BARS_A_DAY - 1) ** 2 + (high - low) / (4 * quiet + 1)
        volume = max(1, round(crowd * busy * chance.lognormvariate(-0.1, 0.35)))
        yield Bar(opening(day) + at * STEP_S, price(start), price(high), price(low), price(end), volume)


def _bridge(chance: Random, first: float, last: float, swing: float) -> list[float]:
    """A random way from one price to the other, in `BARS_A_DAY` steps."""
    step = swing / sqrt(BARS_A_DAY)
    walk = list(accumulate((chance.gauss(0, step) for _ in range(BARS_A_DAY)), initial=0.0))
    rise = last / first
    return [
        first * exp(x - walk[-1] * at / BARS_A_DAY) * rise ** (at / BARS_A_DAY) for at, x in enumerate(walk)
    ]


def _closes(what: Instrument, day: date) -> tuple[float, float]:
    """Where the price closed on the trading day before, and where it closes on this one."""
    walk = _walk(what, day.year)
    at = _trading_days(BEGINNING, day)
    return walk[at], walk[at + 1]


@lru_cache
def _walk(what: Instrument, until_year: int) -> list[float]:
    """The closes of every trading day to the end of the year; one more before the first day."""
    chance, swing = Random(what.symbol), what.swing / sqrt(DAYS_A_YEAR)
    found, x = [what.level], 0.0
    for _ in range(_trading_days(BEGINNING, date(until_year + 1, 1, 1))):
        x = x * (1 - PULL) + chance.gauss(0, swing)
        found.append(what.level * exp(x))
    return found


def _trading_days(first: date, until: date) -> int:
    """Trading days from `first`, a Monday, up to and without `until`."""
    weeks, days = divmod((until - first).days, 7)
    return weeks * 5 + sum(is_trading_day(first + timedelta(days=at)) for at in range(days))
