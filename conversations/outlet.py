"""What goes out over one socket, in order, without ever holding much.

A topic the reader keeps up with is sent from memory, at no query. A reader who falls behind is sent nothing more of
it until the socket has drained, then reads on from the ledger by number: nothing is lost and the memory one slow
reader can take is bounded. Who does not drain at all is let go (4008) and comes back with `subscribe … after`.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from conversations import frames
from conversations.feed import Feed, Heard, Spoken, Told, the_feeds
from platform_site import ledger, wire
from platform_site.db import db
from platform_site.tenancy import acting_for

MAX_WAITING = 256 * 1024
"""Characters that may wait in memory, and bytes in the transport, for one socket."""
STUCK_S = 30.0
PAGE = 200
Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(slots=True)
class Following:
    """How far one socket has come in one topic."""

    feed: Feed
    last: int
    behind: bool = True
    message: str = ""
    heard: int = 0

    def hear_told(self, told: Told) -> str:
        """The frame for this socket: a text it has heard is not sent twice."""
        self.last = told.seq
        event = told.event
        if not told.is_content:
            if event["type"] == "CUSTOM" and event["name"] == "message.restarted":
                self.heard = 0
            return told.frame
        heard = self.heard if event["messageId"] == self.message else 0
        self.message, self.heard = event["messageId"], told.length
        if heard == told.length:
            return told.complete_frame
        return told.rest_frame(heard) if heard else told.frame

    def hear_spoken(self, said: Spoken) -> str | None:
        """The delta frame for this socket, or None when it has heard all of it."""
        if said.message != self.message:
            self.message, self.heard = said.message, 0
        if said.offset > self.heard:
            whole = self.feed.spoken()
            return self.hear_spoken(whole) if whole else None
        new = len(said.text) - (self.heard - said.offset)
        if new <= 0:
            return None
        start, self.heard = self.heard, said.offset + len(said.text)
        if start == said.offset:
            return said.frame
        rest = wire.text_content(said.message, said.text[start - said.offset :], offset=start)
        return frames.delta(said.topic, rest)


class Outlet:
    """The writing half of a socket."""

    def __init__(self, tenant: str, send: Send) -> None:
        self.tenant = tenant
        self.following: dict[str, Following] = {}
        self.stuck = False
        self._send = send
        self._transport = transport_of(send)
        self._queue: deque[str] = deque()
        self._waiting = 0
        self._wake = asyncio.Event()
        self._followers: dict[str, Callable[[Heard], None]] = {}

    def put(self, frame: str) -> None:
        """Send a frame after what already waits."""
        self._queue.append(frame)
        self._waiting += len(frame)
        self._wake.set()

    def follow(self, topic: str, after: int, newest: int) -> None:
        """Send what was told after number `after`, then everything as it is told."""
        self.leave(topic)

        def follower(what: Heard) -> None:
            self._hear(topic, what)

        feed = the_feeds.follow(self.tenant, topic, newest, follower)
        self._followers[topic] = follower
        self.following[topic] = Following(feed, after)
        self._wake.set()

    def leave(self, topic: str) -> None:
        following = self.following.pop(topic, None)
        if following:
            the_feeds.leave(following.feed, self._followers.pop(topic))

    def close(self) -> None:
        for topic in list(self.following):
            self.leave(topic)

    def _hear(self, topic: str, what: Heard) -> None:
        following = self.following[topic]
        if following.behind:
            return
        if self._waiting > MAX_WAITING:
            following.behind = True
        elif isinstance(what, Spoken):
            frame = following.hear_spoken(what)
            if frame:
                self.put(frame)
        elif what.seq == following.last + 1:
            self.put(following.hear_told(what))
        elif what.seq > following.last:
            following.behind = True
            self._wake.set()

    async def write(self) -> None:
        """Send until the socket is let go. Runs as the connection's second task."""
        with acting_for(self.tenant):
            while not self.stuck:
                await self._wake.wait()
                self._wake.clear()
                await self._empty()
                for following in list(self.following.values()):
                    if following.behind:
                        await self._catch_up(following)

    async def _empty(self) -> None:
        while self._queue and not self.stuck:
            await self._drained()
            if self.stuck:
                return
            frame = self._queue.popleft()
            self._waiting -= len(frame)
            await self._send({"type": "websocket.send", "text": frame})

    async def _drained(self) -> None:
        """Wait while the transport holds too much; a reader who takes nothing for long is stuck."""
        since = time.monotonic()
        while backlog(self._transport) > MAX_WAITING:
            if time.monotonic() - since > STUCK_S:
                self.stuck = True
                await self._send({"type": "websocket.close", "code": 4008})
                return
            await asyncio.sleep(0.05)

    async def _catch_up(self, following: Following) -> None:
        """One page of what was missed; the rest, if any, in the next round."""
        topic = following.feed.topic
        page = await db(ledger.since, topic, following.last, PAGE)
        if self.following.get(topic) is not following:
            return
        for seq, event in page:
            self.put(following.hear_told(Told(topic, seq, event)))
        following.behind = len(page) == PAGE or following.last < following.feed.last
        if not following.behind and (draft := following.feed.spoken()):
            frame = following.hear_spoken(draft)
            if frame:
                self.put(frame)
        self._wake.set()


def transport_of(send: Send) -> Any:
    """The transport behind Daphne's `send`, which is a partial over the connection's protocol; else None."""
    arguments = getattr(send, "args", ())
    return getattr(arguments[0], "transport", None) if arguments else None


def backlog(transport: Any) -> int:
    """Bytes written and not yet taken by the network. Twisted's buffers have no public size."""
    if transport is None:
        return 0
    return len(getattr(transport, "dataBuffer", b"")) + int(getattr(transport, "_tempDataLen", 0))
