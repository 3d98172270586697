"""What Gemini said goes back to it unchanged, and to nobody else: thought signatures survive a turn with tools."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agents.messages import (
    ModelMessage,
    Native,
    Part,
    Request,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from agents.providers.gemini_history import UNSIGNED
from tests.agents.wire.cases import MODEL, REQUESTS
from tests.agents.wire.driving import Heard
from tests.agents.wire.gemini_talk import KEY, finish_of, said, stream_of, talk

SIGNATURE = "CiQBcsjafB3Qm0zdW9xLz2V/4hX+0Yp1kQm5sVb8n0c3bZy1pQoKlwEBcsjafE8kW2m9dA=="
THOUGHT = {"text": "Two cities.", "thought": True}
FIRST = {"text": "Let me "}
SECOND = {"text": "look. 你好"}
OSLO = {
    "functionCall": {"name": "weather", "args": {"city": "Oslo", "near": 1.0}, "id": "a1b2"},
    "thoughtSignature": SIGNATURE,
}
LIMA = {"functionCall": {"id": "c3d4", "name": "weather", "args": {"city": "Lima"}}}
NEW = {"newThing": {"of": ["next", "year"]}, "thoughtSignature": "Zm9v"}
PARTS = [THOUGHT, FIRST, SECOND, OSLO, LIMA, NEW]
ANSWER = stream_of(
    said(THOUGHT), said(FIRST), said(SECOND), said(OSLO, LIMA), said(NEW, {"text": ""}, end="STOP")
)
DONE = stream_of(said({"text": "Rain."}, end="STOP"))
ASKED = REQUESTS["plain"]


def told_by(heard: Heard, *, model: str = MODEL, provider: str = "gemini") -> ModelMessage:
    """The reply as the conversation keeps it: our own call ids, and the native part through a database."""
    reply = heard.reply
    parts: list[Part] = [ThinkingPart(reply.thinking)] if reply.thinking else []
    parts.append(TextPart(reply.text))
    parts += [ToolCallPart(f"ours{nth}", call.name, call.arguments) for nth, call in enumerate(reply.calls)]
    native = json.loads(json.dumps(finish_of(heard).native))
    return ModelMessage("assistant", tuple(parts), Native(provider, model, native))


def answered(message: ModelMessage) -> ModelMessage:
    calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
    results = (
        ToolResultPart(call.call, call.name, f"rain {nth}", "succeeded") for nth, call in enumerate(calls)
    )
    return ModelMessage("tool", tuple(results))


def asked_again(message: ModelMessage, **changed: Any) -> Request:
    return replace(ASKED, messages=(*ASKED.messages, message, answered(message)), **changed)


@pytest.fixture
def heard(monkeypatch: Any) -> Heard:
    return talk(monkeypatch, ANSWER, ASKED)[0][0]


def test_every_part_goes_back_as_it_came_in_the_same_order(monkeypatch: Any, heard: Heard) -> None:
    message = told_by(heard)
    _heard, (seen,) = talk(monkeypatch, DONE, asked_again(message))

    assert [content["role"] for content in seen.json["contents"]] == ["user", "model", "user"]
    assert json.dumps(PARTS).encode() in seen.body, "byte for byte, but for the outer JSON's spaces"


def test_results_come_in_one_turn_under_the_models_own_ids_in_call_order(
    monkeypatch: Any, heard: Heard
) -> None:
    _heard, (seen,) = talk(monkeypatch, DONE, asked_again(told_by(heard)))

    assert seen.json["contents"][2]["parts"] == [
        {"functionResponse": {"id": "a1b2", "name": "weather", "response": {"output": "rain 0"}}},
        {"functionResponse": {"id": "c3d4", "name": "weather", "response": {"output": "rain 1"}}},
    ]


def test_a_call_that_came_without_an_id_is_answered_without_one(monkeypatch: Any) -> None:
    nameless = {"functionCall": {"name": "weather", "args": {}}, "thoughtSignature": SIGNATURE}
    (heard,), _seen = talk(monkeypatch, stream_of(said(nameless, end="STOP")), ASKED)
    _heard, (seen,) = talk(monkeypatch, DONE, asked_again(told_by(heard)))

    assert seen.json["contents"][1]["parts"] == [nameless]
    assert seen.json["contents"][2]["parts"] == [
        {"functionResponse": {"name": "weather", "response": {"output": "rain 0"}}}
    ]


def test_a_plain_reply_keeps_nothing_beside_its_text_and_calls(monkeypatch: Any) -> None:
    plain = stream_of(
        said({"text": "Hi"}), said({"functionCall": {"name": "weather", "args": {}}}, end="STOP")
    )
    (heard,), _seen = talk(monkeypatch, plain, ASKED)

    assert finish_of(heard).native is None


def test_a_part_that_no_database_can_keep_unchanged_is_not_kept_at_all(monkeypatch: Any) -> None:
    odd = {"text": "a\0b", "thoughtSignature": SIGNATURE}
    (heard,), _seen = talk(monkeypatch, stream_of(said(odd, end="STOP")), ASKED)

    assert finish_of(heard).native is None


NEUTRAL = [
    {"text": "Let me look. 你好"},
    {"functionCall": {"id": "ours0", "name": "weather", "args": {"city": "Oslo", "near": 1.0}}},
    {"functionCall": {"id": "ours1", "name": "weather", "args": {"city": "Lima"}}},
]
NEUTRAL_RESULTS = [
    {"functionResponse": {"id": "ours0", "name": "weather", "response": {"output": "rain 0"}}},
    {"functionResponse": {"id": "ours1", "name": "weather", "response": {"output": "rain 1"}}},
]


@pytest.mark.parametrize(
    ("provider", "model"), [("gemini", "another-model"), ("openai-responses", MODEL), ("openai", "gpt")]
)
def test_what_another_model_said_is_told_without_signatures_and_thoughts(
    monkeypatch: Any, heard: Heard, provider: str, model: str
) -> None:
    message = told_by(heard, provider=provider, model=model)
    _heard, (seen,) = talk(monkeypatch, DONE, asked_again(message))

    assert seen.json["contents"][1:] == [
        {"role": "model", "parts": NEUTRAL},
        {"role": "user", "parts": NEUTRAL_RESULTS},
    ]
    assert SIGNATURE.encode() not in seen.body


def test_signatures_made_under_another_key_are_not_sent(monkeypatch: Any) -> None:
    (heard,), _seen = talk(monkeypatch, ANSWER, ASKED, key=KEY)
    request = asked_again(told_by(heard))

    _heard, (with_it,) = talk(monkeypatch, DONE, request, key=KEY)
    _heard, (with_another,) = talk(monkeypatch, DONE, request, key=KEY.lower())

    assert SIGNATURE.encode() in with_it.body
    assert SIGNATURE.encode() not in with_another.body
    assert KEY not in json.dumps(finish_of(heard).native)


def test_a_reply_with_fewer_calls_than_were_kept_is_told_neutrally(monkeypatch: Any, heard: Heard) -> None:
    """A call more or less than Gemini knows of would make it refuse the whole history."""
    message = told_by(heard)
    short = replace(message, parts=message.parts[:-1])
    _heard, (seen,) = talk(monkeypatch, DONE, asked_again(short))

    assert seen.json["contents"][1]["parts"] == NEUTRAL[:-1]


def test_gemini_3_is_told_which_calls_of_this_turn_nobody_signed(monkeypatch: Any, heard: Heard) -> None:
    """It refuses an unsigned call of the turn that goes on; the first of a reply is the one that is signed."""
    message = told_by(heard, provider="openai", model="gpt")
    earlier = (message, answered(message), ModelMessage("user", (TextPart("And now?"),)))
    request = replace(
        ASKED, model="gemini-3.8-flash", messages=(*ASKED.messages, *earlier, message, answered(message))
    )
    _heard, (seen,) = talk(monkeypatch, DONE, request)

    before, now = seen.json["contents"][1], seen.json["contents"][4]
    assert before["parts"] == NEUTRAL
    assert [part.get("thoughtSignature") for part in now["parts"]] == [None, UNSIGNED, None]


def test_an_older_gemini_is_told_nothing_of_signatures(monkeypatch: Any, heard: Heard) -> None:
    request = asked_again(told_by(heard, provider="openai", model="gpt"), model="gemini-2.5-pro")
    _heard, (seen,) = talk(monkeypatch, DONE, request)

    assert b"thoughtSignature" not in seen.body
