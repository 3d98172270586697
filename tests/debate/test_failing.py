"""A model that fails in any phase of a debate: the retry makes the very same request, and the debate goes on."""

from __future__ import annotations

from typing import Any

import pytest

from agents.catalogue import save_agent, save_model
from agents.stream import TextDelta
from conversations import actions
from conversations.models import Message, Run
from tests.agents.wire.server import WireServer
from tests.conversations.test_faults import Wired, fault, streamed, wired
from tests.conversations.test_faults import says as over_http
from tests.debate import folding
from tests.debate.conftest import Debated, by_turn, definition, fails, note, persona, place, says, text_of

__all__ = ["wired"]
WHOLE = [("cognito", 1), ("muse", 2), ("cognito", 3), ("muse", 4), ("", 0)]


def fails_once(debate: Debated, turn: int, *, after: str = "") -> None:
    """The first request of this turn fails, perhaps in the middle of its words."""
    failed: list[int] = []

    def play(request: Any) -> Any:
        if place(request)["turn"] != turn or failed:
            return by_turn(request)
        failed.append(turn)
        return [*([TextDelta(after)] if after else []), fails] if after else fails()

    debate.stage.then = play


def change_everything() -> None:
    """Nobody is who they were."""
    save_model({"slug": "demo", "provider": "demo", "name": "demo", "settings": {"temperature": 1.0}})
    for entry in (
        persona("cognito", instructions="Sing."),
        persona("muse", instructions="Dance."),
        definition(),
    ):
        save_agent({**entry, "tools": []}, None)


@pytest.mark.parametrize("turn", [1, 2, 4, 0])
def test_a_retry_makes_the_same_request_byte_for_byte_and_the_debate_goes_on(
    debate: Debated, turn: int
) -> None:
    """D6: the notepad as it was included."""
    fails_once(debate, turn)
    if turn != 1:
        debate.plays(says("Noted.", note("Tea has caffeine.")))
    failed = debate.turn("Tea?")
    assert (failed.status, debate.debate().status) == ("failed", "active")
    assert debate.spoken()[-1][1:] == (turn, "error")
    folding.check(debate.conversation.pk)
    asked = len(debate.stage.bodies)
    change_everything()
    again = debate.move(actions.retry_run(debate.actor, failed.pk))
    assert again.outcome == "success"
    assert debate.stage.bodies[asked - 1] == debate.stage.bodies[asked]
    assert [one for one in debate.spoken() if one[2] == "stop"] == [(*one, "stop") for one in WHOLE]
    assert (b"caffeine" in debate.stage.bodies[asked]) == (turn != 1)
    folding.check(debate.conversation.pk)


def test_a_turn_that_broke_off_in_its_words_is_another_version_of_its_retry(debate: Debated) -> None:
    fails_once(debate, 2, after="Half a")
    failed = debate.turn("Tea?")
    debate.move(actions.retry_run(debate.actor, failed.pk))
    half, whole = Message.objects.filter(turn=2).order_by("position")
    assert (half.finish, half.parent_id) == ("error", whole.parent_id)
    assert "Half a" not in text_of(debate.stage.requests[-1])
    folding.check(debate.conversation.pk)


def test_a_retry_that_fails_again_can_be_retried(debate: Debated) -> None:
    debate.plays(says("One."), lambda request: fails(), lambda request: fails())
    failed = debate.turn("Tea?")
    again = debate.move(actions.retry_run(debate.actor, failed.pk))
    assert again.status == "failed"
    assert debate.move(actions.retry_run(debate.actor, again.pk)).outcome == "success"
    assert len(set(debate.stage.bodies[1:4])) == 1
    assert debate.turns()[-1] == ("", 0)


def test_what_a_person_says_before_the_retry_is_heard_by_the_next_turn(debate: Debated) -> None:
    def play(request: Any) -> Any:
        return [lambda: debate.say("Think of the cost.") and None, fails]

    debate.plays(says("One."), play)
    failed = debate.turn("Tea?")
    debate.move(actions.retry_run(debate.actor, failed.pk))
    second, again, third = map(text_of, debate.stage.requests[1:4])
    assert "Think of the cost." not in second + again
    assert "Think of the cost." in third
    folding.check(debate.conversation.pk)


def test_words_after_a_failure_let_it_go_on_with_the_same_persona(debate: Debated) -> None:
    debate.plays(says("One."), lambda request: fails())
    debate.turn("Tea?")
    debate.turn("Go on, please.")
    assert [one for one in debate.spoken() if one[2] == "stop"] == [(*one, "stop") for one in WHOLE]
    assert len(debate.events("debate.started")) == 1
    folding.check(debate.conversation.pk)


def test_summarise_after_a_failure(debate: Debated) -> None:
    debate.plays(says("One."), lambda request: fails())
    debate.turn("Tea?")
    debate.move(Run.objects.get(pk=debate.steer("summarise").run))
    assert debate.turns() == [("cognito", 1), ("muse", 2), ("", 0)]
    assert debate.debate().status == "done"
    folding.check(debate.conversation.pk)


def test_calls_of_the_turn_that_failed_are_not_made_again(debate: Debated) -> None:
    from tests.debate.conftest import HAPPENED

    debate.plays(says("I look.", ("look", {"item": "tea"})), lambda request: fails())
    failed = debate.turn("Tea?")
    debate.move(actions.retry_run(debate.actor, failed.pk))
    assert HAPPENED == [("look", "tea")]
    assert debate.stage.bodies[1] == debate.stage.bodies[2]
    assert [one for one in debate.turns() if one[1] == 1] == [("cognito", 1)] * 3


@pytest.mark.parametrize("nth", [0, 2, 4])
def test_the_same_bytes_reach_the_models_server(wired: Wired, nth: int) -> None:
    """What the provider's adapter made of it went over the wire twice, in a first turn, a later one and the summary."""
    for entry in (persona("cognito"), persona("muse"), definition()):
        save_agent({**entry, "models": ["m1"]}, None)
    wired.talk.conversation = actions.create_conversation(wired.talk.actor, "debate")
    words = [over_http(f"Word {number}.") for number in range(5)]
    failed = wired.turn("Tea?", [*words[:nth], fault("401")])
    bodies = [one.body for one in wired.seen]
    assert (failed.status, len(bodies)) == ("failed", nth + 1)
    again = wired.move(actions.retry_run(wired.talk.actor, failed.pk), [over_http("Now.")])
    assert again.outcome == "success"
    assert wired.seen[0].body == bodies[-1]
    assert len(wired.seen) == 5 - nth


def test_stop_hangs_up_on_the_models_server(wired: Wired) -> None:
    """D4: the upstream request is really ended."""
    import asyncio

    for entry in (persona("cognito"), persona("muse"), definition()):
        save_agent({**entry, "models": ["m1"]}, None)
    wired.talk.conversation = actions.create_conversation(wired.talk.actor, "debate")

    async def stop(moving: Any, server: WireServer) -> None:
        await server.came.wait()
        while not moving.reply.text_so_far():  # noqa: ASYNC110  # nothing tells of a text that came
            await asyncio.sleep(0.005)
        moving.stop("person")

    from platform_site.env import env

    wired.monkeypatch.setattr(env, "model_stall_s", 20.0)
    run = wired.move(wired.talk.say("Tea?"), streamed({"content": "So "}, end="stall"), stop)
    assert (run.outcome, len(wired.seen)) == ("cancelled", 1)
    assert wired.seen[0].gone_at is not None
    assert wired.said() == [("cancelled", "So ")]
