"""A debate as its request tells it: whose turn it is, what was said and noted, who stepped in, what a tool answered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agents import debate_words
from agents.debate_words import NOTES, NOTHING
from agents.demo import explicit, looking
from agents.demo.debate_plan import Plan, Role
from agents.demo.debate_topic import topic_of
from agents.demo.debate_words import Words
from agents.demo.language import Language
from agents.demo.script import ScriptedCall
from agents.demo.story import Result, Story
from agents.messages import ModelMessage, Request, TextPart, ToolCallPart

THOROUGH = "thorough"
"""A model whose name ends so says more in each turn."""


def _reading(told: str, **marks: str) -> re.Pattern[str]:
    """What reads back a text of `debate_words` that was made with these marks in its places."""
    pattern = re.escape(told)
    for name, mark in marks.items():
        pattern = pattern.replace(re.escape(mark), f"(?P<{name}>{'.*' if name == 'text' else '.{1,200}?'})")
    return re.compile(pattern, re.DOTALL)


_SAID = _reading(debate_words.said_by("NAME", 77, "TEXT"), name="NAME", turn="77", text="TEXT")
_STEPPED_IN = _reading(debate_words.stepped_in("NAME", "TEXT"), name="NAME", text="TEXT")
_NAMELESS = _reading(debate_words.stepped_in("", "TEXT"), text="TEXT")


@dataclass(frozen=True, slots=True)
class Note:
    """An entry of the notepad. `changed`: the turn in which it was last changed or struck; 0 while it never was."""

    n: int
    kind: str
    text: str
    by: str
    turn: int
    struck: bool
    changed: int


@dataclass(frozen=True, slots=True)
class SteppedIn:
    """What a person said between two turns. `answered`: the other has spoken since."""

    name: str
    text: str
    answered: bool


@dataclass(frozen=True)
class Scene:
    """One request, read."""

    request: Request

    @cached_property
    def told(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.request.settings["debate"]
        return found

    @cached_property
    def plan(self) -> Plan:
        question = str(self.told.get("question", ""))
        topic = topic_of(question, self.request.locale, bool(self.request.images))
        return Plan(topic, question.strip())

    @property
    def words(self) -> Words:
        return self.plan.words

    @property
    def language(self) -> Language:
        return self.plan.topic.language

    @property
    def role(self) -> Role:
        """By place: who speaks first opens, the other doubts."""
        return "cognito" if self.turn % 2 else "muse"

    @property
    def turn(self) -> int:
        return int(self.told["turn"])

    @property
    def round(self) -> int:
        return int(self.told["round"])

    @property
    def is_going_over(self) -> bool:
        """Whether no reason is left: then they go over what stands open on the notepad, if there are such notes."""
        is_out = self.plan.is_out_of_reasons(self.role, self.round)
        return is_out and bool(self.open_notes("question")) and bool(self.open_notes("todo"))

    @property
    def is_last(self) -> bool:
        return self.round >= int(self.told["rounds"])

    @property
    def is_thorough(self) -> bool:
        return self.request.model.endswith(THOROUGH)

    @cached_property
    def offered(self) -> frozenset[str]:
        return frozenset(spec.name for spec in self.request.tools)

    @cached_property
    def notes(self) -> list[Note]:
        """The notepad, those struck out included."""
        return [_note(entry) for entry in self.told.get("notepad", [])]

    def open_notes(self, kind: str) -> list[Note]:
        """The notes of a kind that stand."""
        return [one for one in self.notes if one.kind == kind and not one.struck]

    def note(self, kind: str, by: str = "", nth: int = 0) -> Note | None:
        """The nth open note of a kind (that somebody made); counted from the end below 0."""
        found = [one for one in self.open_notes(kind) if one.by in (by or one.by,)]
        return found[nth] if -len(found) <= nth < len(found) else None

    def mine_now(self, kind: str) -> Note | None:
        """The note of a kind that was made in this turn."""
        found = [one for one in self.open_notes(kind) if one.turn == self.turn]
        return found[-1] if found else None

    @property
    def me(self) -> str:
        return str(self.told["speaker"])

    @cached_property
    def personas(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """The first speaker and the second."""
        usual = ({"slug": "cognito", "name": "Cognito"}, {"slug": "muse", "name": "Muse"})
        first, second = self.told.get("personas") or usual
        return first, second

    @cached_property
    def picture(self) -> str:
        """What came with the question; empty without."""
        shown = next(iter(self.request.images.values()), None)
        return looking.described(shown, self.language) if shown else ""

    @cached_property
    def is_begun(self) -> bool:
        """Whether this turn has called its tools already."""
        return bool(self.request.messages) and self.request.messages[-1].role == "tool"

    @cached_property
    def has_settled_before(self) -> bool:
        """Whether the speaker had nothing to add in an earlier turn."""
        asked = max((nth for nth, one in enumerate(self.request.messages) if one.role == "user"), default=0)
        parts = (part for one in self.request.messages[:asked] for part in one.parts)
        return any(isinstance(part, ToolCallPart) and part.name == NOTHING for part in parts)

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """What tools other than the debate's own answered in this turn."""
        if not self.is_begun:
            return ()
        return tuple(one for one in Story(self.request).newest if one.name not in (NOTES, NOTHING))

    @cached_property
    def said(self) -> dict[int, str]:
        """The turns that others were heard to say: all of them, for the summary."""
        found = (_SAID.fullmatch(text) for text in self._parts(self.request.messages))
        return {int(one["turn"]): one["text"] for one in found if one}

    @cached_property
    def stepped_in(self) -> SteppedIn | None:
        """The newest of what people said since this speaker's last turn."""
        last = next((one for one in reversed(self.request.messages) if one.role == "user"), None)
        parts = list(self._parts([last] if last else []))
        for place in range(len(parts) - 1, -1, -1):
            if found := _STEPPED_IN.fullmatch(parts[place]):
                answered = any(_SAID.fullmatch(text) for text in parts[place + 1 :])
                name = "" if _NAMELESS.fullmatch(parts[place]) else found["name"]
                return SteppedIn(name, found["text"].strip(), answered)
        return None

    @cached_property
    def brought_in(self) -> list[str]:
        """Everything people said between the turns, oldest first."""
        found = (_STEPPED_IN.fullmatch(text) for text in self._parts(self.request.messages))
        return [one["text"].strip() for one in found if one]

    @cached_property
    def instructed(self) -> tuple[ScriptedCall, ...]:
        """Calls a person spelled out: in the question, for both openings; stepping in, for who speaks next."""
        asked = str(self.told.get("question", "")) if self.round == 1 else ""
        if self.stepped_in and not self.stepped_in.answered:
            asked = self.stepped_in.text
        return explicit.calls_in(asked, self.offered)

    def _parts(self, messages: Sequence[ModelMessage]) -> Iterator[str]:
        for message in messages:
            if message.role == "user":
                yield from (part.text for part in message.parts if isinstance(part, TextPart))


def _note(entry: Mapping[str, Any]) -> Note:
    return Note(
        n=int(entry["n"]),
        kind=str(entry["kind"]),
        text=str(entry["text"]),
        by=str(entry.get("by", "")),
        turn=int(entry.get("turn", 0)),
        struck=bool(entry.get("struck")),
        changed=int((entry.get("history") or [{}])[-1].get("turn", 0)),
    )
