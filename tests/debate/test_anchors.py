"""The nineteen anchors of the seed (003, sections 2.1 to 2.6), by their names.

Each stands for one promise of the debate and is kept short; the cases around it are in the files beside this one. What
the page promises is run in a JavaScript engine (`anchors.test.mjs`) and, with a whole page, in `tests/browser`.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from django.utils import translation

from agents.catalogue import save_agent, save_model
from agents.providers import openai_messages
from agents.providers.openai_tools import Toolbox
from conversations import actions, uploads
from conversations.debate import notepad, rows
from conversations.debate.models import NoteChange
from conversations.models import Message
from conversations.uploads_picture import made_anew
from platform_site.env import BASE_DIR
from platform_site.errors import Problem
from tests.debate.conftest import (
    Debated,
    by_turn,
    definition,
    fails,
    note,
    nothing,
    persona,
    place,
    says,
    text_of,
)
from tests.debate.seeded import SEEDED, Told, attached, on_the_page, said, seeded
from tests.uploads.pictures import SVG

__all__ = ["seeded"]
QUESTION = "Should we rewrite the backend in Rust?"


# 2.1 Two personas


def test_cognito_provides_logical_initial_response(seeded: Debated) -> None:
    """A thesis about the question, reasons of two kinds, and the assumption it stands on, named as such."""
    seeded.turn(QUESTION)
    assert seeded.spoken()[0][:2] == ("cognito", 1)
    opening = said(seeded)[1]
    assert "rewriting the backend in Rust" in opening
    assert opening.count("\n\n") >= 3
    assumption = NoteChange.objects.filter(speaker="cognito", kind="assumption", turn=1).last()
    assert assumption and f"{assumption.text} [N{assumption.entry}]" in opening


def test_muse_provides_skeptical_counter_response(seeded: Debated) -> None:
    """It names the turn it doubts, contradicts it, and asks what nobody asked."""
    seeded.turn(QUESTION)
    answer = said(seeded)[2]
    asked = NoteChange.objects.get(speaker="muse", kind="question", turn=2)
    assert "[T1]" in answer and f"{asked.text} [N{asked.entry}]" in answer
    assert not set(answer.split("\n\n")) & set(said(seeded)[1].split("\n\n"))


def test_debate_completes_within_fixed_turn_limit(debate: Debated) -> None:
    for rounds in (1, 3):
        before = len(debate.turns())
        debate.turn_with("Tea?", mode="fixed", rounds=rounds)
        assert len(debate.turns()) - before == 2 * rounds + 1
        assert (debate.turns()[-1], debate.debate().status) == (("", 0), "done")


def test_final_answer_synthesizes_both_perspectives(seeded: Debated) -> None:
    """Both names, agreement, disagreement, confidence; and every turn and note it cites exists."""
    seeded.turn(QUESTION)
    answer = said(seeded)[0]
    for wanted in (
        "### Agreement",
        "### Open disagreement",
        "### Confidence",
        "Cognito",
        "Muse",
        "[T1]",
        "[T2]",
    ):
        assert wanted in answer
    entries = {str(entry.n) for entry in seeded.pad().entries}
    assert set(re.findall(r"\[N(\d+)\]", answer)) <= entries
    assert {int(turn) for turn in re.findall(r"\[T(\d+)\]", answer)} <= set(said(seeded))


# 2.2 The notepad


def test_notepad_is_updated_with_key_points(seeded: Debated) -> None:
    """By both, of every kind, changed and struck as the debate goes on, and told as it happens."""
    seeded.turn(QUESTION)
    changes = list(NoteChange.objects.order_by("version"))
    assert {one.speaker for one in changes} == {"cognito", "muse"}
    assert {one.action for one in changes} == {"add", "change", "strike"}
    assert {entry.kind for entry in seeded.pad().entries} == {"fact", "assumption", "question", "todo"}
    told = [event for event in seeded.log() if event["type"] == "STATE_DELTA"]
    assert len(told) >= len(changes)


def test_notepad_content_is_included_in_subsequent_prompts(debate: Debated) -> None:
    debate.plays(says("First.", note("Tea has caffeine.")))
    debate.turn("Tea?")
    first, *later = map(text_of, debate.stage.requests)
    assert "Tea has caffeine." not in first
    assert len(later) == 4 and all("[N1] Tea has caffeine." in told for told in later)


def test_markdown_in_notepad_is_rendered_correctly(debate: Debated) -> None:
    debate.plays(says("First.", note("**Tea** has caffeine.")))
    debate.turn("Tea?")
    written = notepad.markdown(rows.notepad_of(debate.debate().pk), {"cognito": "Cognito"})
    assert written == "### Facts\n- [N1] **Tea** has caffeine. (Cognito, [T1])"
    panel = (BASE_DIR / "static" / "chat" / "notepad-panel.js").read_text(encoding="utf-8")
    assert "import { drawMarkdown } from './markdown.js'" in panel
    on_the_page("notepad")


# 2.3 Pictures


def test_image_can_be_uploaded_and_converted_to_base64(debate: Debated) -> None:
    """Both personas and the summary are given it, as the provider wants it: the picture itself, in base64."""
    upload = attached(debate)
    debate.move(debate.say("What is wrong with this chart?", attachments=(upload,)))
    assert debate.stage.pictures() == [1] * 5
    request = debate.stage.requests[0]
    body = openai_messages.body(request, debate.stage.models[0], Toolbox(request.tools), is_openai=True)
    (sent,) = re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", json.dumps(body))
    assert base64.b64decode(sent) == request.images[upload].data


def test_ai_response_correctly_references_image_content(seeded: Debated) -> None:
    upload = attached(seeded)
    seeded.move(seeded.say("What is wrong with this chart?", attachments=(upload,)))
    for turn in (1, 2):
        assert "640 × 480, mostly red" in said(seeded)[turn]
    assert any("mostly red" in entry.text for entry in seeded.pad().entries)


def test_system_handles_unsupported_image_formats_gracefully() -> None:
    """In words that say what can be sent instead."""
    with pytest.raises(Problem) as refused:
        uploads.check_picture(made_anew(SVG))
    assert (refused.value.status, refused.value.code) == (415, "unsupported_media_type")
    with translation.override("en"):
        assert str(refused.value.detail) == "SVG drawings cannot be sent. Save it as PNG and send that."


# 2.4 Stop


def test_stop_button_is_visible_only_during_generation() -> None:
    on_the_page("stop")


def test_clicking_stop_button_triggers_abort_controller(
    debate: Debated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our controller is on the server: the click becomes `run.stop`, and that hangs up on the model."""
    on_the_page("stop")
    main = (BASE_DIR / "static" / "chat" / "main.js").read_text(encoding="utf-8")
    assert "stop = () => this.tryTo('run.stop', { run: this.talks.state.moving });" in main
    model = Told()
    debate.stage = model
    monkeypatch.setattr(model, "speaking", debate.stops)
    run = debate.turn("Tea?")
    assert model.hung_up and (run.status, run.outcome) == ("finished", "cancelled")


def test_api_stream_terminates_immediately_on_abort(debate: Debated, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came so far stays, nothing is added to it, and nobody else is asked."""
    model = Told()
    debate.stage = model
    monkeypatch.setattr(model, "speaking", debate.stops)
    debate.turn("Tea?")
    assert said(debate) == {1: "What came so far"}
    assert (len(model.requests), debate.debate().status) == (1, "stopped")


# 2.5 Settings


def test_changing_model_in_settings_updates_api_call_parameter(debate: Debated) -> None:
    """From the next debate on, and not in one that has begun."""
    save_model({"slug": "other", "provider": "demo", "name": "the-other"})
    models = {"models": ["demo", "other"]}

    def change() -> None:
        save_agent(definition(**models), None)
        for slug in ("cognito", "muse"):
            save_agent(persona(slug, models=["other"]), None)

    debate.plays(lambda request: [change, *by_turn(request)])
    debate.turn("Tea?")
    assert {model.name for model in debate.stage.models} == {"demo"}
    debate.turn_with("Coffee?", models={"muse": "demo"})
    asked = [(place(request)["speaker"], request.model) for request in debate.stage.requests[5:]]
    assert asked[:2] == [("cognito", "the-other"), ("muse", "demo")]


def test_ai_driven_mode_can_terminate_early(debate: Debated) -> None:
    """By a tool call, not by words that might be meant otherwise."""
    debate.stage.then = lambda request: (
        says("I say nothing_to_add, as a word.")
        if place(request)["turn"] in (1, 2)
        else says("Done.", *([nothing()] if place(request)["turn"] else []))
    )
    debate.turn_with("Tea?", mode="ai")
    assert debate.turns() == [("cognito", 1), ("muse", 2), ("cognito", 3), ("muse", 4), ("", 0)]


def test_budget_control_switches_model_presets(seeded: Debated) -> None:
    """The seeded presets: another model, which says more, and other settings."""
    presets = next(one["presets"] for one in SEEDED["agents"] if one["slug"] == "debate")
    assert presets["premium"]["models"] != presets["standard"]["models"]
    lengths = {}
    for budget in ("standard", "premium"):
        seeded.turn_with(QUESTION, budget=budget)
        voices = seeded.debate().settings["personas"]
        assert {voice["models"][0]["slug"] for voice in voices} == {presets[budget]["models"][0]}
        settings = voices[0]["models"][0]["settings"]
        assert settings.items() >= presets[budget]["settings"].items()
        debated = Message.objects.filter(debate=seeded.debate(), role="assistant")
        lengths[budget] = sum(len(str(message.parts)) for message in debated)
    assert lengths["premium"] > lengths["standard"]


# 2.6 Failures


def test_api_call_is_retried_on_5xx_error(debate: Debated) -> None:
    """Up to three times, with the same request, and told meanwhile."""
    debate.plays(*[lambda _: fails("overloaded")] * 3)
    run = debate.turn("Tea?")
    assert (run.outcome, len(debate.stage.requests)) == ("success", 3 + 5)
    assert len(set(debate.stage.bodies[:4])) == 1
    assert [one["attempt"] for one in debate.events("run.retrying")] == [1, 2, 3]


def test_manual_retry_button_appears_after_all_retries_fail(debate: Debated) -> None:
    debate.plays(*[lambda _: fails("overloaded")] * 4)
    run = debate.turn("Tea?")
    (error,) = [event for event in debate.log() if event["type"] == "RUN_ERROR"]
    assert (run.status, error["metadata"]["retryable"], len(debate.stage.requests)) == ("failed", True, 4)
    on_the_page("retry")


def test_manual_retry_uses_correct_historical_context(debate: Debated) -> None:
    """The request that failed and the one of the retry are the same to the byte: turns, notepad, settings."""
    debate.plays(says("First.", note("Tea has caffeine.")), says("Second."), lambda _: fails())
    failed = debate.turn("Tea?")
    assert failed.status == "failed"
    again = debate.move(actions.retry_run(debate.actor, failed.pk))
    third, repeated = debate.stage.bodies[2:4]
    assert again.outcome == "success" and third == repeated
    assert b"Tea has caffeine." in repeated and b"Second." in repeated
    assert debate.turns()[-1] == ("", 0)


def test_all_nineteen_anchors_are_here() -> None:
    names = [name for name, value in globals().items() if name.startswith("test_") and _is_test(value)]
    assert len(names) - 1 == 19


def _is_test(value: Any) -> bool:
    return callable(value) and getattr(value, "__module__", "") == __name__
