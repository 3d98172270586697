"""The only door that loads a conversation's rows for a person. What is not theirs is absent, whatever the reason."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from conversations import glance
from conversations.glance import Glance
from conversations.models import Conversation, Message, Participant, Run
from conversations.reminders.models import Reminder, ReminderStatus
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Membership
from tools.models import Confirmation, Correction, ToolCall


def conversations_for(actor: Actor) -> QuerySet[Conversation]:
    """The conversations this person takes part in, newest first."""
    return Conversation.objects.filter(participants__user=actor.user).order_by("-updated_at", "-pk")


def conversation_for(actor: Actor, conversation_id: str) -> Conversation:
    rows = conversations_for(actor).select_related("agent__current")
    try:
        return rows.get(pk=conversation_id)
    except Conversation.DoesNotExist:
        raise Problem(404, "not_found", _("There is no such conversation.")) from None


def glance_for(actor: Actor, conversation_id: str) -> Glance:
    """What there is in a conversation of theirs."""
    found = glance.at(conversation_id, actor.user.pk)
    if not found.takes_part:
        raise Problem(404, "not_found", _("There is no such conversation."))
    return found


def owners_first(conversation_id: str) -> QuerySet[Participant]:
    """Who takes part and still belongs to the tenant: the owner, then who has been here longest."""
    members = Membership.objects.filter(is_active=True, user__is_active=True).values("user")
    rows = Participant.objects.filter(conversation=conversation_id, user__in=members)
    return rows.select_related("user").order_by("-is_owner", "created_at", "pk")


def is_owner(actor: Actor, conversation_id: str) -> bool:
    """Where the owner has left the tenant, who has been here longest stands in."""
    first = owners_first(conversation_id).first()
    return first is not None and first.user_id == actor.user.pk


def check_owner(actor: Actor, conversation: Conversation) -> None:
    if not is_owner(actor, conversation.pk):
        raise Problem(403, "forbidden", _("Only the owner of this conversation can do this."))


def run_for(actor: Actor, run_id: str) -> Run:
    runs = Run.objects.filter(pk=run_id, conversation__participants__user=actor.user)
    found = runs.select_related("conversation").first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such run."))
    return found


def call_for(actor: Actor, call_id: str) -> ToolCall:
    calls = ToolCall.objects.filter(pk=call_id, topic__in=conversations_for(actor).values("pk"))
    found = calls.select_related("version", "requester").first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such call."))
    return found


def message_for(actor: Actor, message_id: str) -> Message:
    messages = Message.objects.filter(pk=message_id, conversation__participants__user=actor.user)
    found = messages.select_related("run").first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such message."))
    return found


def confirmations_for(actor: Actor) -> QuerySet[Confirmation]:
    """The confirmations of conversations the person takes part in; when they review, all of the tenant."""
    rows = Confirmation.objects.select_related("call")
    return rows if actor.can_review else rows.filter(call__topic__in=conversations_for(actor).values("pk"))


def confirmation_for(actor: Actor, confirmation_id: str) -> Confirmation:
    found = confirmations_for(actor).filter(pk=confirmation_id).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such confirmation."))
    return found


def corrections_for(actor: Actor) -> QuerySet[Correction]:
    """The forms this person was asked to fill in: only who asked for a call puts its arguments right."""
    mine = Correction.objects.filter(
        call__requester=actor.user, call__topic__in=conversations_for(actor).values("pk")
    )
    return mine.select_related("call__version", "call__requester")


def correction_for(actor: Actor, correction_id: str) -> Correction:
    found = corrections_for(actor).filter(pk=correction_id).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such question."))
    return found


def reminders_for(actor: Actor) -> QuerySet[Reminder]:
    """Those this person set, and those of conversations they take part in; a deleted one is gone."""
    here = Q(owner=actor.user) | Q(conversation__in=conversations_for(actor).values("pk"))
    rows = Reminder.objects.exclude(status=ReminderStatus.DELETED).filter(here)
    return rows.select_related("conversation__agent", "owner")


def reminder_for(actor: Actor, reminder_id: str) -> Reminder:
    found = reminders_for(actor).filter(pk=reminder_id).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such reminder."))
    return found
