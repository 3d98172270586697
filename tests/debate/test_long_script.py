"""Long debates of the demo model: when every reason was given they go over the notepad; nothing is said twice."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from agents.demo.debate_topic import topic_of
from tests.debate.conftest import Debated
from tests.debate.seeded import said, seeded

__all__ = ["seeded"]
LONG = 13
_SENTENCE = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])|\n+")


def sentences(debate: Debated) -> list[str]:
    """Everything the two said, without what it cites."""
    turns = (re.sub(r"\[[NT]\d+\]", "#", text) for turn, text in said(debate).items() if turn)
    return [one.strip() for text in turns for one in _SENTENCE.split(text) if len(one.strip()) > 12]


@pytest.mark.parametrize(
    "question", ["Should our town ban cars from its centre?", "我们该不该实行四天工作制？"]
)
def test_in_thirteen_rounds_no_sentence_comes_twice(seeded: Debated, question: str) -> None:
    seeded.turn_with(question, rounds=LONG)
    told = sentences(seeded)
    assert len(told) > 4 * LONG
    assert [one for one, count in Counter(told).items() if count > 1] == []


def test_nothing_is_noted_twice(seeded: Debated) -> None:
    seeded.turn_with("Is it better to rent or to buy a flat?", rounds=LONG)
    texts = [entry.text for entry in seeded.pad().entries]
    assert len(set(texts)) == len(texts)


def test_late_turns_join_an_open_question_with_a_plan(seeded: Debated) -> None:
    seeded.turn_with("Tabs or spaces?", rounds=LONG)
    kinds = {entry.n: entry.kind for entry in seeded.pad().entries}
    for turn in range(2 * LONG - 5, 2 * LONG + 1):
        cited = {kinds[int(n)] for n in re.findall(r"\[N(\d+)\]", said(seeded)[turn])}
        assert cited == {"question", "todo"}


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Is it better to rent or to buy a flat?", ("renting", "buying a flat")),
        ("Would it be better to wait or to act now?", ("waiting", "acting now")),
        ("学编程应该先学 Python 还是 Java？", ("Python", "Java")),
        ("孩子应该学钢琴还是学画画", ("学钢琴", "学画画")),
    ],
)
def test_options_are_named_alike(question: str, options: tuple[str, ...]) -> None:
    reading = topic_of(question, "en", has_picture=False).reading
    assert (reading.family, reading.options) == ("choose", options)


def test_what_a_town_does_is_named_after_what_is_done() -> None:
    asked = "Should our town ban cars from its centre?"
    assert topic_of(asked, "en", has_picture=False).reading.change == "banning cars from our town's centre"


def test_chinese_keeps_its_distance_from_latin_letters(seeded: Debated) -> None:
    seeded.turn_with("Postgres和MySQL哪个好？", rounds=2)
    spoken = "".join(said(seeded)[turn] for turn in range(1, 5))
    assert not re.search(r"[\u3400-\u9fff](?:Postgres|MySQL)|(?:Postgres|MySQL)[\u3400-\u9fff]", spoken)
