"""The events of a streamed response (Responses API) as stream events. Pure.

The reply is over with `response.completed` or `response.incomplete`; those carry the numbers and the output items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agents.providers import faults, openai_items
from agents.providers.openai_calls import Calls
from agents.providers.openai_chunks import DONE, number, parsed
from agents.providers.openai_tools import Toolbox
from agents.stream import Finish, FinishReason, StreamEvent, TextDelta, ThinkingDelta

_THOUGHTS = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_ENDS = ("response.completed", "response.incomplete")


class ResponseReader:
    """One reply. `read` each event's data, then `end`. Both raise `ProviderError`."""

    def __init__(self, model: str, toolbox: Toolbox, key: str = "") -> None:
        self.is_over = False
        self._model = model
        self._key = key
        self._calls = Calls(toolbox)
        self._response: Mapping[str, Any] = {}
        """As it was at its end."""
        self._items: dict[int, Mapping[str, Any]] = {}
        self._refusal: list[str] = []
        self._has_text = False

    @property
    def is_finished(self) -> bool:
        return bool(self._response)

    def read(self, data: bytes) -> Iterator[StreamEvent]:
        """The events of one of theirs; kinds we do not know say nothing."""
        if self.is_over or data.startswith(DONE):
            self.is_over = True
            return
        event = parsed(data, self._key)
        kind = event.get("type") or ""
        if kind == "response.output_text.delta":
            if text := event.get("delta"):
                self._has_text = True
                yield TextDelta(str(text))
        elif kind in _THOUGHTS:
            if text := event.get("delta"):
                yield ThinkingDelta(str(text))
        elif kind == "response.reasoning_summary_part.added" and event.get("summary_index"):
            yield ThinkingDelta("\n\n")
        elif kind == "response.refusal.delta":
            self._refusal.append(str(event.get("delta") or ""))
        elif kind.startswith("response.function_call_arguments."):
            yield from self._arguments(event)
        elif kind in ("response.output_item.added", "response.output_item.done"):
            yield from self._item(event, is_done=kind.endswith("done"))
        elif kind in _ENDS:
            self._response = event["response"]
            self.is_over = True
        elif kind in ("error", "response.failed") or event.get("error"):
            raise self._failed(event)

    def end(self) -> Iterator[StreamEvent]:
        """What was held back, and Finish. Raises `ProviderError("network")` if the reply was cut off."""
        if not self._response:
            raise faults.error("network", "the stream ended without response.completed")
        yield from self._calls.end()
        usage = self._response.get("usage") or {}
        output = self._response.get("output") or [self._items[place] for place in sorted(self._items)]
        refusal = "".join(self._refusal)
        yield Finish(
            self._kind(refusal), str(self._response.get("model") or self._model),
            number(usage, "input_tokens"), number(usage, "output_tokens"), refusal,
            cached_tokens=number(usage.get("input_tokens_details"), "cached_tokens"),
            thinking_tokens=number(usage.get("output_tokens_details"), "reasoning_tokens"),
            native=openai_items.native(output),
        )  # fmt: skip

    def _arguments(self, event: Mapping[str, Any]) -> Iterator[StreamEvent]:
        place = event.get("output_index")
        if "delta" in event:
            yield from self._calls.add(place, "", "", str(event["delta"]))
        elif self._calls.arguments_at(place) == "":
            yield from self._calls.add(place, "", "", str(event.get("arguments") or ""))

    def _item(self, event: Mapping[str, Any], *, is_done: bool) -> Iterator[StreamEvent]:
        item, place = event["item"], event.get("output_index")
        if is_done and isinstance(place, int):
            self._items[place] = item
        if item.get("type") != "function_call":
            return
        id, name = str(item.get("call_id") or ""), str(item.get("name") or "")
        is_news = not (is_done and self._calls.arguments_at(place))
        yield from self._calls.add(place, id, name, str(item.get("arguments") or "") if is_news else "")

    def _kind(self, refusal: str) -> FinishReason:
        why = (self._response.get("incomplete_details") or {}).get("reason")
        if refusal or why == "content_filter":
            return "blocked"
        if why or self._response.get("status") == "incomplete":
            return "length"
        return "stop" if self._has_text or self._calls else "empty"

    def _failed(self, event: Mapping[str, Any]) -> Exception:
        response = event.get("response") or {}
        return faults.from_object(event.get("error") or response.get("error") or event, self._key)
