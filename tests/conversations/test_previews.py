"""A call that shows beforehand what it would do, through a whole turn: shown, approved, looked at again, done (M6)."""

from __future__ import annotations

from typing import Any

import pytest

from conversations import actions
from conversations.actions import Answer
from conversations.models import Run
from platform_site.access import actor_for_session
from platform_site.models import User
from tests.conversations.conftest import HAPPENED, Talk
from tests.conversations.test_corrections import model
from tools.catalogue import save_tool
from tools.models import CallStatus, Confirmation, ToolCall
from tools.registry import find

__all__ = ["model"]
BUY = [("buy", '{"item": "hat"}')]


@pytest.fixture
def previewed(talk: Talk) -> Talk:
    """`buy` shows what `look` says of the item."""
    handler = find("tests.buy")
    assert handler
    save_tool(handler.definition() | {"preview": {"tool": "look"}}, None)
    return talk


@pytest.fixture
def prices(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What a hat costs each time somebody looks; the last price stays."""
    told = [5]

    async def run(executor: Any, spec: Any, arguments: Any, context: Any) -> Any:
        from tools.outcome import Succeeded

        if spec.name == "look":
            return Succeeded(f'{{"price": {told.pop(0) if len(told) > 1 else told[0]}}}')
        return await original(executor, spec, arguments, context)

    from tools.executors import python

    original = python.run
    monkeypatch.setattr("tools.executors.python.run", run)
    return told


def test_the_question_shows_what_would_be_done(previewed: Talk, model: Any, prices: list[int]) -> None:
    model(BUY, "Bought.")
    assert previewed.turn("buy a hat").outcome == "interrupt"
    (interrupt,) = previewed.log()[-1]["outcome"]["interrupts"]
    assert interrupt["metadata"]["preview"] == {"price": 5}
    previewed.decide()
    assert previewed.move().outcome == "success"
    assert HAPPENED == [("buy", "hat")]


def test_a_price_that_changed_after_the_yes_is_asked_about_again(
    previewed: Talk, model: Any, prices: list[int]
) -> None:
    model(BUY, "Bought.")
    prices[:] = [5, 6]
    previewed.turn("buy a hat")
    previewed.decide()
    again = previewed.move()
    assert (again.outcome, HAPPENED) == ("interrupt", [])
    (interrupt,) = previewed.log()[-1]["outcome"]["interrupts"]
    metadata = interrupt["metadata"]
    assert (metadata["previewBefore"], metadata["preview"]) == ({"price": 5}, {"price": 6})
    previewed.decide()
    assert previewed.move().outcome == "success"
    assert HAPPENED == [("buy", "hat")]


def test_an_edit_is_shown_again_before_it_is_approved(previewed: Talk, model: Any, prices: list[int]) -> None:
    model(BUY, "Bought.")
    prices[:] = [5, 9]
    previewed.turn("buy a hat")
    question = Confirmation.objects.get()
    actions.decide(
        previewed.actor, question.pk, Answer("approve", question.digest, arguments={"item": "coat"})
    )
    assert previewed.move().outcome == "interrupt"
    question.refresh_from_db()
    assert (question.preview, question.status) == ({"price": 9}, "pending")
    previewed.decide()
    previewed.move()
    assert HAPPENED == [("buy", "coat")]


def test_a_runner_that_died_while_looking_leaves_it_to_the_next(
    previewed: Talk, model: Any, prices: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import timedelta

    from django.utils import timezone

    from conversations import engine

    model(BUY, "Bought.")
    run = previewed.say("buy a hat")

    async def dies(*_: Any) -> Any:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(engine, "take_previews", dies)
        with pytest.raises(SystemExit):
            previewed.move(run)
    assert ToolCall.objects.get(name="buy").status == CallStatus.PROPOSED
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert previewed.move(run).outcome == "interrupt"
    assert ToolCall.objects.get(name="buy").status == CallStatus.HELD


def test_a_new_message_takes_back_what_was_being_prepared(
    previewed: Talk, model: Any, prices: list[int]
) -> None:
    model(BUY, "Bought.", "As you like.")
    previewed.turn("buy a hat")
    question = Confirmation.objects.get()
    actions.decide(
        previewed.actor, question.pk, Answer("approve", question.digest, arguments={"item": "coat"})
    )
    Run.objects.filter(status="queued").delete()
    assert previewed.turn("forget it").outcome == "success"
    assert ToolCall.objects.get(name="buy").status == CallStatus.WITHDRAWN
    assert HAPPENED == []


def test_what_a_reviewer_changed_is_no_question_to_who_asked(
    previewed: Talk, model: Any, prices: list[int], rita: User
) -> None:
    """Reviewers alone decide on it: a new message of who asked takes nothing back, also while it is prepared."""
    handler, reviewer = find("tests.buy"), actor_for_session(rita, previewed.actor.tenant.slug)
    assert handler and reviewer
    by_reviewer = {"preview": {"tool": "look"}, "confirmation": {"by": "reviewer", "proof": "none"}}
    save_tool(handler.definition() | by_reviewer, None)
    model(BUY, "It waits.", "Yes?", "Bought.")
    previewed.turn("buy a hat")
    question = Confirmation.objects.get()
    actions.decide(reviewer, question.pk, Answer("approve", question.digest, arguments={"item": "coat"}))
    previewed.say("by the way")
    assert ToolCall.objects.get(name="buy").status == CallStatus.PROPOSED
    previewed.move()
    assert ToolCall.objects.get(name="buy").status == CallStatus.HELD
