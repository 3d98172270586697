"""A reminder comes when it is due, once, whatever happens to clocks, workers and processes (R3, P4, T75)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from django.db import connections

from conversations.reminders import claiming, delivering, tasks, verbs
from conversations.reminders.models import Occurrence, Reminder
from platform_site.tenancy import acting_for
from tests.reminders.conftest import MONDAY, Wall

NINE = MONDAY.replace(hour=9)


def test_it_comes_when_it_is_due_and_not_before(wall: Wall) -> None:
    reminder = wall.remind()
    wall.until(NINE - timedelta(seconds=3))
    assert wall.outcomes() == []
    wall.until(NINE)
    assert wall.outcomes() == ["11-23 09:00 delivered"]
    assert Reminder.objects.get().next_due == NINE + timedelta(days=1)
    (fired,) = wall.told("reminder.fired")
    shown = {name: fired[name] for name in ("reminder", "content", "due", "local", "zone", "late", "missed")}
    assert shown == {
        "reminder": reminder.pk, "content": "Stretch", "due": "2026-11-23T09:00:00.000Z", "local": "2026-11-23 09:00",
        "zone": "UTC", "late": False, "missed": 0,
    }  # fmt: skip


def test_everybody_there_hears_of_it_whatever_they_look_at(wall: Wall) -> None:
    wall.remind()
    wall.until(NINE)
    (notice,) = wall.notices
    assert (notice.user, notice.kind, notice.data["content"]) == (
        wall.talk.actor.user.pk,
        "reminder",
        "Stretch",
    )


def test_one_that_comes_once_is_done_then(wall: Wall) -> None:
    wall.remind("once", "2026-11-23 09:00")
    wall.until(NINE)
    wall.until(NINE + timedelta(days=7))
    assert wall.outcomes() == ["11-23 09:00 delivered"]
    assert (Reminder.objects.get().status, Reminder.objects.get().next_due) == ("done", None)


def test_a_worker_delivers_and_the_ticker_tells(wall: Wall) -> None:
    """P4: the queue has it, with ids alone. Who claimed it rings the bell when it is seen to be delivered."""
    wall.remind()
    wall.clock.now = NINE
    wall.look()
    assert (wall.queued(), wall.outcomes()) == (1, ["11-23 09:00 due"])
    row = Occurrence.objects.get()
    assert tasks.deliver(str(row.tenant_id), row.pk)
    wall.look()
    assert (len(wall.told("reminder.fired")), len(wall.notices)) == (1, 1)


def test_where_the_queue_is_down_the_ticker_delivers_a_second_later(wall: Wall) -> None:
    wall.remind()
    wall.clock.now = NINE
    wall.look()
    wall.clock.go(seconds=0.5)
    wall.look()
    assert wall.outcomes() == ["11-23 09:00 due"], "a worker has its second"
    wall.clock.go(seconds=0.7)
    wall.look()
    assert wall.outcomes() == ["11-23 09:00 delivered"]
    row = Occurrence.objects.get()
    assert not tasks.deliver(str(row.tenant_id), row.pk), "the worker comes too late, and does nothing"
    assert (len(wall.told("reminder.fired")), len(wall.notices)) == (1, 1)


def test_after_an_outage_the_last_comes_late_and_the_others_are_noted(wall: Wall) -> None:
    wall.remind()
    wall.until(NINE + timedelta(days=3, minutes=5))
    assert wall.outcomes() == [
        "11-23 09:00 skipped missed", "11-24 09:00 skipped missed", "11-25 09:00 skipped missed",
        "11-26 09:00 delivered",
    ]  # fmt: skip
    (fired,) = wall.told("reminder.fired")
    assert (fired["local"], fired["late"], fired["missed"]) == ("2026-11-26 09:00", True, 3)
    wall.until(NINE + timedelta(days=4))
    assert wall.told("reminder.fired")[-1]["missed"] == 0


def test_a_process_that_died_after_the_claim_is_made_up_for(wall: Wall) -> None:
    wall.remind()
    wall.clock.now = NINE
    wall.look()  # and it dies
    other = wall.another_ticker()
    wall.look(other)
    wall.clock.go(seconds=2)
    wall.look(other)
    assert wall.outcomes() == ["11-23 09:00 delivered"]
    assert len(wall.notices) == 1


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_is_moved_gives_each_once(wall: Wall, hours: int) -> None:
    """T75: an hour forward at 8:30, or back just after it came; later somebody puts it right."""
    wall.remind()
    wall.until(NINE - timedelta(minutes=30) if hours > 0 else NINE)
    for by in (hours, -hours):
        wall.clock.set_(hours=by)
        for _minute in range(40):
            wall.clock.go(minutes=1)
            wall.pass_by()
    wall.until(NINE + timedelta(hours=3))
    assert wall.outcomes() == ["11-23 09:00 delivered"]


def test_set_back_paused_and_resumed_it_does_not_come_again(wall: Wall) -> None:
    reminder = wall.remind()
    wall.until(NINE)
    wall.clock.set_(hours=-1)
    verbs.pause(wall.talk.actor, reminder.pk)
    assert verbs.resume(wall.talk.actor, reminder.pk).next_due == NINE
    wall.until(NINE + timedelta(minutes=1))
    assert wall.outcomes() == ["11-23 09:00 delivered"]
    wall.until(NINE + timedelta(days=1))
    assert len(wall.told("reminder.fired")) == 2


def test_one_that_breaks_holds_up_no_other(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, good = wall.remind(content="broken"), wall.remind(content="good")
    deliver = delivering.deliver

    def sometimes(occurrence: str) -> bool:
        if Occurrence.objects.get(pk=occurrence).reminder_id == broken.pk:
            raise ZeroDivisionError
        return deliver(occurrence)

    monkeypatch.setattr(delivering, "deliver", sometimes)
    wall.until(NINE)
    assert [fired["reminder"] for fired in wall.told("reminder.fired")] == [good.pk]
    monkeypatch.setattr(delivering, "deliver", deliver)
    wall.until(NINE + timedelta(minutes=1))
    assert len(wall.told("reminder.fired")) == 2


def test_one_that_cannot_be_claimed_keeps_nobody_awake(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    wall.remind()
    wall.clock.now = NINE

    def broken(row: Reminder) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(claiming, "rule_of", broken)

    async def one_round() -> bool:
        await wall.ticker.look()
        await asyncio.sleep(0)
        return wall.ticker.sooner.is_set()

    assert not asyncio.run(one_round())
    assert wall.outcomes() == []


def test_of_many_at_once_each_is_told(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than one look takes; workers deliver them."""
    monkeypatch.setattr(claiming, "BATCH", 1)
    wall.remind(content="one")
    wall.remind(content="two")
    wall.clock.now = NINE
    for _look in range(3):
        wall.look()
    for row in Occurrence.objects.all():
        tasks.deliver(str(row.tenant_id), row.pk)
    wall.look()
    assert sorted(notice.data["content"] for notice in wall.notices) == ["one", "two"]


def test_of_two_tickers_at_once_one_has_each(wall: Wall) -> None:
    """Both look at the same moments with threads of their own; each occurrence is claimed and delivered once."""
    for number in range(8):
        wall.remind(content=f"number {number}")

    def look(moment: datetime) -> int:
        try:
            mine = claiming.claim_due(moment)
            with acting_for(wall.talk.actor.tenant):
                return len(mine) + 1000 * sum(
                    delivering.deliver(one.occurrence) for one in claiming.open_ones()
                )
        finally:
            connections.close_all()

    days = [NINE + timedelta(days=day) for day in range(3)]
    with ThreadPoolExecutor(4) as threads:
        for moment in days:
            wall.clock.now = moment
            done = sum(threads.map(look, [moment] * 4))
            assert divmod(done, 1000) == (8, 8)
    assert len(wall.outcomes()) == 24
    assert len(wall.told("reminder.fired")) == 24
