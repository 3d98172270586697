"""A8: what was stored is read again; what looks wrong is a warning that the person sees and the model is told."""

from __future__ import annotations

import asyncio
import json

import pytest
from django.utils import translation

from platform_site.models import Tenant, User
from tests.packs_storyboard.conftest import BIBLE, SPECS, Desk, chapter
from tools import executors
from tools.gate.settling import _stored
from tools.models import CallStatus, Tool, ToolCall, ToolVersion
from tools.outcome import Succeeded
from tools.packs.storyboard.models import BeatName
from tools.packs.storyboard.naming import names_in_status
from tools.registry import Result, ToolContext
from tools.words import said


def mara(desk: Desk) -> None:
    desk.call("add_character", name="Mara", role="keeper", description="Quiet.")


def test_a_good_chapter_is_saved_without_a_warning(desk: Desk) -> None:
    mara(desk)
    assert desk.warned("update_storyboard", **chapter(updated_story_bible=BIBLE)) == []


def test_who_is_named_in_the_status_should_be_a_character(desk: Desk) -> None:
    bible = {**BIBLE, "character_status": "Mara: wounded\nTobias: died in chapter 10"}
    assert desk.warned("update_storyboard", **chapter(updated_story_bible=bible)) == [
        "The character status names Mara, Tobias, but there is no such character yet."
    ]
    mara(desk)
    warned = desk.warned(
        "update_storyboard", **chapter(chapterNumber=2, chapterTitle="Tide", updated_story_bible=bible)
    )
    assert warned == ["The character status names Tobias, but there is no such character yet."]


@pytest.mark.parametrize(
    ("status", "names"),
    [
        ("陆志星：重伤，在青云门养伤。赵四：第10章已死亡。", ["陆志星", "赵四"]),
        ("Mara Venn: at 3:15 she left\n[Tobias]: dead; Ilse: hiding", ["Mara Venn", "Tobias", "Ilse"]),
        ("【林汐】：守塔", ["林汐"]),
        ("nobody", []),
    ],
)
def test_names_are_read_out_of_a_status(status: str, names: list[str]) -> None:
    assert list(names_in_status(status)) == names


def test_a_gap_in_the_chapter_numbers_is_told(desk: Desk) -> None:
    assert desk.warned("update_storyboard", **chapter(chapterNumber=3)) == ["There is no chapter 1, 2 yet."]
    assert desk.warned("add_chapter", number=1, title="The Key", summary="It opens.") == [
        "There is no chapter 2 yet."
    ]
    assert desk.warned("add_chapter", number=2, title="The Boat", summary="It floats.") == []
    assert desk.warned("add_chapter", number=9_999, title="The End", summary="Over.") == [
        "There is no chapter 4, 5, 6, 7, 8, … yet."
    ]


def test_a_title_used_twice_is_told(desk: Desk) -> None:
    desk.call("update_storyboard", **chapter())
    warned = desk.warned("update_storyboard", **chapter(chapterNumber=2, chapterTitle="the lamp goes out"))
    assert warned == ["Chapter 1 has the same title."]


def test_a_replaced_text_is_told(desk: Desk) -> None:
    desk.call("update_storyboard", **chapter())
    warned = desk.warned("update_storyboard", **chapter(chapterTitle="Darkness"))
    assert warned == ["Chapter 1, “The Lamp Goes Out”, had a text of 1099 characters; it was replaced."]


def test_what_only_looked_long_enough_is_told(desk: Desk) -> None:
    """A rule counts what was given; what is stored has no blanks around it."""
    given = chapter(chapter_content="Dark." + " " * 600, chapter_outline="Dark." + "\n" * 600)
    assert desk.warned("update_storyboard", **given) == [
        "The text has only 5 characters.",
        "The outline has only 5 characters; 500 to 1,500 are good.",
    ]


def test_an_outline_that_does_not_fit_the_text_is_told(desk: Desk) -> None:
    mara(desk)
    given = chapter(chapter_outline="Mara " + "walks. " * 100, chapter_content="Nobody " * 50)
    assert desk.warned("update_storyboard", **given) == [
        "The text (349 characters) is shorter than its outline (704).",
        "The outline names Mara, who does not appear in the text.",
    ]


def test_a_title_that_came_past_the_rules_is_told(desk: Desk) -> None:
    """An admin may have taken the rule away."""
    warned = desk.warned("add_chapter", number=1, title="第一章", summary="It goes out.")
    assert warned == ["The title “第一章” is only a chapter number."]


def test_an_older_story_bible_is_told(desk: Desk) -> None:
    mara(desk)
    desk.call("update_storyboard", **chapter(updated_story_bible=BIBLE))
    desk.call("update_storyboard", **chapter(chapterNumber=2, chapterTitle="Tide"))
    warned = desk.warned("update_storyboard", **chapter(updated_story_bible=BIBLE))
    assert warned[-1] == "The story bible now tells how things stand after chapter 1, but chapter 2 is there."


def test_a_new_name_for_the_story_is_told(desk: Desk) -> None:
    assert desk.warned("update_storyboard", **chapter(storyTitle="The Light")) == []
    warned = desk.warned(
        "update_storyboard", **chapter(chapterNumber=2, chapterTitle="Tide", storyTitle="The Dark")
    )
    assert warned == ["The story was renamed from “The Light” to “The Dark”."]


def test_a_character_who_may_be_there_already_is_told(desk: Desk) -> None:
    mara(desk)
    assert desk.warned("add_character", name="Mara Venn", role="keeper", description="Quiet.") == [
        "Mara may be the same person."
    ]
    assert desk.warned("add_character", name="Tobias", role="ferryman", description="Jokes.") == []


def test_a_world_entry_of_the_same_name_is_told(desk: Desk) -> None:
    desk.call("add_world_entry", category="place", name="The Tower", description="Old.")
    assert desk.warned(
        "add_world_entry", category="faction", name="The Tower", description="Seven judges."
    ) == ["The Tower stands in the category place as well."]


def test_empty_beats_before_this_one_are_told(desk: Desk) -> None:
    assert desk.warned("update_structure", beat="risingAction", content="Ilse claims the boat.") == [
        "Earlier beats are still empty: Hook, Inciting incident."
    ]
    assert desk.warned("update_structure", beat="hook", content="The lamp goes out.") == []


def test_beats_written_by_other_calls_of_the_same_reply_are_not_missed(desk: Desk) -> None:
    """They run at the same time, in any order: what is under way counts as filled, what failed does not."""
    tool = Tool.objects.create(name="structure")
    definition = {"executor": {"kind": "python", "handler": "storyboard.update_structure"}}
    version = ToolVersion.objects.create(tool=tool, number=1, definition=definition, risk="SAFE")
    for beat, status in (("hook", CallStatus.CLAIMED), ("incitingIncident", CallStatus.FAILED)):
        given = {"beat": beat, "content": "…"}
        ToolCall.objects.create(
            topic=desk.context.topic, run="r" * 32, name="structure", version=version, status=status,
            arguments=given, raw="{}",
        )  # fmt: skip
    assert desk.warned("update_structure", beat="risingAction", content="Ilse claims the boat.") == [
        "Earlier beats are still empty: Inciting incident."
    ]


def test_the_beats_are_named_in_the_readers_language(desk: Desk) -> None:
    answer = desk.ask("update_structure", beat="incitingIncident", content="A key is found.")
    assert isinstance(answer, Result)
    with translation.override("zh-hans"):
        assert said(answer.warnings[0]).endswith(str(BeatName.HOOK.label) + "。")
    assert str(answer.warnings[0]) == "Earlier beats are still empty: Hook."


def test_the_person_and_the_model_are_told_each_in_their_language(
    tool_threads: None, tenant: Tenant, bob: User
) -> None:
    """In the stored result for the person, in the content for the model."""
    spec = SPECS["add_chapter"]
    arguments = {"number": 2, "title": "The Key", "summary": "It opens."}
    call = ToolCall(topic="t" * 32, arguments=arguments, tenant_id=tenant.pk)
    outcome = asyncio.run(executors.execute(spec, call, ToolContext(tenant, bob)))
    assert isinstance(outcome, Succeeded)
    content = json.loads(outcome.content)
    assert content["warnings"] == ["There is no chapter 1 yet."]
    assert "warnings" not in outcome.display
    bob.locale = "zh-hans"
    stored = _stored(outcome, bob)
    with translation.override("zh-hans"):
        assert stored["warnings"] == [said(outcome.warnings[0])]
