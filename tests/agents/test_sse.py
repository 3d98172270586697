"""Server-sent events are read the same however the bytes are cut."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.providers import sse
from tests.cost import cost_of


def read(*pieces: bytes) -> list[bytes]:
    events = sse.Events()
    return [data for piece in pieces for data in events.feed(piece)] + events.end()


@pytest.mark.parametrize(
    ("stream", "data"),
    [
        (b"data: a\n\ndata:b\n\n", [b"a", b"b"]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
        (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
        (b"data: one\ndata: event\n\n", [b"one\nevent"]),
        (b"data:  two spaces\n\n", [b" two spaces"]),
        (b": ping\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n\n\n", [b"a"]),
        (b"\xef\xbb\xbfdata: after a mark\n\n", [b"after a mark"]),
        (b"data: no empty line\n", [b"no empty line"]),
        (b"data: no end", [b"no end"]),
        (b'error: {"code": 500}\n\n', [b'{"error":{"code": 500}}']),
        (b"<html>\n\nnothing\n\n", []),
        (b"", []),
    ],
)
def test_the_data_of_each_event_is_given_once_it_is_whole(stream: bytes, data: list[bytes]) -> None:
    assert read(stream) == data
    assert read(*(stream[at : at + 1] for at in range(len(stream)))) == data


def test_an_event_is_given_when_its_empty_line_comes_and_not_before() -> None:
    events = sse.Events()
    assert events.feed(b"data: a\n") == []
    assert events.feed(b"\n") == [b"a"]
    events = sse.Events()
    assert events.feed(b"data: a\r") == []
    assert events.feed(b"\n") == []
    assert events.feed(b"\r") == [b"a"]
    assert events.feed(b"\ndata: b\r\n\r\n") == [b"b"]


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([b"data: a", b"data:", b"\n", b"\r", b"\r\n", b": c", b"data: \xc3", b"\xa9"])),
    st.lists(st.integers(1, 9)),
)
def test_any_cut_gives_the_same_events(parts: list[bytes], sizes: list[int]) -> None:
    stream = b"".join(parts)
    pieces, at = [], 0
    for size in [*sizes, len(stream)]:
        pieces.append(stream[at : at + size])
        at += size
    assert read(*pieces) == read(stream)


def test_an_event_that_never_ends_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """T52."""
    monkeypatch.setattr(sse, "LONGEST_EVENT", 1_000)
    assert read(b"data: " + b"x" * 900 + b"\n\n") == [b"x" * 900]
    events = sse.Events()
    with pytest.raises(sse.TooLong):
        for _piece in range(20):
            events.feed(b"x" * 100)
    with pytest.raises(sse.TooLong):
        read(*[b"data: " + b"x" * 100 + b"\n"] * 20)


def test_a_long_event_a_byte_at_a_time_takes_time_in_proportion() -> None:
    """T52."""

    def feed() -> None:
        events = sse.Events()
        for _byte in range(50_000):
            events.feed(b"x")

    assert cost_of(feed) < 0.5
