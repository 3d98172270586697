"""When a reminder is due (R3): rules as people write them, and the moments that follow, over every change of clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

import pytest
from django.utils.translation import override

from conversations.reminders import schedule
from conversations.reminders.schedule import Rule, Wrong
from tests.reminders import other_way

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
BERLIN = "Europe/Berlin"


def read(kind: str, given: str, weekday: int | None = None, zone: str = BERLIN) -> Rule | Wrong:
    return schedule.read(kind, given, weekday, zone, NOW)


def local(rule: Rule, after: datetime) -> str:
    found = schedule.next_after(rule, after)
    assert found
    return f"{found.astimezone(ZoneInfo(rule.zone)):%Y-%m-%d %H:%M %Z}"


@pytest.mark.parametrize(
    ("kind", "given", "weekday", "rule"),
    [
        ("once", "2026-11-23 09:30", None, Rule("once", time(9, 30), BERLIN, date=date(2026, 11, 23))),
        ("once", "2026-11-21T13:01", None, Rule("once", time(13, 1), BERLIN, date=date(2026, 11, 21))),
        ("daily", "09:30", None, Rule("daily", time(9, 30), BERLIN)),
        ("daily", "7:05", None, Rule("daily", time(7, 5), BERLIN)),
        ("weekly", "23:59", 0, Rule("weekly", time(23, 59), BERLIN, weekday=0)),
        ("weekly", "00:00", 6, Rule("weekly", time(0, 0), BERLIN, weekday=6)),
    ],
)
def test_what_makes_sense_is_read(kind: str, given: str, weekday: int | None, rule: Rule) -> None:
    assert read(kind, given, weekday) == rule


@pytest.mark.parametrize(
    ("kind", "given", "weekday", "field", "words"),
    [
        ("hourly", "09:30", None, "type", "once, daily, weekly"),
        ("once", "09:30", None, "time", "2026-11-22 09:30"),
        ("once", "tomorrow", None, "time", "a date and a time"),
        ("once", "2026-02-30 09:30", None, "time", "a date and a time"),
        ("once", "2026-11-23 24:00", None, "time", "a date and a time"),
        ("once", "2026-11-21 13:00", None, "time", "it is 2026-11-21 13:00 now in Europe/Berlin"),
        ("once", "0001-01-01 00:00", None, "time", "in the past"),
        ("once", "9999-12-31 23:59", None, "time", "more than ten years ahead"),
        ("once", "2026-11-23 09:30", 0, "weekday", "leave it out"),
        ("daily", "2026-11-23 09:30", None, "time", "as in 09:30"),
        ("daily", "25:00", None, "time", "as in 09:30"),
        ("daily", "９:30", None, "time", "as in 09:30"),
        ("daily", "09:30", 0, "weekday", "leave it out"),
        ("weekly", "09:30", None, "weekday", "0 (Monday) to 6 (Sunday)"),
        ("weekly", "09:30", 7, "weekday", "0 (Monday) to 6 (Sunday)"),
    ],
)
def test_what_does_not_is_told_with_what_to_give_instead(
    kind: str, given: str, weekday: int | None, field: str, words: str
) -> None:
    wrong = read(kind, given, weekday)
    assert isinstance(wrong, Wrong)
    with override("en"):
        assert (wrong.field, words in str(wrong.words)) == (field, True), str(wrong.words)


def test_the_future_is_that_of_the_persons_zone() -> None:
    assert isinstance(read("once", "2026-11-21 19:00", zone="Asia/Shanghai"), Wrong)
    assert isinstance(read("once", "2026-11-21 20:01", zone="Asia/Shanghai"), Rule)
    assert isinstance(read("once", "2026-11-21 07:01", zone="America/New_York"), Rule)


def test_an_hour_that_is_skipped_gives_the_next_valid_time() -> None:
    before = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)
    assert local(Rule("daily", time(2, 30), BERLIN), before) == "2026-03-29 03:00 CEST"
    assert local(Rule("daily", time(3, 0), BERLIN), before) == "2026-03-29 03:00 CEST"
    half = Rule("daily", time(2, 10), "Australia/Lord_Howe")
    assert local(half, datetime(2026, 10, 3, 0, 0, tzinfo=UTC)) == "2026-10-04 02:30 +11"


def test_an_hour_that_comes_twice_counts_the_first_time() -> None:
    rule = Rule("daily", time(2, 30), BERLIN)
    first = schedule.next_after(rule, datetime(2026, 10, 24, 12, 0, tzinfo=UTC))
    assert first == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert schedule.next_after(rule, first) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


def test_a_day_that_is_skipped_gives_one_time_not_two() -> None:
    """Samoa had no 30 December 2011: midnight of that day and of the next are one moment."""
    rule = Rule("daily", time(0, 0), "Pacific/Apia")
    found = islice(schedule.moments_after(rule, datetime(2011, 12, 28, 12, 0, tzinfo=UTC)), 3)
    there = [f"{due.astimezone(ZoneInfo(rule.zone)):%m-%d %H:%M}" for due in found]
    assert there == ["12-29 00:00", "12-31 00:00", "01-01 00:00"]


def test_the_next_five() -> None:
    weekly = Rule("weekly", time(9, 0), BERLIN, weekday=0)
    assert [f"{due:%m-%d %H:%M}" for due in schedule.next_five(weekly, NOW)] == [
        "11-23 08:00", "11-30 08:00", "12-07 08:00", "12-14 08:00", "12-21 08:00",
    ]  # fmt: skip
    once = Rule("once", time(9, 0), BERLIN, date=date(2026, 11, 23))
    assert len(schedule.next_five(once, NOW)) == 1
    assert schedule.next_five(once, NOW + timedelta(days=3)) == []


@pytest.mark.parametrize("zone", sorted(other_way.ZONES))
@pytest.mark.parametrize(("clock", "weekday"), [("02:30", None), ("01:45", 6), ("02:15", 6), ("00:00", None)])
def test_a_year_comes_out_the_same_another_way(zone: str, clock: str, weekday: int | None) -> None:
    """The wall clock is walked through the year: none missed, none twice. Sundays are when clocks change."""
    begin, kind = datetime(2026, 1, 10, tzinfo=UTC), "daily" if weekday is None else "weekly"
    rule = schedule.read(kind, clock, weekday, zone, NOW)
    assert isinstance(rule, Rule)
    until = begin + timedelta(days=365)
    ours = takewhile(lambda due: due <= until, schedule.moments_after(rule, begin))
    theirs = other_way.dues(other_way.ZONES[zone], clock, begin.replace(tzinfo=None), 365, weekday)
    assert [due.replace(tzinfo=None) for due in ours] == list(theirs)
