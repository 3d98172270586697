"""A4: the limits stand in the tools' records, in both languages, with a message and a fix each."""

from __future__ import annotations

from typing import Any

import pytest

from tests.packs_storyboard.conftest import BIBLE, CHINESE, ENGLISH, SPECS, STUDIO, broken, chapter
from tools.packs.storyboard.naming import ONLY_A_NUMBER, is_only_a_number

ONLY_NUMBERS = [
    "第1章", "第一章", "第 三 章", "第三十二章", "第3章：", "第３章", "第三回", "3章", "第壹章", "第Ⅲ章",
    "第③章", "＃第3章", "第 3 章 。", "第一百二十章", "《第三章》", "【第3章】", "第三章（上）", "三",
    "十二", "一", "第3章 Chapter 3", "  第3章  ", "第\u200b1章", "Chapter 3", "chapter three",
    "CHAPTER IV", "Chapter i", "Ch. 3", "Ch3", "Chapter 3:", "Chapter Twenty-One", "Chapter No. 3",
    "Chapter One Hundred", "the first chapter", "Third Chapter", "3rd chapter", "Chapter", "Episode 5",
    "Chapter 3, Part 1", "📖 Chapter 3", "Chapter\u200d 3", "3", "12", "IV", "...", "—",
]  # fmt: skip
TITLES = [
    "初入江湖", "命运的转折", "最后的决战", "第三章 风起", "第三章的秘密", "第一次相遇", "第七封印",
    "三人行", "十面埋伏", "百年孤独", "三体", "一九八四", "1984", "Chapter 3: The Storm",
    "The Price of Betrayal", "The Last Chapter of Summer", "Chapter and Verse", "Section Chief",
    "Part of the Sea", "Parting", "Civil War", "Mild", "Livid", "Mix", "Chi", "Seven", "Li Bai",
    "I, Robot",
]  # fmt: skip


@pytest.mark.parametrize("title", ONLY_NUMBERS)
def test_a_title_that_is_only_a_chapter_number_is_refused(title: str) -> None:
    assert broken("update_storyboard", chapter(chapterTitle=title)) == {"descriptive_title": "error"}
    assert broken("add_chapter", {"number": 3, "title": title, "summary": "x"}) == {
        "descriptive_title": "error"
    }


@pytest.mark.parametrize("title", TITLES)
def test_a_title_that_says_something_may_stand(title: str) -> None:
    assert broken("update_storyboard", chapter(chapterTitle=title)) == {}


@pytest.mark.parametrize("title", ONLY_NUMBERS + TITLES)
def test_the_check_after_saving_sees_titles_as_the_rule_does(title: str) -> None:
    assert is_only_a_number(title) is (title in ONLY_NUMBERS)


def test_the_rules_hold_the_pattern_of_the_pack() -> None:
    in_cel = ONLY_A_NUMBER.replace("\\", "\\\\")
    for tool in ("update_storyboard", "add_chapter"):
        rule = next(rule for rule in SPECS[tool].rules if rule.name == "descriptive_title")
        assert f'.matches("{in_cel}")' in rule.check


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"chapter_content": "x" * 99}, {"content_long_enough": "error"}),
        ({"chapter_content": "x" * 100}, {}),
        ({"chapter_content": "字" * 99}, {"content_long_enough": "error"}),
        ({"chapter_content": "字" * 100}, {}),
        ({"chapter_outline": "x" * 499}, {"outline_long_enough": "error"}),
        ({"chapter_outline": "字" * 499}, {"outline_long_enough": "error"}),
        ({"chapter_outline": "字" * 500}, {}),
        ({"chapter_outline": "字" * 1500}, {}),
        ({"chapter_outline": "字" * 1501}, {"outline_not_long": "warn"}),
        ({"chapter_outline": "字" * 3000}, {"outline_not_long": "warn"}),
        ({"chapter_outline": "x" * 3001}, {"outline_not_long": "warn", "outline_not_too_long": "error"}),
        ({"chapter_outline": "😀" * 500}, {}),
    ],
)
def test_lengths_are_counted_in_characters(given: dict[str, Any], says: dict[str, str]) -> None:
    """In characters as a person counts them, not in bytes: a Chinese text is not three times as long."""
    assert broken("update_storyboard", chapter(**given)) == says


@pytest.mark.parametrize("name", ["character_status", "key_items_and_locations", "active_plot_threads"])
def test_the_three_texts_of_the_story_bible_are_needed(name: str) -> None:
    assert name in SPECS["update_storyboard"].schema["$defs"]["StoryBible"]["required"]
    blank = broken("update_storyboard", chapter(updated_story_bible={**BIBLE, name: " \n\u3000"}))
    assert blank["story_bible_complete"] == "error"


@pytest.mark.parametrize("bible", [None, {**BIBLE, "important_rules": "Nobody goes up at night"}, BIBLE])
def test_a_whole_story_bible_is_good_and_none_is_no_fault(bible: dict[str, str] | None) -> None:
    assert broken("update_storyboard", chapter(updated_story_bible=bible)) == {}
    assert broken("update_storyboard", chapter()) == {}


@pytest.mark.parametrize(
    "status",
    [
        "陆志星：重伤，在青云门养伤。赵四：第10章已死亡。",
        "Mara: wounded\n\nTobias: died in chapter 10",
        "[林汐]：守塔人",
        "林汐:守塔",
    ],
)
def test_a_status_reads_name_and_status(status: str) -> None:
    assert (
        broken("update_storyboard", chapter(updated_story_bible=BIBLE | {"character_status": status})) == {}
    )


@pytest.mark.parametrize(
    "status", ["Everybody is fine", "Mara: wounded\nTobias is dead", ": wounded", "Mara:", "林汐受伤了"]
)
def test_any_other_status_is_refused(status: str) -> None:
    given = chapter(updated_story_bible=BIBLE | {"character_status": status})
    assert broken("update_storyboard", given) == {"character_status_form": "error"}


@pytest.mark.parametrize(
    ("tool", "good", "blank"),
    [
        ("add_chapter", {"number": 2, "title": "The Tide", "summary": "It turns."}, "summary"),
        ("add_character", {"name": "Mara", "role": "keeper", "description": "Quiet."}, "name"),
        ("add_world_entry", {"category": "place", "name": "Tower", "description": "Old."}, "category"),
        ("add_writing_guideline", {"category": "voice", "content": "Short."}, "content"),
        ("update_structure", {"beat": "hook", "content": "The lamp goes out."}, "content"),
    ],
)
def test_nothing_is_added_blank(tool: str, good: dict[str, Any], blank: str) -> None:
    assert broken(tool, good) == {}
    assert broken(tool, {**good, blank: " \u3000\n"}) == {"not_blank": "error"}


@pytest.mark.parametrize("tool", SPECS)
def test_every_rule_speaks_both_languages_and_says_how_to_mend_it(tool: str) -> None:
    entry = next(entry for entry in STUDIO["tools"] if entry["name"] == tool)
    assert entry["rules"]
    for rule in entry["rules"]:
        chinese = rule["translations"]["zh-hans"]
        assert rule["message"] and rule["fix"] and chinese["message"] and chinese["fix"]


def test_long_texts_stay_quick_to_judge() -> None:
    given = chapter(chapter_content=CHINESE * 30, chapter_outline=ENGLISH * 2, chapterTitle="第" * 200)
    assert broken("update_storyboard", given) == {}
