"""Whom a message is meant for: which people it mentions, and whether the agent answers it.

The agent answers whoever is alone with it, whoever it is set to answer always, and who addresses it: by `@` and its
name or slug, or by replying to something it said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from conversations.groups import reading, telling
from conversations.groups.mentions import mentioned
from conversations.models import Answers, Conversation, Message, Participant
from platform_site.errors import Problem
from platform_site.models import User

AGENT = ("agent:name", "agent:slug")


@dataclass(frozen=True, slots=True)
class Meant:
    """`mentions`: user ids and the names as they were written for; `answered`: a run is to follow."""

    mentions: dict[str, str] = field(default_factory=dict)
    answered: bool = True
    others: tuple[str, ...] = ()
    """Everybody else who takes part."""


def meant_by(conversation: Conversation, text: str, author: str, reply_to: str = "") -> Meant:
    """Read from the rows; call it in the transaction of the message."""
    replied = _replied_to(conversation, reply_to)
    people = {one.user_id: str(one.user) for one in _participants(conversation)}
    if len(people) < 2:
        return Meant()
    found = mentioned(text, people | agent_names(conversation))
    to_agent = any(found.pop(name, None) for name in AGENT)
    found.pop(author, None)
    to_agent = to_agent or (replied is not None and replied.role == "assistant")
    others = tuple(id_ for id_ in people if id_ != author)
    return Meant(found, conversation.answers == Answers.ALWAYS or to_agent, others)


def agent_names(conversation: Conversation) -> dict[str, str]:
    """What the agent is called, by its title and by its slug."""
    current = conversation.agent.current
    name = current.definition["name"] if current else ""
    return dict(zip(AGENT, (name, conversation.agent.slug), strict=True))


def _participants(conversation: Conversation) -> list[Participant]:
    return list(Participant.objects.filter(conversation=conversation).select_related("user"))


def _replied_to(conversation: Conversation, message: str) -> Message | None:
    if not message:
        return None
    found = Message.objects.filter(pk=message, conversation=conversation).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such message."))
    return found


def told(meant: Meant, *, answered: bool, reply_to: str) -> dict[str, Any]:
    """What `message.user` says of it besides; nothing where one person talks to an agent."""
    mentions = {"mentions": meant.mentions} if meant.mentions else {}
    quiet = {} if answered else {"quiet": True}
    return mentions | quiet | ({"replyTo": reply_to} if reply_to else {})


def tell_others(message: Message, author: User, meant: Meant) -> None:
    """The others hear that something was said, who is mentioned that they are; the author has read so far, unless a
    reminder speaks for them: then they are not there."""
    if not meant.others:
        return
    if message.reminder_id is None:
        reading.said(message.conversation_id, author, message.position)
    telling.tell_said(meant.others, message.conversation_id, message.position, author)
    mention = {"conversation": message.conversation_id, "message": message.pk, "by": telling.who(author)}
    telling.notify(meant.mentions, "mention", mention)
