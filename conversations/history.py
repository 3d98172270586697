"""Rows to model messages. Pure: the transcript a model is given, rebuilt from what is stored.

Every assistant message that made calls is followed by one `tool` message that answers each of them, in order, so
that a history is valid whatever happened in between: a call nobody finished is answered too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agents.messages import (
    ModelMessage,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    native_among,
    part_from_json,
    shown_parts,
)

NOT_RUN = "This call was not carried out: the turn ended before it could run. Nothing was changed."


Stored = tuple[str, Sequence[Mapping[str, Any]]]
"""A message row: its role and its parts as they are stored."""


def history(messages: Iterable[Stored], answers: Mapping[str, ToolResultPart]) -> list[ModelMessage]:
    """What a model is given: `messages` in order, `answers` the results by call id."""
    told: list[ModelMessage] = []
    for role, stored in messages:
        parts = tuple(part_from_json(part) for part in shown_parts(stored))
        if all(isinstance(part, ThinkingPart) for part in parts):
            continue
        told.append(ModelMessage("user" if role == "user" else "assistant", parts, native_among(stored)))
        calls = [part for part in parts if isinstance(part, ToolCallPart)]
        if calls:
            told.append(ModelMessage("tool", tuple(answer(call, answers) for call in calls)))
    return told


def answer(call: ToolCallPart, answers: Mapping[str, ToolResultPart]) -> ToolResultPart:
    """What the model is told of `call`."""
    return answers.get(call.call) or ToolResultPart(call.call, call.name, NOT_RUN, "withdrawn")
