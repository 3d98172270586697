"""The storyteller on the demo model, through the engine and the gate: from the first words to a story one can read.

The first chapter comes with a title that is only a number, is sent back, corrected, confirmed by the person and saved.
"""

from __future__ import annotations

import pytest

from conversations import actions
from platform_site.access import Actor
from platform_site.models import Tenant
from platform_site.setup.config_file import apply_file
from platform_site.setup.seed import FILES, _with_built_ins
from tests.conversations.conftest import Talk, bobs
from tests.packs_storyboard.conftest import STUDIO
from tools.packs.storyboard.models import BeatName, Story

__all__ = ["bobs"]


@pytest.fixture
def talk(bobs: Actor, inside: Tenant, tool_threads: None, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Bob's conversation with the demo tenant's storyteller."""
    monkeypatch.setattr("platform_site.env.env.demo_pace_ms", 0)
    assert FILES["studio"].name == "studio.json"
    apply_file(_with_built_ins({**STUDIO, "tenant": {"slug": "acme", "name": "Acme"}}), author=None)
    return Talk(bobs, actions.create_conversation(bobs, "storyteller"))


def called(talk: Talk) -> list[tuple[str, str]]:
    return [(call.name, call.status) for call in talk.calls() if call.name != "suggest_replies"]


@pytest.mark.parametrize(
    ("words", "bad", "good", "link"),
    [
        ("Write the first chapter", "Chapter 1", "The Lamp Goes Out", "[Read the story](/t/acme/stories/"),
        ("写第一章", "第一章", "灯灭之夜", "[阅读故事](/t/acme/stories/"),
    ],
)
def test_a_chapter_from_a_bad_title_to_the_shelf(
    talk: Talk, words: str, bad: str, good: str, link: str
) -> None:
    assert talk.turn(words).outcome == "interrupt"
    assert [call.status for call in talk.calls()] == ["rejected", "held"]
    first, second = talk.calls()
    assert f'"{bad}"' in first.raw and first.errors[0]["keyword"] == "rule:descriptive_title"
    assert second.arguments["chapterTitle"] == good
    assert not Story.objects.exists()

    talk.decide()
    assert talk.move().outcome == "success"
    assert called(talk)[2:] == [
        ("add_character", "succeeded"),
        ("add_character", "succeeded"),
        ("add_world_entry", "succeeded"),
        ("add_character", "failed"),
    ]
    story = Story.objects.get()
    assert [one.title for one in story.chapters.all()] == [good]
    assert story.characters.count() == 2 and story.world.count() == 1
    assert link + story.pk in talk.texts()[-1]


def test_the_person_is_shown_what_the_check_noticed(talk: Talk) -> None:
    """A8: warnings beside the receipt, and in what the model reads."""
    talk.turn("Write chapter 3")
    talk.decide()
    talk.move()
    [saved] = [
        event
        for event in talk.log()
        if event["type"] == "TOOL_CALL_RESULT" and event["metadata"].get("warnings")
    ]
    assert saved["metadata"]["warnings"] == [
        "There is no chapter 1, 2 yet.",
        "The character status names Mara Venn, Tobias Reed, but there is no such character yet.",
    ]
    assert any("There is no chapter 1, 2 yet." in text for text in talk.texts())


def test_a_chapter_that_is_not_wanted_is_not_saved(talk: Talk) -> None:
    talk.turn("Write the first chapter")
    talk.decide("reject")
    talk.move()
    assert "I did not save it" in talk.texts()[-1]
    assert not Story.objects.exists()


def test_the_next_chapter_goes_on_where_the_story_stands(talk: Talk) -> None:
    for words in ("Write the first chapter", "Write the next chapter"):
        talk.turn(words)
        talk.decide()
        talk.move()
    assert [one.number for one in Story.objects.get().chapters.all()] == [1, 2]
    assert "Already there, so I left it as it is: Mara Venn" in talk.texts()[-1]


@pytest.mark.parametrize("words", ["Update the structure", "更新故事结构"])
def test_the_structure_is_put_down_beat_by_beat(talk: Talk, words: str) -> None:
    assert talk.turn(words).outcome == "success"
    assert called(talk) == [("update_structure", "succeeded")] * 6
    assert set(Story.objects.get().beats.values_list("beat", flat=True)) == set(BeatName.values)


def test_facts_are_extracted_within_their_scenario(talk: Talk) -> None:
    """A7: the scenario chooses the flow and offers its own tools alone."""
    run = talk.move(talk.say("Go", options={"scenario": "extract-facts"}))
    assert run.outcome == "success"
    assert {name for name, _ in called(talk)} == {
        "add_chapter", "add_character", "add_world_entry", "add_writing_guideline",
    }  # fmt: skip
    assert {status for _, status in called(talk)} == {"succeeded"}


def test_a_tool_outside_the_scenario_is_not_offered(talk: Talk) -> None:
    talk.move(talk.say("call update_storyboard {}", options={"scenario": "update-structure"}))
    assert called(talk) == [("update_storyboard", "refused")]
