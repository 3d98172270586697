"""The clock's side of reminders: what is due is claimed, once whoever looks, and given to the queue.

A claim is one transaction: the reminder's next time moves on by a conditional update, the occurrence is stored, and a
worker is asked to deliver it. Of several times that went by while nobody looked, the last is delivered, late; those
before it are kept as missed.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from django.db import transaction
from django.utils import timezone

from conversations.reminders import schedule
from conversations.reminders.models import Occurrence, OccurrenceStatus, Reminder, ReminderStatus
from conversations.reminders.verbs import rule_of
from platform_site.jobs import enqueue
from platform_site.tenancy import acting_for

log = logging.getLogger(__name__)
BATCH = 100
MOST_MISSED = 400
"""Missed times of one reminder that are kept, the newest: more than a year of days."""
DELIVER = "conversations.reminders.tasks.deliver"


@dataclass(frozen=True, slots=True)
class Open:
    """An occurrence that was claimed and not dealt with yet."""

    occurrence: str
    tenant: str


def claim_due(now: datetime) -> list[Open]:
    """Claim what is due; returns what this caller, and no other, has claimed."""
    active = Reminder.objects.across_tenants().filter(status=ReminderStatus.ACTIVE, tenant__is_active=True)
    due = active.filter(next_due__lte=now).order_by("next_due", "pk")[:BATCH]
    return [claimed for row in due if (claimed := _tried(row, now))]


def _tried(row: Reminder, now: datetime) -> Open | None:
    """One reminder that breaks must not hold up those of everybody else."""
    try:
        with acting_for(row.tenant_id or ""):
            return _claim(row, now)
    except Exception:
        log.exception("the reminder %s could not be claimed", row.pk)
        return None


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


def open_ones() -> list[Open]:
    """What was claimed, by anybody, and is not dealt with yet, oldest first."""
    rows = Occurrence.objects.across_tenants().filter(status=OccurrenceStatus.DUE, tenant__is_active=True)
    found = rows.order_by("due_at", "pk")[:BATCH].values_list("pk", "tenant_id")
    return [Open(occurrence, str(tenant)) for occurrence, tenant in found]


def still_open(some: Collection[Open]) -> set[Open]:
    """Those of `some` that are not dealt with yet, in whichever tenant."""
    rows = Occurrence.objects.across_tenants().filter(
        pk__in=[one.occurrence for one in some], status=OccurrenceStatus.DUE
    )
    left = set(rows.values_list("pk", flat=True))
    return {one for one in some if one.occurrence in left}


def next_due() -> datetime | None:
    """When the first reminder of all is due."""
    active = Reminder.objects.across_tenants().filter(status=ReminderStatus.ACTIVE, tenant__is_active=True)
    return (
        active.filter(next_due__isnull=False).order_by("next_due").values_list("next_due", flat=True).first()
    )


def seconds_until_next(now: datetime | None = None) -> float | None:
    """How long until then; None when there is none."""
    due = next_due()
    return (due - (now or timezone.now())).total_seconds() if due else None
