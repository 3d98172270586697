"""The chunks of a streamed chat completion as stream events. Pure; forgiving where servers differ.

The reply is over when a choice has a finish reason; the numbers may come after it. What kind of reply it is follows
from what is in it: calls are calls whatever the finish reason says, and a refusal blocks though the reason is "stop".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from agents.providers import faults
from agents.providers.openai_calls import Calls
from agents.providers.openai_tools import Toolbox
from agents.stream import CallDelta, Finish, FinishReason, StreamEvent, TextDelta, ThinkingDelta

DONE = b"[DONE]"
_TOO_LONG = ("length", "max_tokens", "model_length", "model_context_window_exceeded")
_FAILED = ("error", "insufficient_system_resource", "abort")


class Counts(NamedTuple):
    """Tokens. Output includes thinking, input includes cached."""

    input: int
    output: int
    cached: int
    thinking: int


class ChatReader:
    """One reply. `read` each event's data, then `end`. Both raise `ProviderError`."""

    def __init__(self, model: str, toolbox: Toolbox, key: str = "") -> None:
        self.is_over = False
        """Nothing more comes."""
        self._model = model
        self._key = key
        self._calls = Calls(toolbox)
        self._reason = ""
        self._refusal: list[str] = []
        self._has_text = False
        self._usage: Mapping[str, Any] = {}

    @property
    def is_finished(self) -> bool:
        """The reply is whole; only its numbers may be missing."""
        return bool(self._reason)

    def read(self, data: bytes) -> Iterator[StreamEvent]:
        """The events of one chunk."""
        if self.is_over or data.startswith(DONE):
            self.is_over = True
            return
        chunk = parsed(data, self._key)
        if found := chunk.get("error"):
            raise faults.from_object(found, self._key)
        if model := chunk.get("model"):
            self._model = str(model)
        if usage := chunk.get("usage"):
            self._usage = usage
        for choice in chunk.get("choices") or ():
            if not choice.get("index"):
                yield from self._choice(choice)

    def end(self) -> Iterator[CallDelta | Finish]:
        """What was held back, and Finish. Raises `ProviderError("network")` if the reply was cut off."""
        if not self._reason:
            raise faults.error("network", "the stream ended without a finish reason")
        yield from self._calls.end()
        refusal = "".join(self._refusal)
        counts = counted(self._usage)
        yield Finish(
            self._kind(refusal), self._model, counts.input, counts.output, refusal,
            cached_tokens=counts.cached, thinking_tokens=counts.thinking,
        )  # fmt: skip

    def _choice(self, choice: Mapping[str, Any]) -> Iterator[StreamEvent]:
        delta = choice.get("delta") or choice.get("message") or {}
        for text in _texts(delta.get("reasoning") or delta.get("reasoning_content")):
            yield ThinkingDelta(text)
        for event in _content(delta.get("content")):
            self._has_text = self._has_text or isinstance(event, TextDelta)
            yield event
        if refusal := delta.get("refusal"):
            self._refusal.append(str(refusal))
        for piece in delta.get("tool_calls") or ():
            function = piece.get("function") or {}
            yield from self._calls.add(
                piece.get("index"), str(piece.get("id") or ""), str(function.get("name") or ""),
                _arguments(function.get("arguments")),
            )  # fmt: skip
        if reason := choice.get("finish_reason"):
            self._reason = str(reason)
            if self._reason in _FAILED:
                raise faults.from_object(choice.get("error") or self._reason, self._key)

    def _kind(self, refusal: str) -> FinishReason:
        if refusal or self._reason == "content_filter":
            return "blocked"
        if self._reason in _TOO_LONG:
            return "length"
        return "stop" if self._has_text or self._calls else "empty"


def parsed(data: bytes, key: str = "") -> Mapping[str, Any]:
    """An event's data as an object. Raises `ProviderError("network")`: it did not arrive as it was sent."""
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, Mapping):
        raise faults.error("network", f"not JSON: {data[:200].decode('utf-8', 'replace')}", key=key)
    return found


def counted(usage: Mapping[str, Any]) -> Counts:
    """The tokens of a `usage` object."""
    asked, answered = number(usage, "prompt_tokens"), number(usage, "completion_tokens")
    cached = number(usage.get("prompt_tokens_details"), "cached_tokens")
    thinking = number(usage.get("completion_tokens_details"), "reasoning_tokens")
    if thinking and number(usage, "total_tokens") == asked + answered + thinking:
        answered += thinking  # counted apart (xAI)
    return Counts(asked, answered, cached or number(usage, "prompt_cache_hit_tokens"), thinking)


def number(counts: Any, name: str) -> int:
    """A count; 0 if it is not given."""
    value = counts.get(name) if isinstance(counts, Mapping) else None
    return int(value) if isinstance(value, int | float) else 0


def _content(content: Any) -> Iterator[TextDelta | ThinkingDelta]:
    """Text, or a list of parts (Mistral's thoughts are one)."""
    if isinstance(content, str):
        if content:
            yield TextDelta(content)
        return
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") == "thinking":
            yield from map(ThinkingDelta, _texts(part.get("thinking")))
        else:
            yield from map(TextDelta, _texts([part]))


def _texts(content: Any) -> Iterator[str]:
    for part in content if isinstance(content, list) else (content,):
        text = part.get("text") if isinstance(part, Mapping) else part
        if text and isinstance(text, str):
            yield text


def _arguments(given: Any) -> str:
    """The text of the arguments; a server that sends an object means its text."""
    if given is None or isinstance(given, str):
        return given or ""
    return orjson.dumps(given).decode()
