"""Chunks of both protocols as stream events: what servers do differently, and that no cut of the bytes matters."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.providers.base import ProviderError
from agents.providers.openai_chunks import ChatReader, counted
from agents.providers.openai_events import ResponseReader
from agents.providers.openai_tools import Toolbox
from agents.providers.sse import Events
from agents.stream import CallDelta, Finish, StreamEvent, fold
from tests.agents.test_openai_messages import ANY, SEARCH
from tests.agents.wire import files
from tests.agents.wire.adapters import OPENAI_CHAT, OPENAI_RESPONSES
from tests.agents.wire.cases import CASES, MODEL, TOOLS

READERS = {OPENAI_CHAT.folder: ChatReader, OPENAI_RESPONSES.folder: ResponseReader}
STREAMS = [
    (adapter.folder, case)
    for adapter in (OPENAI_CHAT, OPENAI_RESPONSES)
    for case in CASES
    if files.has(adapter.folder, case) and files.load(adapter.folder, case).status == 200
]


def read(reader: Any, pieces: Iterable[bytes]) -> list[StreamEvent | str]:
    """The events, and the code if it ended in an error."""
    events, heard = Events(), list[StreamEvent | str]()
    try:
        for piece in pieces:
            for data in events.feed(piece):
                heard += reader.read(data)
        for data in events.end():
            heard += reader.read(data)
        heard += reader.end()
    except ProviderError as error:
        heard.append(error.code)
    return [replace(one, id="") if isinstance(one, CallDelta) else one for one in heard]


@settings(max_examples=60)
@given(st.sampled_from(STREAMS), st.lists(st.integers(1, 400), max_size=20))
def test_any_cut_of_the_bytes_gives_the_same_events(stream: tuple[str, str], sizes: list[int]) -> None:
    folder, case = stream
    body = files.load(folder, case).whole
    pieces, at = [], 0
    for size in [*sizes, len(body)]:
        pieces.append(body[at : at + size])
        at += size
    readers = [READERS[folder](MODEL, Toolbox(TOOLS)) for _twice in range(2)]
    assert read(readers[0], pieces) == read(readers[1], [body])


def chat(*deltas: dict[str, Any], finish: str = "stop", tools: Any = (SEARCH, ANY)) -> list[Any]:
    reader = ChatReader(MODEL, Toolbox(tools))
    events: list[StreamEvent] = []
    for delta in [*deltas, {}]:
        choice = {"index": 0, "delta": delta, "finish_reason": None if delta else finish}
        events += reader.read(json.dumps({"choices": [choice]}).encode())
    return [*events, *reader.end()]


def call(
    arguments: str = "", *, name: str | None = None, id: str | None = None, **more: Any
) -> dict[str, Any]:
    return {"tool_calls": [{"id": id, **more, "function": {"name": name, "arguments": arguments}}]}


def calls_of(*deltas: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one.name, one.arguments) for one in fold(chat(*deltas)).calls]


def test_an_id_made_up_for_every_piece_does_not_make_a_call_of_each() -> None:
    assert calls_of(
        call(index=0, id="a", name="any"), call('{"a"', index=0, id="b"), call(": 1}", index=0, id="c")
    ) == [("any", '{"a": 1}')]  # fmt: skip


def test_pieces_without_an_index_belong_to_the_call_before() -> None:
    assert calls_of(
        call('{"a":', id="a", name="any"), call("1}"), call("{}", id="b", name="shop_search"),
    ) == [("any", '{"a":1}'), ("shop.search", "{}")]  # fmt: skip


def test_an_id_that_two_calls_share_is_replaced_for_the_second() -> None:
    heard = fold(chat(call("{}", index=0, id="a", name="any"), call("{}", index=1, id="a", name="any")))
    assert len({one.id for one in heard.calls}) == 2 and heard.calls[0].id == "a"


def test_arguments_that_come_before_their_name_wait_for_it() -> None:
    events = chat(call('{"a"', index=0, id="a"), call(":1}", index=0, name="any"))
    assert [(one.name, one.arguments) for one in fold(events).calls] == [("any", '{"a":1}')]


def test_arguments_as_an_object_are_taken_as_its_text() -> None:
    delta = {"tool_calls": [{"index": 0, "function": {"name": "any", "arguments": {"a": 1}}}]}
    assert calls_of(delta) == [("any", '{"a":1}')]


def test_a_tool_nobody_offered_keeps_its_name_for_the_gate_to_refuse() -> None:
    assert calls_of(call("{}", index=0, id="a", name="rm_rf")) == [("rm_rf", "{}")]


def test_nulls_that_strict_mode_forced_are_left_out_at_the_end_of_a_call() -> None:
    raw = '{"words": "tea", "most": null}'
    events = chat(call(index=0, id="a", name="shop_search"), *(call(sign, index=0) for sign in raw))
    assert [one.arguments for one in fold(events).calls] == ['{"words": "tea"}']
    assert isinstance(events[-1], Finish)


@pytest.mark.parametrize(
    "raw",
    [
        '{"words":  "tea",\n"most": 3.0}',  # nothing to leave out
        '{"words": "tea", "most": nu',  # cut off
        '{"words": "tea", "most": null, "most": null}',  # ambiguous: the gate says so
        "{'words': 'tea', 'most': null}",  # not JSON
    ],
)
def test_other_arguments_reach_the_gate_as_the_model_wrote_them(raw: str) -> None:
    assert calls_of(call(raw, index=0, id="a", name="shop_search")) == [("shop.search", raw)]


def test_arguments_without_forced_nulls_are_told_piece_by_piece() -> None:
    events = chat(call("{", index=0, id="a", name="any"), call("}", index=0))
    assert [one.arguments for one in events if isinstance(one, CallDelta) and one.arguments] == ["{", "}"]


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("stop", "stop"),
        ("tool_calls", "stop"),
        ("eos", "stop"),
        ("length", "length"),
        ("content_filter", "blocked"),
    ],
)
def test_the_kind_of_a_reply_follows_from_what_is_in_it(finish: str, reason: str) -> None:
    assert chat({"content": "A"}, finish=finish)[-1].reason == reason


def test_a_reply_that_its_server_gave_up_is_an_error() -> None:
    with pytest.raises(ProviderError) as raised:
        chat({"content": "A"}, finish="error")
    assert raised.value.code == "overloaded"


def test_tokens_are_counted_as_each_server_says_them() -> None:
    plain = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    assert counted(plain) == (10, 5, 0, 0)
    assert counted({**plain, "prompt_cache_hit_tokens": 8}) == (10, 5, 8, 0)
    within = {**plain, "completion_tokens_details": {"reasoning_tokens": 4}}
    assert counted(within) == (10, 5, 0, 4)
    assert counted({**within, "total_tokens": 19}) == (10, 9, 0, 4)
    assert counted({"prompt_tokens": None, "completion_tokens": "5"}) == (0, 0, 0, 0)


def test_a_thinking_reply_keeps_what_its_model_must_be_given_back_and_a_plain_one_nothing() -> None:
    def finish(case: str) -> Any:
        reader = ResponseReader(MODEL, Toolbox(TOOLS))
        return read(reader, [files.load("openai_responses", case).whole])[-1]

    assert [item["type"] for item in finish("thinking").native] == ["reasoning", "message"]
    assert finish("thinking").native[0]["encrypted_content"] == "gAAAAABo_signed=="
    assert finish("text").native is None and finish("one_call").native is None
