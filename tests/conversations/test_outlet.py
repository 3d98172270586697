"""What one socket is sent: everything, once, in order, and never from a growing pile in memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from conversations import frames
from conversations import outlet as outlets
from conversations.feed import Feed, Feeds
from conversations.outlet import Outlet
from platform_site import bell, wire

TEXT = "Grüße, 你好 🌊 and so on"


class Stage:
    """A topic, a ledger in memory, and one socket that listens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.feeds = Feeds()
        monkeypatch.setattr(outlets, "the_feeds", self.feeds)
        monkeypatch.setattr(outlets, "db", self._db)
        monkeypatch.setattr("conversations.feed.db", self._db)
        self.outlet = Outlet("tenant", self._send)

    async def _db(self, verb: Callable[..., Any], topic: str, after: int, limit: int = 500) -> Any:
        await asyncio.sleep(0)
        return list(enumerate(self.rows, 1))[after : after + limit]

    async def _send(self, message: dict[str, Any]) -> None:
        self.sent.append(json.loads(message["text"]) if "text" in message else message)

    def tell(self, *events: wire.Event, silently: bool = False) -> None:
        first = len(self.rows) + 1
        self.rows.extend(events)
        if not silently:
            bell.the_bell.hear("t", bell.Rung("t", first, events))

    def whisper(self, text: str, offset: int = 0) -> None:
        bell.the_bell.hear("t", bell.Whisper("t", "m", offset, text))

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    def seqs(self) -> list[int]:
        return [frame["seq"] for frame in self.sent if frame["type"] == "event"]

    def text(self) -> str:
        """The message as a client folds it, by offsets."""
        told = ""
        for frame in self.sent:
            event = frame.get("event", {})
            if event.get("type") == "TEXT_MESSAGE_CONTENT":
                offset = event["metadata"]["offset"]
                assert offset <= len(told)
                told = told[:offset] + event["delta"]
        return told


def reply(text: str) -> tuple[wire.Event, ...]:
    end = wire.text_end("m", length=len(text), model="demo", usage={})
    return wire.text_content("m", text, offset=0), end


def play(monkeypatch: pytest.MonkeyPatch, scene: Callable[[Stage], Any]) -> Stage:
    """Run a scene with a writing socket; tenants are not what is looked at here."""

    async def scenario() -> Stage:
        stage = Stage(monkeypatch)
        writing = asyncio.create_task(stage.outlet.write())
        await scene(stage)
        await stage.settle()
        writing.cancel()
        stage.outlet.close()
        return stage

    return asyncio.run(scenario())


def test_a_text_heard_as_deltas_is_not_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        stage.tell(wire.text_start("m"))
        stage.outlet.follow("t", 0, 1)
        await stage.settle()
        stage.whisper(TEXT[:5])
        stage.whisper(TEXT[5:], 5)
        stage.tell(*reply(TEXT))

    stage = play(monkeypatch, scene)
    assert stage.text() == TEXT
    assert stage.seqs() == [1, 2, 3]
    second = next(frame for frame in stage.sent if frame.get("seq") == 2)
    assert second["event"] == {
        "type": "CUSTOM",
        "name": "message.complete",
        "value": {"messageId": "m", "length": len(TEXT)},
    }


def test_a_replay_carries_the_whole_text_as_one_event(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        stage.tell(wire.text_start("m"), *reply(TEXT))
        stage.outlet.follow("t", 0, 3)

    stage = play(monkeypatch, scene)
    assert [frame["event"]["type"] for frame in stage.sent] == [
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
    ]
    assert stage.text() == TEXT


def test_who_comes_in_the_middle_gets_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """T46."""

    async def scene(stage: Stage) -> None:
        stage.tell(wire.text_start("m"))
        stage.feeds.follow("tenant", "t", 1, lambda _: None)
        stage.whisper(TEXT[:7])
        stage.outlet.follow("t", 0, 1)
        await stage.settle()
        stage.whisper(TEXT[7:], 7)
        stage.tell(*reply(TEXT))

    stage = play(monkeypatch, scene)
    assert stage.text() == TEXT
    assert stage.seqs() == [1, 2, 3]


def test_a_lost_delta_is_made_good_by_the_finished_text(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        stage.tell(wire.text_start("m"))
        stage.outlet.follow("t", 0, 1)
        await stage.settle()
        stage.whisper(TEXT[:4])
        stage.whisper(TEXT[9:], 9)
        stage.tell(*reply(TEXT))

    stage = play(monkeypatch, scene)
    assert stage.text() == TEXT
    assert stage.seqs() == [1, 2, 3]


def test_a_bell_that_was_not_heard_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        stage.outlet.follow("t", 0, 0)
        await stage.settle()
        stage.tell(wire.custom("a", 1), silently=True)
        stage.tell(wire.custom("b", 2))

    stage = play(monkeypatch, scene)
    assert stage.seqs() == [1, 2]


def test_a_draft_that_was_interrupted_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        stage.tell(wire.text_start("m"))
        stage.outlet.follow("t", 0, 1)
        await stage.settle()
        stage.whisper("half an ans")
        stage.tell(wire.custom("message.restarted", {"messageId": "m"}))
        stage.whisper("another answer")
        stage.tell(*reply("another answer"))

    stage = play(monkeypatch, scene)
    assert stage.text() == "another answer"
    assert stage.seqs() == [1, 2, 3, 4]


def test_a_slow_reader_takes_bounded_memory_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """T45."""
    full = True
    monkeypatch.setattr(outlets, "backlog", lambda _: outlets.MAX_WAITING + 1 if full else 0)
    monkeypatch.setattr(outlets, "MAX_WAITING", 10_000)

    async def scene(stage: Stage) -> None:
        nonlocal full
        full = False
        stage.outlet.follow("t", 0, 0)
        await stage.settle()
        full = True
        for number in range(500):
            stage.tell(wire.custom("n", {"number": number, "padding": "x" * 100}))
        await stage.settle()
        assert stage.outlet._waiting < 11_000
        full = False
        await asyncio.sleep(0.2)

    stage = play(monkeypatch, scene)
    assert stage.seqs() == list(range(1, 501))


def test_a_reader_who_takes_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """T45."""
    monkeypatch.setattr(outlets, "backlog", lambda _: outlets.MAX_WAITING + 1)
    monkeypatch.setattr(outlets, "STUCK_S", 0.0)

    async def scene(stage: Stage) -> None:
        stage.outlet.put("{}")
        await asyncio.sleep(0.1)

    stage = play(monkeypatch, scene)
    assert stage.sent == [{"type": "websocket.close", "code": 4008}]


def test_a_feed_nobody_follows_is_forgotten() -> None:
    async def scenario() -> None:
        feeds = Feeds()

        def follower(_: object) -> None:
            pass

        feed: Feed = feeds.follow("tenant", "nobody", 0, follower)
        feeds.leave(feed, follower)
        assert not feeds.by_topic
        assert "nobody" not in bell.the_bell.listeners

    asyncio.run(scenario())


def test_whatever_was_told_can_be_sent() -> None:
    """A number beyond 64 bits or half a surrogate pair in a row must not silence a socket."""
    for odd in (2**70, "a\ud83db", float("1e300")):
        assert json.loads(frames.event("t", 1, wire.custom("odd", {"value": 1}) | {"value": odd}))["seq"] == 1


def test_a_socket_that_left_a_topic_is_sent_no_more_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        stage.tell(wire.custom("a", 1), wire.custom("b", 2))
        stage.outlet.follow("t", 0, 2)
        await asyncio.sleep(0)
        stage.outlet.leave("t")

    assert play(monkeypatch, scene).seqs() == []


def test_a_connection_whose_writer_broke_is_closed() -> None:
    from conversations.consumers import Connection

    closed: list[dict[str, Any]] = []

    async def scenario() -> None:
        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "websocket.send":
                raise RuntimeError("broken")
            closed.append(message)

        who = type(
            "Who", (), {"tenant": type("T", (), {"pk": "t"})(), "user": type("U", (), {"pk": "u"})()}
        )()
        connection = Connection(who, send)
        incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        running = asyncio.create_task(connection.run(incoming.get))
        await asyncio.sleep(0)
        connection.outlet.put("{}")
        while not closed:  # noqa: ASYNC110  # as an outsider would look
            await asyncio.sleep(0)
        incoming.put_nowait({"type": "websocket.disconnect"})
        await running

    asyncio.run(scenario())
    assert closed == [{"type": "websocket.close", "code": 4500}]
