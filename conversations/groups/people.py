"""Who takes part in a conversation: the list, leaving, removing, handing over.

There is always one owner, who alone says who takes part. An owner who leaves hands over to who has been here longest;
the last one does not leave but deletes. Whoever goes takes along what was still to be done in their name.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from conversations import actions
from conversations.access import check_owner, conversation_for, owners_first
from conversations.groups import telling
from conversations.models import Conversation, Participant, Run, RunStatus
from platform_site import ledger, wire
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import User
from tools import gate
from tools.jobs import cancelling
from tools.models import CallStatus, ToolCall

UNDONE = (CallStatus.PROPOSED, CallStatus.ASKING, CallStatus.HELD, CallStatus.CLEARED, CallStatus.APPROVED)
"""Calls that have not begun."""


def people_of(conversation: Conversation) -> list[Participant]:
    """Everybody here, in the order they came."""
    rows = Participant.objects.filter(conversation=conversation).select_related("user")
    return list(rows.order_by("created_at", "pk"))


def leave(actor: Actor, conversation_id: str) -> None:
    """Go. What one said stays."""
    conversation = conversation_for(actor, conversation_id)
    with actions.writing(conversation.pk, actor) as log:
        mine = _participant(log.topic, actor.user.pk)
        heir = owners_first(log.topic).exclude(pk=mine.pk).first()
        if heir is None:
            raise Problem(
                409,
                "conflict",
                _("You are the only one here. Delete the conversation instead of leaving it."),
            )
        _part(log, mine, None)
        if mine.is_owner:
            _make_owner(log, heir)


def remove(actor: Actor, conversation_id: str, person_id: str) -> None:
    """End somebody's part: they see nothing of it any more, and nothing is done in their name any more."""
    conversation = conversation_for(actor, conversation_id)
    with actions.writing(conversation.pk, actor) as log:
        check_owner(actor, conversation)
        if person_id == actor.user.pk:
            raise Problem(409, "conflict", _("You cannot remove yourself. Leave the conversation instead."))
        gone = _participant(log.topic, person_id)
        _part(log, gone, actor.user)
        if gone.is_owner:
            _make_owner(log, _participant(log.topic, actor.user.pk))


def hand_over(actor: Actor, conversation_id: str, person_id: str) -> None:
    """Make somebody else the owner."""
    conversation = conversation_for(actor, conversation_id)
    with actions.writing(conversation.pk, actor) as log:
        check_owner(actor, conversation)
        heir = _participant(log.topic, person_id)
        if not heir.is_owner:
            _make_owner(log, heir)


def _participant(conversation: str, person: str) -> Participant:
    rows = Participant.objects.filter(conversation=conversation, user=person).select_related("user")
    found = rows.first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such person here."))
    return found


def _make_owner(log: ledger.Log, heir: Participant) -> None:
    Participant.objects.filter(conversation=log.topic, is_owner=True).update(is_owner=False)
    Participant.objects.filter(pk=heir.pk).update(is_owner=True)
    log.tell(wire.custom("conversation.changed", {"owner": telling.who(heir.user)}))


def _part(log: ledger.Log, gone: Participant, by: User | None) -> None:
    """Somebody takes part no more. Their open pages hear of it at once, and are looked after besides (`watching`)."""
    _end_what_was_theirs(log, gone.user, by or gone.user)
    Participant.objects.filter(pk=gone.pk).delete()
    told = {"person": telling.who(gone.user), "by": telling.who(by) if by else None}
    log.tell(wire.custom("participant.left", told))
    why = "removed" if by else "left"
    telling.notify([gone.user_id], "removed", {"conversation": log.topic, "why": why})


def _end_what_was_theirs(log: ledger.Log, person: User, by: User) -> None:
    """Their queued runs and jobs do not begin, what moves is stopped, what waits for people waits no more."""
    runs = Run.objects.filter(conversation=log.topic, requester=person)
    for run in runs.filter(status=RunStatus.QUEUED):
        actions.cancel_queued(log, run)
    for run in runs.filter(status=RunStatus.RUNNING):
        actions.ask_to_stop(run)
    waiting = ToolCall.objects.filter(topic=log.topic, requester=person, status__in=UNDONE)
    for call in waiting.order_by("proposed_at", "position"):
        gate.withdraw(log, call, "The person who asked does not take part in this conversation any more.")
    cancelling.cancel_all(log, by, call__requester=person)
