"""The entry of an agent that debates: in the configuration file, written back out, and in the console."""

from __future__ import annotations

from typing import Any

import pytest

from agents import config
from agents.catalogue import check_agent, save_agent, save_model
from agents.definition import parsed_agent, spec_from
from platform_site.errors import BadDefinition
from platform_site.models import Tenant
from tests.debate.conftest import definition, persona

pytestmark = pytest.mark.django_db


def faults(entry: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(BadDefinition) as bad:
        check_agent(entry)
    return [(one["path"], one["message"]) for one in bad.value.errors]


@pytest.fixture(autouse=True)
def agents(inside: Tenant) -> None:
    save_model({"slug": "demo", "provider": "demo", "name": "demo"})
    for slug in ("cognito", "muse"):
        save_agent({**persona(slug), "tools": []}, None)


def debate(**more: Any) -> dict[str, Any]:
    return definition(debate={"personas": ["cognito", "muse"], **more})


def test_defaults_are_filled_in() -> None:
    normal = check_agent(debate())
    assert normal["debate"] == {
        "personas": ["cognito", "muse"],
        "mode": "fixed",
        "rounds": 3,
        "most_rounds": 8,
    }
    spec = spec_from(normal)
    assert spec.debate and spec.debate.personas == ("cognito", "muse")


def test_an_agent_that_says_nothing_of_it_is_as_it_was() -> None:
    """So that no agent gets a new version from it."""
    normal = parsed_agent({**persona("x"), "avatar": "", "tools": []})
    assert not {"debate", "avatar", "colour"} & set(normal)


def test_an_unknown_persona_is_named() -> None:
    assert faults(debate(personas=["cognito", "nobody"])) == [
        ("$.debate.personas[1]", "there is no agent nobody")
    ]


def test_a_debate_cannot_take_part_in_a_debate() -> None:
    save_agent(debate(), None)
    entry = {**debate(personas=["cognito", "debate"]), "slug": "other"}
    assert faults(entry) == [("$.debate.personas[1]", "debate is a debate itself")]


@pytest.mark.parametrize(
    "wrong",
    [
        {"personas": ["cognito", "cognito"]}, {"personas": ["cognito"]}, {"personas": ["cognito", "muse", "x"]},
        {"mode": "loud"}, {"rounds": 0}, {"rounds": 21}, {"most_rounds": 0}, {"turns": 3},
    ],
)  # fmt: skip
def test_what_is_no_debate_is_refused_where_it_stands(wrong: dict[str, Any]) -> None:
    assert all(path.startswith("$.debate") for path, _message in faults(debate(**wrong)))


def test_kind_and_entry_belong_together() -> None:
    assert "needs" in faults({**definition(), "debate": None})[0][1]
    assert "only an agent of kind debate" in faults({**definition(), "kind": "chat"})[0][1]


@pytest.mark.parametrize("avatar", ["🦉", "C", "Mu", "知", "👩🏽‍🔬", ""])
def test_an_avatar(avatar: str) -> None:
    assert check_agent({**persona("x"), "tools": [], "avatar": avatar}).get("avatar", "") == avatar


@pytest.mark.parametrize("avatar", ["Cog", "a b", "<b>", "x🦉", "🦉" * 9])
def test_what_is_no_avatar(avatar: str) -> None:
    assert faults({**persona("x"), "tools": [], "avatar": avatar})[0][0] == "$.avatar"


def test_a_colour_is_one_of_the_palette() -> None:
    assert check_agent({**persona("x"), "tools": [], "colour": "teal"})["colour"] == "teal"
    assert faults({**persona("x"), "tools": [], "colour": "#ff0000"})[0][0] == "$.colour"


def test_what_is_applied_is_exported_and_applied_again_unchanged() -> None:
    """The debate may stand before its personas."""
    looks = [{**persona(slug), "tools": [], "colour": "teal"} for slug in ("anna", "ben")]
    entries = [{**debate(personas=["anna", "ben"]), "slug": "duel"}, *looks]
    assert dict(config.apply_agents(entries, None)) == dict.fromkeys(("duel", "anna", "ben"), "created")
    out = config.export_agents()
    duel = next(one for one in out if one["slug"] == "duel")
    assert duel["debate"]["personas"] == ["anna", "ben"]
    assert next(one for one in out if one["slug"] == "anna")["colour"] == "teal"
    assert {how for _slug, how in config.apply_agents(out, None)} == {"unchanged"}


def test_a_fault_is_told_where_its_entry_stands() -> None:
    entries = [{**debate(personas=["cognito", "nobody"]), "slug": "duel"}, {**persona("x"), "tools": []}]
    with pytest.raises(BadDefinition) as bad:
        config.apply_agents(entries, None)
    assert [one["path"] for one in bad.value.errors] == ["[0].debate.personas[1]"]
