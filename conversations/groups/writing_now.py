"""Who is writing just now: told to the others in the conversation, at most every two seconds, and kept nowhere.

Pages forget it after some seconds by themselves.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from conversations.access import conversation_for
from conversations.groups import telling
from platform_site.access import Actor

EVERY_S = 2.0


def tell(actor: Actor, conversation_id: str) -> None:
    """The others' open pages hear that this person writes."""
    conversation = conversation_for(actor, conversation_id)
    told = {"conversation": conversation.pk, "person": telling.who(actor.user)}
    telling.notify(telling.people_in(conversation.pk, actor.user.pk), "typing", told)


@dataclass(slots=True)
class Pace:
    """One connection's: what comes too soon is taken and not passed on."""

    told: dict[str, float] = field(default_factory=dict)

    def allows(self, conversation: str) -> bool:
        now = time.monotonic()
        if now - self.told.get(conversation, -EVERY_S) < EVERY_S:
            return False
        self.told = {topic: at for topic, at in self.told.items() if now - at < EVERY_S} | {conversation: now}
        return True
