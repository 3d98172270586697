"""kill -9 while reminders are due: each comes once, the last missed one late with its intended time (R3, T75).

Due times are moved close by hand: people's are whole minutes.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import psycopg
import pytest

from tests.gate_evidence.rounds import LONG
from tests.served.talk import Talk, Transcript, talk
from tests.served.up import Up

SPARE = 20 if LONG else 5
"""Reminders, a fifth of a second apart."""


class Desk:
    """Max of the tenant `desk`, his reminders, and the hands that move their times."""

    def __init__(self, up: Up) -> None:
        self.up = up
        self.token = up.token("member", "desk")
        self.told = Transcript()
        self.conversation = ""

    async def open(self) -> Talk:
        person = await talk(self.up.url, self.token, "desk")
        if self.conversation:
            await person.follow(self.conversation, self.told)
        else:
            self.conversation = await person.start("assistant")
            self.told = person.transcripts[self.conversation]
        return person

    def remind(self, content: str, kind: str = "daily") -> str:
        body = {
            "conversation": self.conversation,
            "type": kind,
            "time": "09:00",
            "content": content,
            "zone": "UTC",
        }
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = httpx2.post(
            f"{self.up.url}/api/v1/t/desk/reminders", json=body, headers=headers, trust_env=False
        )
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def due(self, reminder: str, moment: datetime) -> None:
        """Move one to this moment; its time of day with it, so that the days before and after are right."""
        self._do(
            "UPDATE conversations_reminder SET next_due = {0}, time = {1} WHERE id = {2}",
            moment, moment.time(), reminder,
        )  # fmt: skip

    def outcomes(self, reminder: str) -> list[tuple[str, str]]:
        sql = "SELECT status, why FROM conversations_occurrence WHERE reminder_id = {0} ORDER BY due_at"
        return [(str(status), str(why)) for status, why in self._do(sql, reminder)]

    def _do(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        if url := self.up.database.environment.get("DATABASE_URL"):
            with psycopg.connect(url, autocommit=True) as rows:
                done = rows.execute(sql.format(*["%s"] * len(values)), values)
                return done.fetchall() if done.description else []
        plain = [
            f"{value:%Y-%m-%d %H:%M:%S.%f}" if isinstance(value, datetime) else value for value in values
        ]
        plain = [value if isinstance(value, str) else f"{value:%H:%M:%S.%f}" for value in plain]
        with closing(sqlite3.connect(self.up.data_dir / "sluice.sqlite3", timeout=10)) as file, file:
            return file.execute(sql.format(*["?"] * len(values)), plain).fetchall()


def fired(told: Transcript) -> dict[str, dict[str, Any]]:
    """By reminder; none twice."""
    values = [event["value"] for event in told.of("CUSTOM", "reminder.fired")]
    assert len({value["occurrence"] for value in values}) == len(values)
    return {value["reminder"]: value for value in values}


async def scenario(desk: Desk) -> None:
    person = await desk.open()
    reminders = [await asyncio.to_thread(desk.remind, f"number {n}") for n in range(SPARE)]
    missed = await asyncio.to_thread(desk.remind, "days ago")
    begin = datetime.now(UTC) + timedelta(seconds=1)
    for number, reminder in enumerate(reminders):
        await asyncio.to_thread(desk.due, reminder, begin + timedelta(seconds=0.2 * number))
    await person.until(desk.conversation, fired)
    await asyncio.to_thread(desk.up.kill)
    await person.close()
    intended = begin - timedelta(seconds=30)
    await asyncio.to_thread(desk.due, missed, intended - timedelta(days=2))
    await asyncio.to_thread(time.sleep, 0.2 * SPARE)
    await asyncio.to_thread(desk.up.start)
    person = await desk.open()
    told = await person.until(desk.conversation, lambda told: set(fired(told)) >= {*reminders, missed})
    await person.close()
    for reminder in reminders:
        assert desk.outcomes(reminder) == [("delivered", "")]
    assert desk.outcomes(missed) == [("skipped", "missed"), ("skipped", "missed"), ("delivered", "")]
    late = fired(told)[missed]
    assert (late["late"], late["missed"], late["due"][:16]) == (True, 2, f"{intended:%Y-%m-%dT%H:%M}")
    assert told.gaps == []


@pytest.mark.usefixtures("own_up")
def test_killed_while_reminders_are_due_each_comes_once(own_up: Up) -> None:
    own_up.start()
    asyncio.run(scenario(Desk(own_up)))


async def delays(desk: Desk) -> list[float]:
    """Seconds from when each was due until it was heard, one a second and at odd moments."""
    person, heard = await desk.open(), dict[str, datetime]()
    made = [await asyncio.to_thread(desk.remind, f"number {n}") for n in range(20 if LONG else 4)]
    begin = datetime.now(UTC) + timedelta(seconds=2)
    wanted = {reminder: begin + timedelta(seconds=1.37 * number) for number, reminder in enumerate(made)}
    for reminder, moment in wanted.items():
        await asyncio.to_thread(desk.due, reminder, moment)
    while len(heard) < len(wanted):
        await person.until(desk.conversation, lambda told: len(fired(told)) > len(heard))
        for reminder in set(fired(person.transcripts[desk.conversation])) - set(heard):
            heard[reminder] = datetime.now(UTC)
    await person.close()
    return [(heard[reminder] - due).total_seconds() for reminder, due in wanted.items()]


def test_each_is_heard_within_two_seconds(served: Up, record_property: Callable[[str, object], None]) -> None:
    """In the conversation, over a real socket, while the server runs."""
    found = sorted(asyncio.run(delays(Desk(served))))
    record_property("seconds", found)
    assert found[0] >= 0 and found[-1] < 2
