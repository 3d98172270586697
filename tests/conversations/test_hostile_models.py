"""A model server that lies, floods or never ends: the run still ends, once, and can be stored (T68, T77)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agents import bounds, tokens
from agents.providers import network
from agents.stream import CallDelta, Reply
from agents.usage import booking
from agents.usage.models import UsageEntry
from conversations.engine import Moving
from conversations.models import Message
from conversations.runner import Runner
from tests.agents.wire.files import Wire
from tests.agents.wire.server import WireServer
from tests.conversations.conftest import HAPPENED, Talk
from tests.conversations.test_faults import HEADERS, Wired, says, streamed, wired
from tests.cost import cost_of

__all__ = ["wired"]


def with_last(more: dict[str, Any]) -> Wire:
    """Hello, and a last chunk with `more` in it."""
    chunks = [
        {"choices": [{"index": 0, "delta": {"content": "Hello"}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], **more},
    ]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    return Wire(200, HEADERS, (body.encode(),))


@pytest.mark.parametrize("count", [-5, 2**63, 10**40, 1e300, True, "12", [3]], ids=str)
def test_numbers_that_are_no_counts_do_not_break_the_booking(wired: Wired, count: Any) -> None:
    """They broke the transaction of the reply; the run was taken up again, and the model asked, every nine seconds."""
    usage = {"prompt_tokens": count, "completion_tokens": count}
    details = {"prompt_tokens_details": {"cached_tokens": count}}
    run = wired.turn("hello", with_last({"usage": usage | details}))
    assert (run.outcome, len(wired.seen)) == ("success", 1)
    entry = UsageEntry.objects.get()
    assert 0 <= entry.input_tokens <= 10**9
    assert 0 <= entry.cached_tokens <= 10**9


@pytest.mark.parametrize("name", ["m" * 5000, "a\0b", 7, "\n"], ids=["long", "nul", "number", "line"])
def test_a_model_may_call_itself_anything(wired: Wired, name: Any) -> None:
    assert wired.turn("hello", with_last({"model": name})).outcome == "success"
    written = Message.objects.get(role="assistant").model
    assert "\0" not in written
    assert len(written) <= 120


CALLS: dict[str, dict[str, str]] = {
    "long name": {"name": "l" * 100_000},
    "nul in the name": {"name": "lo\0ok"},
    "no name": {"name": ""},
    "long id": {"name": "look", "id": "i" * 100_000},
    "nul in the id": {"name": "look", "id": "i\0"},
    "long arguments": {"name": "look", "arguments": '{"item": "' + "x" * 300_000 + '"}'},
    "nul in the arguments": {"name": "look", "arguments": '{"item": "a\\u0000b"}'},
    "half a character": {"name": "look", "arguments": '{"item": "\\ud800"}'},
    "deep arguments": {"name": "look", "arguments": "[" * 100_000},
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_of_any_shape_is_refused_or_put_right(wired: Wired, call: dict[str, str]) -> None:
    HAPPENED.clear()
    function = {"name": call["name"], "arguments": call.get("arguments", '{"item": "x"}')}
    made = streamed({"tool_calls": [{"index": 0, "id": call.get("id", "c"), "function": function}]})
    run = wired.turn("hello", [made, says("Well.")])
    assert run.error_code != "internal"
    runs = call["name"] == "look" and "arguments" not in call
    expected = [("look", "x")] * runs
    assert expected == HAPPENED


@pytest.mark.parametrize(
    "delta",
    [
        {"content": "x" * (bounds.LONGEST_TEXT + 1)},
        {"reasoning": "x" * (bounds.LONGEST_TEXT + 1)},
        {"tool_calls": [{"index": n, "id": str(n), "function": {"name": "look"}} for n in range(600)]},
        {"tool_calls": [{"index": 0, "function": {"name": "look", "arguments": "x" * 1_100_000}}]},
    ],
    ids=["text", "thoughts", "calls", "arguments"],
)
def test_a_flood_ends_the_reply(wired: Wired, delta: dict[str, Any]) -> None:
    """Its own text and thoughts would be one row, and one event for everybody who listens."""
    run = wired.turn("hello", streamed(delta))
    assert (run.status, run.error_code, len(wired.seen)) == ("failed", "bad_request", 1)
    assert not wired.talk.calls()
    assert wired.turn("and now?", says("Hello")).outcome == "success"


def test_pieces_of_arguments_cost_the_same_however_many_there_are() -> None:
    def add() -> None:
        reply = Reply()
        for _ in range(50_000):
            reply.add(CallDelta(0, arguments="12345678"))
        assert len(reply.calls[0].arguments) == 400_000

    assert cost_of(add) < 0.5


def test_signs_of_life_alone_do_not_keep_a_reply_open(wired: Wired, monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence ends it sooner; a server that only says that it is there is given the time of a whole answer."""
    monkeypatch.setattr(network, "LONGEST_ANSWER_S", 0.2)
    hello = b'data: {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}\n\n'
    run = wired.turn("hello", Wire(200, HEADERS, (hello, *(b": here\n\n", 0.02) * 100)))
    assert (run.status, run.error_code) == ("failed", "timeout")
    assert wired.said() == [("error", "Hel")]


async def stop(moving: Moving, server: WireServer) -> None:
    await server.came.wait()
    await asyncio.sleep(0.05)
    moving.stop("person")


def test_a_reply_stopped_before_its_first_word_was_paid_for(wired: Wired) -> None:
    """T68: else whoever stops early enough would spend without a limit. Thoughts are paid for as well."""
    run = wired.move(wired.talk.say("hello"), Wire(200, HEADERS, (0.5,)), stop)
    assert run.outcome == "cancelled"
    entry = UsageEntry.objects.get()
    assert (entry.input_tokens > 10, entry.output_tokens, entry.is_estimate) == (True, 0, True)


def test_thoughts_that_were_stopped_were_paid_for(wired: Wired) -> None:
    thought = json.dumps({"choices": [{"index": 0, "delta": {"reasoning": "hm " * 400}}]})
    wired.move(wired.talk.say("hello"), Wire(200, HEADERS, (f"data: {thought}\n\n".encode(), 0.5)), stop)
    assert UsageEntry.objects.get().output_tokens == tokens.of_text("hm " * 400)


def test_a_request_that_failed_costs_nothing(wired: Wired) -> None:
    """The other side of it."""
    wired.turn("hello", Wire(401, (), (b"{}",)))
    entry = UsageEntry.objects.get()
    assert (entry.input_tokens, entry.output_tokens) == (0, 0)


def test_a_run_that_cannot_be_stored_ends_all_the_same(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Left running it would be taken up again when its lease ran out, and ask the model again, for ever."""
    run = talk.say("hello")

    def broken(*_given: Any, **_more: Any) -> None:
        raise OverflowError("too large for a column")

    monkeypatch.setattr(booking, "settle", broken)
    asyncio.run(Runner()._move(run.pk, str(run.tenant_id)))
    run.refresh_from_db()
    assert (run.status, run.error_code) == ("failed", "internal")
    assert talk.kinds()[-1] == "RUN_ERROR"
    monkeypatch.undo()
    assert talk.turn("hello again").outcome == "success"
