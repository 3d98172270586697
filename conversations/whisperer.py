"""Sends a reply's text to who listens while it is being written: the first piece at once, then a few frames a second.

One frame a chunk would cost more than the model's answer does; 30 ms are not seen by a person.
"""

from __future__ import annotations

import asyncio

from platform_site import bell

PAUSE_S = 0.03

_speaking: dict[str, Whisperer] = {}


class Whisperer:
    """One message being written on one topic, in this process."""

    def __init__(self, topic: str, message: str) -> None:
        self.topic = topic
        self.message = message
        self.said = 0
        self._texts: list[str] = []
        self._waiting: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        _speaking[topic] = self

    def say(self, text: str) -> None:
        """Take one more piece."""
        self._waiting.append(text)
        if self._timer is None:
            self._send()

    def _send(self) -> None:
        self._timer = None
        if not self._waiting:
            return
        text = "".join(self._waiting)
        self._waiting.clear()
        self._texts.append(text)
        bell.whisper(self.topic, self.message, self.said, text)
        self.said += len(text)
        self._timer = asyncio.get_running_loop().call_later(PAUSE_S, self._send)

    def close(self) -> None:
        """Send what is left; nothing more comes."""
        if self._timer:
            self._timer.cancel()
        self._send()
        if self._timer:
            self._timer.cancel()
        if _speaking.get(self.topic) is self:
            del _speaking[self.topic]

    def again(self) -> None:
        """Say everything so far once more, for a listener who came late."""
        if self._texts:
            self._texts[:] = ["".join(self._texts)]
            bell.whisper(self.topic, self.message, 0, self._texts[0])


def say_again(topic: str) -> None:
    """Somebody began to listen to `topic`: if a message is being written here, tell it from its beginning."""
    speaking = _speaking.get(topic)
    if speaking:
        speaking.again()
