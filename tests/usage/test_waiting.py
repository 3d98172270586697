"""Turns that wait for room instead of failing: for a place among those that move, or for the next minute (T68)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone

from agents.stream import TextDelta, fold
from conversations import engine, spending, steps
from conversations.engine import Moving
from conversations.runner import waiting_runs
from platform_site.access import actor_for_session
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.made import make_agent, make_conversation, make_run
from tests.conversations.conftest import Talk
from tests.usage.made import ANSWER, another, claimed, set_limit


def test_a_full_minute_keeps_a_new_run_waiting_in_the_queue(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limit("requests_per_minute", 1)
    at = timezone.now().replace(second=5)
    monkeypatch.setattr(spending.timezone, "now", lambda: at)
    talk.turn("hello")
    waiting = talk.say("and again")
    assert waiting_runs(10) == []
    assert steps.claim(waiting.pk, "tests") is None
    waiting.refresh_from_db()
    assert waiting.status == "queued"
    later = at + timedelta(minutes=1)
    monkeypatch.setattr(spending.timezone, "now", lambda: later)
    assert waiting_runs(10) == [(waiting.pk, waiting.tenant_id)]
    assert talk.move(waiting).outcome == "success"


def test_a_full_minute_lets_a_running_turn_wait_and_go_on(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limit("requests_per_minute", 1)
    clock = {"now": timezone.now().replace(second=5)}
    monkeypatch.setattr(spending.timezone, "now", lambda: clock["now"])

    async def skip(moving: Moving) -> None:
        clock["now"] += timedelta(minutes=1)

    monkeypatch.setattr(engine, "wait_for_room", skip)
    run = talk.turn('call look {"item": "hat"}')
    assert run.outcome == "success"
    waited = next(event for event in talk.log() if event.get("name") == "run.waiting")
    assert waited["value"]["run"] == run.pk
    assert 50 <= waited["value"]["waitSeconds"] <= 60


def test_a_turn_that_waits_for_the_minute_can_be_stopped(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit("requests_per_minute", 1)
    at = timezone.now().replace(second=5)
    monkeypatch.setattr(spending.timezone, "now", lambda: at)
    run = talk.say('call look {"item": "hat"}')
    waits: asyncio.Queue[Moving] = asyncio.Queue()
    really_wait = engine.wait_for_room

    async def wait(moving: Moving) -> None:
        waits.put_nowait(moving)
        await really_wait(moving)

    monkeypatch.setattr(engine, "wait_for_room", wait)

    async def scenario() -> None:
        advancing = asyncio.create_task(talk.advance(run.pk))
        async with asyncio.timeout(5):
            moving = await waits.get()
            moving.stop("person")
            await advancing

    asyncio.run(scenario())
    run.refresh_from_db()
    assert (run.status, run.outcome) == ("finished", "cancelled")


def test_no_more_turns_at_the_same_time_than_allowed(talk: Talk) -> None:
    set_limit("concurrent_runs", 1)
    first = claimed(talk)
    other = another(talk)
    waiting = other.say("me too")
    assert waiting_runs(10) == []
    assert steps.claim(waiting.pk, "tests") is None
    steps.save_reply(first, fold([TextDelta("hi"), ANSWER]), demo=True)
    assert waiting_runs(10) == [(waiting.pk, waiting.tenant_id)]
    assert other.move(waiting).outcome == "success"


def test_a_tenant_at_its_limit_takes_no_place_from_others(
    talk: Talk, other_tenant: Tenant, charlie: User
) -> None:
    set_limit("concurrent_runs", 1)
    claimed(talk)
    for _ in range(3):
        another(talk).say("me too")
    with acting_for(other_tenant):
        theirs = make_run(make_conversation(make_agent(), charlie), charlie)
    assert waiting_runs(1) == [(theirs.pk, other_tenant.pk)]


def test_a_persons_own_limit_leaves_others_alone(talk: Talk, bob: User, adam: User) -> None:
    set_limit("concurrent_runs", 1, "user", bob.email)
    claimed(talk)
    mine = another(talk).say("me too")
    actor = actor_for_session(adam, "acme")
    assert actor
    theirs = another(talk, actor).say("hello")
    assert [run for run, _tenant in waiting_runs(10)] == [theirs.pk]
    assert steps.claim(mine.pk, "tests") is None
    assert steps.claim(theirs.pk, "tests")
