"""How a handler says how far it has come, and hears that it should end. Pure; callable from any thread.

`ToolContext` passes on what a handler says: to `Nobody` where a call is waited for, to `Kept` where it works in the
background; `pulse` writes down what is kept there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Event, Lock
from typing import Any, Protocol

from tools.strictjson import storable

LONGEST_WORDS = 200
LONGEST_OUTPUT = 4_000
"""Characters that are kept: the end of what was said."""


class Cancelled(Exception):
    """The job should end, and its handler has noticed."""


class Reporter(Protocol):
    """Who listens to a handler."""

    @property
    def is_cancelled(self) -> bool: ...
    def report(self, percent: float | None, words: str | None) -> None: ...
    def say(self, text: str) -> None: ...


class Nobody:
    """A call that somebody waits for: its answer follows at once."""

    is_cancelled = False

    def report(self, percent: float | None, words: str | None) -> None:
        """Nothing is shown of it."""

    def say(self, text: str) -> None:
        """Nothing is shown of it."""


NOBODY = Nobody()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come, in the words it is stored and shown with."""

    percent: int | None = None
    words: str = ""
    output: str = ""


News = list[dict[str, Any]]
"""JSON Patch (RFC 6902) on the picture of a job."""


def news(before: Progress, now: Progress) -> News | None:
    """What `now` has that `before` has not; None where nothing is left of the output before."""
    lines = added(before.output, now.output)
    if lines is None:
        return None
    changed = [name for name in ("percent", "words") if getattr(before, name) != getattr(now, name)]
    patch = [{"op": "replace", "path": f"/{name}", "value": getattr(now, name)} for name in changed]
    return [*patch, {"op": "add", "path": "/said/-", "value": "\n".join(lines)}] if lines else patch


def added(before: str, now: str) -> list[str] | None:
    """The lines of `now` that came after `before`, of which the first ones may have been let go."""
    old, new = (text.split("\n") if text else [] for text in (before, now))
    for gone in range(len(old) + 1):
        kept = old[gone:]
        if new[: len(kept)] == kept and (kept or not old):
            return new[len(kept) :]
    return None


class Kept:
    """What one job has reported so far."""

    def __init__(self) -> None:
        self._now = Progress()
        self._lock = Lock()
        self._cancelled = Event()

    @property
    def now(self) -> Progress:
        return self._now

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def report(self, percent: float | None, words: str | None) -> None:
        """What is left out stays as it was."""
        with self._lock:
            if percent is not None:
                self._now = replace(self._now, percent=max(0, min(100, int(percent))))
            if words is not None:
                self._now = replace(self._now, words=storable(str(words))[:LONGEST_WORDS])

    def say(self, text: str) -> None:
        """A line of output more; the oldest ones are let go."""
        with self._lock:
            said = f"{self._now.output}\n{storable(str(text))}".lstrip("\n")
            self._now = replace(self._now, output=tail(said))


def tail(text: str) -> str:
    """The end of a text, beginning with a whole line where there is one."""
    if len(text) <= LONGEST_OUTPUT:
        return text
    end = text[-LONGEST_OUTPUT:]
    _cut, newline, rest = end.partition("\n")
    return rest if newline else end
