"""What a provider yields while a model answers, and `fold`, which makes the finished reply of it. Pure values.

Shape of a stream: any number of TextDelta, ThinkingDelta and CallDelta, then exactly one Finish. A stream that ends
without a Finish is a failure (`ProviderError`), never an answer, and its calls never run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

FinishReason = Literal["stop", "length", "blocked", "empty"]


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A piece of what the model thinks aloud; no part of its answer."""

    text: str
    kind: Literal["thinking"] = "thinking"


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a tool call. `index` tells calls of one reply apart; name and id come with the first piece."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""
    kind: Literal["call"] = "call"


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a reply. Tokens as the provider counts them; 0 when it does not say.

    `output_tokens` include `thinking_tokens`, `input_tokens` include `cached_tokens`. `native`: what the same model
    must be given back of this reply, if it is more than its text and calls (`agents.messages.Native.content`).
    """

    reason: FinishReason
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    detail: str = ""
    cached_tokens: int = 0
    thinking_tokens: int = 0
    native: Any = None
    kind: Literal["finish"] = "finish"


StreamEvent = TextDelta | ThinkingDelta | CallDelta | Finish


@dataclass(slots=True)
class CallSoFar:
    """A call as far as it has arrived."""

    id: str
    name: str
    pieces: list[str]
    """Of the arguments. Adding each to one text would cost more the longer it is."""

    @property
    def arguments(self) -> str:
        return _joined(self.pieces)


@dataclass(slots=True)
class Reply:
    """A reply as far as it has arrived; complete once `finish` is set."""

    text: str = ""
    thinking: str = ""
    calls: list[CallSoFar] = field(default_factory=list)
    finish: Finish | None = None
    is_awaited: bool = False
    """A model was asked and has not failed: it is paid for reading, even if it is stopped before its first word."""
    _texts: list[str] = field(default_factory=list)
    _thoughts: list[str] = field(default_factory=list)
    _by_index: dict[int, CallSoFar] = field(default_factory=dict)

    def add(self, event: StreamEvent) -> None:
        """Take one more event in."""
        match event:
            case TextDelta(text):
                self._texts.append(text)
            case ThinkingDelta(text):
                self._thoughts.append(text)
            case CallDelta():
                self._add_call(event)
            case Finish():
                self.finish = event
                self.text = self.text_so_far()
                self.thinking = "".join(self._thoughts)
            case _:
                assert_never(event)

    def text_so_far(self) -> str:
        return _joined(self._texts)

    def paid_so_far(self) -> str:
        """All that the model has written, thoughts and calls as well: a reply that is broken off was paid for, too."""
        calls = (call.name + call.arguments for call in self.calls)
        return "".join([*self._thoughts, self.text_so_far(), *calls])

    def _add_call(self, piece: CallDelta) -> None:
        call = self._by_index.get(piece.index)
        if call is None:
            call = self._by_index[piece.index] = CallSoFar("", "", [])
            self.calls.append(call)
        call.id = call.id or piece.id
        call.name = call.name or piece.name
        call.pieces.append(piece.arguments)


def _joined(pieces: list[str]) -> str:
    if len(pieces) > 1:
        pieces[:] = ["".join(pieces)]
    return pieces[0] if pieces else ""


def fold(events: Iterable[StreamEvent]) -> Reply:
    """The reply a whole stream amounts to."""
    reply = Reply()
    for event in events:
        reply.add(event)
    return reply
