"""`deliver`: an occurrence that was claimed becomes a card in its conversation, or a message that the agent answers.

One transaction, guarded by the occurrence's status: a queue worker and the ticker may both try, one does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from conversations import saying, tree
from conversations.access import conversations_for
from conversations.actions import is_at_work
from conversations.models import Conversation, Participant, Run, RunStatus
from conversations.reminders import posting, telling
from conversations.reminders.models import (
    OCCURRENCE_ARROWS,
    REMINDER_ARROWS,
    Occurrence,
    OccurrenceStatus,
    Reminder,
    ReminderAct,
    ReminderStatus,
)
from conversations.reminders.telling import Why
from conversations.turn import waits_for_requester
from platform_site import audit, bell, ledger, lifecycle
from platform_site.access import Actor, actor_for_session
from platform_site.models import Topic
from tools.models import OPEN_STATUSES, CallStatus, ToolCall

LATE = timedelta(seconds=10)
"""What comes later than this is called late."""
STOPPED = (ReminderStatus.PAUSED, ReminderStatus.DELETED)
S = OccurrenceStatus


def deliver(occurrence_id: str) -> bool:
    """Deal with an occurrence, acting for its tenant; False when it has been dealt with already."""
    found = Occurrence.objects.filter(pk=occurrence_id, status=S.DUE).values_list(
        "reminder__conversation", flat=True
    )
    topic = found.first()
    if topic is None:
        return False
    try:
        with ledger.writing(topic) as log:
            return _deal_with(log, occurrence_id, timezone.now())
    except Topic.DoesNotExist:  # deleted just now, and its reminders with it
        return False


def _deal_with(log: ledger.Log, occurrence_id: str, now: datetime) -> bool:
    rows = Occurrence.objects.select_related("reminder__owner", "reminder__tenant")
    occurrence = rows.filter(pk=occurrence_id, status=S.DUE).first()
    if occurrence is None:
        return False
    row = occurrence.reminder
    actor = _owner(row)
    if actor is None:
        return _skip(log, row, occurrence, "gone") and _rest(row)
    if row.act == ReminderAct.RUN and (why := _in_the_way(row)):
        return _skip(log, row, occurrence, why)
    late = now - occurrence.due_at > LATE
    if not lifecycle.move(occurrence, S.DUE, S.DELIVERED, OCCURRENCE_ARROWS, dealt_at=now, is_late=late):
        return False
    if row.act == ReminderAct.RUN:
        _ask_agent(log, actor, row, occurrence)
    else:
        telling.tell_fired(log, row, occurrence, _missed_before(row, occurrence))
    posting.post(row, occurrence)
    return True


def _owner(row: Reminder) -> Actor | None:
    """Who set it, as they stand now, if it is still wanted and they still take part."""
    actor = actor_for_session(row.owner, row.tenant.slug)
    if row.status in STOPPED or actor is None:
        return None
    return actor if conversations_for(actor).filter(pk=row.conversation_id).exists() else None


def _skip(log: ledger.Log, row: Reminder, occurrence: Occurrence, why: Why) -> bool:
    skipped = {"why": why, "dealt_at": timezone.now()}
    if not lifecycle.move(occurrence, S.DUE, S.SKIPPED, OCCURRENCE_ARROWS, **skipped):
        return False
    if row.status not in STOPPED:  # who stopped it knows
        telling.tell_skipped(log, row, occurrence)
    return True


def _rest(row: Reminder) -> bool:
    """It would only be skipped again and again: whoever set it resumes it when they are back."""
    lifecycle.move(row, ReminderStatus.ACTIVE, ReminderStatus.PAUSED, REMINDER_ARROWS, next_due=None)
    return True


def _missed_before(row: Reminder, occurrence: Occurrence) -> int:
    """How many times went by, since the one delivered last, while no server ran."""
    earlier = Occurrence.objects.filter(reminder=row, due_at__lt=occurrence.due_at)
    last = earlier.exclude(why="missed").order_by("-due_at").values_list("due_at", flat=True).first()
    missed = earlier.filter(why="missed")
    return (missed.filter(due_at__gt=last) if last else missed).count()


# Reminders that ask the agent


def _in_the_way(row: Reminder) -> Why | None:
    """Why the agent cannot be asked now: nothing is begun behind what still works, or waits for an answer."""
    if not row.conversation.agent.is_enabled:
        return "gone"
    runs = Run.objects.filter(conversation=row.conversation, options__reminder=row.pk)
    if runs.filter(status__in=[RunStatus.QUEUED, RunStatus.RUNNING]).exists():
        return "busy"
    mine = set(runs.values_list("pk", flat=True))
    open_calls = ToolCall.objects.filter(topic=row.conversation_id, status__in=OPEN_STATUSES)
    for call in open_calls.select_related("confirmation"):
        if call.run in mine and call.status == CallStatus.WORKING:
            return "busy"
        if call.run in mine or (call.requester_id == row.owner_id and waits_for_requester(call)):
            return "parked"
    return None


def _ask_agent(log: ledger.Log, actor: Actor, row: Reminder, occurrence: Occurrence) -> None:
    """A message in the owner's name, and the run that answers it with nobody there."""
    conversation = Conversation.objects.select_related("agent__current").get(pk=row.conversation_id)
    options = {"reminder": row.pk}
    words = saying.Words(
        row.content, key=f"reminder {occurrence.pk}", options=options, reminder=row, addressed=True
    )
    waits = is_at_work(conversation.pk)
    if not waits:
        tree.place_waiting(log)
    parent = None if waits else tree.head_of(conversation.pk)
    posted = saying.say(log, conversation, actor, words, parent, waits=waits)
    Occurrence.objects.filter(pk=occurrence.pk).update(run=posted.run)
    audit.note("reminder.asked", row, by=None, behalf=row.owner, run=posted.run)


# Live notices, told by whoever runs sockets


def notices_of(occurrence_id: str) -> tuple[str, list[bell.Notice]]:
    """The conversation, and what each of its people hears of an occurrence that was delivered; nobody of a skipped."""
    rows = Occurrence.objects.select_related("reminder__owner")
    occurrence = rows.filter(pk=occurrence_id, status=S.DELIVERED).first()
    if occurrence is None:
        return "", []
    row = occurrence.reminder
    data = _data(row, occurrence)
    people = Participant.objects.filter(conversation=row.conversation_id).values_list("user", flat=True)
    return row.conversation_id, [bell.Notice(str(row.tenant_id), user, "reminder", data) for user in people]


def _data(row: Reminder, occurrence: Occurrence) -> dict[str, Any]:
    where: Mapping[str, Any] = {"conversation": row.conversation_id}
    return {**where, **telling.rule_json(row), **telling.due_json(row, occurrence)}
