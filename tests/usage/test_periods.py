"""Months and days are the tenant's own; a minute is everybody's."""

from __future__ import annotations

from datetime import UTC, date, datetime

from agents.usage import periods
from agents.usage.period import Asked

SHANGHAI = periods.zone("Asia/Shanghai")
NEW_YEAR = datetime(2026, 12, 31, 17, 30, tzinfo=UTC)


def test_a_month_begins_when_it_begins_there() -> None:
    assert periods.month(NEW_YEAR, SHANGHAI) == "2027-01"
    assert periods.month(NEW_YEAR, periods.zone("UTC")) == "2026-12"
    assert periods.day(NEW_YEAR, SHANGHAI) == date(2027, 1, 1)
    assert periods.next_month(NEW_YEAR, periods.zone("UTC")) == datetime(2027, 1, 1, tzinfo=UTC)
    assert periods.next_month(NEW_YEAR, SHANGHAI).astimezone(UTC) == datetime(2027, 1, 31, 16, tzinfo=UTC)


def test_periods_sort_as_time_does() -> None:
    assert "2026-09" < "2026-11" < "2027-01"
    assert periods.minute(NEW_YEAR) == "2026-12-31T17:30"
    assert periods.next_minute(NEW_YEAR.replace(second=59)) == NEW_YEAR.replace(minute=31)


def test_a_zone_that_is_none_is_utc() -> None:
    assert periods.zone("Mars/Olympus").key == "UTC"
    assert periods.zone("").key == "UTC"


def test_the_page_asks_for_days_of_the_tenant() -> None:
    today = date(2026, 3, 10)

    def days(**given: str) -> tuple[date, date]:
        chosen = Asked.read(given).chosen(today)
        return chosen.start, chosen.end

    assert days() == (date(2026, 3, 1), today)
    assert days(period="last") == (date(2026, 2, 1), date(2026, 2, 28))
    assert days(period="7") == (date(2026, 3, 4), today)
    assert days(start="2026-01-05", end="2026-01-06") == (date(2026, 1, 5), date(2026, 1, 6))


def test_a_period_that_makes_no_sense_is_this_month() -> None:
    today = date(2026, 3, 10)
    nonsense = [
        {"period": "-1"},
        {"start": "x", "end": "y"},
        {"start": "2026-02-30", "end": "2026-03-01"},
        {"start": "2026-03-02", "end": "2026-03-01"},
        {"start": "1999-01-01", "end": "2026-03-01"},
    ]
    for given in nonsense:
        chosen = Asked.read(given).chosen(today)
        assert (chosen.start, chosen.end) == (date(2026, 3, 1), today), given
