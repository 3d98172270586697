"""What pages are sent that come to a debate at any moment: its traffic once more, through the feed and the outlet.

`Traffic` listens to the bell while a debate is held. `sent_to_pages` lets the same traffic pass again, one event at a
time, and between any two of them lets pages come: the ledger they read is what had been told up to then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import pytest

from conversations import feed, frames, outlet, whisperer
from platform_site import bell, ledger
from platform_site.bell import Rung, Whisper
from platform_site.wire import Event

ENOUGH = 6
"""Turns of the event loop after which nothing that is in memory is left to send."""

SILENCING = {"TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "message.restarted"}
"""After these nothing is being said any more."""


@dataclass
class Traffic:
    """What the bell carried of one conversation, in order, and each event by itself."""

    topic: str
    pieces: list[Rung | Whisper] = field(default_factory=list)

    def listen(self, patch: pytest.MonkeyPatch) -> Traffic:
        ring, whisper = bell.ring, bell.whisper

        def rung(topic: str, first: int, events: Any) -> None:
            self.pieces += [Rung(topic, seq, (event,)) for seq, event in enumerate(events, first)]
            ring(topic, first, events)

        def whispered(topic: str, message: str, offset: int, text: str) -> None:
            self.pieces.append(Whisper(topic, message, offset, text))
            whisper(topic, message, offset, text)

        patch.setattr(bell, "ring", rung)
        patch.setattr(bell, "whisper", whispered)
        patch.setattr(whisperer, "PAUSE_S", 0.0)
        return self

    def in_order(self) -> list[Rung | Whisper]:
        """By number: two tools that end at once may be heard the wrong way round, and a feed reads what it lacks."""
        rungs = iter(sorted((one for one in self.pieces if isinstance(one, Rung)), key=lambda one: one.first))
        return [next(rungs) if isinstance(one, Rung) else one for one in self.pieces]


@dataclass
class Page:
    """One socket: it came when so many pieces had passed, and knew everything up to number `after`."""

    how: str
    came: int
    after: int
    sent: list[int] = field(default_factory=list)
    """Its frames, as numbers into `Replay.frames`."""
    caught_up: int = 0
    """How many of them brought it to where the others were."""


@dataclass
class Replay:
    """The traffic of a debate that is over, passing by again."""

    tenant: str
    topic: str
    pieces: tuple[Rung | Whisper, ...]
    frames: dict[str, int] = field(default_factory=dict)
    """Each text once, with its number."""
    pages: list[Page] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    """How many frames who was there from the beginning had, after each piece."""
    told: list[tuple[int, Event]] = field(default_factory=list)
    _writers: list[tuple[outlet.Outlet, asyncio.Task[None]]] = field(default_factory=list)

    async def whole(self) -> None:
        """Everybody there is in one process: a page that is there all along, one loaded anew, one that comes back."""
        await self._come("stays", 0, 0)
        self.passed.append(len(self.pages[0].sent))
        for moment, piece in enumerate(self.pieces, 1):
            await self._pass(piece)
            self.passed.append(len(self.pages[0].sent))
            await self._come("loaded", moment, 0)
            await self._come("back", moment, len(self.told))
        await self._leave()

    async def alone(self, moment: int) -> None:
        """The only page there is leaves, and is loaded anew at this moment: nobody kept what is just being said."""
        self.told.clear()
        for piece in self.pieces[:moment]:
            self._note(piece)
        await self._come("alone", moment, 0)
        for piece in self.pieces[moment:]:
            await self._pass(piece)
        await self._leave()

    async def _come(self, how: str, moment: int, after: int) -> None:
        page = Page(how, moment, after)
        self.pages.append(page)

        async def send(message: dict[str, Any]) -> None:
            page.sent.append(self.frames.setdefault(message["text"], len(self.frames)))

        out = outlet.Outlet(self.tenant, send)
        out.put(frames.ack("subscribe", seq=len(self.told)))
        out.follow(self.topic, after, len(self.told))
        self._writers.append((out, asyncio.create_task(out.write())))
        await _quiet()
        page.caught_up = len(page.sent)

    async def _pass(self, piece: Rung | Whisper) -> None:
        self._note(piece)
        bell.the_bell.hear(self.topic, piece)
        await _quiet()

    def _note(self, piece: Rung | Whisper) -> None:
        """It is in the ledger now; or it is being said, by a whisperer who says it again when asked."""
        if isinstance(piece, Rung):
            assert piece.events and piece.first == len(self.told) + 1
            self.told.append((piece.first, piece.events[0]))
            if {piece.events[0]["type"], piece.events[0].get("name")} & SILENCING:
                whisperer._speaking.pop(self.topic, None)
            return
        if not piece.offset:
            whisperer.Whisperer(self.topic, piece.message)
        whisperer._speaking[self.topic]._texts.append(piece.text)

    async def _leave(self) -> None:
        for out, writer in self._writers:
            out.close()
            writer.cancel()
        await asyncio.gather(*(writer for _, writer in self._writers), return_exceptions=True)
        self._writers.clear()
        whisperer._speaking.pop(self.topic, None)


async def _quiet() -> None:
    for _ in range(ENOUGH):
        await asyncio.sleep(0)


def sent_to_pages(tenant: str, traffic: Traffic, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The frames of every page, JSON-safe."""
    replay = Replay(tenant, traffic.topic, tuple(traffic.in_order()))

    def since(_topic: str, after: int, limit: int = 500) -> list[tuple[int, Event]]:
        return replay.told[after : after + limit]

    async def at_once(verb: Callable[..., Any], *args: Any) -> Any:
        return verb(*args)

    with patch.context() as for_now:
        for module in (outlet, feed):
            for_now.setattr(module, "db", at_once)
        for_now.setattr(ledger, "since", since)
        asyncio.run(_among_runners(replay.topic, replay.whole))
        for moment in range(1, len(replay.pieces) + 1):
            asyncio.run(_among_runners(replay.topic, partial(replay.alone, moment)))
    pages = [asdict(page) for page in replay.pages]
    return {"frames": list(replay.frames), "pages": pages, "passed": replay.passed}


async def _among_runners(topic: str, work: Callable[[], Awaitable[None]]) -> None:
    """A runner of this process hears when somebody asks for what is being said, as `runner` does."""

    def hear(what: bell.Heard) -> None:
        if isinstance(what, bell.Notice) and what.kind == "recap":
            whisperer.say_again(topic)

    bell.the_bell.listen("runs", hear)
    try:
        await work()
    finally:
        bell.the_bell.forget("runs", hear)
