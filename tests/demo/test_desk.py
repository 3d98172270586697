"""The desk script: what people ask in both languages, what it calls, and what they are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agents import asides
from agents.aside_words import DIGEST
from agents.demo.scripts import decide
from agents.messages import ModelMessage, Request, TextPart, ToolCallPart, ToolResultPart
from tests.agents.talk import Answer, Talk, tool

CLOCK = asides.note("For the person it is Saturday, 2026-11-21 23:31 (Asia/Shanghai).")
TOOLS = (
    tool("reminder_set", "type", "time", "content", optional=("weekday", "action")), tool("reminder_list"),
    tool("reminder_delete", "reminder_id"), tool("perplexity_search", "query"),
    tool("summary", optional=("last", "since")),
    tool("market_report", "symbols"), tool("get_price", "name"), tool("get_news", "keyword"),
    tool("draw_chart", "symbol", optional=("period",)), tool("suggest_replies", "options"),
)  # fmt: skip
TEA = {"id": "aaaa1111", "type": "once", "time": "2026-11-22 09:00", "weekday": None, "content": "Make tea",
       "action": "tell", "status": "active", "zone": "Asia/Shanghai", "next": "2026-11-22 09:00"}  # fmt: skip
WEEK = {
    **TEA,
    "id": "bbbb2222",
    "type": "weekly",
    "time": "09:00",
    "weekday": 0,
    "content": "交周报",
    "next": "2026-11-23 09:00",
}
FOUND = {"answer": "Copper conducts. [1]", "sources": [{"n": 1, "title": "Copper"}], "sample": True}
YEAR = {"symbol": "GC", "name": "Gold", "name_zh": "黄金", "change_percent": -6.6, "lowest": {"price": 2137.8},
        "highest": {"price": 2545.0}, "volatility_percent": 14.2, "sample": True}  # fmt: skip


def desk(name: str, arguments: dict[str, Any]) -> Answer:
    match name:
        case "reminder_set":
            return "succeeded", {"set": {**TEA, **arguments, "next": "2026-11-22 09:00"}}
        case "reminder_list":
            return "succeeded", {"reminders": [TEA, WEEK]}
        case "reminder_delete":
            row = next(one for one in (TEA, WEEK) if one["id"] == arguments["reminder_id"])
            return "succeeded", {"deleted": row}
        case "perplexity_search":
            return "succeeded", FOUND
        case "summary":
            return "succeeded", {"summary": "- All is well.", "messages": 4, "from": "…", "to": "…"}
        case "market_report":
            return "working", {"status": "WORKING", "ticket": "c1"}
    return "succeeded", {}


def at_desk(answers: Callable[[str, dict[str, Any]], Answer] = desk) -> Talk:
    return Talk(answers=answers, tools=TOOLS, messages=[CLOCK])


@pytest.mark.parametrize(
    ("said", "called", "arguments"),
    [
        ("remind me tomorrow at 9 to call Ann", "reminder_set",
         {"type": "once", "time": "2026-11-22 09:00", "content": "Call Ann"}),
        ("Please set a reminder for Friday at 3pm to submit the report", "reminder_set",
         {"type": "once", "time": "2026-11-27 15:00", "content": "Submit the report"}),
        ("in 10 minutes remind me of the tea", "reminder_set",
         {"type": "once", "time": "2026-11-21 23:42", "content": "The tea"}),
        ("每周一 9:00 提醒我交周报", "reminder_set",
         {"type": "weekly", "time": "09:00", "weekday": 0, "content": "交周报"}),
        ("请在明天下午3点提醒我去开会", "reminder_set",
         {"type": "once", "time": "2026-11-22 15:00", "content": "开会"}),
        ("every Monday 9:00 summarise the week", "reminder_set",
         {"type": "weekly", "time": "09:00", "weekday": 0, "content": "Summarise the week", "action": "run"}),
        ("每周一早上九点总结本周", "reminder_set",
         {"type": "weekly", "time": "09:00", "weekday": 0, "content": "总结本周", "action": "run"}),
        ("明天早上8点搜索黄金新闻", "reminder_set",
         {"type": "once", "time": "2026-11-22 08:00", "content": "搜索黄金新闻", "action": "run"}),
        ("list my reminders", "reminder_list", {}), ("我的提醒有哪些", "reminder_list", {}),
        ("search the web for what moves copper", "perplexity_search", {"query": "what moves copper"}),
        ("搜索铜价受什么影响", "perplexity_search", {"query": "铜价受什么影响"}),
        ("summarise our conversation", "summary", {}), ("总结最近30条", "summary", {"last": 30}),
        ("summarise the last 20 messages", "summary", {"last": 20}),
        ("summarise the last three messages", "summary", {"last": 3}), ("总结最近十五条消息", "summary", {"last": 15}),
        ("summarise since 9:00", "summary", {"since": "09:00"}),
        ("总结一下今天的对话", "summary", {"since": "2026-11-21 00:00"}),
        ("what did we talk about this week", "summary", {"since": "2026-11-16 00:00"}),
        ("write a market report on gold and crude oil", "market_report", {"symbols": ["GC", "CL"]}),
        ("写一份黄金和原油的市场报告", "market_report", {"symbols": ["GC", "CL"]}),
        ("draw a daily chart of copper", "draw_chart", {"symbol": "copper", "period": "1d"}),
        ("what is gold at", "get_price", {"name": "gold"}),
    ],
)  # fmt: skip
def test_it_calls_what_is_meant(said: str, called: str, arguments: dict[str, Any]) -> None:
    reply = at_desk().hear(said)
    (made,) = [one for one in reply.calls if one.name != "suggest_replies"]
    assert (made.name, json.loads(made.arguments)) == (called, arguments)


def test_it_says_when_it_will_remind_and_of_what() -> None:
    talk = at_desk()
    assert (
        "**Call Ann**" in talk.say("remind me tomorrow at 9 to call Ann") and "2026-11-22 09:00" in talk.text
    )
    assert talk.options == ["List my reminders"]
    assert "您没有说具体时间" in at_desk().say("明天提醒我喝水")


def test_a_reminder_without_a_time_is_asked_for_one() -> None:
    talk = at_desk()
    assert "When shall I" in talk.say("remind me to call Ann") and "Tomorrow at 9:00" in talk.options
    talk.say("Tomorrow at 9:00")
    assert talk.made == [
        ("reminder_set", {"type": "once", "time": "2026-11-22 09:00", "content": "Call Ann"})
    ]


@pytest.mark.parametrize(
    ("said", "deleted"),
    [
        ("delete the reminder about tea", "aaaa1111"),
        ("delete reminder number 2", "bbbb2222"),
        ("删除周报的提醒", "bbbb2222"),
        ("删除第一个提醒", "aaaa1111"),
        ("cancel the last reminder", "bbbb2222"),
        ("delete the reminder bbbb2222", "bbbb2222"),
    ],
)  # fmt: skip
def test_the_reminder_that_is_meant_is_looked_up_and_deleted(said: str, deleted: str) -> None:
    talk = at_desk()
    talk.say(said)
    assert talk.made == [("reminder_list", {}), ("reminder_delete", {"reminder_id": deleted})]


@pytest.mark.parametrize(
    "said", ["delete my reminder", "delete the reminder about cake", "delete reminder number 9"]
)
def test_where_it_is_not_clear_which_one_it_asks(said: str) -> None:
    talk = at_desk()
    talk.say(said)
    assert talk.made == [("reminder_list", {})]
    assert talk.options == ["Delete reminder number 1", "Delete reminder number 2"]


@pytest.mark.parametrize(
    ("first", "then", "made"),
    [
        ("remind me tomorrow", "at nine to call Ann", ("2026-11-22 09:00", "Call Ann")),
        ("remind me tomorrow at 9", "call Ann", ("2026-11-22 09:00", "Call Ann")),
        ("明天9点提醒我", "给小安打电话", ("2026-11-22 09:00", "给小安打电话")),
    ],
)
def test_after_the_question_what_the_answer_is_understood(
    first: str, then: str, made: tuple[str, str]
) -> None:
    talk = at_desk()
    talk.say(first)
    assert talk.made == []
    talk.say(then)
    [(name, arguments)] = talk.made
    assert (name, arguments["time"], arguments["content"]) == ("reminder_set", *made)


def test_after_the_question_what_something_else_may_be_asked() -> None:
    talk = at_desk()
    talk.say("remind me tomorrow at 9")
    talk.say("list my reminders")
    assert talk.made == [("reminder_list", {})]


def test_what_was_found_is_told_with_its_numbers_and_as_sample_data() -> None:
    assert at_desk().say("search for copper").endswith("Copper conducts. [1]\n\nThese are sample data.")


@pytest.mark.parametrize(
    ("status", "told", "words"),
    [
        ("failed", {"error": {"code": "search_busy", "message": "Too often."}}, "Too often."),
        ("pending_confirmation", {"status": "PENDING"}, "waits for a reviewer"),
        ("denied", {"status": "DENIED"}, "I leave it"),
    ],
)
def test_what_did_not_happen_is_said(status: str, told: dict[str, Any], words: str) -> None:
    assert words in at_desk(lambda name, arguments: (status, told)).say("search for copper")


def test_a_summary_is_given_as_it_is_and_nothing_as_nothing() -> None:
    assert "- All is well." in at_desk().say("summarise this") and "4 messages" in at_desk().say(
        "summarise this"
    )
    nothing = at_desk(lambda name, arguments: ("succeeded", {"messages": 0}))
    assert "nothing to summarise" in nothing.say("summarise this")


def after_a_report(status: str, content: str, *after: ModelMessage) -> str:
    """What is said in the run that a job's outcome began."""
    talk = at_desk()
    talk.say("write a market report on gold")
    call = next(part for part in talk.messages[-3].parts if isinstance(part, ToolCallPart))
    results = ModelMessage("tool", (ToolResultPart(call.call, call.name, content, status),))
    told = asides.note(f"The background call market_report (ticket {call.call}) has ended: {status}. …")
    messages = (*talk.messages[:-2], results, talk.messages[-1], told, *after)
    return decide(replace(talk.request(), messages=messages)).text


def test_a_report_is_announced_and_its_outcome_told_when_it_arrives() -> None:
    assert "in the background" in at_desk().say("write a market report on gold")
    told = after_a_report(
        "succeeded", '{"futures": [' + str(YEAR).replace("'", '"').replace("True", "true") + "]}"
    )
    assert "| Gold (GC) | -6.6 % | 2,137.8 | 2,545.0 | 14 % |" in told and "sample data" in told


def test_a_report_that_came_while_something_else_was_said_is_told_after_it() -> None:
    between = (ModelMessage("user", (TextPart("echo hi"),)), ModelMessage("assistant", (TextPart("hi"),)))
    assert "cancelled" in after_a_report(
        "failed", '{"error": {"code": "cancelled", "message": "x"}}', *between
    )


@pytest.mark.parametrize(
    ("status", "content", "words"),
    [
        ("failed", '{"error": {"code": "no_data", "message": "No source."}}', "No source."),
        ("unknown", "{}", "Nobody knows"),
    ],
)
def test_a_report_that_did_not_work_out_says_why(status: str, content: str, words: str) -> None:
    assert words in after_a_report(status, content)


def test_in_a_group_the_name_before_the_words_is_no_part_of_them() -> None:
    group = {
        "group": {"people": ["Ann", "Bob"], "speaker": "Bob", "agent": ["General assistant", "assistant"]}
    }
    said = ModelMessage("user", (TextPart("Bob: @General assistant remind us tomorrow at 9 to call Ann"),))
    reply = decide(Request("demo", "", (CLOCK, said), TOOLS, settings=group))
    assert '"content": "Call Ann"' in reply.calls[0].arguments


def test_what_it_can_do_is_said_in_both_languages() -> None:
    for said, word in (("What can you do?", "reminders"), ("你能做什么？", "提醒")):
        talk = at_desk()
        assert word in talk.say(said) and len(talk.options) == 4


@pytest.mark.parametrize("said", ["what is gold at", "news about oil", "hello there", "lorem ipsum"])
def test_without_its_tools_it_leaves_things_to_the_others(said: str) -> None:
    talk = Talk(
        tools=tuple(one for one in TOOLS if one.name in ("get_price", "suggest_replies")), messages=[CLOCK]
    )
    assert all(call.name in ("get_price", "suggest_replies") for call in talk.hear(said).calls)


def digest(text: str) -> str:
    return decide(Request("demo", DIGEST, (ModelMessage("user", (TextPart(text),)),))).text


def test_its_summary_is_in_the_askers_language_and_goes_on_from_the_last_part() -> None:
    lines = "--- 2026-11-20 ---\n12:03 Ann: What is gold at?\n12:03 The assistant used get_price with {} (succeeded): 1"
    assert digest(f"For the person who wrote last: “总结一下”\n\n{lines}") == (
        "要点：\n- Ann：What is gold at?\n- 用过的工具：get_price × 1"
    )
    on = digest(
        f"For the person who wrote last: “sum up”\n\nSummary of what was said before:\n- Bob: Hi\n\nThen:\n{lines}"
    )
    assert on.splitlines()[:3] == ["In short:", "- Bob: Hi", "- Ann: What is gold at?"]
