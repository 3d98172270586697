"""A page that is loaded, or comes back, at any moment of a debate shows what the others show, and ends as they do.

Debates are held here; what their conversations told passes by pages that come after every single event and every
piece of a turn (`replaying`), and the page's own modules make of it what a person sees (`reload.test.mjs`).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.messages import Request
from agents.stream import TextDelta
from conversations import actions
from conversations.models import Run
from tests.conversations.test_runner import let_go
from tests.debate.conftest import Debated, Reply, fails, note, nothing, place, says
from tests.debate.replaying import Traffic, sent_to_pages
from tests.debate.seeded import NODE

NOTEPAD = (
    note("Tea has caffeine."),
    note("Coffee costs more.", "assumption"),
    ("notepad_update", {"action": "change", "entry": 2, "text": "Coffee costs **twice** as much."}),
    ("notepad_update", {"action": "strike", "entry": 1}),
)


def a_breath() -> None:
    """Time for what was said to go out before the rest."""


def in_pieces(request: Request) -> Reply:
    """Each turn in three pieces, with a note in the first ones; the answer cites."""
    where = place(request)
    done = any(part.kind == "tool_result" for part in request.messages[-1].parts)
    if where["stage"] == "summary":
        return [TextDelta("Both agree 👍"), a_breath, TextDelta(" [T1], "), a_breath, *says("[N2].")]
    if not done and where["turn"] <= len(NOTEPAD):
        calls = [NOTEPAD[where["turn"] - 1], ("look", {"item": f"tea {where['turn']}"})]
        return [TextDelta("I look "), a_breath, *says("it up.", *calls)]
    words = f"说 {where['turn']}."
    return [TextDelta(f"{where['name']} "), a_breath, TextDelta("has to "), a_breath, *says(words)]


def once(turn: int, *beats: Any) -> Callable[[Request], Reply]:
    """As always, but that the first reply of this turn is these beats."""
    played: list[int] = []

    def play(request: Request) -> Reply:
        if place(request)["turn"] != turn or played:
            return in_pieces(request)
        played.append(turn)
        return [TextDelta("I begin"), a_breath, TextDelta(" with this"), a_breath, *beats]

    return play


def of_fixed_rounds(debate: Debated) -> None:
    debate.turn_with("Tea?", rounds=2)
    assert debate.debate().status == "done" and debate.pad().version == 4


def that_they_end_themselves(debate: Debated) -> None:
    def play(request: Request) -> Reply:
        words = [TextDelta("That is "), a_breath, *says("all.", note("Done."), nothing())]
        return words if place(request)["turn"] else in_pieces(request)

    debate.stage.then = play
    debate.turn_with("Tea?", mode="ai")
    assert debate.turns() == [("cognito", 1), ("muse", 2), ("", 0)]


def that_was_stopped_and_went_on(debate: Debated) -> None:
    debate.stage.then = once(2, debate.stops, a_breath)
    debate.turn_with("Tea?", rounds=1)
    assert debate.debate().status == "stopped"
    debate.move(Run.objects.get(pk=debate.steer("resume").run))


def that_a_person_steps_into_and_lets_rest(debate: Debated) -> None:
    def act() -> None:
        debate.say("Think of the cost.")
        debate.steer("pause")

    debate.stage.then = once(1, act, *says(".", note("Tea is cheap.")))
    debate.turn_with("Tea?", rounds=1)
    assert debate.debate().status == "paused"
    debate.move(Run.objects.get(pk=debate.steer("summarise").run))


def that_fails_twice_and_is_retried(debate: Debated) -> None:
    """In a turn, with words said meanwhile, and when it is summed up."""
    debate.stage.then = once(2, lambda: debate.say("And milk?"), fails)
    failed = debate.turn_with("Tea?", rounds=1)
    debate.stage.then = once(0, fails)
    failed = debate.move(actions.retry_run(debate.actor, failed.pk))
    assert [finish for *_, finish in debate.spoken()].count("error") == 2
    debate.move(actions.retry_run(debate.actor, failed.pk))


def whose_runner_is_lost(debate: Debated) -> None:
    """Another one writes the turn from its beginning."""

    def lost() -> None:
        assert debate.moving
        debate.stage.loop.call_soon_threadsafe(debate.moving.stop, "lost")

    debate.stage.then = once(2, lost, a_breath, a_breath)
    run = debate.turn_with("Tea?", rounds=1)
    let_go(run)
    debate.move(run)


def that_asks_a_person_and_is_followed_by_another(debate: Debated) -> None:
    debate.plays([TextDelta("I "), a_breath, *says("buy.", ("buy", {"item": "sugar"}))])
    debate.turn_with("Tea?", rounds=1)
    debate.decide()
    debate.move()
    debate.turn_with("And milk?", rounds=1)
    assert len(debate.events("debate.started")) == 2


@pytest.mark.skipif(NODE is None, reason="node is not installed: the page's own test did not run")
@pytest.mark.parametrize(
    "hold",
    [
        of_fixed_rounds,
        that_they_end_themselves,
        that_was_stopped_and_went_on,
        that_a_person_steps_into_and_lets_rest,
        that_fails_twice_and_is_retried,
        whose_runner_is_lost,
        that_asks_a_person_and_is_followed_by_another,
    ],
)
def test_a_debate_is_the_same_to_whoever_comes_at_any_moment(
    debate: Debated, hold: Callable[[Debated], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    debate.stage.then = in_pieces
    traffic = Traffic(debate.conversation.pk).listen(monkeypatch)
    hold(debate)
    assert debate.debate().status == "done"
    assert [event for piece in traffic.in_order() for event in getattr(piece, "events", ())] == debate.log()
    held = tmp_path / "held.json"
    held.write_text(json.dumps(sent_to_pages(debate.actor.tenant.pk, traffic, monkeypatch)))
    done = subprocess.run(
        [str(NODE), "--test", "reload.test.mjs"],
        cwd=Path(__file__).parent, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "HELD": str(held)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
