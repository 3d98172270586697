"""Limits, prices and requests for the tests to find."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from agents.stream import Finish, TextDelta, fold
from agents.usage import limits, saving
from agents.usage.limits import About, Limit
from agents.usage.models import LimitKind, LimitOf, UsageEntry, UsageLimit
from conversations import actions, steps
from platform_site.access import Actor
from platform_site.ids import new_id
from platform_site.models import User
from tests.conversations.conftest import Talk

MODEL = {"slug": "demo", "provider": "demo", "name": "demo", "price": {"input": 2, "output": 10}}
ANSWER = Finish("stop", "demo", 1_000, 100, cached_tokens=200, thinking_tokens=30)
"""Of a price, and a reply of 1,100 tokens."""
ABOUT = About("helper", "demo", "")


def set_limit(kind: str, amount: float, of: str = "tenant", name: str = "") -> Limit:
    row, _ = saving.save(saving.Wanted(LimitKind(kind), Decimal(str(amount)), LimitOf(of), name), None)
    return limits.value_of(row)


def now_of(limit: Limit) -> Limit:
    """The limit as it stands now."""
    return limits.value_of(UsageLimit.objects.get(pk=limit.id))


def used(user: User | None, day: date, **more: Any) -> UsageEntry:
    """A request that was made and settled."""
    made = {"agent": "helper", "model": "demo", "run": new_id(), "input_tokens": 1000, "output_tokens": 100}
    return UsageEntry.objects.create(user=user, day=day, **made | more)


def claimed(talk: Talk, text: str = "hello") -> Any:
    turn = steps.claim(talk.say(text).pk, "tests")
    assert turn
    return turn


def answer(talk: Talk) -> None:
    """A plain turn whose reply comes to 1,100 tokens."""
    steps.save_reply(claimed(talk), fold([TextDelta("hi"), ANSWER]), demo=True)


def another(talk: Talk, actor: Actor | None = None) -> Talk:
    """A second conversation with the same agent."""
    actor = actor or talk.actor
    return Talk(actor, actions.create_conversation(actor, "helper"))
