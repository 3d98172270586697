"""How a Gemini stream is read: ends of every kind, odd forms, and that closing it hangs up at once (T76)."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from agents.messages import ModelMessage, TextPart
from agents.providers import clients
from agents.providers.base import ErrorCode
from agents.providers.gemini import Gemini
from agents.stream import TextDelta
from platform_site.env import env
from tests.agents.wire.cases import MODEL, REQUESTS
from tests.agents.wire.driving import ask
from tests.agents.wire.files import Wire
from tests.agents.wire.gemini_talk import SSE, finish_of, gemini, said, stream_of, talk
from tests.agents.wire.server import Seen, WireServer

PLAIN = REQUESTS["plain"]
HI = {"text": "Hi"}
CALL = {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}}
PIECE = stream_of(said(HI)).whole


@pytest.mark.parametrize("separator", [b"\r\n\r\n", b"\n\n", b"\r\r"])
def test_lines_may_end_as_they_like(monkeypatch: Any, separator: bytes) -> None:
    """Google's own end in CRLF."""
    wire = stream_of(said({"text": "a\u2028b\n"}), said({"text": "c"}, end="STOP"), separator=separator)
    (heard,), _seen = talk(monkeypatch, wire, PLAIN)
    assert heard.reply.text == "a\u2028b\nc"


@pytest.mark.parametrize(
    ("reason", "parts", "finish", "detail"),
    [
        ("STOP", [HI], "stop", ""),
        ("STOP", [CALL], "stop", ""),
        ("STOP", [], "empty", ""),
        ("STOP", [{"text": "hm", "thought": True}], "empty", ""),
        ("MAX_TOKENS", [], "length", ""),
        ("MAX_TOKENS", [CALL], "length", ""),
        ("CONTINUATION", [HI], "length", ""),
        ("SAFETY", [], "blocked", "SAFETY"),
        ("PROHIBITED_CONTENT", [HI], "blocked", "PROHIBITED_CONTENT"),
        ("SPII", [], "blocked", "SPII"),
        ("BLOCKLIST", [], "blocked", "BLOCKLIST"),
        ("IMAGE_SAFETY", [], "blocked", "IMAGE_SAFETY"),
        ("MODEL_ARMOR", [], "blocked", "MODEL_ARMOR"),
        ("LANGUAGE", [], "blocked", "LANGUAGE"),
        ("OTHER", [], "length", "OTHER"),
        ("A_REASON_OF_NEXT_YEAR", [HI, CALL], "length", "A_REASON_OF_NEXT_YEAR"),
    ],
)
def test_every_reason_ends_a_reply(
    monkeypatch: Any, reason: str, parts: Any, finish: str, detail: str
) -> None:
    """What is not known to be whole is never taken for whole: its calls are cut-off calls."""
    (heard,), _seen = talk(monkeypatch, stream_of(said(*parts, end=reason)), PLAIN)
    ended = finish_of(heard)
    assert (ended.reason, ended.detail, ended.model) == (finish, detail, MODEL)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("MALFORMED_FUNCTION_CALL", "malformed"),
        ("UNEXPECTED_TOOL_CALL", "malformed"),
        ("TOO_MANY_TOOL_CALLS", "malformed"),
        ("MALFORMED_RESPONSE", "malformed"),
        ("MISSING_THOUGHT_SIGNATURE", "bad_request"),
        ("PUP_LIMITED_DISABLED", "auth"),
    ],
)
def test_some_reasons_are_failures(monkeypatch: Any, reason: str, code: ErrorCode) -> None:
    (heard,), _seen = talk(monkeypatch, stream_of(said(end=reason, finishMessage="because")), PLAIN)
    assert heard.error is not None
    assert (heard.error.code, heard.error.detail) == (code, f"{reason}: because")


def test_a_refused_question_is_told_with_its_reasons(monkeypatch: Any) -> None:
    ratings = [
        {"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"},
        {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH"},
    ]
    feedback = {"blockReason": "SAFETY", "blockReasonMessage": "Not this.", "safetyRatings": ratings}
    (heard,), _seen = talk(monkeypatch, stream_of({"promptFeedback": feedback}), PLAIN)
    assert finish_of(heard).reason == "blocked"
    assert finish_of(heard).detail == "SAFETY (dangerous content): Not this."


@pytest.mark.parametrize(
    "call", [{"args": {}}, {"name": "weather", "partialArgs": []}, {"name": "weather", "willContinue": True}]
)
def test_a_call_without_a_name_or_in_pieces_is_malformed(monkeypatch: Any, call: Any) -> None:
    (heard,), _seen = talk(monkeypatch, stream_of(said({"functionCall": call}, end="STOP")), PLAIN)
    assert heard.error is not None and heard.error.code == "malformed"


@pytest.mark.parametrize(
    "chunk",
    [
        {"candidates": {}},
        {"candidates": ["x"]},
        said("x"),
        {"candidates": [{"content": "x"}]},
        said(CALL | {"functionCall": "x"}),
    ],
)
def test_an_answer_in_an_unknown_form_is_an_error_and_no_crash(monkeypatch: Any, chunk: Any) -> None:
    (heard,), _seen = talk(monkeypatch, stream_of(chunk), PLAIN)
    assert heard.error is not None and heard.error.code in ("bad_request", "network")


@pytest.mark.parametrize("body", [b"data: [1]\n\n", b"data: null\n\n", b": only a comment\n\n", b""])
def test_a_stream_of_something_else_is_broken(monkeypatch: Any, body: bytes) -> None:
    (heard,), _seen = talk(monkeypatch, Wire(200, SSE, (body,) if body else ()), PLAIN)
    assert heard.error is not None and heard.error.code == "network"


@pytest.mark.parametrize("end", ["drop", "close", "stall"])
def test_what_breaks_after_the_end_of_the_reply_is_no_matter(monkeypatch: Any, end: Any) -> None:
    wire = Wire(200, SSE, (stream_of(said(HI, end="STOP")).whole,), end)
    (heard,), _seen = talk(monkeypatch, wire, PLAIN)
    assert finish_of(heard).reason == "stop"


def test_only_the_first_candidate_is_read(monkeypatch: Any) -> None:
    two = {
        "candidates": [
            *said(HI, end="STOP")["candidates"],
            *said({"text": "Other"}, end="STOP")["candidates"],
        ]
    }
    (heard,), _seen = talk(monkeypatch, stream_of(two), PLAIN)
    assert heard.reply.text == "Hi"


def test_the_last_count_of_tokens_is_the_one(monkeypatch: Any) -> None:
    counts = {
        "promptTokenCount": 10,
        "toolUsePromptTokenCount": 3,
        "candidatesTokenCount": 5,
        "thoughtsTokenCount": 2,
    }
    first = said(HI) | {"usageMetadata": {"promptTokenCount": 9}}
    (heard,), _seen = talk(monkeypatch, stream_of(first, said(end="STOP") | {"usageMetadata": counts}), PLAIN)
    ended = finish_of(heard)
    assert (ended.input_tokens, ended.output_tokens, ended.thinking_tokens) == (13, 7, 2)


def test_closing_the_stream_hangs_up_at_once(monkeypatch: Any) -> None:
    monkeypatch.setattr(env, "gemini_api_key", None)

    async def scenario() -> float:
        async with WireServer(Wire(200, SSE, (PIECE,), "stall")) as server:
            monkeypatch.setattr(env, "gemini_base_url", server.url)
            async with aclosing(Gemini().stream(PLAIN, gemini())) as stream:
                assert await anext(stream) == TextDelta("Hi")
                closed = time.monotonic()
            seconds = await _until_gone(server.seen[0]) - closed
        await clients.close()
        return seconds

    assert asyncio.run(scenario()) < 0.1


@pytest.mark.parametrize("body", [(PIECE,), ()], ids=["in mid-stream", "before the first byte"])
def test_cancelling_the_reader_hangs_up_at_once(monkeypatch: Any, body: Any) -> None:
    monkeypatch.setattr(env, "gemini_api_key", None)

    async def scenario() -> float:
        came = asyncio.Event()

        def answer(_seen: Seen) -> Wire:
            came.set()
            return Wire(200, SSE, body, "stall")

        async with WireServer(answer) as server:
            monkeypatch.setattr(env, "gemini_base_url", server.url)
            reader = asyncio.create_task(_read())
            await came.wait()
            await asyncio.sleep(0.02)
            reader.cancel()
            cancelled = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await reader
            seconds = await _until_gone(server.seen[0]) - cancelled
        await clients.close()
        return seconds

    assert asyncio.run(scenario()) < 0.1


async def _read() -> None:
    async with aclosing(Gemini().stream(PLAIN, gemini())) as stream:
        async for _event in stream:
            pass


async def _until_gone(seen: Seen) -> float:
    await asyncio.wait_for(seen.gone.wait(), 2)
    assert seen.gone_at is not None
    return seen.gone_at


def test_two_replies_at_once_do_not_mix(monkeypatch: Any) -> None:
    """The SDK's client is one for all; each request's address, key and answer are its own."""
    monkeypatch.setattr(env, "gemini_api_key", None)

    def answer(seen: Seen) -> Wire:
        asked = seen.json["contents"][0]["parts"][0]["text"]
        return Wire(
            200, SSE, (stream_of(said({"text": asked})).whole, 0.02, stream_of(said(end="STOP")).whole)
        )

    async def one(text: str) -> str:
        request = replace(PLAIN, messages=(ModelMessage("user", (TextPart(text),)),))
        return (await ask(Gemini(), request, gemini())).reply.text

    async def scenario() -> list[str]:
        async with WireServer(answer) as server:
            monkeypatch.setattr(env, "gemini_base_url", server.url)
            heard = await asyncio.gather(*(one(str(number)) for number in range(8)))
        await clients.close()
        return heard

    assert asyncio.run(scenario()) == [str(number) for number in range(8)]
