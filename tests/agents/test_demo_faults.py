"""The demo model plays faults on request, so that retries and fallbacks are tried without a key."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from agents.demo import faults
from agents.demo.faults import Fault, read
from agents.messages import ModelMessage, Request, TextPart
from agents.providers.base import ErrorCode, ProviderError
from agents.providers.demo import DemoProvider
from agents.spec import ModelSpec
from agents.stream import Finish, Reply, StreamEvent, fold
from platform_site.env import env

DEMO = ModelSpec("demo", "demo", "demo")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(env, "demo_pace_ms", 0)


def asking(*texts: str) -> Request:
    roles = ["user" if n % 2 == 0 else "assistant" for n in range(len(texts))]
    told = (ModelMessage(role, (TextPart(text),)) for role, text in zip(roles, texts, strict=True))  # type: ignore[arg-type]
    return Request("demo", "Be kind.", tuple(told))


def tried(provider: DemoProvider, *texts: str) -> Reply | ErrorCode:
    async def scenario() -> list[StreamEvent]:
        async with aclosing(provider.stream(asking(*texts), DEMO)) as stream:
            return [event async for event in stream]

    try:
        return fold(asyncio.run(scenario()))
    except ProviderError as error:
        return error.code


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("fault 503", Fault("503")),
        ("Fault 429 quota", Fault("429 quota")),
        ("fault 503 twice then count to 20", Fault("503", 2, None, "count to 20")),
        ("fault 429 3 times wait 12", Fault("429", 3, 12.0)),
        ("fault drop always then\ncall look {}", Fault("drop", 1_000_000, None, "call look {}")),
        ("fault lines are mended how?", None),
        ("fault 503 and something else", None),
        ("whose fault 503 is it", None),
        ("", None),
    ],
)
def test_what_is_a_fault_and_what_is_talk(text: str, fault: Fault | None) -> None:
    assert read(text) == fault


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("429", "rate_limited"), ("429 quota", "quota_exhausted"), ("500", "overloaded"), ("503", "overloaded"),
        ("401", "auth"), ("400", "bad_request"), ("context", "context_too_long"), ("timeout", "timeout"),
        ("drop", "network"), ("malformed", "malformed"),
    ],
)  # fmt: skip
def test_a_fault_is_played_once_then_the_rest_is_answered(kind: str, code: ErrorCode) -> None:
    provider = DemoProvider()
    text = f"fault {kind} then count to 3"
    assert tried(provider, text) == code
    assert fold_text(tried(provider, text)) == "1 2 3"
    assert tried(provider, text) == code, "the same message another time begins anew"


def fold_text(tried: Reply | ErrorCode) -> str:
    assert isinstance(tried, Reply)
    return tried.text


def test_as_often_as_it_says() -> None:
    provider = DemoProvider()
    assert [tried(provider, "fault 503 twice") for _ in range(2)] == ["overloaded", "overloaded"]
    assert fold_text(tried(provider, "fault 503 twice")) == faults.ANSWER.removeprefix("echo ")


def test_a_message_further_on_is_another_message() -> None:
    provider = DemoProvider()
    assert tried(provider, "fault 503") == "overloaded"
    assert tried(provider, "hello", "Hi", "fault 503") == "overloaded"


def test_endings_that_are_no_errors() -> None:
    provider = DemoProvider()
    reasons = {}
    for kind in ("blocked", "empty", "cut"):
        reply = tried(provider, f"fault {kind} then echo one two three")
        assert isinstance(reply, Reply) and isinstance(reply.finish, Finish)
        reasons[kind] = (reply.finish.reason, reply.text)
    assert reasons == {"blocked": ("blocked", ""), "empty": ("empty", ""), "cut": ("length", "one tw")}


def test_thoughts_come_before_the_answer() -> None:
    reply = tried(DemoProvider(), "fault think then count to 2")
    assert isinstance(reply, Reply)
    assert (reply.text, reply.thinking[:5]) == ("1 2", "First")


def test_a_break_in_the_middle_comes_after_half_the_answer() -> None:
    heard: list[StreamEvent] = []

    async def scenario() -> None:
        async with aclosing(
            DemoProvider().stream(asking("fault break then echo one two three"), DEMO)
        ) as stream:
            async for event in stream:
                heard.append(event)

    with pytest.raises(ProviderError) as raised:
        asyncio.run(scenario())
    assert raised.value.code == "network"
    assert fold(heard).text_so_far() == "one tw"


def test_a_bug_is_no_provider_error() -> None:
    with pytest.raises(RuntimeError):
        tried(DemoProvider(), "fault bug")
