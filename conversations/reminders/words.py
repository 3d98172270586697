"""What people read of a reminder: how often in plain words, what became of its times, what the clocks do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, tzinfo

from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from conversations.reminders.coming import Mark
from conversations.reminders.models import Occurrence, OccurrenceStatus, ReminderKind

Words = str | Promise
MARKS: Mapping[Mark, Words] = {
    "skipped": gettext_lazy("This hour is skipped that day (clocks go forward): the next one counts."),
    "twice": gettext_lazy("This hour comes twice that day (clocks go back): the first counts."),
    "moved": gettext_lazy("Another hour for you from here on: the clocks change."),
    "changed": gettext_lazy("The clocks have changed by then; the hour stays the same."),
}
SKIPPED: Mapping[str, Words] = {
    "missed": gettext_lazy("Skipped: a later one was due as well when the server was back"),
    "parked": gettext_lazy("Skipped: the last one still waited for an answer"),
    "busy": gettext_lazy("Skipped: the agent was still working on the last one"),
    "gone": gettext_lazy("Skipped: it was paused, or may not be delivered any more"),
    "broken": gettext_lazy("Skipped: something kept failing on our side"),
}


NO_DAY = gettext_lazy("At no known time")


def often(kind: str, when: datetime) -> str:
    """Every Monday at 09:00: on the clocks that `when` (one of its times) is given in."""
    named = _named(when)
    match kind:
        case ReminderKind.DAILY:
            return _("Every day at %(time)s") % named
        case ReminderKind.WEEKLY:
            return _("Every %(weekday)s at %(time)s") % named
    return _("Once, on %(date)s at %(time)s") % named


def elsewhere(kind: str, when: datetime, zone: str) -> str:
    """The same on the reminder's own clocks, where those are others: Monday 09:00 in America/New York."""
    named = _named(when) | {"zone": place(zone)}
    match kind:
        case ReminderKind.DAILY:
            return _("%(time)s in %(zone)s") % named
        case ReminderKind.WEEKLY:
            return _("%(weekday)s %(time)s in %(zone)s") % named
    return _("%(date)s %(time)s in %(zone)s") % named


def _named(when: datetime) -> dict[str, Words]:
    return {"time": clock(when), "weekday": WEEKDAYS[when.weekday()], "date": day(when.date())}


def clock(when: datetime) -> str:
    return f"{when:%H:%M}"


def place(zone: str) -> str:
    """A zone's name as people write it."""
    return zone.replace("_", " ")


def day(when: date, today: date | None = None) -> str:
    """Mon 24 Nov 2026; the year only where it is not that of `today`."""
    if today and when.year == today.year:
        return date_format(when, pgettext("format of a day, as in Mon 24 Nov", "D j M"))
    return date_format(when, pgettext("format of a day, as in Mon 24 Nov 2026", "D j M Y"))


def heading(when: date, today: date) -> str:
    """What a group of times is called: "Today", "Tomorrow", "Monday 24 November"."""
    match (when - today).days:
        case 0:
            return _("Today")
        case 1:
            return _("Tomorrow")
    if when.year == today.year:
        return date_format(when, pgettext("format of a day, as in Monday 24 November", "l j F"))
    return date_format(when, pgettext("format of a day, as in Monday 24 November 2026", "l j F Y"))


def outcome(one: Occurrence, viewer: tzinfo) -> Words:
    """What became of one time it was due."""
    match one.status:
        case OccurrenceStatus.DELIVERED if one.is_late and one.dealt_at:
            return _late(one.due_at.astimezone(viewer), one.dealt_at.astimezone(viewer))
        case OccurrenceStatus.DELIVERED:
            return _("Came in time")
        case OccurrenceStatus.SKIPPED:
            return SKIPPED.get(one.why, _("Skipped"))
    return _("Due")


def _late(due: datetime, came: datetime) -> str:
    if came.date() == due.date():
        return _("Came late, at %(time)s") % {"time": clock(came)}
    return _("Came late, on %(date)s at %(time)s") % {"date": day(came.date()), "time": clock(came)}
