"""When a reminder is due: a rule in somebody's local time, and the moments that follow from it. Pure.

Of a time that the clocks skip, the next valid time counts; of one that comes twice, the first. `read` makes a rule of
what a person or a model wrote, or says what is wrong with it and how to put it right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from agents.usage.periods import zone as zone_named
from platform_site import zones

Kind = Literal["once", "daily", "weekly"]
Field = Literal["type", "time", "weekday"]
KINDS: tuple[Kind, ...] = get_args(Kind)
FARTHEST = timedelta(days=3660)
"""How far ahead a reminder may lie."""
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::00)?", re.ASCII)
_ONLY_WEEKLY = _("weekday belongs to weekly reminders only; leave it out here.")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[ T]\s*(\S+)", re.ASCII)


class NoSuchRule(ValueError):
    """What stands in a row says no time: nobody can tell when it comes."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`date` of one that comes once; `weekday` of a weekly one, 0 = Monday to 6 = Sunday. `zone` is an IANA name."""

    kind: Kind
    time: time
    zone: str
    date: date | None = None
    weekday: int | None = None

    def __post_init__(self) -> None:
        has_day = (self.kind == "once") == bool(self.date) and (self.kind == "weekly") == (
            self.weekday in range(7)
        )
        if not has_day or self.kind not in KINDS:
            raise NoSuchRule(f"no such rule: {self}")  # its days would be looked for until the end of time
        if self.zone not in zones.known():
            raise NoSuchRule(f"no such zone: {self}")  # UTC instead would be another time than the one meant


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why there is no such rule: which field, and in plain words what is wrong and what to give instead."""

    field: Field
    words: str | Promise


def read(kind: str, given: str, weekday: int | None, zone: str, now: datetime) -> Rule | Wrong:
    """The rule that `type`, `time` and `weekday` mean, as `reminder_set` takes them (R3)."""
    match kind:
        case "once":
            return _read_once(given.strip(), weekday, zone, now)
        case "daily" | "weekly":
            return _read_clock(kind, given.strip(), weekday, zone)
    return Wrong("type", format_lazy(_("type must be one of: {kinds}."), kinds=", ".join(KINDS)))


def _read_once(given: str, weekday: int | None, zone: str, now: datetime) -> Rule | Wrong:
    if weekday is not None:
        return Wrong("weekday", _ONLY_WEEKLY)
    found = _MOMENT.fullmatch(given)
    at, day = (_clock(found[2]), _day(found[1])) if found else (None, None)
    if at is None or day is None:
        words = _("time must be a date and a time, as in {example}, for a reminder that comes once.")
        return Wrong("time", format_lazy(words, example=_example(zone, now)))
    rule = Rule("once", at, zone, date=day)
    return _too_early_or_late(rule, now) or rule


def _too_early_or_late(rule: Rule, now: datetime) -> Wrong | None:
    assert rule.date is not None
    here = now.astimezone(zone_named(rule.zone))
    if rule.date > (here + FARTHEST).date():
        return Wrong("time", _("time is more than ten years ahead; choose an earlier one."))
    if rule.date < here.date() - DAY or next_after(rule, now) is None:
        words = _("{given} is in the past: it is {now} now in {zone}. Give a time in the future.")
        given = f"{rule.date:%Y-%m-%d} {rule.time:%H:%M}"
        return Wrong("time", format_lazy(words, given=given, now=f"{here:%Y-%m-%d %H:%M}", zone=rule.zone))
    return None


def _read_clock(kind: Literal["daily", "weekly"], given: str, weekday: int | None, zone: str) -> Rule | Wrong:
    at = _clock(given)
    if at is None:
        words = _("time must be hours and minutes, as in 09:30, for a reminder that comes again and again.")
        return Wrong("time", words)
    if kind == "daily" and weekday is not None:
        return Wrong("weekday", _ONLY_WEEKLY)
    if kind == "weekly" and weekday not in range(7):
        return Wrong("weekday", _("weekday must be 0 (Monday) to 6 (Sunday) for a weekly reminder."))
    return Rule(kind, at, zone, weekday=weekday)


def _clock(text: str) -> time | None:
    found = _CLOCK.fullmatch(text)
    return time(int(found[1]), int(found[2])) if found else None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _example(zone: str, now: datetime) -> str:
    return f"{now.astimezone(zone_named(zone)) + DAY:%Y-%m-%d} 09:30"


def moment(day: date, at: time, zone: str) -> datetime:
    """The UTC moment at which clocks in `zone` show this; the next valid time where they skip it, the first of two."""
    there, local = zone_named(zone), datetime.combine(day, at)
    while not _exists(local, there):
        local += MINUTE
    return local.replace(tzinfo=there).astimezone(UTC)


def _exists(local: datetime, there: ZoneInfo) -> bool:
    back = local.replace(tzinfo=there).astimezone(UTC).astimezone(there)
    return back.replace(tzinfo=None, fold=0) == local


def next_after(rule: Rule, after: datetime) -> datetime | None:
    """The first moment later than `after`, in UTC; None when there is none any more."""
    return next(moments_after(rule, after), None)


def next_five(rule: Rule, after: datetime) -> list[datetime]:
    """The next five moments later than `after`, or as many as there are, in UTC."""
    return list(islice(moments_after(rule, after), 5))


def moments_after(rule: Rule, after: datetime) -> Iterator[datetime]:
    """Every moment later than `after`, in order and each once: two days may meet where a whole day is skipped."""
    for day in _days(rule, after):
        due = moment(day, rule.time, rule.zone)
        if due > after:
            yield due
            after = due


def _days(rule: Rule, after: datetime) -> Iterator[date]:
    if rule.kind == "once":
        assert rule.date is not None
        yield rule.date
        return
    day = after.astimezone(zone_named(rule.zone)).date() - DAY
    while True:
        if rule.kind == "daily" or day.weekday() == rule.weekday:
            yield day
        day += DAY
