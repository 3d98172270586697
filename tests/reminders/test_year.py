"""A year of reminders, carried by the ticker as it runs: its loop, its timers, its own delivery; only time is ours.

What is right was found another way (`other_way`): zones as tables of rules, and a clock that is walked.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connections, transaction

from conversations.reminders import ticker
from conversations.reminders.models import Occurrence
from conversations.runner import Runner
from tests.gate_evidence.rounds import LONG
from tests.reminders import other_way
from tests.reminders.conftest import Clock, Wall

YEAR = datetime(2026, 1, 10, tzinfo=UTC)
DAYS = 365
MONTH_S = 31 * 86_400.0


class Jumping(selectors.DefaultSelector):
    """Nobody waits: where the loop would sleep until its next timer, the clock is put on to it."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        if not found and timeout:
            self.clock.go(seconds=timeout)
        return found


class Loop(asyncio.SelectorEventLoop):
    """An event loop that lives in the clock's time."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(Jumping(clock))
        self.time = lambda: clock.seconds  # type: ignore[method-assign]
        self._clock_resolution = 1e-3  # a float of a year's seconds knows no nanoseconds


@contextmanager
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The ticker's hops to the database take no time: the clock stands still meanwhile. One commit, at the end."""
    with ThreadPoolExecutor(1) as thread:
        all_of_it = transaction.atomic()

        async def db(verb: Callable[..., Any], *args: Any) -> Any:
            return thread.submit(copy_context().run, verb, *args).result()

        monkeypatch.setattr(ticker, "db", db)
        thread.submit(all_of_it.__enter__).result()
        yield
        thread.submit(all_of_it.__exit__, None, None, None).result()
        thread.submit(connections.close_all).result()


def run_until(clock: Clock, end: datetime, work: Awaitable[None]) -> None:
    async def scenario() -> None:
        task = asyncio.ensure_future(work)
        await asyncio.sleep((end - clock.now).total_seconds())
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    with asyncio.Runner(loop_factory=lambda: Loop(clock)) as runner:
        runner.run(scenario())


def test_a_year_of_reminders(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    """None missed, none twice, each within two seconds of its moment, over both changes of the clocks in four zones.

    Sundays are when clocks change; with SLUICE_ROUNDS=100 or more it is every day. The ticker looks once a month
    unless it set itself a timer: its timers alone carry it.
    """
    monkeypatch.setattr(ticker, "LOOK_S", MONTH_S)
    monkeypatch.setattr(ticker, "WATCH_S", ticker.PATIENCE_S)
    wall.clock.now = YEAR
    weekday, kind = (None, "daily") if LONG else (6, "weekly")
    wanted = {
        wall.remind(kind, "02:15", zone, weekday=weekday, zone=zone).pk: list(
            other_way.dues(table, "02:15", YEAR.replace(tzinfo=None), DAYS, weekday)
        )
        for zone, table in other_way.ZONES.items()
    }
    with at_once(monkeypatch):
        loop = Runner()._every(MONTH_S, wall.ticker.look, wall.ticker.sooner)
        run_until(wall.clock, YEAR + timedelta(days=DAYS), loop)
    for reminder, moments in wanted.items():
        rows = Occurrence.objects.filter(reminder=reminder).order_by("due_at")
        assert [row.due_at.replace(tzinfo=None) for row in rows] == moments
        assert all(row.status == "delivered" and not row.is_late for row in rows)
        assert all(row.dealt_at and row.dealt_at - row.due_at <= timedelta(seconds=2) for row in rows)
    assert len(wall.told("reminder.fired")) == len(wall.notices) == sum(map(len, wanted.values()))
