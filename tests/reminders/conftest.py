"""Bob's conversation, a clock that is turned by hand, and the ticker that looks at it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from conversations.reminders import verbs
from conversations.reminders.models import Occurrence, Reminder
from conversations.reminders.ticker import PATIENCE_S, Ticker
from conversations.reminders.verbs import Wish
from platform_site import bell
from tests.conversations.conftest import Talk, bobs, talk

__all__ = ["bobs", "talk"]
MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


@dataclass
class Clock:
    """What everybody believes the time to be."""

    now: datetime = MONDAY
    seconds: float = 0.0

    def __call__(self) -> datetime:
        return self.now

    def go(self, **passed: float) -> None:
        """Time passes."""
        self.now += timedelta(**passed)
        self.seconds += timedelta(**passed).total_seconds()

    def set_(self, **by: float) -> None:
        """Somebody changes the clock; no time passes."""
        self.now += timedelta(**by)


@dataclass
class Wall:
    """A conversation in which reminders come, and one process that watches the clock."""

    talk: Talk
    clock: Clock
    notices: list[bell.Notice] = field(default_factory=list)
    ticker: Ticker = field(init=False)

    def __post_init__(self) -> None:
        self.ticker = self.another_ticker()

    def another_ticker(self) -> Ticker:
        return Ticker(now=self.clock, clock=lambda: self.clock.seconds)

    def remind(
        self, kind: str = "daily", time: str = "09:00", content: str = "Stretch", **more: Any
    ) -> Reminder:
        return verbs.set_(self.talk.actor, self.talk.conversation.pk, Wish(kind, time, content, **more))

    def look(self, ticker: Ticker | None = None) -> None:
        asyncio.run((ticker or self.ticker).look())

    def pass_by(self) -> None:
        """What is due is claimed; then no worker comes, and the ticker delivers it itself."""
        self.look()
        self.clock.go(seconds=PATIENCE_S)
        self.look()

    def until(self, moment: datetime) -> None:
        self.clock.go(seconds=(moment - self.clock.now).total_seconds())
        self.pass_by()

    def told(self, name: str) -> list[dict[str, Any]]:
        return [event["value"] for event in self.talk.log() if event.get("name") == name]

    def outcomes(self) -> list[str]:
        """`2026-11-23 09:00 delivered`, in the order in which they were due."""
        rows = Occurrence.objects.order_by("due_at")
        return [" ".join(filter(None, (f"{row.due_at:%m-%d %H:%M}", row.status, row.why))) for row in rows]

    def queued(self) -> int:
        return OrmQ.objects.count()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


@pytest.fixture
def wall(talk: Talk, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wall]:
    wall = Wall(talk, clock)
    rung: Callable[[bell.Notice], None] = wall.notices.append
    monkeypatch.setattr(bell, "notify", rung)
    yield wall
