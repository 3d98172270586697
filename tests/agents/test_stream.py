"""The demo provider streams what its script decided, as a real model would; `fold` puts any stream together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.demo.script import Scripted, ScriptedCall
from agents.demo.scripts import decide
from agents.messages import ModelMessage, Request, TextPart
from agents.providers.demo import DemoProvider, pieces
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, StreamEvent, TextDelta, fold
from platform_site.env import env
from tests.agents.talk import MALL

DEMO = ModelSpec("demo", "demo", "demo-1")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(env, "demo_pace_ms", 0)


def asking(text: str) -> Request:
    return Request("demo", "Be kind.", (ModelMessage("user", (TextPart(text),)),), MALL)


async def everything(stream: AsyncGenerator[StreamEvent]) -> list[StreamEvent]:
    async with aclosing(stream) as events:
        return [event async for event in events]


def streamed(text: str) -> list[StreamEvent]:
    return asyncio.run(everything(DemoProvider().stream(asking(text), DEMO)))


@pytest.mark.parametrize(
    "text",
    [
        "Nike running shoes under 500",
        "帮我买一双 Nike 跑鞋",
        "where is Nike and Adidas?",
        "hello",
        "echo  a\n b ",
    ],
)
def test_the_stream_folds_to_the_scripted_reply(text: str) -> None:
    decided, reply = decide(asking(text)), fold(streamed(text))
    assert reply.text == decided.text
    assert [(call.name, call.arguments) for call in reply.calls] == [
        (c.name, c.arguments) for c in decided.calls
    ]
    assert len({call.id for call in reply.calls}) == len(decided.calls)


@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=3))
def test_cutting_up_loses_nothing(text: str, arguments: list[str]) -> None:
    calls = tuple(ScriptedCall("tool", raw) for raw in arguments)
    reply = fold([*pieces(Scripted(text, calls)), Finish("stop", "demo")])
    assert reply.text == text
    assert [call.arguments for call in reply.calls] == arguments


def test_text_comes_in_small_pieces_and_arguments_in_several() -> None:
    events = streamed("帮我买一双 Nike 跑鞋，500 以内的")
    texts = [event.text for event in events if isinstance(event, TextDelta)]
    fragments = [event for event in events if isinstance(event, CallDelta) and event.arguments]
    assert len(texts) > 5 and max(map(len, texts)) < 26
    assert len(fragments) > 1


def test_the_stream_ends_with_the_model_and_estimated_tokens() -> None:
    end = streamed("count to 400")[-1]
    assert isinstance(end, Finish)
    assert (end.reason, end.model) == ("stop", "demo")
    assert end.input_tokens > 100 and end.output_tokens > 300


def test_a_long_answer_lets_others_run() -> None:
    async def scenario() -> int:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        other = asyncio.create_task(tick())
        await everything(DemoProvider().stream(asking("count to 5000"), DEMO))
        other.cancel()
        return ticks

    assert asyncio.run(scenario()) > 100


def test_pieces_are_paced(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(env, "demo_pace_ms", 20)
    monkeypatch.setattr("agents.providers.demo.asyncio.sleep", sleep)
    streamed("count to 30")
    assert waits == [0.02] * 30


def test_closing_stops_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(env, "demo_pace_ms", 60_000)

    async def scenario() -> None:
        stream = DemoProvider().stream(asking("count to 5000"), DEMO)
        first = asyncio.create_task(anext(stream))
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        await stream.aclose()
        with pytest.raises(StopAsyncIteration):
            await anext(stream)

    asyncio.run(asyncio.wait_for(scenario(), 5))


# Folding any provider's stream


def test_interleaved_parallel_calls_are_kept_apart() -> None:
    """T77."""
    reply = fold(
        [
            CallDelta(0, "a", "one"),
            CallDelta(1, "b", "two"),
            CallDelta(0, arguments='{"x"'),
            CallDelta(1, arguments="{"),
            CallDelta(0, arguments=": 1}"),
            TextDelta("so"),
            CallDelta(1, arguments="}"),
            TextDelta(" it is"),
            Finish("stop", "m"),
        ]
    )
    assert reply.text == "so it is"
    assert [(c.id, c.name, c.arguments) for c in reply.calls] == [
        ("a", "one", '{"x": 1}'),
        ("b", "two", "{}"),
    ]


def test_a_call_without_an_id_or_named_late_or_twice_is_one_call() -> None:
    """T77."""
    reply = fold(
        [
            CallDelta(3),
            CallDelta(3, name="late"),
            CallDelta(3, name="late", arguments="{}"),
            Finish("stop", "m"),
        ]
    )
    assert [(c.id, c.name, c.arguments) for c in reply.calls] == [("", "late", "{}")]


def test_a_reply_without_its_end_is_not_complete() -> None:
    """T15."""
    reply = fold([TextDelta("half"), CallDelta(0, "a", "pay", '{"amount": 5')])
    assert reply.finish is None
    assert reply.text_so_far() == "half"


def test_the_text_so_far_can_be_asked_at_any_time() -> None:
    reply = fold([TextDelta("a"), TextDelta("b")])
    assert reply.text_so_far() == "ab"
    reply.add(TextDelta("c"))
    reply.add(Finish("length", "m"))
    assert reply.text == reply.text_so_far() == "abc"
