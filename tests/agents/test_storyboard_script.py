"""The storyteller of the demo model alone: what it understands, and what it does when answers are not what it hoped."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.demo.storyboard_words import beat_in, intent_of, number_in, numeral
from agents.demo.tale import tale_in
from tests.agents.talk import Answer, Talk, names, tool

STUDIO = (
    tool("update_storyboard", "chapterNumber", "chapterTitle", "chapter_content", "chapter_outline"),
    tool("add_chapter", "number", "title", "summary"),
    tool("add_character", "name", "role", "description"),
    tool("add_world_entry", "category", "name", "description"),
    tool("add_writing_guideline", "category", "content"),
    tool("update_structure", "beat", "content"),
    tool("suggest_replies", "options"),
)
WORDS = "update_storyboard was not run: 1 rule is not kept. Correct it and call it again (2 tries left).\n"
NUMBERED = WORDS + json.dumps(
    {
        "status": "REJECTED",
        "errors": [{"path": "$", "problem": "The chapter's title is only a chapter number."}],
    }
)
TOO_SHORT = WORDS + json.dumps(
    {"status": "REJECTED", "errors": [{"path": "$", "problem": "At least 5,000 characters."}]}
)


def studio(name: str, arguments: dict[str, Any]) -> Answer:
    """A storyboard that knows nobody yet and wants titles."""
    title = arguments.get("chapterTitle", "")
    if title.startswith("Chapter") or (title.startswith("第") and title.endswith("章")):
        return "rejected", NUMBERED
    saved = {"chapter": arguments.get("chapterNumber")}
    return "succeeded", {
        "saved": saved,
        "story": {"title": "T", "url": "/t/studio/stories/1/"},
        "warnings": ["A gap."],
    }


def talk(answers: Any = studio) -> Talk:
    return Talk(answers=answers, tools=STUDIO)


def test_a_rejected_title_is_corrected_once_and_nothing_else_changes() -> None:
    story = talk()
    said = story.say("Write chapter 3")
    first, second = (given for name, given in story.made if name == "update_storyboard")
    assert (first["chapterTitle"], second["chapterTitle"]) == ("Chapter 3", "The Lamp Goes Out")
    assert {key for key in first if first[key] != second[key]} == {"chapterTitle"}
    assert "- A gap." in said and "[Read the story](/t/studio/stories/1/)" in said


def test_a_rejection_it_cannot_mend_is_told_instead_of_repeated() -> None:
    """T23, in spirit: no endless tries."""
    story = talk(lambda name, given: ("rejected", TOO_SHORT))
    assert "At least 5,000 characters." in story.say("Write chapter 3")
    assert names(story) == ["update_storyboard"]


def test_a_title_that_is_refused_again_is_not_tried_for_ever() -> None:
    story = talk(lambda name, given: ("rejected", NUMBERED))
    assert "That did not work" in story.say("Write chapter 3")
    assert names(story) == ["update_storyboard"] * 2


def test_what_is_there_already_is_named_and_left() -> None:
    def knows_all(name: str, given: dict[str, Any]) -> Answer:
        if name != "add_character":
            return studio(name, given)
        return "failed", {"status": "FAILED", "error": {"code": "duplicate", "message": "There already."}}

    story = talk(knows_all)
    assert "left it as it is: Mara Venn, Tobias Reed" in story.say("Write chapter 1")
    assert names(story).count("add_character") == 2


def test_without_the_tools_for_people_the_story_is_still_linked() -> None:
    """A scenario may offer fewer tools."""
    story = Talk(answers=studio, tools=(STUDIO[0], STUDIO[-1]))
    assert "[阅读故事](/t/studio/stories/1/)" in story.say("写第三章")
    assert names(story) == ["update_storyboard", "update_storyboard"]


def test_a_beat_that_is_spelled_out_is_the_only_one_set() -> None:
    story = talk()
    story.say("Set the climax: Mara puts out the lamp")
    assert story.made == [("update_structure", {"beat": "climax", "content": "Mara puts out the lamp"})]


def test_it_says_that_it_is_a_script() -> None:
    assert "scripted demo" in talk().say("Hello")
    assert "脚本演示" in talk().say("你好")


@pytest.mark.parametrize(
    ("text", "scenario", "intent"),
    [
        ("Write the next chapter", "", "write"), ("继续写", "", "write"), ("第三章", "", "write"),
        ("Extract the facts of this chapter", "", "extract"), ("提炼信息", "", "extract"),
        ("Update the structure", "", "structure"), ("更新故事蓝图", "", "structure"),
        ("Go", "write-chapter", "write"), ("开始吧", "extract-facts", "extract"),
        ("Hello", "update-structure", "structure"),
        ("The weather?", "", "unknown"), ("hi", "", "hello"),
    ],
)  # fmt: skip
def test_what_is_wanted(text: str, scenario: str, intent: str) -> None:
    assert intent_of(text, scenario) == intent


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Write chapter 12", 12),
        ("写第三章", 3),
        ("写第十二章", 12),
        ("写第二十章", 20),
        ("the second chapter", 2),
        ("write on", 0),
    ],
)
def test_which_chapter_is_meant(text: str, number: int) -> None:
    assert number_in(text) == number


def test_numbers_as_chinese_writes_them() -> None:
    assert [numeral(n) for n in (1, 10, 12, 20, 35, 120)] == ["一", "十", "十二", "二十", "三十五", "120"]
    assert beat_in("高潮：林汐熄了灯") == {"climax": "林汐熄了灯"} and beat_in("climax") == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_tale_keeps_the_formats_it_shows(language: Any) -> None:
    for chapter in tale_in(language).chapters:
        assert len(chapter.content) > len(chapter.outline) and 500 <= len(chapter.outline) <= 1500
        assert set(chapter.bible) >= {"character_status", "key_items_and_locations", "active_plot_threads"}
