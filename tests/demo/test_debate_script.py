"""The debate the demo model holds: on any topic, in both languages, the same for the same question."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.demo.debate_words import table
from agents.demo.explicit import calls_in
from agents.messages import Picture
from tests.agents.talk import tool
from tests.demo.debating import Debate
from tests.uploads.pictures import picture

TOPICS = {
    "en": (
        "Should we rewrite the backend in Rust?", "tabs or spaces", "Is remote work a good idea?",
        "Should I quit my job?", "Should schools ban phones?", "What is wrong with this chart?",
        "pineapple on pizza", "Is nuclear power safe?", "Is it worth learning Latin?",
        "Why did our sales drop by 12% last month?", "Do we need a CRM?", "buy or rent",
        "Will robots take our jobs?", "The earth is flat.", "Kubernetes, Nomad or plain VMs?",
        "asdf qwer",
    ),
    "zh": (
        "我们应该用Rust重写后端吗？", "远程办公好不好？", "猫还是狗更适合做宠物？",
        "学校该不该禁止手机？", "这张图有什么问题？", "买房还是租房？",
        "我该不该辞职？", "为什么我们的销售下降了12%？", "人工智能会取代程序员吗？",
        "四天工作制", "豆腐脑应该吃甜的还是咸的？", "地球是平的",
        "中医有用吗？", "公司应该取消加班文化", "大城市和老家，选哪个？",
    ),
}  # fmt: skip
EACH = [topic for topics in TOPICS.values() for topic in topics]
CITED = re.compile(r"\[([NT])(\d+)\]")
BLUE = Picture("image/png", picture("PNG", (640, 480), "blue"))


def whole(question: str, **more: Any) -> Debate:
    return Debate(question, **more).whole()


def sentences(debate: Debate) -> list[str]:
    """What was said in the turns, sentence by sentence, without the numbers of turns and notes."""
    said = [CITED.sub("", text) for turn, text in debate.turns.items() if turn]
    return [
        one.strip()
        for text in said
        for one in re.split(r"(?<=[.?!。？！])\s*|\n+", text)
        if len(one.strip()) > 20
    ]


def check_citations(debate: Debate) -> None:
    """Every turn and note that is cited exists, when it is cited."""
    known = {entry.n: entry.turn for entry in debate.notes}
    for turn, text in debate.turns.items():
        for kind, number in CITED.findall(text):
            if kind == "T":
                assert int(number) in debate.turns and (turn == 0 or int(number) < turn), text
            else:
                assert int(number) in known and (turn == 0 or known[int(number)] <= turn), text


@pytest.mark.parametrize("question", EACH)
def test_a_debate_on_any_topic_is_whole(question: str) -> None:
    debate = whole(question)
    text = "\n".join(debate.turns.values())
    assert "{" not in text and "““" not in text and "  " not in text
    assert all(40 < len(said) < 2500 for said in debate.turns.values())
    check_citations(debate)


@pytest.mark.parametrize("question", EACH)
def test_nothing_is_said_twice_in_eight_rounds(question: str) -> None:
    said = sentences(whole(question, rounds=8))
    twice = {one for one in said if said.count(one) > 1}
    assert not twice


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Should we rewrite the backend in Rust?", ["rewriting the backend in Rust"]),
        ("tabs or spaces", ["tabs", "spaces"]),
        ("Why did our sales drop by 12% last month?", ["our sales drop", "12%"]),
        ("猫还是狗更适合做宠物？", ["猫", "狗"]),
        ("我们应该用Rust重写后端吗？", ["用 Rust 重写后端"]),
    ],
)
def test_both_speak_of_the_topic(question: str, words: list[str]) -> None:
    debate = whole(question)
    for word in words:
        assert word in debate.turns[1] + debate.turns[2] and word in debate.summary


def test_the_same_question_is_debated_the_same_way_and_others_differently() -> None:
    assert whole(EACH[0]).turns == whole(EACH[0]).turns
    openings = {whole(question, rounds=1).turns[1].split(".")[0] for question in TOPICS["en"]}
    assert len(openings) == len(TOPICS["en"])
    shapes = {tuple(one.text for one in whole(question, rounds=2).notes[-2:]) for question in TOPICS["en"]}
    assert len(shapes) > 10


@pytest.mark.parametrize("question", ["Should we rewrite the backend in Rust?", "买房还是租房？"])
def test_the_notepad_is_added_to_changed_and_struck(question: str) -> None:
    debate = whole(question)
    assert {"add", "change", "strike"} == {change.action for change in debate.pad.changes}
    assert {"fact", "assumption", "question", "todo"} == {entry.kind for entry in debate.notes}
    assert {entry.by for entry in debate.notes} == {"cognito", "muse"}
    struck = next(entry for entry in debate.notes if entry.struck)
    assert struck.kind == "assumption" and f"[N{struck.n}]" in debate.turns[4]


@pytest.mark.parametrize(
    ("question", "said", "named"),
    [
        ("Is a four-day week a good idea?", "please consider the cost too", "the cost"),
        ("买房还是租房？", "也考虑一下孩子上学的问题", "孩子上学的问题"),
    ],
)
def test_who_steps_in_is_answered_by_name_in_the_next_turn_and_by_the_other_after_it(
    question: str, said: str, named: str
) -> None:
    debate = Debate(question, mode="ai", rounds=8)
    debate.step()
    debate.say(said)
    for _ in range(2):
        assert named in debate.step().split("\n")[0].lower()
    assert any(named in entry.text for entry in debate.notes if entry.kind == "question")
    debate.whole()
    assert named in debate.summary
    check_citations(debate)


@pytest.mark.parametrize("question", EACH)
def test_where_they_decide_they_end_after_a_few_rounds(question: str) -> None:
    debate = whole(question, mode="ai", rounds=8)
    assert 4 <= max(debate.turns) <= 8
    last = max(debate.turns)
    assert {last, last - 1} <= debate.settled
    check_citations(debate)


def test_stepping_in_puts_the_end_off() -> None:
    undisturbed = max(whole("tabs or spaces", mode="ai", rounds=8).turns)
    debate = Debate("tabs or spaces", mode="ai", rounds=8)
    while max(debate.turns, default=0) < undisturbed - 1:
        debate.step()
    debate.say("Consider the people.").whole()
    assert max(debate.turns) > undisturbed - 1 and "people" in debate.turns[undisturbed].lower()


def test_a_picture_is_spoken_of_by_both_and_noted() -> None:
    debate = whole("What is wrong with this chart?", images={"u": BLUE})
    for turn in (1, 2):
        assert "PNG picture of 640 × 480, mostly blue" in debate.turns[turn]
    assert any("640 × 480" in entry.text for entry in debate.notes)
    assert "640 × 480" in whole("这张图有什么问题？", images={"u": BLUE}).turns[1]


def test_a_picture_that_did_not_come_is_missed() -> None:
    assert "none reached me" in whole("What is wrong with this chart?").turns[1]


def test_a_thorough_model_says_more() -> None:
    short, long = whole("tabs or spaces"), whole("tabs or spaces", model="demo-thorough")
    assert sum(map(len, long.turns.values())) > sum(map(len, short.turns.values())) + 200


def test_a_price_that_the_question_is_about_is_looked_up_noted_and_told() -> None:
    told = {"name": "Gold", "price": 2400.5, "unit": "USD/oz", "as_of": "2026-11-20"}
    debate = whole(
        "Is gold a good investment?", tools=(tool("get_price", "name"),), answers={"get_price": told}
    )
    assert "Gold 2400.5 USD/oz" in debate.turns[1]
    assert any("2400.5" in entry.text for entry in debate.notes)


def test_calls_that_a_person_spells_out_are_made_by_both_openings() -> None:
    """So that any tool, a dangerous one too, is tried in a debate without a real model."""
    line = 'call buy {"item": "hat"}'
    debate = whole(f"Tea or coffee?\n{line}", tools=(tool("buy", "item"),))
    asked = [
        call
        for own in debate.own.values()
        for message in own
        for call in message.parts
        if call.kind == "tool_call"
    ]
    assert [call.arguments for call in asked if call.name == "buy"] == [
        calls_in(line, ["buy"])[0].arguments
    ] * 2


def test_a_summary_after_any_turn_cites_what_there_is() -> None:
    for turns in range(5):
        debate = Debate("Should we rewrite the backend in Rust?")
        for _ in range(turns):
            debate.step()
        debate.step("summarise")
        check_citations(debate)
        assert "### Confidence" in debate.summary


def test_what_others_said_is_quoted_and_not_guessed() -> None:
    """Where a real model spoke, the script that sums up tells what was said and not what it would have said."""
    debate = Debate("tabs or spaces")
    for _ in range(2):
        debate.step()
    debate.turns |= {1: "Spaces it is. No doubt.", 2: "I prefer neither."}
    summary = debate.step("summarise")
    assert (
        "Cognito holds: “Spaces it is” [T1]" in summary and "Muse holds: “I prefer neither” [T2]" in summary
    )
    assert "In short" not in summary


def test_without_a_notepad_or_rounds_enough_it_still_speaks() -> None:
    debate = whole("tabs or spaces", rounds=20)
    assert len(debate.turns) == 41


@given(st.text(max_size=400), st.sampled_from(["en", "zh-hans"]))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_asked_they_debate_it(question: str, locale: str) -> None:
    debate = whole(question, rounds=1, locale=locale)
    assert all(debate.turns.values())


def test_both_languages_say_the_same_things() -> None:
    def shape(found: Any) -> Any:
        if isinstance(found, dict):
            return {key: shape(value) for key, value in found.items()}
        return (
            [shape(value) for value in found]
            if isinstance(found, list)
            else set(re.findall(r"\{(\w+)\}", found.lower())) & KEPT
        )

    assert shape(table("en")) == shape(table("zh"))


KEPT = {"note", "turn", "other", "picture", "number", "point", "opponent", "tool", "finding"}
"""Slots that a text must not lose in translation."""
