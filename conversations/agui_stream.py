"""The answer to an AG-UI request as server-sent events: from the ledger as far as it was told, then live from memory.

Whoever goes away takes nothing with them but their place: the run goes on. Somebody who may not be here any more hears
no more within `TICK_S` seconds.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator

from ag_ui.core.events import BaseEvent
from ag_ui.core.events import Event as AnyEvent
from ag_ui.encoder import EventEncoder
from django.utils.translation import gettext_lazy as _
from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from conversations import hall
from conversations.access import conversations_for
from conversations.agui_telling import Telling, Where
from conversations.feed import Feed, Heard, Spoken, Told, the_feeds
from platform_site import access, ledger, wire
from platform_site.access import Actor
from platform_site.db import db
from platform_site.errors import Problem
from platform_site.tenancy import acting_for
from platform_site.wire import Event

TICK_S = 3.0
PAGE = 200
MOST_WAITING = 2_000
"""Things heard and not yet sent; beyond that the ledger is read instead."""
MOST_AT_ONCE = 20
"""Streams one person may have open in this process."""
COMMENT = ": sluice\n\n"
_open: Counter[str] = Counter()
_encoder = EventEncoder()
_known: TypeAdapter[BaseEvent] = TypeAdapter(AnyEvent)


def check_room(actor: Actor) -> None:
    """Raise a problem for who listens to too much already."""
    if _open[actor.user.pk] >= MOST_AT_ONCE:
        detail = _("At most %(limit)s streams at once.") % {"limit": MOST_AT_ONCE}
        raise Problem(429, "rate_limited", detail, retry_after=1)


def encoded(event: Event) -> str:
    """One event of the stream."""
    try:
        return _encoder.encode(_known.validate_python(event))
    except PydanticSerializationError:  # half a surrogate pair, which only ASCII can carry
        return f"data: {json.dumps(event)}\n\n"


def error(code: str, message: str, metadata: dict[str, object]) -> str:
    """A stream of one event: nothing was begun."""
    return encoded(wire.run_error(code, message, metadata=metadata or None))


def so_far(actor: Actor, where: Where) -> Iterator[str]:
    """What has been told until now, for a server that cannot wait (WSGI, which only tests use)."""
    telling, last = Telling(where), where.after
    while page := _since(actor.tenant.pk, where.conversation, last):
        last = page[-1][0]
        for _seq, event in page:
            yield from map(encoded, telling.told(event))
    yield from map(encoded, _nothing_to_do(telling))


async def live(actor: Actor, where: Where) -> AsyncIterator[str]:
    """Everything from `where` on, until the run has ended."""
    hall.open_doors()
    telling, ear, looked = Telling(where), Ear(actor.tenant.pk, where), time.monotonic()
    _open[actor.user.pk] += 1
    try:
        yield COMMENT
        await ear.open()
        while not telling.done:
            heard = await ear.heard()
            for what in heard:
                for event in _said(telling, ear.feed, what):
                    yield encoded(event)
            if not heard or time.monotonic() - looked > TICK_S:
                if not await db(_may_stay, actor, where):
                    yield error("auth", str(_("This is not yours to see any more.")), {})
                    return
                looked = time.monotonic()
                yield COMMENT
            for event in _nothing_to_do(telling) if ear.caught_up else ():
                yield encoded(event)
    finally:
        ear.close()
        _open[actor.user.pk] -= 1


def _said(telling: Telling, feed: Feed, what: Heard) -> Iterable[Event]:
    if isinstance(what, Spoken):
        whole = feed.spoken() if telling.misses(what.message, what.offset) else None
        piece = whole or what
        yield from telling.spoken(piece.message, piece.offset, piece.text)
        return
    yield from telling.told(what.event)
    if what.event["type"] == "TEXT_MESSAGE_START" and (draft := feed.spoken()):
        yield from telling.spoken(draft.message, draft.offset, draft.text)


def _nothing_to_do(telling: Telling) -> Iterator[Event]:
    """A request that no run follows on is told as one that begins and ends."""
    if not telling.where.run and not telling.done:
        yield from telling.start({})
        yield from telling.end()


def _may_stay(actor: Actor, where: Where) -> bool:
    """A person who lost their place, a token that was revoked, a conversation that was deleted end the stream."""
    (standing,) = access.still_here([actor])
    with acting_for(actor.tenant):
        return standing is not None and conversations_for(actor).filter(pk=where.conversation).exists()


def _since(tenant: str, topic: str, after: int) -> list[tuple[int, Event]]:
    with acting_for(tenant):
        return ledger.since(topic, after, PAGE)


def _newest(tenant: str, topic: str) -> int:
    with acting_for(tenant):
        return ledger.newest(topic)


class Ear:
    """One stream's place at a topic's feed. It misses nothing: what it could not keep it reads from the ledger."""

    def __init__(self, tenant: str, where: Where) -> None:
        self.tenant, self.topic, self.last = tenant, where.conversation, where.after
        self.behind = True
        self._waiting: list[Heard] = []
        self._wake = asyncio.Event()
        self._feed: Feed | None = None

    @property
    def feed(self) -> Feed:
        assert self._feed, "opened before anything is heard"
        return self._feed

    @property
    def caught_up(self) -> bool:
        return not self.behind and not self._waiting

    async def open(self) -> None:
        newest = await db(_newest, self.tenant, self.topic)
        self._feed = the_feeds.follow(self.tenant, self.topic, newest, self._hear)

    def close(self) -> None:
        if self._feed:
            the_feeds.leave(self._feed, self._hear)

    def _hear(self, what: Heard) -> None:
        if self.behind or (isinstance(what, Told) and what.seq <= self.last):
            return
        if len(self._waiting) >= MOST_WAITING or (isinstance(what, Told) and what.seq > self.last + 1):
            self.behind = True
        else:
            self.last = what.seq if isinstance(what, Told) else self.last
            self._waiting.append(what)
        self._wake.set()

    async def heard(self) -> list[Heard]:
        """What came since, in order; nothing if nothing came for `TICK_S` seconds."""
        if self.caught_up:
            self._wake.clear()
            try:
                async with asyncio.timeout(TICK_S):
                    await self._wake.wait()
            except TimeoutError:
                self.behind = True  # the bell is a hint: now and then the rows are asked
        if self.behind and not self._waiting:
            await self._catch_up()
        heard, self._waiting = self._waiting, []
        return heard

    async def _catch_up(self) -> None:
        page = await db(_since, self.tenant, self.topic, self.last)
        self._waiting += [Told(self.topic, seq, event) for seq, event in page]
        self.last = page[-1][0] if page else self.last
        # What was told while this was read was not kept: it is read next.
        self.behind = len(page) == PAGE or self.last < self.feed.last
        if not self.behind and (draft := self.feed.spoken()):
            self._waiting.append(draft)
