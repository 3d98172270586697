"""The only door that loads a conversation's rows for a person. What is not theirs is absent, whatever the reason."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from conversations.models import Conversation, Message, Run
from platform_site.access import Actor
from platform_site.errors import Problem
from tools.models import Confirmation, Correction


def conversations_for(actor: Actor) -> QuerySet[Conversation]:
    """The conversations this person takes part in, newest first."""
    return Conversation.objects.filter(participants__user=actor.user).order_by("-updated_at", "-pk")


def conversation_for(actor: Actor, conversation_id: str) -> Conversation:
    found = conversations_for(actor).select_related("agent__current").filter(pk=conversation_id).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such conversation."))
    return found


def run_for(actor: Actor, run_id: str) -> Run:
    runs = Run.objects.filter(pk=run_id, conversation__participants__user=actor.user)
    found = runs.select_related("conversation").first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such run."))
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
