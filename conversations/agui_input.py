"""What an AG-UI client sends, reduced to what counts here: its thread, its run, new words, answers to interrupts.

The server owns the history: of `messages` only what the person said after the agent's last message is looked at, and
`state`, `tools`, `context` and `forwardedProps` are not taken from a client at all (T02).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core.types import (
    AssistantMessage,
    DataSource,
    FileSource,
    ImagePart,
    ResumeEntry,
    RunAgentInput,
    TextPart,
    UserMessage,
)
from django.utils.translation import gettext as _

from platform_site.errors import Problem

LONGEST_NAME = 200
LONGEST_KEY = 100


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the person's, under the name their client gave it."""

    id: str
    text: str
    pictures: tuple[bytes | str, ...] = ()
    """In order: the bytes of one, or the id of one that was uploaded."""

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
            [[one.id, one.text, *map(_fingerprint, one.pictures)] for one in self.said],
            [one.model_dump(mode="json") for one in self.resume],
        ]


def asked_by(given: RunAgentInput) -> Asked:
    """Raises a Problem for names that nobody can keep."""
    for name in (given.thread_id, given.run_id):
        if not 0 < len(name) <= LONGEST_NAME:
            raise Problem(400, "bad_request", _("threadId and runId have 1 to 200 characters."))
    return Asked(given.thread_id, given.run_id, _last_words(given.messages), tuple(given.resume or ()))


def _last_words(messages: Sequence[Any]) -> tuple[Said, ...]:
    """What the person said after the agent's last message, in words and pictures."""
    said: list[Said] = []
    for message in reversed(messages):
        if isinstance(message, AssistantMessage):
            break
        if isinstance(message, UserMessage):
            one = Said(message.id, _text(message), _pictures(message))
            said += [one] if one.text or one.pictures else []
    return tuple(reversed(said))


def _text(message: UserMessage) -> str:
    if isinstance(message.content, str):
        return message.content.strip()
    parts = (part.text for part in message.content if isinstance(part, TextPart))
    return "\n\n".join(text for part in parts if (text := part.strip()))


def _pictures(message: UserMessage) -> tuple[bytes | str, ...]:
    parts = [] if isinstance(message.content, str) else message.content
    return tuple(_picture(part) for part in parts if not isinstance(part, TextPart))


def _picture(part: Any) -> bytes | str:
    """T54: an address is not fetched, whoever names it."""
    source = part.source
    if not isinstance(part, ImagePart):
        raise Problem(400, "bad_request", _("Of files only pictures can be sent here."))
    if isinstance(source, FileSource):
        return source.value
    if not isinstance(source, DataSource):
        detail = _("A picture is sent as base64 data, or by the id of an upload. Addresses are not fetched.")
        raise Problem(400, "bad_request", detail)
    try:
        return base64.b64decode(source.value, validate=True)
    except ValueError:
        raise Problem(400, "bad_request", _("The picture's data is not base64.")) from None


def _fingerprint(picture: bytes | str) -> str:
    return picture if isinstance(picture, str) else hashlib.sha256(picture).hexdigest()


def _short(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
