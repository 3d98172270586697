"""The demo script with the real source behind it: what people ask in both languages, and what they are told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.demo.market_words import read
from tests.agents.talk import Answer, Talk, tool
from tests.packs_market.conftest import FRIDAY, SATURDAY, source_at

PATHS = {"get_price": "/api/price", "get_news": "/api/news", "draw_chart": "/api/chart"}
TOOLS = (
    tool("get_price", "name"),
    tool("get_news", "keyword"),
    tool("draw_chart", "symbol", optional=("period",)),
    tool("suggest_replies", "options"),
)


def talk(now: Any = FRIDAY) -> Talk:
    ask = source_at(now)

    def answers(name: str, arguments: dict[str, Any]) -> Answer:
        if name == "suggest_replies":
            return "succeeded", {}
        status, told = ask(PATHS[name], **arguments)
        told.pop("ui", None)
        return ("succeeded" if status == 200 else "failed"), told

    return Talk(answers=answers, tools=TOOLS)


@pytest.mark.parametrize(
    ("said", "called", "arguments"),
    [
        ("what is gold at", "get_price", {"name": "gold"}),
        ("What's crude oil at?", "get_price", {"name": "crude oil"}),
        ("how much is silver now", "get_price", {"name": "silver"}),
        ("黄金现在多少钱", "get_price", {"name": "黄金"}),
        ("news about oil", "get_news", {"keyword": "oil"}),
        ("有什么关于天气的消息", "get_news", {"keyword": "天气"}),
        ("draw a daily chart of copper", "draw_chart", {"symbol": "copper", "period": "1d"}),
        ("画一下大豆的周线", "draw_chart", {"symbol": "大豆", "period": "1w"}),
        ("原油5分钟图", "draw_chart", {"symbol": "原油", "period": "5m"}),
    ],
)
def test_it_calls_what_is_meant(said: str, called: str, arguments: dict[str, str]) -> None:
    story = talk()
    story.say(said)
    assert story.made[0] == (called, arguments)


@pytest.mark.parametrize(
    "said",
    [
        "hello", "你好", "What can you do?", "remind me every Monday to look at the gold price", "summarise the news",
        "search for the gold price", "how much is it?", "提醒我看黄金行情",
    ],
)  # fmt: skip
def test_what_is_no_question_about_the_market_is_left_to_others(said: str) -> None:
    story = talk()
    story.say(said)
    assert not {name for name, _ in story.made} & set(PATHS)


def test_a_price_is_told_with_its_time_and_as_a_sample() -> None:
    said = talk().say("what is gold at")
    assert "Gold (GC) is at **" in said and "As of 2026-11-20 14:00 UTC." in said
    assert "sample data, not real prices" in said


def test_an_old_price_is_called_old_in_either_language() -> None:
    assert "the market is closed or the source is behind" in talk(SATURDAY).say("what is gold at")
    assert "这是 2026-11-20 18:00 UTC 的价格：市场已休市" in talk(SATURDAY).say("黄金现在多少钱")


def test_a_chart_is_told_and_the_next_question_may_leave_the_name_out() -> None:
    story = talk()
    assert "这是大豆的周线：共 53 根" in story.say("画一下大豆的周线")
    assert story.options == ["画一下大豆的日线", "大豆现在多少钱"]
    story.say("小时线呢")
    assert story.made[0] == ("draw_chart", {"symbol": "ZS", "period": "1h"})


def test_quick_replies_are_understood_again() -> None:
    for start in ("what is gold at", "黄金现在多少钱", "draw a daily chart of copper", "画一下大豆的周线"):
        story = talk()
        story.say(start)
        assert story.options and all(read(option) and read(option).about for option in story.options)  # type: ignore[union-attr]


def test_a_name_that_is_not_known_is_answered_with_near_ones_to_press() -> None:
    story = talk()
    assert "Did you mean Gold?" in story.say("price of glod")
    assert story.options == ["What is Gold at?"]
    assert "Gold (GC) is at" in story.say(story.options[0])


def test_news_are_listed_with_source_and_day() -> None:
    said = talk().say("news about oil")
    assert said.count("- Crude oil ") == 5 and "(Sample Wire, 2026-11-" in said
    assert "原油" in talk().say("原油的新闻")


def test_no_news_offers_words_that_find_some() -> None:
    story = talk()
    assert "no news about zeppelin" in story.say("news about zeppelin")
    assert story.options[0] == "News about oil"


def test_without_a_name_it_asks_of_what() -> None:
    story = talk()
    assert "Of which future?" in story.say("draw a chart")
    assert story.options == ["Draw a daily chart of gold", "Draw a daily chart of crude oil"]


def test_a_source_that_fails_is_said() -> None:
    story = Talk(
        answers=lambda name, given: (
            "failed",
            json.dumps({"error": {"code": "x", "message": "It is down."}}),
        ),
        tools=TOOLS,
    )
    assert "That did not work: It is down." in story.say("what is gold at")
