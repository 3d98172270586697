"""What a client may send, and what it is told when it sends something else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import frames

GOOD = {
    "conversation.create": {"agent": "guide"},
    "subscribe": {"conversation": "c1", "after": 3},
    "unsubscribe": {"conversation": "c1"},
    "message.send": {"conversation": "c1", "text": "hello", "key": "k1", "options": {"scenario": "write"}},
    "message.edit": {"conversation": "c1", "message": "m1", "text": "hello", "attachments": [], "key": "k2"},
    "message.regenerate": {"conversation": "c1", "message": "m2"},
    "branch.switch": {"conversation": "c1", "message": "m1"},
    "run.stop": {"run": "r1"},
    "run.retry": {"run": "r1"},
    "confirmation.decide": {
        "confirmation": "x",
        "decision": "approve",
        "digest": "d",
        "proof": {"password": "p"},
    },
    "input.submit": {"interrupt": "i1", "cancel": True},
    "debate.steer": {"conversation": "c1", "do": "pause"},
    "job.cancel": {"call": "k1"},
    "typing": {"conversation": "c1"},
    "read.mark": {"conversation": "c1", "seq": 3},
    "ping": {},
}


def sent(**frame: object) -> str:
    return json.dumps(frame)


def test_every_frame_of_the_protocol_is_understood() -> None:
    assert set(GOOD) == set(frames.CLIENT_FRAMES)
    for kind, fields in GOOD.items():
        frame = frames.parse(sent(type=kind, id="1", **fields))
        assert isinstance(frame, frames.CLIENT_FRAMES[kind]), frame


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", "bad_frame", "not JSON"),
        ("{", "bad_frame", "not JSON"),
        ("[]", "bad_frame", "JSON object"),
        ("null", "bad_frame", "JSON object"),
        ("NaN", "bad_frame", "not JSON"),
        (sent(type="ping"), "bad_frame", "id"),
        (sent(type="ping", id=7), "bad_frame", "id"),
        (sent(type="ping", id="1", more=1), "bad_frame", "more"),
        (sent(id="1"), "unknown_frame", "Known"),
        (sent(type="drop.tables", id="1"), "unknown_frame", "Known: conversation.create"),
        (sent(type=["ping"], id="1"), "unknown_frame", "Known"),
        (sent(type="subscribe", id="1", conversation="c", after="3"), "bad_frame", "after"),
        (sent(type="subscribe", id="1", conversation="c", after=-1), "bad_frame", "after"),
        (sent(type="message.send", id="1", conversation="c"), "bad_frame", "text"),
        (sent(type="confirmation.decide", id="1", confirmation="c", decision="y", digest=""), "bad_frame", "decision"),
        (b"\x00\xff", "bad_frame", "binary"),
        (None, "bad_frame", "binary"),
        (sent(type="run.stop", id="1", run="a\0b"), "bad_frame", "NUL"),
        ('{"type":"run.stop","id":"1","run":"\\ud83d"}', "bad_frame", "surrogate"),
        ('{"type":"ping","type":"run.stop","id":"1"}', "bad_frame", "twice"),
    ],
)  # fmt: skip
def test_a_bad_frame_is_told_what_is_wrong(text: str | bytes | None, code: str, told: str) -> None:
    """T47."""
    wrong = frames.parse(text)
    assert isinstance(wrong, frames.BadFrame)
    assert wrong.code == code
    assert told in wrong.detail


def test_a_bad_frame_is_answered_under_its_id() -> None:
    wrong = frames.parse(sent(type="nonsense", id="mine"))
    assert isinstance(wrong, frames.BadFrame)
    assert wrong.id == "mine"


@pytest.mark.parametrize("levels", [33, 1_000, 20_000])
def test_deep_nesting_is_refused_without_falling_over(levels: int) -> None:
    """T18, T47."""
    deep = '{"type":"ping","id":"1","x":' + "[" * levels + "]" * levels + "}"
    wrong = frames.parse(deep)
    assert isinstance(wrong, frames.BadFrame)


@given(st.one_of(st.text(), st.binary(), st.dictionaries(st.text(), st.text()).map(json.dumps)))
def test_no_input_makes_the_parser_raise(text: str | bytes) -> None:
    """T47."""
    frames.parse(text)


def test_an_ack_and_an_error_carry_the_clients_id() -> None:
    assert json.loads(frames.ack("a1", seq=3)) == {"type": "ack", "id": "a1", "seq": 3}
    error = json.loads(frames.error("a1", "not_found", "There is no such run."))
    assert error == {"type": "error", "id": "a1", "code": "not_found", "detail": "There is no such run."}
