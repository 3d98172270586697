"""What a model is told of jobs: in the run that began them, that they are at work; then their result, and a note on it.

A result stands where its call was made, far above; so each one is announced where it came, before the first message of
the first run that knows of it. That place never changes. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agents import asides
from agents.messages import part_to_json
from conversations.history import Stored
from tools.jobs.telling import is_background
from tools.models import ToolCall

LONGEST = 2_000
"""Characters of a result that are told where the call itself is not among the messages."""


@dataclass(frozen=True, slots=True)
class Row:
    """A stored message. `began`: when the run that made it, or answers it, began."""

    id: str
    stored: Stored
    began: datetime | None


def is_job(call: ToolCall) -> bool:
    """Whether the call was handed to a queue worker."""
    return call.claimed_at is not None and is_background(call)


def is_known(call: ToolCall, began: datetime | None) -> bool:
    """Whether a run that began then is told how the job ended. None: somebody reads this afterwards."""
    return call.settled_at is not None and (began is None or call.settled_at <= began)


def with_news(rows: Sequence[Row], calls: Iterable[ToolCall], began: datetime | None) -> list[Stored]:
    """The messages with a note at each place where a job's outcome came."""
    ended = [call for call in calls if is_job(call) and is_known(call, began)]
    places: dict[int, list[ToolCall]] = {}
    for call in sorted(ended, key=lambda call: (call.settled_at, call.pk)):
        places.setdefault(_place(rows, call), []).append(call)
    known = {row.id for row in rows}
    told: list[Stored] = []
    for nth, row in enumerate([*rows, None]):
        told += [_note(call, known) for call in places.get(nth, ())]
        told += [row.stored] if row else []
    return told


def _place(rows: Sequence[Row], call: ToolCall) -> int:
    """The first message of a run that began when the job had ended; else the end."""
    assert call.settled_at is not None
    late = (nth for nth, row in enumerate(rows) if row.began and row.began >= call.settled_at)
    return next(late, len(rows))


def _note(call: ToolCall, known: Collection[str]) -> Stored:
    result = "Its result stands with the call, above."
    if call.message not in known:
        result = f"Its result: {(call.result or {}).get('content', '')[:LONGEST]}"
    text = f"The background call {call.name} (ticket {call.pk}) has ended: {call.status}. {result}"
    text += " Tell the person what came of it, if that was not done yet."
    return "user", [part_to_json(part) for part in asides.note(text).parts]
