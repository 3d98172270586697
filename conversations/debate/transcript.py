"""A debate as each of its voices is told it. Pure: rows of the branch in, model messages out.

Whoever speaks now finds their own turns as an assistant's, with calls and results; everything else stands in what they
are told between, under the name of who said it. What was broken off is left out: it is said again in whole.
The last such message ends with the notepad and with what is asked now; the calls of this very turn follow it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents import debate_words
from agents.debate import SUMMARY, Said, Settings, Speak, Summarise
from agents.messages import (
    ImagePart,
    ModelMessage,
    Part,
    TextPart,
    ToolResultPart,
    part_from_json,
    shown_parts,
)
from conversations.history import history

BROKEN = ("error", "cancelled")
OF_THE_DEBATE = (debate_words.NOTES, debate_words.NOTHING)
Ended = Mapping[str, tuple[str, bool]]
"""Of each call its tool when it succeeded (else empty), and whether its answer leaves nothing to say."""


@dataclass(frozen=True, slots=True)
class Row:
    """A message of the branch."""

    id: str
    role: str
    parts: Sequence[Mapping[str, Any]]
    debate: str | None = None
    speaker: str = ""
    turn: int = 0
    finish: str = ""
    author: str = ""
    run: str | None = None
    by: str | None = None
    """The id of who wrote it."""

    @property
    def is_whole(self) -> bool:
        return self.finish not in BROKEN

    @property
    def text(self) -> str:
        return "".join(part["text"] for part in self.parts if part["kind"] == "text")

    @property
    def calls(self) -> list[tuple[str, str]]:
        """Id and tool of each call it makes."""
        return [(part["call"], part["name"]) for part in self.parts if part["kind"] == "tool_call"]


def last_debate(path: Sequence[Row]) -> str | None:
    """The debate this branch is in, or was in last."""
    return next((row.debate for row in reversed(path) if row.debate), None)


def said_in(path: Iterable[Row], debate: str, ended: Ended) -> list[Said]:
    """The turns of a debate as far as they got, for its script."""
    turns: dict[int, list[Row]] = {}
    for row in path:
        if row.debate == debate and row.role != "user":
            turns.setdefault(row.turn, []).append(row)
    return [_said(turn, rows, ended) for turn, rows in turns.items()]


def _said(turn: int, rows: Sequence[Row], ended: Ended) -> Said:
    last = rows[-1]
    calls = [ended.get(call, ("", False)) for row in rows if row.is_whole for call, _name in row.calls]
    settles = any(tool == debate_words.NOTHING for tool, _final in calls)
    of_last = [ended.get(call, ("", False)) for call, _name in last.calls]
    leaves_nothing = settles or (bool(last.text) and all(final for _tool, final in of_last))
    return Said(turn, last.is_whole and (not of_last or leaves_nothing), settles)


@dataclass(frozen=True, slots=True)
class View:
    """Who is told, and what there is besides the branch itself."""

    debate: str
    settings: Settings
    step: Speak | Summarise
    notepad: str
    """As Markdown."""
    answers: Mapping[str, ToolResultPart] = field(default_factory=dict)
    notes: Sequence[ModelMessage] = ()
    """What stands before everything else: a summary of what is left out, what happened in other branches."""

    @property
    def me(self) -> str:
        return self.step.persona.slug if isinstance(self.step, Speak) else ""

    @property
    def turn(self) -> int:
        return self.step.turn if isinstance(self.step, Speak) else SUMMARY

    def is_own(self, row: Row) -> bool:
        return row.debate == self.debate and row.role != "user" and row.speaker == self.me


def told(path: Sequence[Row], view: View) -> list[ModelMessage]:
    """The branch up to now, then what is asked, then what was done in this turn already."""
    said: list[ModelMessage] = list(view.notes)
    now: list[ModelMessage] = []
    for piece in _pieces([row for row in path if row.is_whole], view):
        if isinstance(piece, Row):
            target = now if piece.turn == view.turn else said
            target += history([("assistant", piece.parts)], view.answers)
        else:
            said.append(ModelMessage("user", piece))
    asked = debate_words.now(view.settings, view.step, view.notepad)
    return merged([*said, ModelMessage("user", (TextPart(asked),)), *now])


def merged(messages: Iterable[ModelMessage]) -> list[ModelMessage]:
    """What follows one another from the same side is one message: not every model takes two."""
    found: list[ModelMessage] = []
    for message in messages:
        if found and found[-1].role == message.role == "user":
            found[-1] = ModelMessage("user", (*found[-1].parts, *message.parts))
        else:
            found.append(message)
    return found


def _pieces(path: Sequence[Row], view: View) -> Iterator[Row | tuple[Part, ...]]:
    """What they are told, in order; their own messages as they are."""
    begun = next((at for at, row in enumerate(path) if row.debate == view.debate), len(path))
    yield from _before(path[:begun])
    question, rest = path[begun : begun + 1], path[begun + 1 :]
    for row in question:
        yield tuple(part_from_json(part) for part in shown_parts(row.parts))
    for row in rest:
        if view.is_own(row):
            yield row
        elif parts := _of_others(row, view.settings):
            yield parts


def _of_others(row: Row, settings: Settings) -> tuple[Part, ...]:
    pictures = tuple(
        part for one in shown_parts(row.parts) if isinstance(part := part_from_json(one), ImagePart)
    )
    if row.role == "user":
        return (TextPart(debate_words.stepped_in(row.author, row.text)), *pictures)
    voice = settings.persona(row.speaker) or settings.author
    tools = list(dict.fromkeys(name for _call, name in row.calls if name not in OF_THE_DEBATE))
    lines = [debate_words.said_by(voice.name, row.turn, row.text)] if row.text else []
    lines += [debate_words.used(voice.name, tools)] if tools else []
    return tuple(TextPart(line) for line in lines)


def _before(path: Sequence[Row]) -> Iterator[tuple[Part, ...]]:
    """What was said before this debate: of earlier ones the question and the final answer, of the rest the words."""
    earlier: dict[str, list[Row]] = {}
    for row in path:
        if row.debate:
            earlier.setdefault(row.debate, []).append(row)
    for row in path:
        if row.debate is None:
            words = row.text if row.role == "user" else f"The assistant said:\n{row.text}"
            yield (TextPart(words),)
        elif (rows := earlier[row.debate])[-1] is row:
            summary = [one.text for one in rows if one.role != "user" and one.turn == SUMMARY]
            yield (TextPart(debate_words.earlier(rows[0].text, "\n".join(summary))),)
