"""What broke again and again, for hours, is given a stated outcome, by means that need as little of the row as can be.

People see it where they see every time that did not come; a tenant's admins see it in the audit log.
"""

from __future__ import annotations

import logging

from django.utils import timezone

from conversations.reminders import telling
from conversations.reminders.models import (
    OCCURRENCE_ARROWS,
    REMINDER_ARROWS,
    Occurrence,
    OccurrenceStatus,
    Reminder,
    ReminderStatus,
)
from platform_site import audit, ledger, lifecycle

log = logging.getLogger(__name__)
S, R = OccurrenceStatus, ReminderStatus
BARE = ("tenant", "status", "content", "next_due")


def stop_broken(reminder: str) -> None:
    """A reminder of which nobody can say when it comes: paused, until a person resumes or changes it."""
    with audit.recording():
        row = Reminder.objects.only(*BARE).get(pk=reminder)
        due = row.next_due
        if due is None or not lifecycle.move(row, R.ACTIVE, R.PAUSED, REMINDER_ARROWS, next_due=None):
            return
        skipped = {"status": S.SKIPPED, "why": "broken", "dealt_at": timezone.now()}
        occurrence, _new = Occurrence.objects.get_or_create(reminder=row, due_at=due, defaults=skipped)
        audit.note("reminder.paused", row, by=None, why="it broke whenever it was due")
    log.error("the reminder %s is paused: it broke whenever it was due", reminder)
    if occurrence.why == "broken":
        _tell(occurrence.pk)


def skip_broken(occurrence: str) -> None:
    """One time that cannot be delivered: skipped. The next one may fare better."""
    with audit.recording():
        row = Occurrence.objects.get(pk=occurrence)
        skipped = {"why": "broken", "dealt_at": timezone.now()}
        if not lifecycle.move(row, S.DUE, S.SKIPPED, OCCURRENCE_ARROWS, **skipped):
            return
        reminder = Reminder.objects.only(*BARE).get(pk=row.reminder_id)
        due = row.due_at.isoformat()
        audit.note("reminder.changed", reminder, by=None, skipped=due, why="it could not be delivered")
    log.error("the occurrence %s is skipped: it could not be delivered", occurrence)
    _tell(occurrence)


def _tell(occurrence: str) -> None:
    """In its conversation, apart from what is recorded: what broke the row may break this."""
    row = Occurrence.objects.select_related("reminder__owner").get(pk=occurrence)
    with ledger.writing(row.reminder.conversation_id) as told:
        telling.tell_skipped(told, row.reminder, row)
