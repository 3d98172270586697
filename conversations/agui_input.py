"""What an AG-UI client sends, reduced to what counts here: its thread, its run, new words, answers to interrupts.

The server owns the history: of `messages` only what the person said after the agent's last message is looked at, and
`state`, `tools`, `context` and `forwardedProps` are not taken from a client at all (T02).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core.types import AssistantMessage, ResumeEntry, RunAgentInput, TextPart, UserMessage
from django.utils.translation import gettext as _

from platform_site.errors import Problem

LONGEST_NAME = 200
LONGEST_KEY = 100


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the person's, under the name their client gave it."""

    id: str
    text: str

    @property
    def key(self) -> str:
        """Under which it is stored, so that it is stored once."""
        key = f"ag-ui:{self.id}"
        return key if len(key) <= LONGEST_KEY else f"ag-ui:{_short(self.id)}"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request to run."""

    thread: str
    run: str
    said: tuple[Said, ...]
    resume: tuple[ResumeEntry, ...]

    @property
    def key(self) -> str:
        """The same run asked for twice has the same idempotency key."""
        return f"ag-ui:{_short(self.thread + chr(0) + self.run)}"

    @property
    def content(self) -> list[Any]:
        """What has to be the same when the same run is asked for again."""
        return [
            [[one.id, one.text] for one in self.said],
            [one.model_dump(mode="json") for one in self.resume],
        ]


def asked_by(given: RunAgentInput) -> Asked:
    """Raises a Problem for names that nobody can keep."""
    for name in (given.thread_id, given.run_id):
        if not 0 < len(name) <= LONGEST_NAME:
            raise Problem(400, "bad_request", _("threadId and runId have 1 to 200 characters."))
    return Asked(given.thread_id, given.run_id, _last_words(given.messages), tuple(given.resume or ()))


def _last_words(messages: Sequence[Any]) -> tuple[Said, ...]:
    """What the person said after the agent's last message, as far as it is text."""
    said: list[Said] = []
    for message in reversed(messages):
        if isinstance(message, AssistantMessage):
            break
        if isinstance(message, UserMessage) and (text := _text(message)):
            said.append(Said(message.id, text))
    return tuple(reversed(said))


def _text(message: UserMessage) -> str:
    if isinstance(message.content, str):
        return message.content.strip()
    parts = (part.text for part in message.content if isinstance(part, TextPart))
    return "\n\n".join(text for part in parts if (text := part.strip()))


def _short(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
