"""A tool that shows beforehand what it would do, tried from the playground (M6)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from platform_site.access import actor_for_session
from platform_site.models import User
from tests.review.bench import (
    HAPPENED,
    HAT,
    HOME,
    PASSWORD,
    Bench,
    bench,
    digest,
    person_at,
    switch_off,
    version,
)
from tests.tools.conftest import Answer as Given
from tools import executors, gate
from tools.catalogue import save_tool
from tools.executors import Failed, Finished, Succeeded
from tools.gate.values import PREPARE_WITHIN
from tools.models import CallStatus, Confirmation, ToolCall
from tools.registry import find
from tools.review import trying
from tools.review.playground_tries import Answer

__all__ = ["bench"]
Prices = list[int]


def previewed(name: str, **changes: Any) -> None:
    handler = find(f"tests.{name}")
    assert handler
    save_tool(handler.definition() | {"preview": {"tool": "look"}} | changes, None)


@pytest.fixture
def prices(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Prices:
    """`buy` shows what `look` says. What a hat costs each time somebody looks; the last price stays."""
    told = [5]
    carry_out: Callable[..., Any] = executors.execute

    async def execute(spec: Any, call: Any, who: Any) -> Finished:
        if spec.name != "look":
            done: Finished = await carry_out(spec, call, who)
            return done
        price = told.pop(0) if len(told) > 1 else told[0]
        return Succeeded(f'{{"price": {price}}}') if price else Failed("sold_out", "There are no hats.")

    monkeypatch.setattr(executors, "execute", execute)
    previewed("buy")
    return told


def test_what_it_would_do_is_shown_before_anybody_is_asked(bench: Bench, prices: Prices) -> None:
    call = bench.run("buy")
    assert (call.status, HAPPENED) == (CallStatus.HELD, [])
    assert Confirmation.objects.get(call=call).preview == {"price": 5}
    assert "What it would do" in bench.show(call).content.decode()
    assert bench.do(call, "approve") == CallStatus.SUCCEEDED
    assert HAPPENED == [("buy", "hat")]


def test_what_changed_after_the_yes_is_asked_about_again_with_both(bench: Bench, prices: Prices) -> None:
    prices[:] = [5, 6]
    call = bench.run("buy")
    before = digest(call)
    assert bench.do(call, "approve") == CallStatus.HELD
    question = Confirmation.objects.get(call=call)
    assert (question.preview_before, question.preview) == ({"price": 5}, {"price": 6})
    page = bench.show(call).content.decode()
    assert "changed since it was approved" in page
    assert "<del>5</del>" in page and "<ins>6</ins>" in page
    assert bench.do(call, "approve", digest=before) == CallStatus.HELD, "the old yes is to something else"
    assert HAPPENED == []
    assert bench.do(call, "approve") == CallStatus.SUCCEEDED


def test_what_cannot_be_shown_is_not_asked_about(bench: Bench, prices: Prices) -> None:
    prices[:] = [0]
    call = bench.run("buy")
    assert call.status == CallStatus.REFUSED
    assert "There are no hats." in bench.show(call).content.decode()
    switch_off("look")
    assert bench.run("buy", key="again").status == CallStatus.REFUSED
    assert HAPPENED == []


def test_what_cannot_be_shown_again_is_not_done(bench: Bench, prices: Prices) -> None:
    prices[:] = [5, 0]
    call = bench.run("buy")
    assert bench.do(call, "approve") == CallStatus.LAPSED
    assert HAPPENED == []


def test_a_yes_of_two_is_followed_by_the_preview_once_both_agreed(
    bench: Bench, prices: Prices, rita: User
) -> None:
    previewed("wipe")
    call = bench.run("wipe")
    assert bench.do(call, "approve", password=PASSWORD) == CallStatus.HELD
    assert person_at(rita).do(call, "approve", password=PASSWORD) == CallStatus.SUCCEEDED
    assert HAPPENED == [("wipe", "hat")]


def test_a_try_left_half_way_goes_on_or_is_taken_back(bench: Bench, prices: Prices, alice: User) -> None:
    """The process died between asking and showing."""
    actor = actor_for_session(bench.user, "acme")
    assert actor
    tries = [trying.ask(actor, version("buy", 2), HAT, key) for key in ("one", "two")]
    first, second = (begun.call for begun in tries if isinstance(begun, trying.Begun))
    assert first.status == CallStatus.PROPOSED
    assert "Show what it would do" in bench.show(first).content.decode()
    assert person_at(alice).browser.post(f"{HOME}tries/{first.pk}/", {"do": "go_on"}).status_code == 403
    assert bench.do(first, "go_on") == CallStatus.HELD
    assert bench.do(second, "withdraw") == CallStatus.WITHDRAWN


def test_a_try_that_nobody_goes_on_with_ends(bench: Bench, prices: Prices) -> None:
    """Nothing stands at `proposed` for ever: half an hour after it was asked, or changed, the ticker takes it back."""
    actor = actor_for_session(bench.user, "acme")
    assert actor
    begun = trying.ask(actor, version("buy", 2), HAT, "one")
    assert isinstance(begun, trying.Begun)
    now = timezone.now()
    gate.expire(now + PREPARE_WITHIN - timedelta(minutes=1))
    assert ToolCall.objects.get(pk=begun.call.pk).status == CallStatus.PROPOSED
    assert gate.expire(now + PREPARE_WITHIN + timedelta(minutes=1)) == [begun.call.topic]
    call = ToolCall.objects.get(pk=begun.call.pk)
    assert (call.status, HAPPENED) == (CallStatus.WITHDRAWN, [])
    assert "could not be found out in time" in call.result["content"]


def test_the_half_hour_begins_anew_with_a_change(bench: Bench, prices: Prices) -> None:
    """An old question whose arguments are changed is shown again; it is not taken back meanwhile for its age."""
    actor = actor_for_session(bench.user, "acme")
    assert actor
    call = bench.run("buy")
    ToolCall.objects.filter(pk=call.pk).update(proposed_at=timezone.now() - timedelta(hours=1))
    trying.answer(actor, call, Given("approve", digest(call), arguments={"item": "coat"}))
    assert ToolCall.objects.get(pk=call.pk).status == CallStatus.PROPOSED
    assert gate.expire(timezone.now()) == []
    gate.expire(timezone.now() + PREPARE_WITHIN + timedelta(minutes=1))
    assert Confirmation.objects.get(call=call).status == "withdrawn"


def test_a_refused_answer_moves_nothing(bench: Bench, prices: Prices, rita: User) -> None:
    """Somebody who has nothing to decide cannot set off what others have approved."""
    previewed("buy", confirmation={"by": "user", "proof": "none"})
    actor = actor_for_session(bench.user, "acme")
    assert actor
    call = bench.run("buy")
    given = trying.answer(actor, call, _yes(call))
    assert given[1] is not None, "due, and not yet carried out"
    assert person_at(rita).do(call, "approve") == CallStatus.APPROVED
    assert HAPPENED == []
    assert bench.do(call, "go_on") == CallStatus.SUCCEEDED


def _yes(call: ToolCall) -> Answer:
    return Answer("approve", digest(call))


def test_previews_are_not_tries(bench: Bench, prices: Prices) -> None:
    bench.run("buy")
    assert [row.name for row in trying.tries()] == ["buy"]
    assert ToolCall.objects.filter(name="look").count() == 1


def test_after_a_change_it_shows_what_the_new_arguments_would_do(
    bench: Bench, prices: Prices, rita: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T04: a preview of what was asked for first, beside what would be done now, would lie."""
    carry_out: Callable[..., Any] = executors.execute

    async def execute(spec: Any, call: Any, who: Any) -> Finished:
        if spec.name == "look":
            return Succeeded(f'{{"of": "{call.arguments["item"]}"}}')
        done: Finished = await carry_out(spec, call, who)
        return done

    monkeypatch.setattr(executors, "execute", execute)
    previewed("buy", confirmation={"by": "reviewer", "proof": "none"})
    call, reviewer = bench.run("buy"), person_at(rita)
    question = Confirmation.objects.get(call=call)
    answer = {"decision": "approve", "digest": question.digest, "arguments": '{"item": "coat"}'}
    page = f"/t/acme/review/queue/{question.pk}/decide/"
    assert reviewer.browser.post(page, answer).status_code == 302
    question.refresh_from_db()
    assert question.preview == {"of": "coat"}
    assert reviewer.do(call, "approve") == CallStatus.SUCCEEDED
    assert HAPPENED == [("buy", "coat")]
