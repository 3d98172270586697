"""The ticker: beside each runner, it claims reminders when they are due and sees to it that they are delivered.

A queue worker delivers; what is still open after `PATIENCE_S` the ticker delivers itself by the same verb, so that a
queue that is down makes a reminder a second late. Who claimed or delivered one tells it to the open pages: a worker's
bell does not reach them everywhere.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from conversations.feed import the_feeds
from conversations.reminders import claiming, delivering
from conversations.reminders.claiming import Open
from platform_site import bell
from platform_site.db import db
from platform_site.tenancy import acting_for

log = logging.getLogger(__name__)
LOOK_S = 1.0
"""How often it looks at least."""
WATCH_S = 0.1
"""How often while something is on its way."""
PATIENCE_S = 1.2
BROKEN_S = 30.0
"""How long one that could not be delivered is left alone."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at the rows found."""

    claimed: list[Open]
    open: list[Open]
    next_in: float | None


@dataclass
class Ticker:
    """One a process. It shares nothing with others but the rows. `now` and `clock`: the time, and seconds that pass."""

    now: Callable[[], datetime] = timezone.now
    clock: Callable[[], float] = time.monotonic
    sooner: asyncio.Event = field(default_factory=asyncio.Event)
    since: dict[Open, float] = field(default_factory=dict)
    """What is open, and when this ticker may deliver it itself."""
    ours: set[Open] = field(default_factory=set)
    """What this ticker claimed and has to tell of."""

    async def look(self) -> None:
        """One round; asks to be called again as soon as there will be something to do."""
        seen = await db(look_at_rows, self.now())
        self.ours.update(seen.claimed)
        await self._tell(self.ours - set(seen.open) - await self._open_beyond(seen))
        self.since = {one: self.since.get(one, self.clock() + PATIENCE_S) for one in seen.open}
        for one in [one for one, until in self.since.items() if until <= self.clock()]:
            await self._deliver(one)
        self._wake_in(seen)

    async def _open_beyond(self, seen: Seen) -> set[Open]:
        """Of what this ticker claimed, what is open and stood in no batch."""
        more = self.ours - set(seen.open)
        return await db(claiming.still_open, more) if more and len(seen.open) == claiming.BATCH else set()

    async def _deliver(self, one: Open) -> None:
        try:
            with acting_for(one.tenant):
                done = await db(delivering.deliver, one.occurrence)
        except Exception:
            log.exception("the occurrence %s could not be delivered", one.occurrence)
            self.since[one] = self.clock() + BROKEN_S
            return
        if done or one in self.ours:
            await self._tell({one})
        self.since.pop(one, None)

    async def _tell(self, dealt_with: set[Open]) -> None:
        for one in dealt_with:
            self.ours.discard(one)
            with acting_for(one.tenant):
                topic, notices = await db(delivering.notices_of, one.occurrence)
            the_feeds.look_at(topic)
            for notice in notices:
                bell.notify(notice)

    def _wake_in(self, seen: Seen) -> None:
        on_its_way = any(until - self.clock() <= PATIENCE_S for until in self.since.values())
        waits = [WATCH_S] if on_its_way else []
        due = seen.next_in
        # What is due and could not be claimed waits for the next look, and keeps nobody awake.
        if due is not None and due < LOOK_S and (due > 0 or seen.claimed):
            waits.append(max(0.0, due))
        if waits:
            asyncio.get_running_loop().call_later(min(waits), self.sooner.set)


def look_at_rows(now: datetime) -> Seen:
    """Claim what is due, then look what is open and what comes next."""
    claimed = claiming.claim_due(now)
    return Seen(claimed, claiming.open_ones(), claiming.seconds_until_next(now))
