"""Waiting: until something is done, and before the next try of something that keeps failing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)


class Backoff:
    """1, 2, 4 … 30 seconds; from the start again after a minute without a failure."""

    longest = 30.0
    calm = 60.0

    def __init__(self) -> None:
        self.pause = 0.0
        self.last = time.monotonic()

    def next_pause(self) -> float:
        now = time.monotonic()
        good = now - self.last - self.pause > self.calm
        self.pause = 1.0 if good or not self.pause else min(self.pause * 2, self.longest)
        self.last = now
        return self.pause


async def supervise(name: str, work: Callable[[], Awaitable[None]]) -> None:
    """Await `work()`; when it fails, say so and try again. Ends when it ends by itself or is cancelled."""
    backoff = Backoff()
    while True:
        try:
            return await work()
        except Exception:
            pause = backoff.next_pause()
            log.exception("%s failed; starting it again in %g s", name, pause)
            await asyncio.sleep(pause)


async def until(done: Callable[[], bool], deadline: float) -> None:
    """Wait for `done()`, at most until `deadline` (monotonic)."""
    while True:
        if done() or time.monotonic() >= deadline:
            return
        await asyncio.sleep(0.05)
