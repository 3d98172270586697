"""A runner dies in any phase of a debate: another one goes on in the same place."""

from __future__ import annotations

from typing import Any

import pytest

from conversations import steps
from conversations.models import Run
from tests.conversations.test_runner import let_go
from tests.debate import folding
from tests.debate.conftest import HAPPENED, Debated, by_turn, note, place, says

WHOLE = [("cognito", 1), ("muse", 2), ("cognito", 3), ("muse", 4), ("", 0)]


def dies_in(debate: Debated, turn: int, run: Run) -> None:
    """The process is gone while this turn is being written."""

    def play(request: Any) -> Any:
        reply = by_turn(request)
        return (
            [lambda: debate.stage.loop.call_soon_threadsafe(debate.moving.stop, "lost"), *reply]
            # type: ignore[union-attr]
            if (place(request)["turn"] == turn)
            else reply
        )

    debate.stage.then = play
    debate.move(run)
    let_go(run)
    debate.stage.then = by_turn


@pytest.mark.parametrize("turn", [1, 2, 3, 0])
def test_another_runner_writes_the_same_reply_again(debate: Debated, turn: int) -> None:
    run = debate.say("Tea?")
    dies_in(debate, turn, run)
    run.refresh_from_db()
    assert run.status == "running"
    assert debate.move(run).outcome == "success"
    assert debate.turns() == WHOLE
    assert debate.kinds().count("message.restarted") == 1
    folding.check(debate.conversation.pk)


@pytest.mark.parametrize(("turn", "wish"), [(2, "summarise"), (2, "pause")])
def test_a_wish_from_before_does_not_change_whose_reply_it_is(debate: Debated, turn: int, wish: str) -> None:
    """The reply was told to be Muse's: she writes it, and then it is done what was wished."""
    run = debate.say("Tea?")
    dies_in(debate, turn, run)
    debate.steer(wish)
    debate.move(run)
    assert debate.turns()[:2] == WHOLE[:2]
    assert debate.turns()[2:] == ([("", 0)] if wish == "summarise" else [])


def test_a_runner_that_dies_between_the_tools_of_a_turn(debate: Debated) -> None:
    """What was carried out keeps its result; a note is made once."""
    debate.plays(says("I note.", note("Tea has caffeine."), ("look", {"item": "tea"})))
    run = debate.say("Tea?")
    turn = steps.claim(run.pk, "dead")
    assert turn
    import asyncio

    from conversations.engine import Moving, answer

    asyncio.run(answer(Moving(turn)))
    assert debate.statuses() == ["claimed", "claimed"]
    let_go(run)
    assert debate.move(run).outcome == "success"
    assert HAPPENED == [("look", "tea")]
    assert [entry.text for entry in debate.pad().entries] == ["Tea has caffeine."]
    assert debate.turns() == [("cognito", 1), *WHOLE]
    folding.check(debate.conversation.pk)


def test_a_note_whose_receipt_was_lost_is_not_made_twice(debate: Debated) -> None:
    from conversations.debate.handlers import Note, notepad_update
    from tools.models import ToolCall
    from tools.registry import ToolContext

    debate.plays(says("I note.", note("Tea has caffeine.")))
    debate.turn("Tea?")
    call = ToolCall.objects.get()
    ToolCall.objects.update(status="claimed")
    context = ToolContext(debate.actor.tenant, debate.actor.user, call.pk, call.topic, call.run)
    args = Note(action="add", kind="fact", text="Tea has caffeine.")
    assert notepad_update(context, args) == {"entry": "N1", "done": "added"}
    assert len(debate.pad().changes) == 1
