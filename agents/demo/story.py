"""The history as a script reads it: what the person said last and which results have come since.

Results are parsed only when looked at, newest first, so that a long conversation costs no more than a short one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import orjson

from agents.aside_words import NOTE
from agents.demo.language import Language, language_of
from agents.messages import ModelMessage, Request, TextPart, ToolCallPart, ToolResultPart

SUGGEST = "suggest_replies"
"""The tool that shows quick replies. Its own result is nothing to talk about."""

_MOST_TEXTS = 6
_TICKET = re.compile(r"\(ticket ([0-9A-Za-z_-]{1,64})\)")


@dataclass(frozen=True)
class Result:
    """One answered call."""

    name: str
    raw: str
    content: str
    status: str

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the call, as far as they can be read."""
        return _object(self.raw)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The result's object; empty when it is plain text. Words before it and a lone wrapper are taken off."""
        found = _object(self.content[max(0, self.content.find("\n{")) :])
        for wrapper in ("result", "data"):
            inner = found.get(wrapper)
            if isinstance(inner, dict):
                return inner
        return found

    @cached_property
    def error(self) -> dict[str, Any]:
        """The `error` of the result, or the result itself where code and message stand at the top."""
        inner = self.data.get("error")
        return inner if isinstance(inner, dict) else self.data

    @property
    def ok(self) -> bool:
        return self.status == "succeeded" and not isinstance(self.data.get("error"), dict)

    @property
    def is_working(self) -> bool:
        """It is carried out in the background; its outcome will be told."""
        return self.status == "working"

    @property
    def waits(self) -> bool:
        """A reviewer has to decide first."""
        return self.status == "pending_confirmation"


@dataclass(frozen=True)
class Story:
    """A request, read."""

    request: Request

    @cached_property
    def messages(self) -> Sequence[ModelMessage]:
        """The history without notes of the platform at its end."""
        told = list(self.request.messages)
        while told and is_note(told[-1]):
            told.pop()
        return told

    @cached_property
    def ended(self) -> tuple[Result, ...]:
        """Background calls that have ended, when this is the reply that shall tell of them.

        A message that came in between was answered first: then the note stands before it, and nobody speaks last.
        """
        told = self.request.messages[len(self.messages) :]
        if not told and self.speaks_last == "assistant":
            told = [one for one in self.request.messages if is_note(one) and _TICKET.search(spoken(one))][-1:]
        calls = set(_TICKET.findall("\n".join(map(spoken, told))))
        return tuple(self._of_calls(calls)) if calls else ()

    @cached_property
    def text(self) -> str:
        """What the person said last."""
        return next(self._said(), "")

    @cached_property
    def said_before(self) -> str:
        """What the person said before that."""
        return next(islice(self._said(), 1, None), "")

    @cached_property
    def language(self) -> Language:
        return language_of(islice(self._said(), _MOST_TEXTS), self.request.locale)

    @property
    def speaks_last(self) -> str:
        """Whose message ends the history."""
        return self.messages[-1].role if self.messages else "user"

    @cached_property
    def newest(self) -> tuple[Result, ...]:
        """The results that end the history; quick replies are left out."""
        return self._told(len(self.messages) - 1) if self.speaks_last == "tool" else ()

    @cached_property
    def rounds(self) -> list[tuple[Result, ...]]:
        """The answered rounds since the person spoke, oldest first; quick replies are left out."""
        found: list[tuple[Result, ...]] = []
        for place in range(len(self.request.messages) - 1, -1, -1):
            message = self.request.messages[place]
            if message.role == "user":
                break
            if message.role == "tool":
                found.append(self._told(place))
        return [results for results in reversed(found) if results]

    def results(self) -> Iterator[Result]:
        """Every result, newest first."""
        for place in range(len(self.request.messages) - 1, -1, -1):
            if self.request.messages[place].role == "tool":
                yield from reversed(list(self._results(place)))

    def late(self, marks: Collection[str]) -> tuple[Result, ...]:
        """Results that were still waiting when the text right after them was written, and wait no more.

        `marks` are what such a text says. This is how a decision that came later is noticed.
        """
        messages = self.request.messages
        for place in range(len(messages) - 2, -1, -1):
            text = spoken(messages[place + 1]) if messages[place].role == "tool" else ""
            if any(mark in text for mark in marks):
                decided = tuple(result for result in self._told(place) if not result.waits)
                if decided:
                    return decided
        return ()

    def _said(self) -> Iterator[str]:
        for message in reversed(self.request.messages):
            if message.role == "user" and not is_note(message):
                yield self._without_name(spoken(message))

    def _without_name(self, text: str) -> str:
        """In a group the platform puts the name of who spoke before their words, and they put the agent's into them."""
        group = self.request.settings.get("group")
        if not isinstance(group, Mapping):
            return text
        named = next((f"{name}: " for name in group["people"] if text.startswith(f"{name}: ")), "")
        called = "|".join(re.escape(name) for name in group["agent"])
        return re.sub(rf"@(?:{called})[\s,:，：、]*", "", text.removeprefix(named), flags=re.IGNORECASE)

    def _of_calls(self, wanted: Collection[str]) -> Iterator[Result]:
        for place, message in enumerate(self.request.messages):
            calls = _calls_before(self.request.messages, place) if message.role == "tool" else {}
            for part in message.parts:
                if isinstance(part, ToolResultPart) and part.call in wanted:
                    yield Result(part.name, calls.get(part.call, "{}"), part.content, part.status)

    def _told(self, place: int) -> tuple[Result, ...]:
        return tuple(result for result in self._results(place) if result.name != SUGGEST)

    def _results(self, place: int) -> Iterator[Result]:
        calls = _calls_before(self.request.messages, place)
        for part in self.request.messages[place].parts:
            if isinstance(part, ToolResultPart):
                yield Result(part.name, calls.get(part.call, "{}"), part.content, part.status)


def is_note(message: ModelMessage) -> bool:
    """Whether the platform said it."""
    return spoken(message).startswith(NOTE)


def spoken(message: ModelMessage) -> str:
    """The text of a message."""
    return "\n".join(part.text for part in message.parts if isinstance(part, TextPart))


def _calls_before(messages: Sequence[ModelMessage], place: int) -> Mapping[str, str]:
    """Raw arguments by call id, of the message that `messages[place]` answers."""
    asked = messages[place - 1].parts if place else ()
    return {part.call: part.arguments for part in asked if isinstance(part, ToolCallPart)}


def _object(text: str) -> dict[str, Any]:
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}
