"""What people are told of reminders: the events in their conversation. Nothing here decides anything."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from agents.usage.periods import zone
from conversations.reminders.models import Occurrence, Reminder
from platform_site import ledger, wire
from platform_site.models import User
from tools.gate.telling import iso

Did = Literal["set", "changed", "paused", "resumed", "deleted"]
Why = Literal["missed", "parked", "busy", "gone", "broken"]
"""Why an occurrence was skipped; `words.SKIPPED` says it to people."""


def local_of(moment: datetime, zone_name: str) -> str:
    """A moment as clocks there show it: `2026-03-29 03:00`."""
    return f"{moment.astimezone(zone(zone_name)):%Y-%m-%d %H:%M}"


def rule_json(row: Reminder) -> dict[str, Any]:
    """A reminder as the wire has it everywhere."""
    day = f"{row.date:%Y-%m-%d} " if row.date else ""
    return {
        "reminder": row.pk, "type": row.kind, "time": f"{day}{row.time:%H:%M}", "weekday": row.weekday,
        "zone": row.zone, "content": row.content, "action": row.act, "owner": _person(row.owner), "after": row.after,
    }  # fmt: skip


def due_json(row: Reminder, occurrence: Occurrence) -> dict[str, Any]:
    """When it was due, for machines and for people."""
    due = {"due": iso(occurrence.due_at), "local": local_of(occurrence.due_at, row.zone)}
    return {"occurrence": occurrence.pk, **due, "late": occurrence.is_late}


def tell_changed(log: ledger.Log, row: Reminder, did: Did, by: User) -> None:
    """`reminder.changed`: set, changed, paused, resumed or deleted."""
    more = {
        "did": did,
        "status": row.status,
        "next": iso(row.next_due) if row.next_due else None,
        "by": _person(by),
    }
    log.tell(wire.custom("reminder.changed", {**rule_json(row), **more}))


def tell_fired(log: ledger.Log, row: Reminder, occurrence: Occurrence, missed: int) -> None:
    """`reminder.fired`: a card in the transcript. `missed`: earlier times for which there was no server."""
    log.tell(wire.custom("reminder.fired", {**rule_json(row), **due_json(row, occurrence), "missed": missed}))


def tell_skipped(log: ledger.Log, row: Reminder, occurrence: Occurrence) -> None:
    """`reminder.skipped`: it was due, and nothing was done."""
    log.tell(
        wire.custom(
            "reminder.skipped", {**rule_json(row), **due_json(row, occurrence), "why": occurrence.why}
        )
    )


def _person(user: User) -> dict[str, str]:
    return {"id": user.pk, "name": str(user)}
