"""Verbs that make and choose branches: say an earlier message differently, have a reply written anew, go to another
version. What stood there stays; nothing here is possible while the agent works.

A branch hides nothing: what was carried out in another one is told (`elsewhere`), what outside text was read and what
people said no to counts for the whole conversation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from conversations import actions, saying, tree
from conversations.access import conversation_for, message_for
from conversations.debate import status as debates
from conversations.models import Conversation, Message, Run
from conversations.saying import Posted, Words
from platform_site import ledger
from platform_site.access import Actor
from platform_site.errors import Problem
from tools import gate
from tools.models import CallStatus, ToolCall

UNSTARTED = (CallStatus.PROPOSED, CallStatus.ASKING, CallStatus.HELD, CallStatus.CLEARED, CallStatus.APPROVED)


@dataclass(frozen=True, slots=True)
class Rewording:
    """An earlier message, said differently. Pictures and options that are None stay as they were."""

    text: str
    key: str = ""
    attachments: tuple[str, ...] | None = None
    options: dict[str, Any] | None = None

    def words(self, old: Message) -> Words:
        """What is said in the place of `old`."""
        pictures = tuple(part["upload"] for part in old.parts if part["kind"] == "image")
        return Words(
            self.text, self.key, _options_of(old) if self.options is None else self.options,
            pictures if self.attachments is None else self.attachments,
        )  # fmt: skip


def edit_message(actor: Actor, conversation_id: str, message_id: str, new: Rewording) -> Posted:
    """Say something of one's own differently: a new branch begins beside the old message.

    What waited for people at or below the old message is taken back.
    """
    old = _message_for(actor, conversation_id, message_id, "user")
    if old.author_id != actor.user.pk:
        raise Problem(403, "forbidden", _("Only who wrote a message can say it differently."))
    _check_not_inside(old)
    words = new.words(old)
    conversation = saying.check_words(actor, conversation_id, words)
    with actions.writing(conversation.pk, actor) as log:
        if new.key and (sent := saying.sent_before(conversation, actor.user, new.key)):
            return sent
        _check_still(conversation, actor)
        tree.place_waiting(log)
        actions.withdraw_own_questions(log, actor.user)
        _take_back(log, old.pk, "The person said differently what led to this.")
        old.refresh_from_db(fields=["parent"])
        return saying.say(log, conversation, actor, words, old.parent_id)


def regenerate(actor: Actor, conversation_id: str, message_id: str, key: str = "") -> Run:
    """Have a reply written anew, beside the old one. Calls that came before it keep their results."""
    old = _message_for(actor, conversation_id, message_id, "assistant")
    _check_not_inside(old)
    conversation = conversation_for(actor, conversation_id)
    if old.run and old.run.requester_id != actor.user.pk:
        raise Problem(403, "forbidden", _("Only who asked can have the answer written anew."))
    if not conversation.agent.is_enabled:
        raise Problem(409, "conflict", _("This agent has been switched off."))
    with actions.writing(conversation.pk, actor) as log:
        asked = Run.objects.filter(conversation=conversation, requester=actor.user, key=key)
        if key and (before := asked.first()):
            return before
        _check_still(conversation, actor)
        tree.place_waiting(log)
        actions.withdraw_own_questions(log, actor.user)
        _take_back(log, old.pk, "The person had the reply written anew that asked for this.")
        tree.tell_head(log, old.parent_id)
        Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now())
        return actions.queue_run(conversation, actor.user, "regenerate", _options_of(old), key)


def switch(actor: Actor, conversation_id: str, message_id: str) -> str:
    """Show the branch through this message, where it went on last; returns its last message.

    What waits for this person alone in the branch they leave is withdrawn, as when they write.
    """
    conversation = conversation_for(actor, conversation_id)
    message = _message_for(actor, conversation_id, message_id)
    with actions.writing(conversation.pk, actor) as log:
        _check_still(conversation, actor)
        tree.place_waiting(log)
        parents, head = tree.parents_of(conversation.pk), tree.head_of(conversation.pk)
        wanted = tree.leaf(parents, message.pk)
        if message.pk in tree.path(parents, head):
            return head or ""
        actions.withdraw_own_questions(log, actor.user)
        tree.tell_head(log, wanted)
        debates.tell_notepad(log)
    return wanted


def _message_for(actor: Actor, conversation_id: str, message_id: str, role: str = "") -> Message:
    """A message of this conversation of theirs; of `role`, if one is asked for."""
    found = message_for(actor, message_id)
    if found.conversation_id != conversation_id:
        raise Problem(404, "not_found", _("There is no such message."))
    if role and found.role != role:
        detail = (
            _("Only replies can be written anew.") if role == "assistant" else _("This is not your message.")
        )
        raise Problem(409, "conflict", detail)
    return found


def _check_not_inside(message: Message) -> None:
    """A debate is one whole: it is asked anew by its question, and nothing in its midst is said differently."""
    asks = message.role == "user" and not Message.objects.filter(
        debate=message.debate_id, position__lt=message.position
    )
    if message.debate_id and not asks:
        detail = _(
            "This was said in a debate. Only its question can be said differently; the debate then begins anew."
        )
        raise Problem(409, "conflict", detail)


def _check_still(conversation: Conversation, actor: Actor) -> None:
    """Nothing moves here, and nothing of anybody else's waits, which would be taken away or hidden from them."""
    if actions.is_at_work(conversation.pk):
        raise Problem(
            409, "conflict", _("The agent is still working here. Stop it first, or wait until it is done.")
        )
    theirs = ToolCall.objects.filter(topic=conversation.pk, status__in=UNSTARTED, requester__isnull=False)
    waiting = theirs.exclude(requester=actor.user).select_related("requester").first()
    if waiting:
        raise Problem(
            409, "conflict", _("Something of %(name)s still waits here.") % {"name": waiting.requester}
        )


def _options_of(message: Message) -> dict[str, Any]:
    """As it was asked for; a person who asks again is there, whatever asked before."""
    options = dict(message.run.options) if message.run else {}
    options.pop("reminder", None)
    return options


def _take_back(log: ledger.Log, message: str, reason: str) -> None:
    """What was asked for at or below this message, and has not begun, does not happen: also what a reviewer holds."""
    gone = tree.below(tree.parents_of(log.topic), message)
    waiting = ToolCall.objects.filter(topic=log.topic, message__in=gone, status__in=UNSTARTED)
    for call in waiting.order_by("proposed_at", "position"):
        gate.withdraw(log, call, reason)
