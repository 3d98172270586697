"""T36: jobs of two tenants in one worker process, one after the other and interleaved: none sees the other's tenant."""

from __future__ import annotations

import asyncio
import json
from threading import current_thread

import pytest
from django.db import connections

from platform_site import ledger
from platform_site.ids import new_id
from platform_site.models import Tenant, Topic, User
from platform_site.scope import acting_tenant
from platform_site.tenancy import acting_for
from tests.conftest import person
from tests.conversations.conftest import Item
from tests.gate_evidence.rounds import LONG
from tests.tools.conftest import Desk
from tools import catalogue, gate
from tools.catalogue import save_tool
from tools.jobs import tasks
from tools.jobs.work import carry_out
from tools.models import Job, Tool, ToolCall
from tools.registry import ToolContext, find, tool

EACH = 100
AT_A_TIME = 8
SEEN: list[tuple[str, str, str]] = []
"""(the tenant asked for, the tenant a query saw, the thread)."""


def see(context: ToolContext, args: Item) -> dict[str, str]:
    """Whose rows are seen here; and leave a trap for whoever works in this thread next."""
    (seen,) = set(Tool.objects.values_list("tenant_id", flat=True))
    assert {seen} == set(ToolCall.objects.values_list("tenant_id", flat=True)) == {context.tenant.pk}
    SEEN.append((args.item, seen, current_thread().name))
    context.report(percent=10, words=args.item)
    context.say(f"for {args.item}")
    return {"seen": seen}


@tool(pack="tests", name="see_now", risk="SAFE", read_only=True, run="background")
def see_now(context: ToolContext, args: Item) -> dict[str, str]:
    """See, in a thread."""
    told = see(context, args)
    acting_tenant.set("nobody's")  # what a handler does to its context must not outlive it
    return told


@tool(pack="tests", name="see_later", risk="SAFE", read_only=True, run="background")
async def see_later(context: ToolContext, args: Item) -> dict[str, str]:
    """See, on the loop, with others in between."""
    await asyncio.sleep(0)
    told = await asyncio.to_thread(see_and_close, context, args)
    acting_tenant.set("nobody's")
    return told


def see_and_close(context: ToolContext, args: Item) -> dict[str, str]:
    try:
        return see(context, args)
    finally:
        connections.close_all()


TOOLS = ("see_now", "see_later")


@pytest.fixture
def calls(transactional_db: None, tenant: Tenant, other_tenant: Tenant) -> list[ToolCall]:
    """Queued, alternately of the one and the other tenant, each asking for its own id."""
    SEEN.clear()
    made = [list(_queued(one)) for one in (tenant, other_tenant)]
    return [call for pair in zip(*made, strict=True) for call in pair]


def _queued(tenant: Tenant) -> list[ToolCall]:
    bob = person(tenant, "Bob", "member")  # type: ignore[arg-type]
    with acting_for(tenant):
        for name in TOOLS:
            handler = find(f"tests.{name}")
            assert handler
            save_tool(handler.definition(), None)
        each = EACH if LONG else EACH // 5
        return [_asked(tenant, bob, TOOLS[nth % 2]) for nth in range(each)]


def _asked(tenant: Tenant, bob: User, name: str) -> ToolCall:
    desk = Desk(tenant, Topic.objects.create().pk, bob)
    asked = gate.Asked(
        new_id(), "", name, json.dumps({"item": tenant.pk}), 0, desk.topic, new_id(), new_id(), "demo"
    )
    with ledger.writing(desk.topic) as log:
        call = gate.propose(log, asked, catalogue.offered([name]), gate.Requester(bob, "member"))
        assert isinstance(gate.claim_cleared(log, call, catalogue.offered([name])[name]), gate.Queued)
    return call


def judge(calls: list[ToolCall]) -> None:
    assert len(SEEN) == len(calls)
    assert all(asked == seen for asked, seen, _thread in SEEN)
    rows = {call.pk: call for call in ToolCall.objects.across_tenants()}
    for job in Job.objects.across_tenants().select_related("call"):
        assert rows[job.pk].status == "succeeded"
        assert (job.words, job.output) == (job.tenant_id, f"for {job.tenant_id}")
    for owner in {call.tenant_id for call in calls}:
        with acting_for(owner or ""):
            topics = list(Topic.objects.values_list("pk", flat=True))
            told = [event for topic in topics for event in _log(topic)]
            others = {call.tenant_id for call in calls} - {owner}
            assert not any(other in repr(told) for other in others if other)
    assert acting_tenant.get() is None


def _log(topic: str) -> list[object]:
    return [event for _, event in ledger.since(topic, 0)]


def test_one_after_the_other(calls: list[ToolCall]) -> None:
    """As a queue worker has them: a process, one task at a time, whoever's it is."""
    for call in calls:
        tasks.work(call.tenant_id or "", call.pk)
    judge(calls)


def test_interleaved(calls: list[ToolCall]) -> None:
    """Closer together than a worker ever has them: on one loop, in the same few threads."""

    async def all_of_them() -> None:
        places = asyncio.Semaphore(AT_A_TIME)

        async def one(call: ToolCall) -> None:
            async with places:
                with acting_for(call.tenant_id or ""):
                    await carry_out(call.pk)

        await asyncio.gather(*map(one, calls))

    asyncio.run(all_of_them())
    judge(calls)


def test_the_trap_would_be_seen(tenant: Tenant, other_tenant: Tenant) -> None:
    """The positive control: a thread that keeps another's tenant is noticed by what `see` asks."""
    with acting_for(other_tenant):
        save_tool(find("tests.see_now").definition(), None)  # type: ignore[union-attr]
        with pytest.raises(AssertionError):
            see(ToolContext(tenant, User()), Item(item=tenant.pk))
