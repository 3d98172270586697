"""What a `streamGenerateContent` stream says, as our events. Pure: decoded chunks in, events out.

A chunk is a whole JSON object; a function call comes in one piece, several may stand in one chunk, with an id or
without. The finish reason is STOP with calls and without. A refused question has no candidates, only `promptFeedback`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from agents.providers import gemini_faults
from agents.providers.gemini_ends import End, end_of, refused_question
from agents.stream import CallDelta, Finish, StreamEvent, TextDelta, ThinkingDelta
from platform_site.ids import new_id
from tools.compile.names import Table
from tools.strictjson import storable

_TOLD_OTHERWISE = frozenset({"text", "functionCall", "thought"})
_NOTHING: frozenset[str] = frozenset({"text", "thought"})


class Reading:
    """One reply as far as it has been read. `read` every chunk, then `finish`."""

    def __init__(self, model: str, table: Table, key: str) -> None:
        self.model = model
        self.table = table
        self.key = key
        self.parts: list[Mapping[str, Any]] = []
        self.usage: Mapping[str, Any] = {}
        self.calls = 0
        self.is_said = False
        self.end: End | None = None

    def read(self, chunk: Any) -> Iterator[StreamEvent]:
        """The events of one chunk. Raises `ProviderError` for an error in the stream and for broken calls."""
        if not isinstance(chunk, Mapping):
            raise gemini_faults.unreadable(json.dumps(chunk))
        if "error" in chunk:
            raise gemini_faults.told_in_stream(chunk["error"])
        self.usage = chunk.get("usageMetadata") or self.usage
        candidates = chunk.get("candidates")
        if candidates:
            yield from self._candidate(candidates[0])
        elif reason := (chunk.get("promptFeedback") or {}).get("blockReason"):
            self.end = refused_question(reason, chunk["promptFeedback"])

    def finish(self) -> Finish:
        """The end of the reply. Raises `ProviderError` when it had none, or a bad one."""
        if self.end is None:
            raise gemini_faults.cut()
        if self.end.error is not None:
            raise gemini_faults.ended_badly(self.end)
        return Finish(
            self._reason(self.end), self.model, self._tokens("promptTokenCount", "toolUsePromptTokenCount"),
            self._tokens("candidatesTokenCount", "thoughtsTokenCount"), self.end.detail,
            self._tokens("cachedContentTokenCount"), self._tokens("thoughtsTokenCount"), self._native(),
        )  # fmt: skip

    def _candidate(self, candidate: Mapping[str, Any]) -> Iterator[StreamEvent]:
        for part in (candidate.get("content") or {}).get("parts") or ():
            if not _is_nothing(part):
                self.parts.append(part)
            yield from self._part(part)
        if reason := candidate.get("finishReason"):
            self.end = end_of(reason, candidate)

    def _part(self, part: Mapping[str, Any]) -> Iterator[StreamEvent]:
        if call := part.get("functionCall"):
            yield self._call(call)
        elif text := part.get("text"):
            if part.get("thought"):
                yield ThinkingDelta(text)
            else:
                self.is_said = True
                yield TextDelta(text)

    def _call(self, call: Mapping[str, Any]) -> CallDelta:
        if not call.get("name") or "partialArgs" in call or call.get("willContinue"):
            raise gemini_faults.broken_call(call)
        arguments = json.dumps(call.get("args") or {}, ensure_ascii=False)
        self.calls += 1
        name = self.table.ours(call["name"])
        return CallDelta(self.calls - 1, call.get("id") or f"call_{new_id()}", name, arguments)

    def _reason(self, end: End) -> Literal["stop", "length", "blocked", "empty"]:
        """Nothing said and nothing called is no answer, unless it was cut or stopped."""
        if self.is_said or self.calls or end.reason in ("blocked", "length"):
            return end.reason
        return "empty"

    def _tokens(self, *words: str) -> int:
        return sum(int(self.usage.get(word) or 0) for word in words)

    def _native(self) -> Any:
        """The parts as they came, if they say more than our own; none that a database could not keep unchanged."""
        if not any(part.keys() - _TOLD_OTHERWISE for part in self.parts) or not _keepable(self.parts):
            return None
        return {"key": self.key, "parts": list(self.parts)}


def _is_nothing(part: Mapping[str, Any]) -> bool:
    """An empty text: a last chunk often has one, and the API does not take it back."""
    return not part.get("text") and part.keys() <= _NOTHING


def _keepable(parts: Iterable[Mapping[str, Any]]) -> bool:
    text = json.dumps(parts, ensure_ascii=False)
    return "\\u0000" not in text and storable(text) == text
