"""What people say: a message takes its place, its pictures, and the run that answers it, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from agents import catalogue, choice
from agents.messages import Part, TextPart, part_to_json
from conversations import actions, titles, tree, uploads
from conversations.access import conversation_for
from conversations.models import Conversation, Message
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


@dataclass(frozen=True, slots=True)
class Posted:
    message: str
    run: str
    repeated: bool = False


def post_message(actor: Actor, conversation_id: str, words: Words) -> Posted:
    """Store what a person said and queue the run that answers it."""
    conversation = check_words(actor, conversation_id, words)
    with actions.writing(conversation.pk) as log:
        if words.key and (sent := sent_before(conversation, actor.user, words.key)):
            return sent
        actions.withdraw_own_questions(log, actor.user)
        if actions.is_at_work(conversation.pk):
            return say(log, conversation, actor, words, None, waits=True)
        tree.place_waiting(log)
        return say(log, conversation, actor, words, tree.head_of(conversation.pk))


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
    if not (options.get("model") or options.get("budget")) or conversation.agent.current is None:
        return
    wrong = choice.check(catalogue.spec_of(conversation.agent.current), options)
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
) -> Posted:
    """Store and tell a message that follows `parent`, or `waits` for its place, and queue the run that answers it."""
    attached = uploads.attach(actor, conversation, words.attachments)
    text: list[Part] = [TextPart(words.text)] if words.text.strip() else []
    parts = [part_to_json(part) for part in [*text, *map(uploads.image_part, attached)]]
    run = actions.queue_run(conversation, actor.user, "message", words.options)
    message = Message(
        conversation=conversation, role="user", author=actor.user, key=words.key, parts=parts, run=run,
        parent_id=parent, waiting=waits,
    )  # fmt: skip
    pictures = [uploads.told(upload, actor.tenant.slug) for upload in attached]
    who = {"id": actor.user.pk, "name": str(actor.user)}
    place: dict[str, Any] = {"parent": parent} | ({"queued": True} if waits else {})
    said = {"messageId": message.pk, "text": words.text, "author": who, "attachments": pictures} | place
    message.position = log.tell(wire.custom("message.user", said))
    message.save(force_insert=True)
    head = {} if waits else {"head": message}
    Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now(), **head)
    titles.begin(conversation, words.text.strip() or (attached[0].name if attached else ""))
    return Posted(message.pk, run.pk)
