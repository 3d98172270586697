"""What was carried out in branches that are not shown: it really happened, so a model has to know of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from agents import asides
from agents.messages import ModelMessage
from tools.models import CallStatus, ToolCall

HAPPENED = (CallStatus.SUCCEEDED, CallStatus.UNKNOWN)
MOST = 20
LONGEST = 200
"""Characters of a call's arguments that are told."""


def note(calls: Iterable[ToolCall], path: Collection[str]) -> ModelMessage | None:
    """One line on the calls of other branches that may have changed something; None where there are none."""
    done = [call for call in calls if call.message not in path and call.status in HAPPENED and _writes(call)]
    if not done:
        return None
    in_order = sorted(done, key=lambda call: (call.proposed_at, call.position))[-MOST:]
    listed = "; ".join(map(_line, in_order))
    return asides.note(f"In another branch of this conversation these actions were carried out: {listed}")


def _writes(call: ToolCall) -> bool:
    return call.version is not None and not call.version.definition.get("read_only")


def _line(call: ToolCall) -> str:
    given = json.dumps(call.arguments or {}, ensure_ascii=False)
    shown = given if len(given) <= LONGEST else f"{given[:LONGEST]}…"
    return f"{call.name} {shown} ({call.status})"


def told_before_last(messages: list[ModelMessage], one: ModelMessage | None) -> list[ModelMessage]:
    """The history with `one` before what the person said last, where it parts no call from its result."""
    if one is None:
        return messages
    said = [at for at, message in enumerate(messages) if message.role == "user"]
    at = said[-1] if said else 0
    return [*messages[:at], one, *messages[at:]]
