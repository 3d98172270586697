"""What was said, as lines that a summary is made of: when, who, what; calls and pictures in a few words. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from agents.messages import ImagePart, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from conversations.own_lines import within

LONGEST_GIVEN = 200
LONGEST_RESULT = 400
"""Characters that are told of a call's arguments and of its answer."""
LEFT_OUT = frozenset({"suggest_replies", "summary"})
"""Calls that say nothing about what was talked of."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message. `at` on the clocks of who asks."""

    who: str
    at: datetime
    parts: Sequence[Part]


def lines(messages: Iterable[Said], answers: Mapping[str, ToolResultPart]) -> Iterator[str]:
    """One line or more a message, a heading where a day begins. `answers`: by call id."""
    day = ""
    for message in messages:
        told = [line for part in message.parts if (line := _line(message.who, part, answers))]
        if told and day != (day := f"{message.at:%Y-%m-%d}"):
            yield f"--- {day} ---"
        yield from (f"{message.at:%H:%M} {line}" for line in told)


def _line(who: str, part: Part, answers: Mapping[str, ToolResultPart]) -> str:
    match part:
        case TextPart(text):
            return f"{who}: {within(text)}" if text.strip() else ""
        case ToolCallPart(call, name, arguments):
            return "" if name in LEFT_OUT else _called(name, arguments, answers.get(call))
        case ImagePart():
            return f"{who} showed a picture."
        case ThinkingPart() | ToolResultPart():
            return ""
        case _:
            assert_never(part)


def _called(name: str, arguments: str, result: ToolResultPart | None) -> str:
    given = f"The assistant used {name} with {_short(arguments, LONGEST_GIVEN)}"
    return (
        f"{given} ({result.status}): {_short(result.content, LONGEST_RESULT)}"
        if result
        else f"{given} (not done)"
    )


def _short(text: str, longest: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else f"{plain[:longest]}…"
