"""Saving agents and models: versions, what is refused and where, and the configuration file's sections."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from agents.catalogue import agents_for, model_named, models_of, save_agent, save_model, spec_of
from agents.config import apply_agents, apply_models, export_agents, export_models
from agents.models import Agent, AgentVersion, LanguageModel
from platform_site.errors import BadDefinition
from platform_site.models import Credential, Tenant, User
from platform_site.tenancy import acting_for
from tools.models import Tool

pytestmark = pytest.mark.django_db

DEMO = {"slug": "demo", "provider": "demo", "name": "demo"}


@pytest.fixture(autouse=True)
def stocked(inside: Tenant) -> Tenant:
    """A tenant with a model and two tools."""
    save_model(DEMO)
    for name in ("search", "order"):
        Tool.objects.create(name=name)
    return inside


def guide(**more: Any) -> dict[str, Any]:
    return {
        "slug": "guide",
        "name": "Guide",
        "instructions": "Be kind.",
        "models": ["demo"],
        "tools": ["search"],
        **more,
    }


def faults(definition: Any) -> dict[str, str]:
    with pytest.raises(BadDefinition) as raised:
        save_agent(definition, None)
    return {error["path"]: error["message"] for error in raised.value.errors}


def test_a_new_agent_gets_its_first_version(alice: User) -> None:
    agent, changed = save_agent(guide(), alice)
    assert changed and agent.current
    assert (agent.current.number, agent.current.author) == (1, alice)
    assert agent.current.definition["max_rounds"] == 10


def test_saving_the_same_again_changes_nothing() -> None:
    first, _ = save_agent(guide(), None)
    again, changed = save_agent(guide(max_rounds=10, suggestions=[]), None)
    assert not changed and again.current_id == first.current_id


def test_a_change_is_a_new_version_and_the_old_one_stays() -> None:
    first, _ = save_agent(guide(), None)
    old = first.current
    second, changed = save_agent(guide(instructions="Be brief."), None)
    assert changed and second.pk == first.pk
    assert second.current and second.current.number == 2
    assert old and AgentVersion.objects.get(pk=old.pk).definition["instructions"] == "Be kind."


def test_a_spec_is_a_frozen_value_and_kept() -> None:
    scenario = {"slug": "buy", "name": "Buy", "instructions": "Sell.", "tools": ["search"]}
    agent, _ = save_agent(guide(scenarios=[scenario], suggestions=["Hi"]), None)
    assert agent.current
    spec = spec_of(agent.current)
    assert (spec.slug, spec.models, spec.tools, spec.suggestions) == (
        "guide",
        ("demo",),
        ("search",),
        ("Hi",),
    )
    assert (spec.version, spec.agent) == (agent.current.pk, agent.pk)
    assert spec.scenario("buy") and spec.scenario("buy") == spec.scenarios[0]
    assert spec.scenario("sell") is None
    assert spec_of(AgentVersion.objects.get(pk=agent.current.pk)) is spec
    with pytest.raises(FrozenInstanceError):
        spec.name = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ({"temprature": 1}, "$.temprature", "there is no such key"),
        (
            {"scenarios": [{"slug": "a", "name": "A", "instructions": "", "tool": []}]},
            "$.scenarios[0].tool",
            "there is no such key",
        ),
        ({"models": ["demo", "gpt"]}, "$.models[1]", "there is no model gpt"),
        ({"tools": ["search", "fly"]}, "$.tools[1]", "there is no tool fly"),
        ({"models": []}, "$.models", "the least is 1"),
        ({"models": "demo"}, "$.models", "a list"),
        ({"max_rounds": 0}, "$.max_rounds", "at least 1"),
        ({"max_rounds": "3"}, "$.max_rounds", "a whole number"),
        ({"kind": "monologue"}, "$.kind", "'chat', 'debate'"),
        ({"slug": "no spaces"}, "$.slug", "fit the pattern"),
        ({"tools": ["search", "search"]}, "$", "'search' stands twice in tools"),
        (
            {"scenarios": [{"slug": "a", "name": "A", "instructions": "", "tools": ["order"]}]},
            "$.scenarios[0].tools",
            "the agent itself has no tool order",
        ),
    ],
)
def test_a_fault_is_named_with_its_path(change: dict[str, Any], path: str, message: str) -> None:
    found = faults(guide(**change))
    assert message in found[path]
    assert not Agent.objects.exists()


def test_what_is_missing_is_named() -> None:
    assert faults({"slug": "guide"}) == {
        f"$.{key}": "this is missing" for key in ("name", "instructions", "models")
    }
    assert "an object" in faults("guide")["$"]


def test_models_and_tools_of_another_tenant_do_not_count(other_tenant: Tenant) -> None:
    """T34."""
    with acting_for(other_tenant):
        assert set(faults(guide())) == {"$.models[0]", "$.tools[0]"}


def test_members_see_the_enabled_agents_by_name(bob: User, charlie: User) -> None:
    save_agent(guide(), None)
    save_agent(guide(slug="art", name="Art"), None)
    hidden, _ = save_agent(guide(slug="old", name="Old"), None)
    hidden.is_enabled = False
    hidden.save(update_fields=["is_enabled"])
    assert [spec.slug for spec in agents_for(bob)] == ["art", "guide"]
    assert agents_for(charlie) == []


def test_a_model_is_read_as_a_spec_in_the_agents_order() -> None:
    save_model({**DEMO, "slug": "big", "images": True, "price": {"input": 1.25, "output": 10}})
    agent, _ = save_agent(guide(models=["big", "demo"]), None)
    assert agent.current
    assert [model.slug for model in models_of(spec_of(agent.current))] == ["big", "demo"]
    big = model_named("big")
    assert big and big.images and big.tools and str(big.price.input) == "1.250000"
    assert model_named("nope") is None


def test_a_model_changes_in_place() -> None:
    assert save_model(DEMO)[1] is False
    model, changed = save_model({**DEMO, "price": {"input": 0.1}})
    assert changed and LanguageModel.objects.count() == 1
    assert save_model({**DEMO, "price": {"input": 0.1, "output": 0}})[1] is False
    assert model.slug == "demo"


def test_a_model_of_a_provider_not_built_yet_can_be_configured() -> None:
    Credential.objects.create(slug="key", provider="openai")
    model, _ = save_model({"slug": "gpt", "provider": "openai", "name": "gpt-9", "credential": "key"})
    assert model.credential and model.credential.slug == "key"


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ({"credential": "nope"}, "$.credential", "there is no credential nope"),
        ({"credential": "shop"}, "$.credential", "the credential shop is for http, not for demo"),
        ({"price": {"in": 1}}, "$.price.in", "there is no such key"),
        ({"price": {"input": -1}}, "$.price.input", "at least 0"),
        ({"provider": "Open AI"}, "$.provider", "fit the pattern"),
    ],
)
def test_a_models_fault_is_named(change: dict[str, Any], path: str, message: str) -> None:
    Credential.objects.create(slug="shop", provider="http")
    with pytest.raises(BadDefinition) as raised:
        save_model({**DEMO, **change})
    assert {e["path"]: message in e["message"] for e in raised.value.errors} == {path: True}


# The configuration file's sections

MODELS = [
    {
        "slug": "big",
        "provider": "gemini",
        "name": "big-1",
        "images": True,
        "tools": True,
        "credential": "key",
        "price": {"input": 1.25, "output": 10},
    },
    {"slug": "demo", "provider": "demo", "name": "demo", "images": False, "tools": True},
]
AGENTS = [
    {
        "slug": "art",
        "name": "Art",
        "instructions": "",
        "models": ["big", "demo"],
        "tools": [],
        "max_rounds": 3,
        "kind": "chat",
        "scenarios": [{"slug": "buy", "name": "Buy", "instructions": "Sell.", "tools": []}],
        "suggestions": ["你好"],
    },
    {
        "slug": "guide",
        "name": "Guide",
        "instructions": "Be kind.",
        "models": ["demo"],
        "tools": ["order", "search"],
        "max_rounds": 10,
        "kind": "chat",
    },
]


def test_what_is_applied_is_exported_and_applied_again_unchanged() -> None:
    Credential.objects.create(slug="key", provider="gemini")
    assert apply_models(MODELS, None) == [("big", "created"), ("demo", "unchanged")]
    assert apply_agents(AGENTS, None) == [("art", "created"), ("guide", "created")]
    assert export_models() == MODELS
    assert export_agents() == AGENTS
    assert {
        outcome for _, outcome in [*apply_models(export_models(), None), *apply_agents(export_agents(), None)]
    } == {"unchanged"}
    assert AgentVersion.objects.count() == 2


def test_what_the_file_does_not_name_stays() -> None:
    save_agent(guide(), None)
    assert apply_agents([guide(slug="art"), guide(name="New")], None) == [
        ("art", "created"),
        ("guide", "changed"),
    ]
    apply_agents([], None)
    assert Agent.objects.count() == 2


def test_nothing_is_applied_when_one_entry_is_wrong() -> None:
    with pytest.raises(BadDefinition) as raised:
        apply_agents([guide(), guide(slug="art", models=["x", "y"]), {"nme": 1}], None)
    paths = [error["path"] for error in raised.value.errors]
    assert paths[:2] == ["[1].models[0]", "[1].models[1]"] and "[2].nme" in paths
    assert not Agent.objects.exists()
