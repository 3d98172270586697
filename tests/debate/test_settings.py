"""What a debate began with holds until it is over; a change takes effect at the next one (D5)."""

from __future__ import annotations

from typing import Any

import pytest

from agents.catalogue import save_agent, save_model
from agents.models import Agent
from conversations.models import Run
from platform_site.errors import Problem
from tests.debate.conftest import Debated, by_turn, definition, place

WHOLE = [("cognito", 1), ("muse", 2), ("cognito", 3), ("muse", 4), ("", 0)]


@pytest.fixture(autouse=True)
def models(debate: Debated) -> None:
    for slug in ("large", "small"):
        save_model({"slug": slug, "provider": "demo", "name": slug})


def changes() -> None:
    """Everything an admin can change."""
    from tests.debate.conftest import persona

    save_agent(persona("cognito", instructions="Sing.", models=["small"], tools=[]), None)
    rules = {"personas": ["muse", "cognito"], "mode": "ai", "rounds": 1, "most_rounds": 1}
    save_agent(definition(instructions="Rhyme.", models=["small"], debate=rules), None)


def test_a_change_in_the_midst_waits_for_the_next_debate(debate: Debated) -> None:
    debate.plays(lambda request: [changes, *by_turn(request)])
    debate.turn("Tea?")
    assert debate.turns() == WHOLE
    assert {model.name for model in debate.stage.models} == {"demo"}
    assert debate.stage.requests[2].instructions.startswith("You are cognito.")
    assert "look" in {spec.name for spec in debate.stage.requests[2].tools}
    assert debate.stage.requests[4].instructions.startswith("Sum up.")
    debate.turn("Coffee?")
    assert debate.turns()[5:] == [("muse", 1), ("cognito", 2), ("", 0)]
    assert [model.name for model in debate.stage.models[5:]] == ["demo", "small", "small"]
    assert debate.stage.requests[6].instructions.startswith("Sing.")
    assert debate.stage.requests[7].instructions.startswith("Rhyme.")


def test_it_holds_through_a_pause(debate: Debated) -> None:
    debate.plays(lambda request: [lambda: debate.steer("pause"), *by_turn(request)])
    debate.turn("Tea?")
    changes()
    debate.move(Run.objects.get(pk=debate.steer("resume").run))
    assert debate.turns() == WHOLE
    assert debate.stage.requests[4].instructions.startswith("Sum up.")


def test_a_preset_maps_to_models_and_settings_of_all_three(debate: Debated) -> None:
    presets = {
        "premium": {"models": ["large"], "settings": {"reasoning_effort": "high"}},
        "standard": {"models": ["small"]},
    }
    save_agent(definition(presets=presets), None)
    debate.turn_with("Tea?", budget="premium")
    assert {(model.name, model.settings["reasoning_effort"]) for model in debate.stage.models} == {
        ("large", "high")
    }
    debate.turn_with("Tea?", budget="standard")
    assert {model.name for model in debate.stage.models[5:]} == {"small"}
    assert debate.events("debate.started")[1]["budget"] == "standard"


def test_a_personas_own_preset_goes_before_the_debates(debate: Debated) -> None:
    from tests.debate.conftest import persona

    save_agent(definition(presets={"premium": {"models": ["large"]}}), None)
    save_agent(persona("muse", presets={"premium": {"models": ["small"]}}), None)
    debate.turn_with("Tea?", budget="premium")
    assert [model.name for model in debate.stage.models] == ["large", "small", "large", "small", "large"]


def test_each_persona_may_have_a_model_chosen(debate: Debated) -> None:
    save_agent(definition(models=["demo", "large", "small"]), None)
    debate.turn_with("Tea?", models={"muse": "large"}, model="small")
    assert [model.name for model in debate.stage.models] == ["small", "large", "small", "large", "small"]


def test_rounds_and_mode_are_chosen_with_the_question(debate: Debated) -> None:
    debate.turn_with("Tea?", rounds=1)
    assert debate.turns() == [("cognito", 1), ("muse", 2), ("", 0)]
    debate.turn_with("Tea?", mode="ai", rounds=1)
    assert place(debate.stage.requests[3])["mode"] == "ai"
    assert len(debate.turns()) == 6


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"mode": "shout"}, "fixed"),
        ({"rounds": 21}, "at most 20"),
        ({"models": {"muse": "large"}}, "cannot be chosen"),
        ({"models": {"nobody": "demo"}}, "cannot be chosen"),
        ({"budget": "cheap"}, "preset"),
        ({"model": "large"}, "no model"),
    ],
)
def test_what_cannot_be_chosen_is_told_at_once(debate: Debated, options: dict[str, Any], why: str) -> None:
    with pytest.raises(Problem, match=why):
        debate.say("Tea?", options=options)


def test_without_one_of_its_personas_there_is_no_debate(debate: Debated) -> None:
    Agent.objects.filter(slug="muse").update(is_enabled=False)
    with pytest.raises(Problem, match="muse"):
        debate.say("Tea?")


def test_a_persona_that_is_switched_off_on_the_way_ends_it(debate: Debated) -> None:
    """An admin's emergency stop works at once, not at the next debate."""
    debate.plays(lambda request: [lambda: debate.steer("pause"), *by_turn(request)])
    debate.turn("Tea?")
    Agent.objects.filter(slug="muse").update(is_enabled=False)
    run = debate.move(Run.objects.get(pk=debate.steer("resume").run))
    assert (run.status, run.error_code) == ("failed", "bad_request")
    assert len(debate.turns()) == 1


def test_one_that_leaves_between_the_question_and_its_turn_fails_the_run(debate: Debated) -> None:
    run = debate.say("Tea?")
    Agent.objects.filter(slug="muse").update(is_enabled=False)
    debate.move(run)
    assert (run.status, run.error_code) == ("failed", "bad_request")
    assert debate.events("debate.started") == []
