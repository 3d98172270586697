"""Rows that cannot be dealt with hold up nobody, and end in an outcome that people see."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection

from conversations.reminders import delivering
from conversations.reminders.models import Occurrence, Reminder
from platform_site.models import AuditEntry
from tests.reminders.conftest import MONDAY, Wall

NINE = MONDAY.replace(hour=9)
MANY = 150
"""More than one look takes."""
UNREADABLE = f"[{'9' * 5_000}]"
HOURS = timedelta(hours=2)


def many_before(wall: Wall, good: Reminder, *, broken: bool) -> None:
    """Reminders that are due before `good` is; the broken ones are weekly ones of no weekday."""
    kind = {"kind": "weekly", "weekday": None if broken else 0}
    same = {
        name: getattr(good, name)
        for name in ("conversation", "owner", "tenant_id", "time", "zone", "content")
    }
    due = NINE - timedelta(minutes=30)
    Reminder.objects.bulk_create(Reminder(**same, **kind, next_due=due) for _nth in range(MANY))


def came(good: Reminder) -> bool:
    return Occurrence.objects.filter(reminder=good, status="delivered").exists()


def test_150_that_cannot_be_claimed_hold_up_no_other(wall: Wall) -> None:
    good = wall.remind(content="good")
    many_before(wall, good, broken=True)
    wall.clock.now = NINE
    wall.look()
    wall.look()
    assert [row.reminder for row in Occurrence.objects.all()] == [good]
    wall.pass_by()
    assert came(good)


def test_150_that_can_are_claimed_in_as_many_looks(wall: Wall) -> None:
    good = wall.remind(content="good")
    many_before(wall, good, broken=False)
    wall.clock.now = NINE
    wall.look()
    wall.look()
    assert Occurrence.objects.filter(status="due").count() == MANY + 1


def test_one_whose_columns_cannot_even_be_read_breaks_alone(wall: Wall) -> None:
    """Every row that is read with it in one query would break, too. Databases store this number, Python refuses it."""
    good, broken = wall.remind(content="good"), wall.remind(time="08:30", content="broken")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE conversations_reminder SET after = %s WHERE id = %s", [UNREADABLE, broken.pk])
    wall.until(NINE)
    assert came(good)


def test_what_breaks_for_two_hours_is_paused_and_people_see_why(wall: Wall) -> None:
    broken = wall.remind(content="broken")
    Reminder.objects.filter(pk=broken.pk).update(kind="weekly")
    wall.clock.now = NINE
    looks = range(int(HOURS.total_seconds() / 60))
    for _minute in looks:
        wall.look()
        wall.clock.go(minutes=1)
    broken.refresh_from_db()
    assert (broken.status, wall.outcomes()) == ("paused", ["11-23 09:00 skipped broken"])
    noted = AuditEntry.objects.get(verb="reminder.paused")
    assert (noted.object_id, noted.actor, "it broke" in noted.details) == (broken.pk, "", True)
    assert [told["why"] for told in wall.told("reminder.skipped")] == ["broken"]


def test_what_is_repaired_in_time_comes_late_and_is_not_paused(wall: Wall) -> None:
    broken = wall.remind(content="broken")
    Reminder.objects.filter(pk=broken.pk).update(kind="weekly")
    wall.until(NINE)
    assert wall.outcomes() == []
    Reminder.objects.filter(pk=broken.pk).update(kind="daily")
    wall.until(NINE + timedelta(minutes=1))
    assert wall.outcomes() == ["11-23 09:00 delivered"]
    assert Reminder.objects.get().status == "active"


@pytest.fixture
def undeliverable(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Occurrences that break when anybody delivers them; no queue worker is there."""
    broken = set[str]()
    deliver = delivering.deliver

    def sometimes(occurrence: str) -> bool:
        if occurrence in broken:
            raise ZeroDivisionError
        return deliver(occurrence)

    monkeypatch.setattr(delivering, "deliver", sometimes)
    return broken


def test_150_that_cannot_be_delivered_hold_up_no_other(wall: Wall, undeliverable: set[str]) -> None:
    good = wall.remind(content="good")
    due = NINE - timedelta(minutes=30)
    rows = [Occurrence(reminder=good, due_at=due - timedelta(days=nth)) for nth in range(MANY)]
    undeliverable |= {row.pk for row in Occurrence.objects.bulk_create(rows)}
    for _look in range(3):
        wall.until(NINE)
    assert came(good)
    assert len(wall.notices) == 1


def test_one_that_cannot_be_delivered_for_two_hours_is_skipped_and_the_next_comes(
    wall: Wall, undeliverable: set[str]
) -> None:
    wall.remind()
    wall.clock.now = NINE
    wall.look()
    undeliverable.add(Occurrence.objects.get().pk)
    for _minute in range(int(HOURS.total_seconds() / 60)):
        wall.clock.go(minutes=1)
        wall.look()
    assert wall.outcomes() == ["11-23 09:00 skipped broken"]
    assert [told["why"] for told in wall.told("reminder.skipped")] == ["broken"]
    assert AuditEntry.objects.filter(verb="reminder.changed", actor="").count() == 1
    wall.until(NINE + timedelta(days=1))
    assert wall.outcomes()[1:] == ["11-24 09:00 delivered"]


def test_what_a_worker_delivers_while_it_rests_here_is_told_live(wall: Wall, undeliverable: set[str]) -> None:
    wall.remind()
    wall.clock.now = NINE
    wall.look()
    row = Occurrence.objects.get()
    undeliverable.add(row.pk)
    wall.clock.go(seconds=2)
    wall.look()
    undeliverable.clear()
    wall.look()
    assert wall.notices == []
    delivering.deliver(row.pk)
    wall.look()
    assert len(wall.notices) == 1
