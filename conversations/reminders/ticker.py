"""The ticker: beside each runner, it claims reminders when they are due and sees to it that they are delivered.

A queue worker delivers; what is still open after `PATIENCE_S` the ticker delivers itself by the same verb, so that a
queue that is down makes a reminder a second late. Who claimed or delivered one tells it to the open pages: a worker's
bell does not reach them everywhere. What breaks rests (`Setbacks`), and holds up nothing else.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from conversations.feed import the_feeds
from conversations.reminders import claiming, delivering
from conversations.reminders.claiming import Open
from conversations.reminders.giving_up import skip_broken
from platform_site import bell
from platform_site.db import db
from platform_site.tenancy import acting_for
from tools.jobs.setbacks import Setbacks

LOOK_S = 1.0
"""How often it looks at least."""
WATCH_S = 0.1
"""How often while something is on its way."""
PATIENCE_S = 1.2


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
    claims: Setbacks = field(init=False)
    """Reminders that could not be claimed."""
    deliveries: Setbacks = field(init=False)
    """Occurrences that could not be delivered."""

    def __post_init__(self) -> None:
        self.claims, self.deliveries = Setbacks(self.clock), Setbacks(self.clock)

    async def look(self) -> None:
        """One round; asks to be called again as soon as there will be something to do."""
        seen = await db(look_at_rows, self.now(), self.claims, self.deliveries.resting())
        self.ours.update(seen.claimed)
        gone = self.ours - set(seen.open)
        await self._tell(gone - await db(claiming.still_open, gone) if gone else gone)
        self.since = {one: self.since.get(one, self.clock() + PATIENCE_S) for one in seen.open}
        for one in [one for one, until in self.since.items() if until <= self.clock()]:
            await self._deliver(one)
        self._wake_in(seen)

    async def _deliver(self, one: Open) -> None:
        it = one.occurrence
        with acting_for(one.tenant):
            done = await db(
                self.deliveries.tried, it, lambda: delivering.deliver(it), lambda: skip_broken(it)
            )
        self.since.pop(one, None)
        if done or (done is not None and one in self.ours):
            await self._tell({one})

    async def _tell(self, dealt_with: set[Open]) -> None:
        for one in dealt_with:
            self.ours.discard(one)
            with acting_for(one.tenant):
                topic, notices = await db(delivering.notices_of, one.occurrence)
            the_feeds.look_at(topic)
            for notice in notices:
                bell.notify(notice)

    def _wake_in(self, seen: Seen) -> None:
        waits = [WATCH_S] if self.since else []
        if seen.next_in is not None and seen.next_in < LOOK_S:
            waits.append(max(0.0, seen.next_in))
        if waits:
            asyncio.get_running_loop().call_later(min(waits), self.sooner.set)


def look_at_rows(now: datetime, claims: Setbacks, resting: Collection[str]) -> Seen:
    """Claim what is due, then look what is open, but for what is `resting`, and what comes next."""
    claimed = claiming.claim_due(now, claims)
    coming = claiming.seconds_until_next(now, claims.resting())
    return Seen(claimed, claiming.open_ones(resting), coming)
