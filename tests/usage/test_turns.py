"""What a turn is booked as, and what becomes of it when a limit is reached (T68)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents.catalogue import model_named, save_model
from agents.notes import Switched
from agents.stream import Finish, Reply, TextDelta, fold
from agents.usage.models import UsageEntry, UsageLimit
from conversations import actions, ending, engine, steps
from conversations.engine import Moving
from conversations.models import Run
from platform_site import bell
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.conversations.conftest import Talk
from tests.usage.made import ANSWER, MODEL, answer, claimed, now_of, set_limit, used
from tools.models import ToolCall

COST = 3_000_000  # billionths: 1,000 of 2 and 100 of 10 a million


@pytest.fixture(autouse=True)
def _price(talk: Talk) -> None:
    save_model(MODEL)


@pytest.fixture
def noticed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bell.Notice]]:
    heard: list[bell.Notice] = []
    monkeypatch.setattr(bell, "notify", heard.append)
    yield heard


def booked() -> dict[str, Any]:
    (entry,) = UsageEntry.objects.filter(is_reserved=False)
    names = (
        "input_tokens",
        "output_tokens",
        "cached_tokens",
        "thinking_tokens",
        "cost",
        "finish",
        "is_estimate",
    )
    return {name: getattr(entry, name) for name in names}


def error_of(talk: Talk) -> Any:
    return next(event for event in reversed(talk.log()) if event["type"] == "RUN_ERROR")


def test_a_reply_is_booked_as_its_provider_counted_it(talk: Talk, bob: User) -> None:
    turn = claimed(talk)
    steps.save_reply(turn, fold([TextDelta("hi"), ANSWER]), demo=True)
    assert booked() == {
        "input_tokens": 1_000, "output_tokens": 100, "cached_tokens": 200, "thinking_tokens": 30, "cost": COST,
        "finish": "stop", "is_estimate": False,
    }  # fmt: skip
    entry = UsageEntry.objects.get()
    assert (entry.agent, entry.model, entry.user, entry.run) == ("helper", "demo", bob, turn.run.pk)
    assert entry.day == timezone.now().date()


def test_each_round_of_a_turn_is_a_request(talk: Talk) -> None:
    talk.turn('call look {"item": "hat"}')
    assert UsageEntry.objects.count() == 2


def test_a_reply_that_was_no_answer_was_paid_for_as_well(talk: Talk) -> None:
    turn = claimed(talk)
    blocked = fold([Finish("blocked", "demo", 1_000, 100)])
    ending.fail(turn, "blocked", "The safety filter blocked it.", blocked)
    assert (booked()["cost"], booked()["finish"]) == (COST, "error")


def test_what_failed_before_a_word_came_costs_nothing(talk: Talk) -> None:
    ending.fail(claimed(talk), "network", "It could not be reached.")
    assert (booked()["cost"], booked()["input_tokens"], booked()["is_estimate"]) == (0, 0, False)


def test_a_reply_that_was_stopped_is_estimated(talk: Talk) -> None:
    """Else stopping right before the end would be free."""
    said = Reply()
    said.add(TextDelta("word " * 100))
    ending.cancel(claimed(talk), said)
    assert booked()["is_estimate"]
    assert booked()["output_tokens"] == 125
    assert booked()["input_tokens"] > 0
    assert booked()["cost"] > 0


def test_a_crash_between_answer_and_saving_books_once(talk: Talk) -> None:
    set_limit("monthly_tokens", 100_000)
    turn = claimed(talk)
    Run.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    again = steps.claim(turn.run.pk, "another")
    assert again
    reply = fold([TextDelta("hi"), ANSWER])
    with pytest.raises(ending.LostRun):
        steps.save_reply(turn, reply, demo=True)
    steps.save_reply(again, reply, demo=True)
    assert booked()["cost"] == COST
    row = UsageLimit.objects.get()
    assert (row.used, row.reserved) == (1_100, 0)


def test_the_model_that_stepped_in_is_booked(talk: Talk) -> None:
    save_model({"slug": "spare", "provider": "demo", "name": "spare", "price": {"input": 4, "output": 0}})
    turn = claimed(talk)
    spare = model_named("spare")
    assert spare
    turn.models = [turn.models[0], spare]
    turn.switched = Switched("spare", "demo", "quota_exhausted")
    steps.save_reply(turn, fold([TextDelta("hi"), Finish("stop", "spare-2026", 1_000_000, 0)]), demo=True)
    entry = UsageEntry.objects.get()
    assert (entry.model, entry.cost) == ("spare", 4 * 10**9)


def test_a_reached_limit_stops_before_anything_is_asked_and_says_which_and_until_when(talk: Talk) -> None:
    set_limit("monthly_cost", 0.000001)
    run = talk.turn("hello")
    assert (run.status, run.error_code) == ("failed", "budget")
    error = error_of(talk)
    assert error["code"] == "budget"
    assert "monthly spending limit for everybody here together" in error["message"]
    assert "frees on" in error["message"]
    assert error["metadata"]["retryable"] is True
    assert error["metadata"]["budget"]["limit"] == "monthly_cost"
    assert "TEXT_MESSAGE_START" not in talk.kinds()
    assert not UsageEntry.objects.exists()


def test_the_person_is_told_in_their_language(talk: Talk, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(locale="zh-hans")
    set_limit("monthly_tokens", 1, "user", bob.email)
    talk.turn("hello")
    assert error_of(talk)["code"] == "budget"


def test_with_room_again_the_same_run_can_be_retried(talk: Talk) -> None:
    limit = set_limit("monthly_tokens", 1)
    run = talk.turn("hello")
    assert run.error_code == "budget"
    set_limit("monthly_tokens", 1_000_000)
    assert talk.move(actions.retry_run(talk.actor, run.pk)).outcome == "success"
    assert now_of(limit).used > 0


def test_a_turn_that_uses_up_its_limit_stops_between_two_rounds(talk: Talk) -> None:
    """What was carried out stays; nothing hangs."""
    limit = set_limit("monthly_tokens", 1_000_000)
    run = talk.say('call look {"item": "hat"}')
    turn = steps.claim(run.pk, "tests")
    assert turn
    UsageLimit.objects.filter(pk=limit.id).update(amount=1)
    asyncio.run(engine.advance(Moving(turn)))
    run.refresh_from_db()
    assert (run.status, run.error_code) == ("failed", "budget")
    assert [call.status for call in ToolCall.objects.all()] == ["succeeded"]
    assert UsageEntry.objects.filter(is_reserved=False).count() == 1


def test_admins_are_warned_once_when_four_fifths_are_used(
    talk: Talk, alice: User, adam: User, rita: User, noticed: list[bell.Notice]
) -> None:
    save_model({**MODEL, "settings": {"max_output_tokens": 100}})
    set_limit("monthly_tokens", 2_700)

    def warned() -> list[bell.Notice]:
        return [notice for notice in noticed if notice.kind == "budget"]

    answer(talk)
    assert warned() == []
    answer(talk)
    answer(talk)
    assert {notice.user for notice in warned()} == {alice.pk, adam.pk}
    assert len(warned()) == 2
    assert warned()[0].data == {"limit": "monthly_tokens", "of": "tenant", "name": ""}


def test_usage_is_booked_for_one_tenant_alone(talk: Talk, other_tenant: Tenant) -> None:
    """T1: what one tenant uses, and its limits, are nobody else's."""
    used(None, timezone.now().date())
    with acting_for(other_tenant):
        assert not UsageEntry.objects.exists()
        assert set_limit("monthly_tokens", 10).used == 0
    assert not UsageLimit.objects.exists()
