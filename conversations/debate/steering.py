"""What people wish of a debate: that it rests, goes on, is summed up now. Stopping is `actions.stop_run`.

A wish about a debate at work is written down and done between two turns; one that rests is moved at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

from django.utils.translation import gettext as _

from conversations import actions, tree
from conversations.access import conversation_for
from conversations.debate import rows, status
from conversations.debate.models import Debate, DebateStatus, Steer
from conversations.models import Conversation, Message
from platform_site import ledger
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import User
from tools.models import OPEN_STATUSES, ToolCall

Do = Literal["pause", "resume", "summarise"]


@dataclass(frozen=True, slots=True)
class Steered:
    """How the debate stands now; `run` is the one that was queued for it, if one was."""

    debate: str
    status: str
    steer: str
    run: str = ""


def steer(actor: Actor, conversation_id: str, do: Do) -> Steered:
    """Do what a person wishes of the debate that is shown. Asking for the same twice changes nothing."""
    conversation = conversation_for(actor, conversation_id)
    with actions.writing(conversation.pk, actor) as log:
        debate = rows.shown(conversation.pk)
        if debate is None or debate.status == DebateStatus.DONE:
            raise Problem(409, "conflict", _("No debate goes on here."))
        run = _do(log, conversation, debate, actor.user, do)
    return Steered(debate.pk, debate.status, debate.steer, run)


def _do(log: ledger.Log, conversation: Conversation, debate: Debate, user: User, do: Do) -> str:
    moves = actions.is_at_work(conversation.pk)
    match do:
        case "pause" if moves or _is_asked(conversation.pk):
            status.wish(log, debate, Steer.PAUSE)
        case "pause":
            status.move(log, debate, DebateStatus.PAUSED)
        case "resume" if moves:
            status.wish(log, debate, Steer.NOTHING)
        case "resume":
            return _go_on(log, conversation, debate, user, Steer.NOTHING)
        case "summarise" if moves:
            status.wish(log, debate, Steer.SUMMARISE)
        case "summarise":
            return _go_on(log, conversation, debate, user, Steer.SUMMARISE)
        case _:
            assert_never(do)
    return ""


def _is_asked(conversation: str) -> bool:
    """Whether a person has to decide something first: it goes on when they have."""
    return ToolCall.objects.filter(topic=conversation, status__in=OPEN_STATUSES).exists()


def _go_on(log: ledger.Log, conversation: Conversation, debate: Debate, user: User, wish: str) -> str:
    """Queue a run that moves it on. What waits for this person is taken back, as when they write."""
    if not conversation.agent.is_enabled:
        raise Problem(409, "conflict", _("This agent has been switched off."))
    actions.withdraw_own_questions(log, user)
    tree.place_waiting(log)
    if debate.status == DebateStatus.ACTIVE:
        status.wish(log, debate, wish)
    else:
        status.move(log, debate, DebateStatus.ACTIVE, wish)
    question = Message.objects.filter(debate=debate, role="user").order_by("position").first()
    options = question.run.options if question and question.run else {}
    return actions.queue_run(conversation, user, "debate", dict(options)).pk
