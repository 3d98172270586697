"""`summary` in a conversation: which messages it reads, by which model, what it costs, and where it cannot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from agents.aside_words import DIGEST
from agents.messages import Request
from agents.providers.demo import DemoProvider
from agents.spec import ModelSpec
from agents.usage import periods
from agents.usage.models import LimitKind, UsageEntry
from agents.usage.saving import Wanted, save
from conversations import branches, compaction
from conversations.models import Conversation
from platform_site.models import Tenant, User
from tests.conversations.conftest import Talk, bobs, talk
from tools import executors
from tools.catalogue import save_tool, spec_of
from tools.models import ToolCall
from tools.registry import ToolContext, find

__all__ = ["bobs", "talk"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the model was given to summarise, request by request."""
    seen: list[str] = []
    stream = DemoProvider.stream

    def listening(self: DemoProvider, request: Request, model: ModelSpec) -> Any:
        if request.instructions == DIGEST:
            seen.append(request.messages[0].parts[0].text)  # type: ignore[union-attr]
        return stream(self, request, model)

    monkeypatch.setattr(DemoProvider, "stream", listening)
    return seen


@pytest.fixture
def talker(talk: Talk) -> Talk:
    handler = find("conversations.summary")
    assert handler
    save_tool(handler.definition(), None)
    version = talk.conversation.agent.current
    assert version
    tools = [*version.definition["tools"], "summary"]
    type(version).objects.filter(pk=version.pk).update(definition={**version.definition, "tools": tools})
    return talk


def summed(talk: Talk, **arguments: Any) -> dict[str, Any]:
    """What the model is told when it asks for a summary."""
    assert talk.turn(f"call summary {json.dumps(arguments)}").outcome == "success"
    content = ToolCall.objects.filter(name="summary").latest("proposed_at").result["content"]
    told: dict[str, Any] = json.loads(content)
    return told


def said_in(texts: Sequence[str]) -> list[str]:
    """What people said, as it was given to the model."""
    return [line.split(": ", 1)[1] for text in texts for line in text.splitlines() if " The person: " in line]


def test_it_is_made_of_what_was_said_before_it_was_asked_for(talker: Talk, asked: list[str]) -> None:
    for text in ("echo one", 'call look {"item": "shoe"}'):
        talker.turn(text)
    told = summed(talker)
    assert said_in(asked) == ["echo one", 'call look {"item": "shoe"}']
    assert 'The assistant used look with {"item": "shoe"} (succeeded)' in asked[0]
    assert (told["messages"], "echo one" in told["summary"]) == (5, True)


def test_only_the_newest_so_many(talker: Talk, asked: list[str]) -> None:
    for number in range(4):
        talker.turn(f"echo {number}")
    assert summed(talker, last=3)["messages"] == 3
    assert said_in(asked) == ["echo 3"]


def test_only_since_a_time(talker: Talk, asked: list[str]) -> None:
    talker.turn("echo old")
    assert summed(talker, since="2030-01-01 00:00")["messages"] == 0
    assert summed(talker, since="2020-01-01 00:00")["messages"] == 5
    assert "echo old" in asked[0]


def test_nothing_to_summarise_is_said_and_costs_nothing(talker: Talk, asked: list[str]) -> None:
    told = summed(talker)
    assert told["messages"] == 0 and "Nothing was said" in told["message"] and not asked


def test_the_branch_that_is_shown_alone_is_read(talker: Talk, asked: list[str]) -> None:
    run = talker.turn("echo first")
    message = run.messages.get(role="user")
    branches.edit_message(talker.actor, talker.conversation.pk, message.pk, branches.Rewording("echo second"))
    talker.move()
    summed(talker)
    assert said_in(asked) == ["echo second"]


def test_a_long_history_is_told_in_parts_and_each_goes_on_from_the_last(
    talker: Talk, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    talker.turn("echo " + "alpha " * 300)
    talker.turn("echo " + "omega " * 300)
    monkeypatch.setattr(compaction, "WINDOW", 1_600)
    told = summed(talker)
    assert told["parts"] == len(asked) > 1
    assert all("Summary of what was said before:" in one for one in asked[1:])
    assert "alpha" in asked[0] and "omega" in asked[-1]


def test_it_is_written_for_who_asks_in_their_language(talker: Talk, asked: list[str]) -> None:
    talker.turn("echo hello")
    talker.turn("调用 summary {}")
    assert asked[0].startswith("For the person who wrote last: “调用 summary {}”\n")
    told = json.loads(ToolCall.objects.get(name="summary").result["content"])
    assert told["summary"].startswith("要点")


def test_each_request_is_booked_with_the_run(talker: Talk) -> None:
    talker.turn("echo one")
    run = talker.turn("call summary {}")
    assert UsageEntry.objects.filter(run=run.pk).count() == 3, "two replies, and the summary between them"


def test_where_a_limit_is_reached_there_is_none(
    talker: Talk, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """T68: it never goes beyond what the tenant allows."""
    monkeypatch.setattr(periods, "minute", lambda now: "2026-03-02T10:00")
    talker.turn("echo one")
    run = talker.say("call summary {}")
    save(Wanted(LimitKind.REQUESTS, Decimal(1)), None)
    asyncio.run(claim_and_summarise(talker, run.pk))
    assert not asked


async def claim_and_summarise(talk: Talk, run: str) -> None:
    """The first reply takes the minute's only request; the summary finds none left."""
    from conversations import steps
    from conversations.engine import Moving, answer, carry_out
    from platform_site.db import db

    turn = await db(steps.claim, run, "tests")
    assert turn
    moving = Moving(turn)
    await answer(moving)
    await carry_out(moving)
    call = await db(lambda: ToolCall.objects.get(name="summary"))
    assert (call.status, call.result["error"]["code"]) == ("failed", "budget")


def test_somebody_elses_conversation_is_not_there(talker: Talk, alice: User, tenant: Tenant) -> None:
    """T33: also for a run and a topic that exist; and a playground's try has no conversation."""
    talker.turn("echo secret")
    run = talker.turn("call summary {}")
    call = ToolCall.objects.select_related("version").get(name="summary")
    assert call.version
    spec = spec_of(call.version)

    def outcome(user: User, topic: str, of: str) -> Any:
        again = ToolCall(id=call.pk, arguments={}, topic=topic, run=of, tenant_id=tenant.pk)
        return asyncio.run(executors.execute(spec, again, ToolContext(tenant, user)))

    assert outcome(alice, call.topic, run.pk).code == "no_conversation"
    assert outcome(talker.actor.user, call.topic, "").code == "no_conversation"
    assert outcome(talker.actor.user, call.topic, run.pk).status == "succeeded"
    assert Conversation.objects.count() == 1


def test_what_came_from_outside_counts_after_a_summary_as_before(talker: Talk) -> None:
    """T29: the summary's text bears no mark; the conversation does."""
    handler = find("tests.look")
    assert handler
    save_tool(handler.definition() | {"untrusted": True}, None)
    save_tool(handler.definition() | {"name": "jot", "read_only": False}, None)
    version = talker.conversation.agent.current
    assert version
    version.refresh_from_db()
    tools = [*version.definition["tools"], "jot"]
    type(version).objects.filter(pk=version.pk).update(definition={**version.definition, "tools": tools})
    talker.turn('call look {"item": "page"}')
    summed(talker)
    assert talker.turn('call jot {"item": "what it said"}').outcome == "interrupt"
    call = ToolCall.objects.get(name="jot")
    assert {"name": "after_untrusted", "detail": "look"} in call.flags
