"""Bob's conversation with an agent whose tools work in the background, and the hands of a queue worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import pytest
from django_q.models import OrmQ
from django_q.signing import SignedPackage

from agents.catalogue import save_agent
from agents.models import Agent
from platform_site.models import Tenant
from tests.conversations.conftest import Item, Talk, bobs, talk
from tools.catalogue import save_tool
from tools.jobs import tasks
from tools.models import Job, ToolCall
from tools.registry import Result, ToolContext, find, tool

__all__ = ["bobs", "talk"]


@dataclass
class Stage:
    """What the handlers below do and wait for; tests pull the strings."""

    began: Event = field(default_factory=Event)
    may_end: Event = field(default_factory=Event)
    effects: list[tuple[str, str]] = field(default_factory=list)
    on_the_way: Callable[[ToolContext], None] = lambda context: None


STAGE = Stage()
PATIENCE_S = 10.0


def _act(context: ToolContext, name: str, item: str) -> dict[str, Any]:
    STAGE.began.set()
    STAGE.on_the_way(context)
    assert STAGE.may_end.wait(PATIENCE_S), "the test forgot to let it end"
    STAGE.effects.append((name, item))
    return {"done": item}


@tool(pack="tests", name="study", risk="SAFE", read_only=True, run="background", timeout_s=20)
def study(context: ToolContext, args: Item) -> dict[str, Any]:
    """Look at an item for a long time, in a thread."""
    return _act(context, "study", args.item)


@tool(pack="tests", name="muse", risk="SAFE", read_only=True, run="background", timeout_s=20)
async def muse(context: ToolContext, args: Item) -> dict[str, Any]:
    """Think about an item for a long time, on the loop."""
    STAGE.began.set()
    STAGE.on_the_way(context)
    while not STAGE.may_end.is_set():  # noqa: ASYNC110  # set by another thread
        await asyncio.sleep(0.01)
    return {"thought": args.item}


@tool(pack="tests", name="build", risk="SAFE", run="background", timeout_s=20)
def build(context: ToolContext, args: Item) -> dict[str, Any]:
    """Build an item; twice would be two."""
    return _act(context, "build", args.item)


@tool(pack="tests", name="file_away", risk="SAFE", idempotent=True, run="background", timeout_s=20)
def file_away(context: ToolContext, args: Item) -> dict[str, Any]:
    """Put an item in its place; twice is once."""
    return _act(context, "file_away", args.item)


@tool(pack="tests", name="demolish", risk="CONFIRM", run="background", timeout_s=20)
def demolish(context: ToolContext, args: Item) -> Result:
    """Tear an item down, after a yes."""
    return Result(_act(context, "demolish", args.item))


NAMES = ("study", "muse", "build", "file_away", "demolish")


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Nothing holds a handler up, unless a test takes `may_end` back."""
    fresh = Stage()
    for name, value in vars(fresh).items():
        setattr(STAGE, name, value)
    STAGE.may_end.set()
    yield STAGE
    STAGE.may_end.set()


def furnish() -> None:
    """The tools above for the acting tenant, and an agent `helper` that has them."""
    for name in NAMES:
        handler = find(f"tests.{name}")
        assert handler
        save_tool(handler.definition(), None)
    known = Agent.objects.filter(slug="helper").select_related("current").first()
    if known and known.current:
        before = known.current.definition
        save_agent({**before, "tools": [*before["tools"], *NAMES]}, None)


@pytest.fixture
def jobs(talk: Talk, stage: Stage) -> Talk:
    furnish()
    return talk


def ask(talk: Talk, name: str, item: str = "hat") -> ToolCall:
    """Bob has the agent call a tool; the run that does it ends."""
    talk.turn(f'call {name} {{"item": "{item}"}}')
    return ToolCall.objects.filter(name=name).latest("proposed_at")


def queued() -> list[dict[str, Any]]:
    """What waits in the queue, unpacked."""
    return [SignedPackage.loads(row.payload) for row in OrmQ.objects.order_by("pk")]


def work(call: ToolCall, tenant: Tenant | None = None) -> ToolCall:
    """What a queue worker does when it takes the call's row."""
    tasks.work(tenant.pk if tenant else call.tenant_id or "", call.pk)
    call.refresh_from_db()
    return call


def job_of(call: ToolCall) -> Job:
    return Job.objects.get(pk=call.pk)


def activities(talk: Talk, call: ToolCall) -> list[dict[str, Any]]:
    """How the job stood after each time that something was told of it: pictures, and the news applied to them."""
    shown: list[dict[str, Any]] = []
    for event in talk.log():
        if event["type"] == "ACTIVITY_SNAPSHOT" and event["messageId"] == call.pk:
            shown.append(event["content"])
        if event["type"] == "ACTIVITY_DELTA" and event["messageId"] == call.pk:
            shown.append(patched(shown[-1], event["patch"]))
    return shown


def patched(picture: dict[str, Any], patch: list[dict[str, Any]]) -> dict[str, Any]:
    """JSON Patch, as far as it is told of jobs."""
    after = {**picture, "said": [*picture["said"]]}
    for one in patch:
        if (one["op"], one["path"]) == ("add", "/said/-"):
            after["said"].append(one["value"])
        else:
            assert one["op"] == "replace" and one["path"][1:] in picture, one
            after[one["path"][1:]] = one["value"]
    return after


def text_of(picture: dict[str, Any]) -> str:
    """All of the output that a picture knows."""
    return "\n".join([*filter(None, [picture["output"]]), *picture["said"]])
