"""What people say: a message takes its place, its pictures, and the run that answers it, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from agents import catalogue, choice
from agents.messages import Part, TextPart, part_to_json
from conversations import actions, glance, titles, tree, uploads
from conversations.access import conversation_for, glance_for
from conversations.debate import beginning
from conversations.debate import status as debates
from conversations.glance import Glance
from conversations.groups import addressing
from conversations.models import Conversation, Message, Run
from conversations.reminders.models import Reminder
from platform_site import ledger, wire
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import User

MAX_TEXT = 32_000
"""Code points a message may have."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a person sends. `key` makes a repeat of the same sending harmless."""

    text: str
    key: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    attachments: tuple[str, ...] = ()
    """Ids of pictures the person uploaded."""
    reminder: Reminder | None = None
    """It speaks for the person, who is not there."""
    reply_to: str = ""
    """The message this is a reply to; a reply to the agent addresses it."""
    addressed: bool = False
    """Said to the agent whatever the words are, by a program that talks to nobody else."""


@dataclass(frozen=True, slots=True)
class Posted:
    """`run` is empty where nobody asked the agent."""

    message: str
    run: str
    repeated: bool = False


def post_message(actor: Actor, conversation_id: str, words: Words) -> Posted:
    """Store what a person said and queue the run that answers it."""
    conversation = check_words(actor, conversation_id, words)
    with actions.writing(conversation.pk) as log:
        there = glance_for(actor, conversation.pk)
        if words.key and (sent := sent_before(conversation, actor.user, words.key)):
            return sent
        if there.live:
            into = _stepped_into(conversation, words)
            return say(log, conversation, actor, words, None, waits=True, into=into, there=there)
        head = there.head
        if there.waiting:
            tree.place_waiting(log)
            head = tree.head_of(conversation.pk)
        return say(log, conversation, actor, words, head, there=there)


def _stepped_into(conversation: Conversation, words: Words) -> Run | None:
    """The run of a debate that hears these words between its turns; what a reminder asks begins one of its own."""
    if words.reminder or not debates.is_debated(conversation):
        return None
    return debates.taking_words(conversation.pk)


def check_words(actor: Actor, conversation_id: str, words: Words) -> Conversation:
    """The conversation, if this can be said in it."""
    text = words.text.strip()
    if not text and not words.attachments:
        raise Problem(400, "bad_request", _("The message is empty."))
    if len(words.text) > MAX_TEXT:
        raise Problem(
            413, "too_large", _("A message has at most %(limit)s characters.") % {"limit": f"{MAX_TEXT:,}"}
        )
    conversation = conversation_for(actor, conversation_id)
    if not conversation.agent.is_enabled:
        raise Problem(409, "conflict", _("This agent has been switched off."))
    _check_choice(conversation, words.options)
    uploads.check_wanted(conversation, words.attachments, words.options)
    return conversation


def _check_choice(conversation: Conversation, options: Mapping[str, Any]) -> None:
    """A model or a preset that the agent does not offer is told at once, not when the run fails."""
    if conversation.agent.current is None:
        return
    agent = catalogue.spec_of(conversation.agent.current)
    if agent.kind == "debate":
        beginning.settings_for(agent, options)
    wrong = choice.check(agent, options) if options.get("model") or options.get("budget") else None
    if wrong:
        words = {
            "model": _("This agent has no model “%(name)s”. It has: %(offered)s."),
            "budget": _("This agent has no preset “%(name)s”. It has: %(offered)s."),
        }
        named = {"name": wrong.name, "offered": ", ".join(wrong.offered) or "–"}
        raise Problem(400, "bad_request", words[wrong.what] % named)


def sent_before(conversation: Conversation, user: User, key: str) -> Posted | None:
    """What became of the same sending when it came first."""
    sent = Message.objects.filter(conversation=conversation, author=user, key=key).first()
    return Posted(sent.pk, sent.run_id or "", repeated=True) if sent else None


def say(
    log: ledger.Log,
    conversation: Conversation,
    actor: Actor,
    words: Words,
    parent: str | None,
    *,
    waits: bool = False,
    into: Run | None = None,
    there: Glance | None = None,
) -> Posted:
    """Store and tell a message that follows `parent`, or `waits` for its place, and queue the run that answers it.

    Where several people talk, the agent may not be meant; then there is no run, and what waits for them waits on.
    """
    there = there or glance.at(conversation.pk, actor.user.pk)
    meant = addressing.Meant()
    if there.is_shared or words.reply_to:
        meant = addressing.meant_by(conversation, words.text, actor.user.pk, words.reply_to)
    attached = uploads.attach(actor, conversation, words.attachments)
    text: list[Part] = [TextPart(words.text)] if words.text.strip() else []
    parts = [part_to_json(part) for part in [*text, *map(uploads.image_part, attached)]]
    answered = meant.answered or words.addressed or words.reminder is not None
    takes_back = answered and words.reminder is None  # a reminder answers nothing, and takes nothing back
    if takes_back and there.calls:
        actions.withdraw_own_questions(log, actor.user)
    cause = "reminder" if words.reminder else "message"
    run = into or (actions.queue_run(conversation, actor.user, cause, words.options) if answered else None)
    after = tree.head_of(conversation.pk) if into else parent
    debate = debates.heard_by(log, conversation, after, wakes=run is not None) if into or not waits else None
    message = Message(
        conversation=conversation, role="user", author=actor.user, key=words.key, parts=parts, run=run,
        parent_id=parent, waiting=waits, reminder=words.reminder, debate=debate,
    )  # fmt: skip
    pictures = [uploads.told(upload, actor.tenant.slug) for upload in attached]
    who = {"id": actor.user.pk, "name": str(actor.user)}
    place: dict[str, Any] = {"parent": parent} | ({"queued": True} if waits else {})
    place |= {"reminder": words.reminder.pk} if words.reminder else {}
    place |= {"debate": debate.pk} if debate else {}
    said = {"messageId": message.pk, "text": words.text, "author": who, "attachments": pictures} | place
    said |= addressing.told(meant, answered=answered, reply_to=words.reply_to)
    message.position = log.tell(wire.custom("message.user", said))
    message.save(force_insert=True)
    addressing.tell_others(message, actor.user, meant)
    head = {} if waits else {"head": message}
    Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now(), **head)
    titles.begin(conversation, words.text.strip() or (attached[0].name if attached else ""))
    return Posted(message.pk, run.pk if run else "")
