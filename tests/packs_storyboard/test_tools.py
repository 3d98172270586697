"""A5: what the six tools store, in which story, and what they answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from platform_site.ids import new_id
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.packs_storyboard.conftest import BIBLE, SPECS, STUDIO, Desk, chapter
from tools.arguments import Accepted, check
from tools.config import apply_tools, export_tools
from tools.packs.storyboard.models import BeatName, Story
from tools.registry import ToolContext


def test_a_chapter_is_stored_with_its_outline_and_the_story_bible(desk: Desk) -> None:
    answer = desk.call("update_storyboard", **chapter(updated_story_bible=BIBLE, storyTitle=" The Light "))
    story = desk.story
    stored = story.chapters.get()
    assert (stored.number, stored.title, stored.content) == (1, "The Lamp Goes Out", ("word " * 220).strip())
    assert (story.title, story.character_status, story.bible_chapter) == (
        "The Light",
        BIBLE["character_status"],
        1,
    )
    assert answer == {
        "saved": {"chapter": 1, "title": "The Lamp Goes Out", "replaced": False},
        "story": {"title": "The Light", "url": f"/t/acme/stories/{story.pk}/"},
    }


def test_a_chapter_can_be_written_again(desk: Desk) -> None:
    desk.call("add_chapter", number=1, title="Planned", summary="A lamp goes out.")
    desk.call("update_storyboard", **chapter())
    again = desk.call("update_storyboard", **chapter(chapterTitle="A Better Title"))
    assert again["saved"]["replaced"] is True
    stored = desk.story.chapters.get()
    assert (stored.title, stored.summary) == ("A Better Title", "A lamp goes out.")


def test_what_a_later_bible_leaves_out_stays(desk: Desk) -> None:
    desk.call("update_storyboard", **chapter(updated_story_bible={**BIBLE, "important_rules": "No ghosts"}))
    desk.call("update_storyboard", **chapter(chapterNumber=2, updated_story_bible=BIBLE))
    desk.call("update_storyboard", **chapter(chapterNumber=3))
    assert (desk.story.important_rules, desk.story.bible_chapter) == ("No ghosts", 2)


def test_an_older_chapters_bible_does_not_replace_a_newer_one(desk: Desk) -> None:
    desk.call("update_storyboard", **chapter(chapterNumber=2, updated_story_bible=BIBLE))
    older = {**BIBLE, "active_plot_threads": "Long settled"}
    warned = desk.warned("update_storyboard", **chapter(chapterNumber=1, updated_story_bible=older))
    assert "The story bible stands as after chapter 2 already; that after chapter 1 was not kept." in warned
    assert (desk.story.active_plot_threads, desk.story.bible_chapter) == (BIBLE["active_plot_threads"], 2)


def test_characters_world_and_guidelines_are_kept(desk: Desk) -> None:
    desk.call("add_character", name=" Mara Venn ", role="protagonist", description="Quiet.")
    desk.call("add_world_entry", category="place", name="The tower", description="Old.")
    desk.call("add_writing_guideline", category="voice", content="Short sentences.")
    story = desk.story
    assert story.characters.get().name == "Mara Venn"
    assert story.world.get().category == "place"
    assert story.guidelines.get().content == "Short sentences."


def test_a_beat_is_replaced_and_what_stood_there_given_back(desk: Desk) -> None:
    first = desk.call("update_structure", beat="hook", content="The lamp goes out.")
    second = desk.call("update_structure", beat="hook", content="A boat without a rower.")
    assert first["saved"] == {"beat": "hook", "replaced": False}
    assert second["saved"] == {"beat": "hook", "replaced": True, "before": "The lamp goes out."}
    assert desk.story.beats.get().content == "A boat without a rower."


def test_the_beats_are_the_six_of_the_schema() -> None:
    assert SPECS["update_structure"].schema["properties"]["beat"]["enum"] == BeatName.values


def test_each_conversation_has_its_own_story(desk: Desk) -> None:
    other = Desk(replace(desk.context, topic=new_id()))
    for one in (desk, other, desk):
        one.call("update_structure", beat="hook", content="The lamp goes out.")
    assert Story.objects.count() == 2


def test_another_tenants_story_is_not_touched(desk: Desk, other_tenant: Tenant, charlie: User) -> None:
    """T33: even under the same conversation id, which cannot happen, each tenant has its own."""
    desk.call("add_character", name="Mara", role="keeper", description="Quiet.")
    with acting_for(other_tenant):
        theirs = Desk(ToolContext(other_tenant, charlie, topic=desk.context.topic))
        theirs.call("add_character", name="Mara", role="keeper", description="Loud.")
        assert theirs.story.characters.get().description == "Loud."
    assert desk.story.characters.get().description == "Quiet."


EXAMPLES: dict[str, dict[str, Any]] = {
    "update_storyboard": chapter(updated_story_bible=BIBLE),
    "add_chapter": {"number": 2, "title": "The Tide", "summary": "It turns."},
    "add_character": {"name": "Mara", "role": "keeper", "description": "Quiet."},
    "add_world_entry": {"category": "place", "name": "Tower", "description": "Old."},
    "add_writing_guideline": {"category": "voice", "content": "Short."},
    "update_structure": {"beat": "climax", "content": "The lamp goes out."},
}


@pytest.mark.parametrize("tool", SPECS)
def test_good_arguments_pass_as_they_are(tool: str) -> None:
    verdict = check(SPECS[tool], EXAMPLES[tool])
    assert isinstance(verdict, Accepted)
    assert verdict.arguments.items() >= EXAMPLES[tool].items()


@pytest.mark.parametrize("tool", SPECS)
def test_every_argument_is_described_with_a_good_and_a_bad_example(tool: str) -> None:
    """A1."""
    told = " ".join(one.get("description", "") for one in SPECS[tool].schema["properties"].values())
    told += SPECS[tool].description
    assert "Good:" in told and "Bad:" in told


def test_replacing_a_chapter_asks_the_person_and_adding_does_not() -> None:
    assert {name: spec.risk for name, spec in SPECS.items()} == {
        "update_storyboard": "CONFIRM", "add_chapter": "SAFE", "add_character": "SAFE", "add_world_entry": "SAFE",
        "add_writing_guideline": "SAFE", "update_structure": "SAFE",
    }  # fmt: skip
    assert not any(spec.read_only for spec in SPECS.values())


def test_applying_the_file_again_makes_no_new_versions(inside: Tenant) -> None:
    """Rules with their translations come back out as they went in."""
    first = apply_tools(STUDIO["tools"], None)
    again = apply_tools(STUDIO["tools"], None)
    assert (len(first.created), again.same) == (6, first.created)
    told = {entry["name"]: entry["rules"] for entry in export_tools()}
    assert told == {
        entry["name"]: [{"when": "", **rule} for rule in entry["rules"]] for entry in STUDIO["tools"]
    }


def test_complex_arguments_carry_templates() -> None:
    """A10."""
    assert set(SPECS["update_storyboard"].templates) == {"chapter_outline", "updated_story_bible"}


def test_the_scenarios_stress_the_formats_and_narrow_the_tools() -> None:
    """A7."""
    writer = next(agent for agent in STUDIO["agents"] if agent["slug"] == "storyteller")
    told = {one["slug"]: (set(one["tools"]), one["instructions"]) for one in writer["scenarios"]}
    assert list(told) == ["write-chapter", "extract-facts", "update-structure"]
    assert all(tools < set(writer["tools"]) for tools, _ in told.values())
    assert "第三章" in told["write-chapter"][1] and "500 to 1,500" in told["write-chapter"][1]
    assert told["update-structure"][0] == {"update_structure", "suggest_replies"}
