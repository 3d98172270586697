"""What the clocks do to the next dates of a reminder, for who looks from its own zone and from another."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from conversations.reminders import schedule
from conversations.reminders.coming import coming

BERLIN, NEW_YORK, KOLKATA = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Kolkata")


def next_of(at: str, own: ZoneInfo, viewer: ZoneInfo, after: date) -> list[tuple[str, str]]:
    """The next five of a daily reminder as who looks sees them, each with its mark."""
    now = datetime.combine(after, time(12), tzinfo=UTC)
    rule = schedule.Rule("daily", time.fromisoformat(at), own.key)
    shown = coming(schedule.next_five(rule, now), rule.time, own, viewer, now)
    return [(f"{one.here:%d %H:%M}", one.mark) for one in shown]


def test_where_no_clock_changes_nothing_is_marked() -> None:
    days = next_of("09:00", BERLIN, BERLIN, date(2026, 6, 1))
    assert days == [(f"0{day} 09:00", "") for day in range(2, 7)]


def test_an_hour_that_is_skipped_gives_way_to_the_next() -> None:
    days = next_of("02:30", BERLIN, BERLIN, date(2026, 3, 27))
    assert days[:3] == [("28 02:30", ""), ("29 03:00", "skipped"), ("30 02:30", "")]


def test_of_an_hour_that_comes_twice_the_first_counts() -> None:
    days = next_of("02:30", BERLIN, BERLIN, date(2026, 10, 23))
    assert days[:3] == [("24 02:30", ""), ("25 02:30", "twice"), ("26 02:30", "changed")]


def test_on_its_own_clocks_the_hour_stays_when_they_change() -> None:
    days = next_of("09:00", BERLIN, BERLIN, date(2026, 3, 27))
    assert days[:3] == [("28 09:00", ""), ("29 09:00", "changed"), ("30 09:00", "")]


def test_seen_from_elsewhere_the_hour_moves() -> None:
    """New York changes three weeks before Berlin."""
    days = next_of("09:00", NEW_YORK, BERLIN, date(2026, 3, 6))
    assert days[1:4] == [("07 15:00", ""), ("08 14:00", "moved"), ("09 14:00", "")]


def test_a_zone_without_summer_time_moves_for_who_has_one() -> None:
    days = next_of("09:00", KOLKATA, BERLIN, date(2026, 3, 27))
    assert days[:3] == [("28 04:30", ""), ("29 05:30", "moved"), ("30 05:30", "")]


@pytest.mark.parametrize("zone", [BERLIN, NEW_YORK, KOLKATA], ids=str)
def test_a_time_is_the_same_moment_on_both_clocks(zone: ZoneInfo) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    rule = schedule.Rule("weekly", time(23, 45), zone.key, weekday=6)
    moments = schedule.next_five(rule, now)
    shown = coming(moments, rule.time, zone, BERLIN, now)
    assert [one.here for one in shown] == [one.there for one in shown] == moments
