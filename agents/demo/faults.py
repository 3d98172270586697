"""Faults the demo model plays on request, so that retries and fallbacks are tried by hand without a key. Pure parsing,
and a small memory of what was played.

    fault <kind> [once|twice|3 times|always] [wait <seconds>] [then <what to answer>]

Kinds: `429`, `429 quota`, `500`, `503`, `401`, `400`, `context`, `timeout`, `hang`, `drop` (before the answer), `break`
(in the middle of it), `malformed`, `blocked`, `empty`, `cut` (length), `bug`, and `think` (no fault: thoughts first).
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.demo.story import spoken
from agents.messages import ModelMessage, Request, TextPart
from agents.providers.base import ErrorCode

ERRORS: Mapping[str, ErrorCode] = {
    "429": "rate_limited",
    "429 quota": "quota_exhausted",
    "500": "overloaded",
    "503": "overloaded",
    "401": "auth",
    "400": "bad_request",
    "context": "context_too_long",
    "timeout": "timeout",
    "drop": "network",
    "malformed": "malformed",
}
OTHERS = ("hang", "break", "blocked", "empty", "cut", "bug", "think")
HANG_S = 45.0
FORGOTTEN_S = 120.0
ANSWER = "echo The fault is over, and this is the answer."
_TIMES = {"once": 1, "twice": 2, "always": 1_000_000}
_KINDS = "|".join(sorted([*ERRORS, *OTHERS], key=len, reverse=True))
_FAULT = re.compile(
    rf"\s{{0,20}}fault ({_KINDS})(?: (once|twice|always|(\d{{1,3}}) times))?(?: wait (\d{{1,5}}))?"
    r"(?:\s+then\s+(.+)|\s*)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What to play. `times`: how many requests of this message fail. `then`: what the person asked besides."""

    kind: str
    times: int = 1
    wait_s: float | None = None
    then: str = ""


def read(text: str) -> Fault | None:
    """The fault a message asks for, if it does."""
    found = _FAULT.fullmatch(text) if text.lstrip()[:6].lower() == "fault " else None
    if not found:
        return None
    kind, often, number, wait, then = found.groups()
    times = int(number) if number else _TIMES.get((often or "once").lower(), 1)
    return Fault(kind.lower(), times, float(wait) if wait else None, (then or "").strip())


@dataclass(frozen=True, slots=True)
class Played:
    """A request as it is to be answered, and the fault that comes first, if its turn is not over."""

    request: Request
    fault: Fault | None = None


class Memory:
    """How often each message's fault was played, in this process. A message that was answered begins anew."""

    def __init__(self) -> None:
        self._played: dict[str, tuple[int, float]] = {}

    def take(self, request: Request) -> Played:
        """Read what the person said last; count, if it asks for a fault that is still to be played."""
        messages = request.messages
        place = next((n for n in range(len(messages) - 1, -1, -1) if messages[n].role == "user"), None)
        fault = read(spoken(messages[place])) if place is not None else None
        if fault is None or place is None:
            return Played(request)
        said = replace(messages[place], parts=(TextPart(fault.then or ANSWER),))
        asked = replace(request, messages=(*messages[:place], said, *messages[place + 1 :]))
        is_first_round = place == len(messages) - 1
        return Played(asked, fault if is_first_round and self._is_due(messages, fault) else None)

    def _is_due(self, messages: Sequence[ModelMessage], fault: Fault) -> bool:
        now = time.monotonic()
        self._played = {key: (n, at) for key, (n, at) in self._played.items() if now - at < FORGOTTEN_S}
        key = hashlib.sha256(repr(messages).encode()).hexdigest()
        played, _ = self._played.pop(key, (0, now))
        if played >= fault.times:
            return False
        if fault.kind != "think":
            self._played[key] = (played + 1, now)
        return True
