"""How much one reply may be: a server that never ends must not fill memory, a row, or everybody's sockets. Pure.

Far beyond what any model writes and any tool takes; what comes near is no answer, so the reply fails instead of being
cut.
"""

from __future__ import annotations

from agents.providers import faults
from agents.stream import CallDelta, StreamEvent, TextDelta, ThinkingDelta

LONGEST_TEXT = 1_000_000
"""Characters of the text; as many of the thoughts."""
LONGEST_ARGUMENTS = 1_000_000
"""Characters of all calls' arguments together."""
MOST_CALLS = 512


class Bounds:
    """One reply's. Give it each event as it comes."""

    def __init__(self) -> None:
        self._text = self._thoughts = self._arguments = 0
        self._calls: set[int] = set()

    def take(self, event: StreamEvent) -> None:
        """Count an event. Raises `ProviderError("bad_request")` for what is too much."""
        match event:
            case TextDelta(text):
                self._text += len(text)
            case ThinkingDelta(text):
                self._thoughts += len(text)
            case CallDelta(index, id_, name, arguments):
                self._calls.add(index)
                self._arguments += len(id_) + len(name) + len(arguments)
            case _:
                return
        if max(self._text, self._thoughts) > LONGEST_TEXT:
            raise faults.unreadable("longer than any answer")
        if len(self._calls) > MOST_CALLS or self._arguments > LONGEST_ARGUMENTS:
            raise faults.unreadable("more calls than any answer has")
