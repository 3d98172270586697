"""When a reminder comes, found another way than the product does: zones as tables of rules, and step by step.

No zone database and no arithmetic of the product's: each zone's standard time and its summer time's beginning and end
stand here as the laws have them. A clock is walked through the year, and what it shows is compared with what was asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
STEP = 15 * MINUTE
"""All times and changes here lie on it."""


@dataclass(frozen=True)
class Change:
    """Clocks change on the nth Sunday (from 1; -1 the last) of a month, at this minute of the old local time."""

    month: int
    sunday: int
    minute: int

    def day(self, year: int) -> date:
        first = date(year, self.month, 1)
        sundays = [first + DAY * n for n in range(31) if (first + DAY * n).month == self.month]
        return [day for day in sundays if day.weekday() == 6][
            self.sunday - 1 if self.sunday > 0 else self.sunday
        ]


@dataclass(frozen=True)
class Zone:
    """Minutes ahead of UTC in winter, and by how many more clocks go forward in summer, if they do."""

    standard: int
    forward: int = 0
    begins: Change | None = None
    ends: Change | None = None

    def ahead(self, utc: datetime) -> int:
        if self.begins is None or self.ends is None:
            return self.standard
        begins, ends = moments(self, utc.year)
        summer = begins <= utc < ends if begins < ends else not ends <= utc < begins
        return self.standard + (self.forward if summer else 0)


@cache
def moments(zone: Zone, year: int) -> tuple[datetime, datetime]:
    """When summer time begins and ends, in UTC."""
    assert zone.begins and zone.ends
    return at(zone.begins, year, zone.standard), at(zone.ends, year, zone.standard + zone.forward)


def at(change: Change, year: int, ahead: int) -> datetime:
    return datetime.combine(change.day(year), datetime.min.time()) + MINUTE * (change.minute - ahead)


ZONES = {
    # Last Sundays of March and October at 01:00 UTC, which is 02:00 before and 03:00 after.
    "Europe/Berlin": Zone(60, 60, Change(3, -1, 2 * 60), Change(10, -1, 3 * 60)),
    # Second Sunday of March, first of November, at 02:00.
    "America/New_York": Zone(-300, 60, Change(3, 2, 2 * 60), Change(11, 1, 2 * 60)),
    # First Sundays of October and April at 02:00, by half an hour.
    "Australia/Lord_Howe": Zone(630, 30, Change(10, 1, 2 * 60), Change(4, 1, 2 * 60)),
    "Asia/Shanghai": Zone(480),
}


def dues(
    zone: Zone, clock: str, begin: datetime, days: int, weekday: int | None = None
) -> Iterator[datetime]:
    """Every UTC moment (naive) after `begin` at which a daily or weekly reminder comes.

    The clock on the wall is read again and again. Where it reaches the time that was asked for, or jumps over it, the
    reminder comes, once a day: what the wall shows a second time, after going back, is done already.
    """
    hour, minute = map(int, clock.split(":"))
    done, now = set[date](), begin
    before = begin + MINUTE * zone.ahead(begin)
    while now < begin + DAY * days:
        now += STEP
        shown = now + MINUTE * zone.ahead(now)
        target = shown.replace(hour=hour, minute=minute)
        if before < target <= shown and shown.date() not in done:
            done.add(shown.date())
            if weekday in (None, shown.weekday()):
                yield now
        before = shown
