"""A reminder as its page shows it: one value a row, with everything the template says. Three queries for any number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from agents.usage.periods import zone as zone_named
from conversations.access import conversations_for
from conversations.reminders import schedule, verbs, words
from conversations.reminders.coming import Coming, coming
from conversations.reminders.models import Occurrence, OccurrenceStatus, Reminder
from conversations.reminders.verbs import Can
from conversations.reminders.words import Words
from platform_site.access import Actor

LOOKED_BACK = 5
"""How many of its last times are shown."""


@dataclass(frozen=True, slots=True)
class Next:
    """One time to come, in words."""

    at: datetime
    day: str
    clock: str
    there: str
    """On the reminder's own clocks, where those are others."""
    mark: str
    says: Words


@dataclass(frozen=True, slots=True)
class Past:
    """One time that was."""

    at: datetime
    day: str
    clock: str
    status: str
    is_late: bool
    says: Words


@dataclass(frozen=True, slots=True)
class Shown:
    """A row. `at`: its next time, or the last it had, on the clocks of who looks. `often`: or why nobody can tell."""

    reminder: Reminder
    at: datetime
    often: Words
    elsewhere: str
    coming: list[Next]
    past: list[Past]
    may: frozenset[Can]
    is_here: bool
    """Whether this person takes part in its conversation."""
    is_broken: bool
    """Nobody can tell when it comes; `at` is no time of its own, then."""

    @property
    def clock(self) -> str:
        return words.clock(self.at)

    @property
    def day(self) -> str:
        return words.day(self.at.date())

    @property
    def tells_dates(self) -> bool:
        """Whether its next dates say more than the row does."""
        return len(self.coming) > 1 or any(one.mark for one in self.coming)

    @property
    def trouble(self) -> Past | None:
        """Its last time, if that was not as it should be."""
        last = self.past[0] if self.past else None
        return last if last and (last.is_late or last.status == OccurrenceStatus.SKIPPED) else None


def rows(actor: Actor, reminders: Iterable[Reminder], now: datetime) -> list[Shown]:
    """Each as this person sees it."""
    found = list(reminders)
    viewer = zone_named(verbs.zone_of(actor))
    past = _last_times([one.pk for one in found])
    talks = [one.conversation_id for one in found]
    here = set(conversations_for(actor).filter(pk__in=talks).values_list("pk", flat=True))
    return [_shown(actor, one, past[one.pk], viewer, now, one.conversation_id in here) for one in found]


def _shown(
    actor: Actor, one: Reminder, past: Sequence[Occurrence], viewer: ZoneInfo, now: datetime, is_here: bool
) -> Shown:
    there, is_broken = zone_named(one.zone), verbs.is_broken(one)
    moments = verbs.next_five(one, now)
    when = moments[0] if moments else _last(one, past, now)
    is_other = not is_broken and when.astimezone(there).utcoffset() != when.astimezone(viewer).utcoffset()
    return Shown(
        one,
        at=when.astimezone(viewer),
        often=verbs.UNTOLD if is_broken else words.often(one.kind, when.astimezone(viewer)),
        elsewhere=words.elsewhere(one.kind, when.astimezone(there), one.zone) if is_other else "",
        coming=nexts(moments, one.time, there, viewer, now),
        past=[_past(each, viewer, now) for each in past],
        may=verbs.may(actor, one) if is_here else verbs.may(actor, one) - verbs.ONLY_HERE,
        is_here=is_here,
        is_broken=is_broken,
    )


def _last(one: Reminder, past: Sequence[Occurrence], now: datetime) -> datetime:
    """When it last was due; of one that comes once and never was, its time."""
    if one.date:
        return schedule.moment(one.date, one.time, one.zone)
    return past[0].due_at if past else now


def nexts(
    moments: Sequence[datetime], at: time, own: ZoneInfo, viewer: ZoneInfo, now: datetime
) -> list[Next]:
    """Times to come in words; `at` is the hour it is set for in its `own` zone."""
    today = now.astimezone(viewer).date()
    return [_next(one, today) for one in coming(moments, at, own, viewer, now)]


def _next(one: Coming, today: date) -> Next:
    is_other = one.here.utcoffset() != one.there.utcoffset()
    return Next(
        at=one.here,
        day=words.day(one.here.date(), today),
        clock=words.clock(one.here),
        there=words.elsewhere("daily", one.there, str(one.there.tzinfo)) if is_other else "",
        mark=one.mark,
        says=words.MARKS.get(one.mark, ""),
    )


def _past(one: Occurrence, viewer: ZoneInfo, now: datetime) -> Past:
    here = one.due_at.astimezone(viewer)
    return Past(
        at=here,
        day=words.day(here.date(), now.astimezone(viewer).date()),
        clock=words.clock(here),
        status=one.status,
        is_late=one.is_late,
        says=words.outcome(one, viewer),
    )


def _last_times(ids: Sequence[str]) -> defaultdict[str, list[Occurrence]]:
    """The newest occurrences of each, newest first."""
    number = Window(RowNumber(), partition_by=F("reminder_id"), order_by=F("due_at").desc())
    numbered = Occurrence.objects.filter(reminder__in=ids).annotate(number=number)
    by_reminder: defaultdict[str, list[Occurrence]] = defaultdict(list)
    for one in numbered.filter(number__lte=LOOKED_BACK).order_by("-due_at"):
        by_reminder[one.reminder_id].append(one)
    return by_reminder


@dataclass(frozen=True, slots=True)
class Day:
    """Those whose next time is on one day."""

    name: str
    rows: list[Shown]


def by_day(shown: Iterable[Shown], now: datetime) -> list[Day]:
    """In groups of a day each, first those of no known time; `shown` is in the order of its times."""
    days: list[Day] = []
    for one in sorted(shown, key=lambda one: not one.is_broken):
        today = now.astimezone(one.at.tzinfo).date()
        name = str(words.NO_DAY) if one.is_broken else words.heading(one.at.date(), today)
        if not days or days[-1].name != name:
            days.append(Day(name, []))
        days[-1].rows.append(one)
    return days
