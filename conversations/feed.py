"""A topic as the sockets of this process hear it: one feed a topic, however many sockets follow it.

A feed turns what the bell carries into frames once and hands the same text to every follower; it keeps the message
being written, so that a follower who comes in the middle gets its beginning. A follower who missed something reads
the ledger itself (see `outlet`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from conversations import frames
from platform_site import bell, ledger, wire
from platform_site.db import db
from platform_site.models import Topic
from platform_site.tenancy import acting_for
from platform_site.wire import Event

TAIL_S = 1.0


@dataclass
class Told:
    """One numbered event, with its frame made once for all who need it."""

    topic: str
    seq: int
    event: Event

    @cached_property
    def frame(self) -> str:
        return frames.event(self.topic, self.seq, self.event)

    @cached_property
    def is_content(self) -> bool:
        return self.event["type"] == "TEXT_MESSAGE_CONTENT"

    @cached_property
    def length(self) -> int:
        return len(self.event["delta"])

    @cached_property
    def complete_frame(self) -> str:
        """What a socket gets in place of a text it has heard already, under the same number."""
        value = {"messageId": self.event["messageId"], "length": self.length}
        return frames.event(self.topic, self.seq, wire.custom("message.complete", value))

    def rest_frame(self, heard: int) -> str:
        """The part of the text a socket has not heard."""
        rest = wire.text_content(self.event["messageId"], self.event["delta"][heard:], offset=heard)
        return frames.event(self.topic, self.seq, rest)


@dataclass
class Spoken:
    """A piece of a message being written, with its frame made once."""

    topic: str
    message: str
    offset: int
    text: str

    @cached_property
    def frame(self) -> str:
        return frames.delta(self.topic, wire.text_content(self.message, self.text, offset=self.offset))


Heard = Told | Spoken
Follower = Callable[[Heard], None]


class Feed:
    """One topic in this process."""

    def __init__(self, tenant: str, topic: str) -> None:
        self.tenant = tenant
        self.topic = topic
        self.last = 0
        self.message = ""
        self.followers: set[Follower] = set()
        self._texts: list[str] = []
        self._length = 0
        self._reading: asyncio.Task[None] | None = None

    def hear(self, what: bell.Heard) -> None:
        """The bell's listener for this topic."""
        if isinstance(what, bell.Whisper):
            self._hear_whisper(what)
        elif isinstance(what, bell.Rung):
            self.hear_rung(what.first, what.events)

    def hear_rung(self, first: int, events: tuple[Event, ...] | None) -> None:
        """Pass on what is new; read the ledger for what was not handed over."""
        if events is None or first > self.last + 1:
            self._read()
            return
        for seq, event in enumerate(events, first):
            if seq > self.last:
                self.last = seq
                self._keep_draft(event)
                self._pass_on(Told(self.topic, seq, event))

    def _hear_whisper(self, said: bell.Whisper) -> None:
        if said.message != self.message or said.offset > self._length:
            if said.offset:
                return bell.ask_again(self.topic)
            self._forget_draft(said.message)
        new = said.text[self._length - said.offset :]
        if new:
            spoken = Spoken(self.topic, said.message, self._length, new)
            self._texts.append(new)
            self._length += len(new)
            self._pass_on(spoken)

    def _keep_draft(self, event: Event) -> None:
        kind = event["type"]
        if kind == "TEXT_MESSAGE_START":
            self._forget_draft(event["messageId"])
        elif kind == "TEXT_MESSAGE_END" or (kind == "CUSTOM" and event["name"] == "message.restarted"):
            self._forget_draft(self.message if kind == "CUSTOM" else "")

    def _forget_draft(self, message: str) -> None:
        self.message, self._texts, self._length = message, [], 0

    def spoken(self) -> Spoken | None:
        """The message being written, from its beginning."""
        if not self._texts:
            return None
        self._texts[:] = ["".join(self._texts)]
        return Spoken(self.topic, self.message, 0, self._texts[0])

    def _pass_on(self, what: Heard) -> None:
        for follower in tuple(self.followers):
            follower(what)

    def _read(self) -> None:
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._catch_up())

    async def _catch_up(self) -> None:
        """Read from the ledger what the bell did not bring."""
        with acting_for(self.tenant):
            while missed := await db(ledger.since, self.topic, self.last):
                for seq, event in missed:
                    self.hear_rung(seq, (event,)) if seq == self.last + 1 else None


class Feeds:
    """All feeds of this process."""

    def __init__(self) -> None:
        self.by_topic: dict[str, Feed] = {}

    def follow(self, tenant: str, topic: str, newest: int, follower: Follower) -> Feed:
        """Follow a topic whose newest number is `newest`."""
        feed = self.by_topic.get(topic)
        if feed is None:
            feed = self.by_topic[topic] = Feed(tenant, topic)
            feed.last = newest
            bell.the_bell.listen(topic, feed.hear)
            bell.ask_again(topic)
        feed.followers.add(follower)
        return feed

    def leave(self, feed: Feed, follower: Follower) -> None:
        feed.followers.discard(follower)
        if not feed.followers and self.by_topic.get(feed.topic) is feed:
            del self.by_topic[feed.topic]
            bell.the_bell.forget(feed.topic, feed.hear)

    def look_at(self, topic: str) -> None:
        """Something was told here by a process whose bell may not reach us."""
        if feed := self.by_topic.get(topic):
            feed.hear_rung(feed.last, None)

    async def tail(self) -> None:
        """For ever: once a second, while anybody follows, look whether the bell missed something."""
        while True:
            await asyncio.sleep(TAIL_S)
            await self._look()

    async def _look(self) -> None:
        topics = list(self.by_topic)
        for start in range(0, len(topics), 500):
            for topic, newest in await db(newest_of, topics[start : start + 500]):
                feed = self.by_topic.get(topic)
                if feed and newest > feed.last:
                    feed.hear_rung(newest, None)


def newest_of(topics: list[str]) -> list[tuple[str, int]]:
    rows = Topic.objects.across_tenants().filter(pk__in=topics)
    return list(rows.values_list("pk", "last_seq"))


the_feeds = Feeds()
