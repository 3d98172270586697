"""The history as a script reads it: what the person said last and which results have come since.

Results are parsed only when looked at, newest first, so that a long conversation costs no more than a short one.
"""

from __future__ import annotations

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
    def waits(self) -> bool:
        """A reviewer has to decide first."""
        return self.status == "pending_confirmation"


@dataclass(frozen=True)
class Story:
    """A request, read."""

    request: Request

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
        return self.request.messages[-1].role if self.request.messages else "user"

    @cached_property
    def newest(self) -> tuple[Result, ...]:
        """The results that end the history; quick replies are left out."""
        return self._told(len(self.request.messages) - 1) if self.speaks_last == "tool" else ()

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
                yield spoken(message)

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
