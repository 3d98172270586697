"""What a person may choose for a message: a preset, a model; and that nothing else moves a run (D5)."""

from __future__ import annotations

from typing import Any

import pytest

from agents import catalogue, choice
from agents.catalogue import check_agent, save_agent, save_model, spec_of
from agents.choice import NoSuchChoice
from agents.models import Agent, AgentVersion
from agents.spec import AgentSpec
from conversations import saying, steps
from conversations.saying import Words
from platform_site.errors import BadDefinition, Problem
from platform_site.models import Tenant
from tests.conversations.conftest import Talk

PRESETS = {
    "premium": {"models": ["large", "small"], "settings": {"reasoning_effort": "high"}},
    "standard": {"models": ["small"]},
    "careful": {"settings": {"temperature": 0}},
}
AGENT = {
    "slug": "writer",
    "name": "Writer",
    "instructions": "Write.",
    "models": ["small", "spare"],
    "presets": PRESETS,
}


@pytest.fixture(autouse=True)
def _models(inside: Tenant) -> None:
    for slug in ("large", "small", "spare", "foreign"):
        save_model({"slug": slug, "provider": "demo", "name": slug, "settings": {"temperature": 1}})


def spec(**more: Any) -> AgentSpec:
    agent, _ = save_agent(AGENT | more, None)
    assert agent.current
    return spec_of(agent.current)


@pytest.mark.parametrize(
    ("options", "models"),
    [
        ({}, ["small", "spare"]),
        ({"budget": "premium"}, ["large", "small"]),
        ({"budget": "standard"}, ["small"]),
        ({"budget": "careful"}, ["small", "spare"]),
        ({"model": "spare"}, ["spare", "small"]),
        ({"model": "large"}, ["large", "small", "spare"]),
        ({"model": "small", "budget": "premium"}, ["small", "large"]),
    ],
)
def test_which_models_answer(options: dict[str, Any], models: list[str]) -> None:
    """The one that was chosen, then those that step in for it."""
    assert [model.slug for model in catalogue.models_for(spec(), options)] == models


def test_a_presets_settings_go_before_the_models_own() -> None:
    careful = catalogue.models_for(spec(), {"budget": "careful"})
    assert [model.settings for model in careful] == [{"temperature": 0}] * 2
    premium = catalogue.models_for(spec(), {"budget": "premium"})[0]
    assert premium.settings == {"temperature": 1, "reasoning_effort": "high"}
    assert catalogue.models_for(spec(), {})[0].settings == {"temperature": 1}


def test_what_is_not_offered_is_told_with_what_is() -> None:
    assert choice.check(spec(), {"model": "foreign"}) == NoSuchChoice(
        "model", "foreign", ("small", "spare", "large")
    )
    found = choice.check(spec(), {"budget": "gold"})
    assert found
    assert set(found.offered) == set(PRESETS)
    assert choice.check(spec(), {"budget": "premium", "model": "large"}) is None


def test_an_agent_without_presets_ignores_the_usual_two() -> None:
    plain = spec(presets={})
    assert choice.check(plain, {"budget": "premium"}) is None
    assert choice.check(plain, {"budget": "gold"})
    assert [model.slug for model in catalogue.models_for(plain, {"budget": "premium"})] == ["small", "spare"]


@pytest.mark.parametrize(
    ("presets", "path"),
    [
        ({"premium": {"models": ["nowhere"]}}, "$.presets.premium.models[0]"),
        ({"premium": {"model": "large"}}, "$.presets.premium.model"),
        ({"premium": {"settings": {"temperature": 9}}}, "$.presets.premium.settings.temperature"),
        ({"premium": {"models": ["large", "large"]}}, "$"),
    ],
)
def test_a_preset_that_cannot_work_is_refused_when_it_is_saved(presets: dict[str, Any], path: str) -> None:
    with pytest.raises(BadDefinition) as bad:
        check_agent(AGENT | {"presets": presets})
    assert bad.value.errors[0]["path"] == path


def test_an_agent_without_presets_says_nothing_of_them() -> None:
    """So that agents saved before there were presets need no new version."""
    assert "presets" not in check_agent(AGENT | {"presets": {}})
    assert save_agent(AGENT | {"presets": {}}, None)[1]
    assert not save_agent({key: value for key, value in AGENT.items() if key != "presets"}, None)[1]


def test_a_choice_that_is_not_offered_is_refused_when_it_is_sent(talk: Talk) -> None:
    with pytest.raises(Problem) as problem:
        saying.post_message(talk.actor, talk.conversation.pk, Words("hello", options={"model": "large"}))
    assert problem.value.code == "bad_request"
    assert "demo" in problem.value.detail
    assert talk.kinds() == []
    assert talk.move(talk.say("hello", options={"model": "demo"})).outcome == "success"


def test_the_choice_holds_for_its_message_whatever_is_changed_meanwhile(talk: Talk) -> None:
    definition = Agent.objects.get(slug="helper").current
    assert isinstance(definition, AgentVersion)
    save_agent(definition.definition | {"presets": {"premium": {"models": ["large"]}}}, None)
    talk.conversation.refresh_from_db()
    run = talk.say("hello", options={"budget": "premium"})
    save_agent(definition.definition | {"presets": {"premium": {"models": ["small"]}}}, None)
    turn = steps.claim(run.pk, "tests")
    assert turn
    assert [model.slug for model in turn.models] == ["large"]
