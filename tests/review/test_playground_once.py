"""A try of the playground is carried out at most once, and ends in a stated outcome whatever breaks on the way."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from platform_site.models import Tenant
from tests.review.bench import (
    HAPPENED,
    HAT,
    Bench,
    actor_of,
    bench,
    digest,
    version,
)
from tools import gate
from tools.executors import Succeeded
from tools.models import CallStatus, ToolCall
from tools.review import trying
from tools.review.playground_tries import Answer

__all__ = ["bench"]


def test_the_same_form_sent_twice_is_one_try(bench: Bench) -> None:
    first, second = bench.run("look", key="k"), bench.run("look", key="k")
    assert first.pk == second.pk
    assert HAPPENED == [("look", "hat")]
    assert bench.run("look", key="another").pk != first.pk
    assert bench.run("look", '{"item": "cap"}', key="k").pk != first.pk
    assert len(HAPPENED) == 3


def at_once(times: int, work: Any) -> list[Any]:
    def one(_: int) -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as threads:
        contexts = [copy_context() for _ in range(times)]
        return list(threads.map(lambda pair: pair[1].run(one, pair[0]), enumerate(contexts)))


def test_a_double_click_runs_it_once(bench: Bench) -> None:
    asked = at_once(4, lambda: trying.ask(actor_of(bench), version("look"), HAT, "k"))
    assert len({begun.call.pk for begun in asked}) == 1
    assert sum(begun.due is not None for begun in asked) == 1


def test_of_many_yeses_one_claims(bench: Bench) -> None:
    call = bench.run("buy")
    answer = Answer("approve", digest(call))
    answered = at_once(4, lambda: trying.answer(actor_of(bench), ToolCall.objects.get(pk=call.pk), answer))
    assert sum(due is not None for _, due in answered) == 1


def test_a_second_claim_does_nothing(bench: Bench) -> None:
    call = bench.run("buy")
    bench.do(call, "approve")
    assert trying.go_on(actor_of(bench), call) is None
    assert HAPPENED == [("buy", "hat")]


# Crash and disconnect


def test_a_try_that_nobody_settles_becomes_unknown(bench: Bench) -> None:
    """The process died between claim and receipt: the sweep gives up on it, without any conversation around."""
    begun = trying.ask(actor_of(bench), version("look"), HAT, "k")
    assert isinstance(begun, trying.Begun) and begun.due
    call = begun.call
    assert gate.expire(timezone.now()) == []
    assert gate.expire(timezone.now() + timedelta(hours=1)) == [call.topic]
    call.refresh_from_db()
    assert call.status == CallStatus.UNKNOWN
    assert "Outcome unknown" in bench.show(call).content.decode()


def test_what_nobody_decides_expires(bench: Bench) -> None:
    call = bench.run("buy")
    gate.expire(timezone.now() + timedelta(hours=1))
    call.refresh_from_db()
    assert call.status == CallStatus.EXPIRED
    assert "Nobody decided in time" in bench.show(call).content.decode()


def test_a_browser_that_goes_away_does_not_lose_the_receipt(
    bench: Bench, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disconnect cancels the request; what was sent goes on and is recorded."""
    begun = trying.ask(actor_of(bench), version("look"), HAT, "k")
    assert isinstance(begun, trying.Begun) and begun.due
    sent, answered = asyncio.Event(), asyncio.Event()

    async def slow(*_: Any) -> Succeeded:
        sent.set()
        await answered.wait()
        return Succeeded("late")

    monkeypatch.setattr("tools.executors.execute", slow)

    async def scenario() -> None:
        request = asyncio.create_task(trying.see_through(begun.due, tenant))
        await sent.wait()
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        answered.set()
        await asyncio.gather(*trying._under_way)

    asyncio.run(scenario())
    begun.call.refresh_from_db()
    assert begun.call.status == CallStatus.SUCCEEDED
