"""Which conversation a `threadId` names.

The id of a conversation of one's own names it. Any other text in the form of our ids names nothing, whether it is
somebody else's or nobody's (T32, T33). What has another form is a client's own name for a thread: it belongs to this
person in this tenant alone, and the first run under it begins a conversation whose id is made from all three. So
nobody can take a name from another, nor find out that another uses it.
"""

from __future__ import annotations

import hashlib
import re
import time

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from agents.models import Agent
from conversations.access import conversations_for
from conversations.models import Conversation, Participant
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Topic
from tools.models import ToolCall

OPAQUE = re.compile(r"[0-9A-Za-z_-]{1,32}")
OURS = re.compile(r"[0-9a-f]{32}")
FIRST_MS = 1_700_000_000_000
"""Ids of ours begin with the time they were made; none was made before this. Those made from a name begin with it."""
DAY_MS = 86_400_000
MOST_LIVES = 32
"""How often a thread of one name can be deleted and begun anew."""


def look_up(actor: Actor, thread: str, agent_slug: str) -> tuple[Agent, Conversation | None]:
    """The agent, and the conversation that has `thread` for its id; a problem for what cannot be. Writes nothing."""
    agent = Agent.objects.select_related("current").filter(slug=agent_slug, is_enabled=True).first()
    if agent is None:
        raise Problem(404, "not_found", _("There is no such agent."))
    found = _mine(actor, thread) if OPAQUE.fullmatch(thread) else None
    if found is None and looks_like_ours(thread):
        raise Problem(404, "not_found", _("There is no such conversation."))
    return agent, found


def conversation_of(actor: Actor, thread: str, agent_slug: str) -> Conversation:
    """The conversation with this agent that `thread` names; begun if there is none and a client may name one so."""
    agent, found = look_up(actor, thread, agent_slug)
    found = found or _under_name(actor, thread, agent)
    if found.agent_id != agent.pk:
        raise Problem(409, "conflict", _("This conversation is with another agent."))
    return found


def looks_like_ours(thread: str) -> bool:
    """Whether we could have given this id."""
    made_ms = int(thread[:12], 16) if OURS.fullmatch(thread) else 0
    return FIRST_MS <= made_ms <= time.time_ns() // 1_000_000 + DAY_MS


def _mine(actor: Actor, conversation_id: str) -> Conversation | None:
    return conversations_for(actor).select_related("agent__current").filter(pk=conversation_id).first()


def _under_name(actor: Actor, name: str, agent: Agent) -> Conversation:
    """Calls outlive a deleted conversation; a new one of the same name does not inherit them."""
    for life in range(MOST_LIVES):
        conversation_id = _id_for(actor, name, life)
        found = _mine(actor, conversation_id) or _begun(actor, conversation_id, agent)
        if found:
            return found
    raise Problem(409, "conflict", _("A thread of this name was deleted too often. Choose another."))


def _id_for(actor: Actor, name: str, life: int) -> str:
    whole = "\0".join((actor.tenant.pk, actor.user.pk, str(life), name))
    return f"{FIRST_MS:012x}{hashlib.sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}"


def _begun(actor: Actor, conversation_id: str, agent: Agent) -> Conversation | None:
    """A new conversation under this id; None where there was one."""
    if ToolCall.objects.filter(topic=conversation_id).exists():
        return None
    try:
        with transaction.atomic():
            topic = Topic.objects.create(pk=conversation_id)
            conversation = Conversation.objects.create(topic=topic, agent=agent)
            Participant.objects.create(conversation=conversation, user=actor.user)
    except IntegrityError:  # begun by another request of the same person, this very moment
        return _mine(actor, conversation_id)
    return conversation
