"""An agent on the demo model with a few small tools, and Bob who talks to it. Runs are moved by hand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from pydantic import BaseModel

from agents import outside
from agents.catalogue import save_agent, save_model
from conversations import actions, engine, saying, steps
from conversations.actions import Answer
from conversations.engine import Moving
from conversations.models import Conversation, Run, RunStatus
from conversations.saying import Words
from platform_site import ledger
from platform_site.access import Actor, actor_for_session
from platform_site.models import Tenant, User
from platform_site.wire import Event
from tests.conftest import PASSWORD
from tools.catalogue import save_tool
from tools.models import Confirmation, ToolCall
from tools.registry import ToolContext, find, tool

HAPPENED: list[tuple[str, str]] = []
"""(tool, item) for every effect that took place, in order."""


class Item(BaseModel):
    item: str


@tool(pack="tests", name="look", risk="SAFE", read_only=True)
def look(context: ToolContext, args: Item) -> dict[str, Any]:
    """Look at an item."""
    HAPPENED.append(("look", args.item))
    return {"item": args.item, "price": 5}


@tool(pack="tests", name="ponder", risk="SAFE", read_only=True)
async def ponder(context: ToolContext, args: Item) -> dict[str, Any]:
    """Think about an item for a long time."""
    await asyncio.sleep(30)
    return {"item": args.item}


@tool(pack="tests", name="buy", risk="CONFIRM")
async def buy(context: ToolContext, args: Item) -> dict[str, Any]:
    """Buy an item."""
    HAPPENED.append(("buy", args.item))
    return {"bought": args.item}


@tool(pack="tests", name="sell", risk="CRITICAL", confirmation={"by": "user", "proof": "password"})
def sell(context: ToolContext, args: Item) -> dict[str, Any]:
    """Sell an item for ever."""
    HAPPENED.append(("sell", args.item))
    return {"sold": args.item}


@tool(pack="tests", name="wipe", risk="CRITICAL")
def wipe(context: ToolContext, args: Item) -> dict[str, Any]:
    """Wipe an item; a reviewer has to agree."""
    HAPPENED.append(("wipe", args.item))
    return {"wiped": args.item}


@tool(pack="tests", name="crash", risk="SAFE")
def crash(context: ToolContext, args: Item) -> dict[str, Any]:
    """A handler with a bug."""
    raise ZeroDivisionError(args.item)


NAMES = ("look", "ponder", "buy", "sell", "wipe", "crash")


@dataclass
class Talk:
    """One conversation of Bob's, and the hands of the runner."""

    actor: Actor
    conversation: Conversation
    moving: Moving | None = field(default=None)

    def say(self, text: str, **more: Any) -> Run:
        """Post a message; its run is queued."""
        posted = saying.post_message(self.actor, self.conversation.pk, Words(text, **more))
        return Run.objects.get(pk=posted.run)

    def move(self, run: Run | None = None) -> Run:
        """Claim the oldest queued run and see it through, as the runner does."""
        run = run or Run.objects.filter(status=RunStatus.QUEUED).order_by("created_at").first()
        assert run, "nothing is queued"
        asyncio.run(self.advance(run.pk))
        run.refresh_from_db()
        return run

    async def advance(self, run: str) -> None:
        turn = await steps_db(steps.claim, run, "tests")
        if turn:
            self.moving = Moving(turn)
            await engine.advance(self.moving)

    def turn(self, text: str) -> Run:
        return self.move(self.say(text))

    def decide(self, decision: str = "approve", tool: str = "", **more: Any) -> Any:
        """Answer the oldest open question."""
        waiting = Confirmation.objects.filter(status="pending").order_by("created_at")
        question = waiting.filter(call__name=tool).first() if tool else waiting.first()
        assert question, "nothing waits"
        return actions.decide(self.actor, question.pk, Answer(decision, question.digest, **more))

    def log(self) -> list[Event]:
        return [event for _, event in ledger.since(self.conversation.pk, 0, limit=100_000)]

    def kinds(self) -> list[str]:
        """The log in short: event types, our own events by name."""
        return [event["name"] if event["type"] == "CUSTOM" else event["type"] for event in self.log()]

    def calls(self) -> list[ToolCall]:
        return list(ToolCall.objects.order_by("proposed_at", "position"))

    def statuses(self) -> list[str]:
        return [call.status for call in self.calls()]

    def texts(self) -> list[str]:
        return [event["delta"] for event in self.log() if event["type"] == "TEXT_MESSAGE_CONTENT"]


async def steps_db(verb: Any, *args: Any) -> Any:
    from platform_site.db import db

    return await db(verb, *args)


async def at_once(seconds: float) -> None:
    """In place of a wait before a retry."""


@pytest.fixture
def bobs(transactional_db: None, tenant: Tenant, bob: User, inside: Tenant) -> Actor:
    """Bob, signed in."""
    actor = actor_for_session(bob, tenant.slug)
    assert actor
    return actor


@pytest.fixture
def talk(bobs: Actor, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Bob's conversation with an agent that has the tools above."""
    monkeypatch.setattr("platform_site.env.env.demo_pace_ms", 0)
    monkeypatch.setattr(outside, "THE_WORLD", replace(outside.THE_WORLD, sleep=at_once))
    HAPPENED.clear()
    save_model({"slug": "demo", "provider": "demo", "name": "demo"})
    for name in NAMES:
        handler = find(f"tests.{name}")
        assert handler
        save_tool(handler.definition(), None)
    definition = {
        "slug": "helper",
        "name": "Helper",
        "instructions": "Help.",
        "models": ["demo"],
        "tools": list(NAMES),
        "max_rounds": 4,
    }
    save_agent(definition, None)
    return Talk(bobs, actions.create_conversation(bobs, "helper"))


__all__ = ["HAPPENED", "PASSWORD", "Talk"]
