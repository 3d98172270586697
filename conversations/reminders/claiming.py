"""The clock's side of reminders: what is due is claimed, once whoever looks, and given to the queue.

A claim is one transaction: the reminder's next time moves on by a conditional update, the occurrence is stored, and a
worker is asked to deliver it. Of several times that went by while nobody looked, the last is delivered, late; those
before it are kept as missed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import takewhile

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from conversations.reminders import schedule
from conversations.reminders.giving_up import stop_broken
from conversations.reminders.models import Occurrence, OccurrenceStatus, Reminder, ReminderStatus
from conversations.reminders.verbs import rule_of
from platform_site.jobs import enqueue
from platform_site.tenancy import acting_for
from tools.jobs.setbacks import Setbacks

BATCH = 100
MOST_MISSED = 400
"""Missed times of one reminder that are kept, the newest: more than a year of days."""
DELIVER = "conversations.reminders.tasks.deliver"


@dataclass(frozen=True, slots=True)
class Open:
    """An occurrence that was claimed and not dealt with yet."""

    occurrence: str
    tenant: str


def claim_due(now: datetime, setbacks: Setbacks | None = None) -> list[Open]:
    """Claim what is due; returns what this caller, and no other, has claimed.

    Only ids are read for all of them at once: a row that cannot even be read breaks alone.
    """
    setbacks = setbacks or Setbacks()
    due = _active(setbacks.resting()).filter(next_due__lte=now).order_by("next_due", "pk")
    found = list(due.values_list("pk", "tenant_id")[:BATCH])
    return [claimed for row, tenant in found if (claimed := _tried(row, str(tenant), now, setbacks))]


def _active(resting: Collection[str] = ()) -> QuerySet[Reminder]:
    """In every tenant."""
    active = Reminder.objects.across_tenants().filter(status=ReminderStatus.ACTIVE, tenant__is_active=True)
    return active.exclude(pk__in=resting) if resting else active


def _tried(row: str, tenant: str, now: datetime, setbacks: Setbacks) -> Open | None:
    """One reminder that breaks must not hold up those of everybody else."""
    with acting_for(tenant):
        return setbacks.tried(row, partial(_claim_if_due, row, now), partial(stop_broken, row))


def _claim_if_due(reminder: str, now: datetime) -> Open | None:
    due = Reminder.objects.filter(pk=reminder, status=ReminderStatus.ACTIVE, next_due__lte=now)
    row = due.select_related("tenant").first()
    return _claim(row, now) if row else None


def _claim(row: Reminder, now: datetime) -> Open | None:
    assert row.next_due is not None
    rule = rule_of(row)
    later = takewhile(lambda due: due <= now, schedule.moments_after(rule, row.next_due))
    *missed, last = [row.next_due, *later]
    following = schedule.next_after(rule, last)
    with transaction.atomic():
        if not _move_on(row, following) or _is_known(row, last):
            return None
        _keep_missed(row, missed[-MOST_MISSED:], now)
        occurrence = Occurrence.objects.create(reminder=row, due_at=last)
        enqueue(DELIVER, row.tenant_id or "", occurrence.pk)
    return Open(occurrence.pk, row.tenant_id or "")


def _move_on(row: Reminder, following: datetime | None) -> bool:
    """Whether this caller takes the time that is due: of two, one does."""
    status = ReminderStatus.ACTIVE if following else ReminderStatus.DONE
    still = Reminder.objects.filter(pk=row.pk, status=ReminderStatus.ACTIVE, next_due=row.next_due)
    return bool(still.update(next_due=following, status=status))


def _is_known(row: Reminder, due: datetime) -> bool:
    """It was dealt with before: the clock was set back, and the reminder paused and resumed."""
    return Occurrence.objects.filter(reminder=row, due_at=due).exists()


def _keep_missed(row: Reminder, missed: Sequence[datetime], now: datetime) -> None:
    skipped = {"status": OccurrenceStatus.SKIPPED, "why": "missed", "dealt_at": now}
    rows = [Occurrence(reminder=row, due_at=due, **skipped) for due in missed]
    Occurrence.objects.bulk_create(rows, ignore_conflicts=True)


def open_ones(resting: Collection[str] = ()) -> list[Open]:
    """What was claimed, by anybody, and is not dealt with yet, oldest first; without what is `resting`."""
    rows = Occurrence.objects.across_tenants().filter(status=OccurrenceStatus.DUE, tenant__is_active=True)
    rows = rows.exclude(pk__in=resting) if resting else rows
    found = rows.order_by("due_at", "pk")[:BATCH].values_list("pk", "tenant_id")
    return [Open(occurrence, str(tenant)) for occurrence, tenant in found]


def still_open(some: Collection[Open]) -> set[Open]:
    """Those of `some` that are not dealt with yet, in whichever tenant."""
    rows = Occurrence.objects.across_tenants().filter(
        pk__in=[one.occurrence for one in some], status=OccurrenceStatus.DUE
    )
    left = set(rows.values_list("pk", flat=True))
    return {one for one in some if one.occurrence in left}


def next_due(resting: Collection[str] = ()) -> datetime | None:
    """When the first reminder of all is due."""
    active = _active(resting).filter(next_due__isnull=False)
    return active.order_by("next_due").values_list("next_due", flat=True).first()


def seconds_until_next(now: datetime | None = None, resting: Collection[str] = ()) -> float | None:
    """How long until then; None when there is none."""
    due = next_due(resting)
    return (due - (now or timezone.now())).total_seconds() if due else None
