"""Sample prices: bars that could be true, periods that agree, and no number that changes once it is told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.packs_market.conftest import FRIDAY, SATURDAY
from tools.packs.market.backend.bars import PERIODS, Bar, Period, daily, day_bars, series
from tools.packs.market.backend.instruments import INSTRUMENTS, Instrument, find
from tools.packs.market.backend.sessions import is_open

SYMBOLS = [one.symbol for one in INSTRUMENTS]


def gold() -> Instrument:
    found = find("gold")
    assert found
    return found


def total(bars: list[Bar]) -> tuple[float, float, float, float, int]:
    """What one bar over all of these must say, worked out the plain way."""
    highs, lows, volumes = zip(*((one.high, one.low, one.volume) for one in bars), strict=True)
    return bars[0].open, max(highs), min(lows), bars[-1].close, sum(volumes)


def said(bar: Bar) -> tuple[float, float, float, float, int]:
    return bar.open, bar.high, bar.low, bar.close, bar.volume


@pytest.mark.parametrize("what", INSTRUMENTS, ids=SYMBOLS)
def test_a_bar_holds_its_prices_in_whole_ticks(what: Instrument) -> None:
    tick = float(what.tick)
    for bar in series(what, "5m", FRIDAY):
        assert bar.high >= max(bar.open, bar.close) and bar.low <= min(bar.open, bar.close)
        assert bar.low > 0 and bar.volume > 0
        for price in said(bar)[:4]:
            assert abs(price / tick - round(price / tick)) < 1e-6
            assert price == round(price, what.decimals)


@pytest.mark.parametrize("period", PERIODS)
def test_times_run_forward_and_none_is_of_the_future(period: Period) -> None:
    times = [bar.time for bar in series(gold(), period, FRIDAY)]
    assert times == sorted(set(times))
    assert times[-1] <= FRIDAY.timestamp()


def test_hours_are_made_of_five_minutes() -> None:
    fine = series(gold(), "5m", FRIDAY)
    for hour in series(gold(), "1h", FRIDAY):
        assert said(hour) == total([bar for bar in fine if hour.time <= bar.time < hour.time + 3600])


def test_days_are_made_of_five_minutes() -> None:
    days = {day.time: day for day in series(gold(), "1d", FRIDAY)}
    fine = series(gold(), "5m", FRIDAY)
    for midnight in {bar.time - bar.time % 86400 for bar in fine}:
        assert said(days[midnight]) == total([bar for bar in fine if bar.time - bar.time % 86400 == midnight])


def test_weeks_are_made_of_days() -> None:
    days, weeks = series(gold(), "1d", FRIDAY), series(gold(), "1w", FRIDAY)
    for week in weeks:
        assert datetime.fromtimestamp(week.time, UTC).weekday() == 0
        assert said(week) == total([day for day in days if week.time <= day.time < week.time + 7 * 86400])
    assert sum(week.volume for week in weeks) == sum(day.volume for day in days)


def test_there_is_a_year_of_days_and_two_weeks_of_five_minutes() -> None:
    counts = {period: len(series(gold(), period, FRIDAY)) for period in PERIODS}
    assert counts == {"5m": 9 * 144 + 96, "1h": 9 * 12 + 8, "1d": 265, "1w": 53}


def test_what_was_told_stays_and_only_the_end_grows() -> None:
    for period in PERIODS:
        before, after = (series(gold(), period, now) for now in (FRIDAY, FRIDAY + timedelta(minutes=5)))
        assert after[: len(before) - 1] == before[:-1]
        assert after != before


def test_a_day_tells_the_same_whoever_asks_when() -> None:
    """Also in another process, another year: nothing depends on what was asked before."""
    day = date(2026, 11, 18)
    bars = day_bars(gold(), day)
    daily.cache_clear()
    day_bars.cache_clear()
    assert day_bars(gold(), day) == bars
    assert said(daily(gold(), day)) == total(list(bars))
    assert bars[0].row()[:2] == [1794981600, 2252.5]


def test_at_the_weekend_friday_is_the_newest_day() -> None:
    assert not is_open(SATURDAY) and is_open(FRIDAY)
    newest = series(gold(), "5m", SATURDAY)[-1]
    assert datetime.fromtimestamp(newest.time, UTC) == datetime(2026, 11, 20, 17, 55, tzinfo=UTC)


def test_before_the_days_first_bar_there_is_yesterday() -> None:
    monday = datetime(2026, 11, 23, 6, 4, tzinfo=UTC)
    assert series(gold(), "1d", monday) == series(gold(), "1d", monday - timedelta(hours=10))
    assert len(series(gold(), "5m", monday + timedelta(minutes=1))) == 9 * 144 + 1
