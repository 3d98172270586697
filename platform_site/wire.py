"""AG-UI events as they go over the wire and into the ledger: camelCase dicts made by `ag-ui-protocol`'s own types.

A thin vocabulary: one function an event, so that nobody spells a field by hand. `CUSTOM` events of ours are named
here too; `docs/protocol.md` lists them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from ag_ui.core import events as ag

Event = dict[str, Any]
"""One AG-UI event, JSON-safe, keys as on the wire."""


def _wire(event: ag.BaseEvent) -> Event:
    return event.model_dump(mode="json", by_alias=True)


def run_started(thread: str, run: str, *, metadata: dict[str, Any] | None = None) -> Event:
    return _wire(ag.RunStartedEvent(thread_id=thread, run_id=run, metadata=metadata))


def run_succeeded(thread: str, run: str) -> Event:
    return _wire(ag.RunFinishedEvent(thread_id=thread, run_id=run, outcome=ag.RunFinishedSuccessOutcome()))


def run_cancelled(thread: str, run: str) -> Event:
    return _wire(ag.RunFinishedEvent(thread_id=thread, run_id=run, outcome=ag.RunFinishedCancelledOutcome()))


def run_interrupted(thread: str, run: str, interrupts: Sequence[ag.Interrupt]) -> Event:
    outcome = ag.RunFinishedInterruptOutcome(interrupts=list(interrupts))
    return _wire(ag.RunFinishedEvent(thread_id=thread, run_id=run, outcome=outcome))


def run_error(code: str, message: str, *, metadata: dict[str, Any] | None = None) -> Event:
    return _wire(ag.RunErrorEvent(code=code, message=message, metadata=metadata))


def interrupt(
    confirmation: str, *, reason: Literal["tool_call", "input_required"], message: str, call: str, expires_at: str,
    metadata: dict[str, Any], response_schema: dict[str, Any] | None = None,
) -> ag.Interrupt:  # fmt: skip
    return ag.Interrupt(
        id=confirmation, reason=reason, message=message, tool_call_id=call, expires_at=expires_at,
        metadata=metadata, response_schema=response_schema,
    )  # fmt: skip


def text_start(message: str, *, metadata: dict[str, Any] | None = None) -> Event:
    return _wire(ag.TextMessageStartEvent(message_id=message, role="assistant", metadata=metadata))


def text_content(message: str, text: str, *, offset: int) -> Event:
    """`offset`: Unicode code points that came before."""
    return _wire(ag.TextMessageContentEvent(message_id=message, delta=text, metadata={"offset": offset}))


def text_end(message: str, *, length: int, model: str, usage: dict[str, int], **more: Any) -> Event:
    """`length` in Unicode code points; `usage` has `input_tokens` and `output_tokens`."""
    metadata = {"length": length, "model": model, "usage": usage, **more}
    return _wire(ag.TextMessageEndEvent(message_id=message, metadata=metadata))


def reasoning(message: str, text: str) -> list[Event]:
    """What a model thought aloud before `message`, whole: AG-UI's five events, under the id `<message>.thoughts`."""
    its = f"{message}.thoughts"
    return [
        _wire(ag.ReasoningStartEvent(message_id=its)),
        _wire(ag.ReasoningMessageStartEvent(message_id=its, role="reasoning")),
        _wire(ag.ReasoningMessageContentEvent(message_id=its, delta=text)),
        _wire(ag.ReasoningMessageEndEvent(message_id=its)),
        _wire(ag.ReasoningEndEvent(message_id=its)),
    ]


def call_start(call: str, name: str, *, parent: str) -> Event:
    return _wire(ag.ToolCallStartEvent(tool_call_id=call, tool_call_name=name, parent_message_id=parent))


def call_args(call: str, raw: str) -> Event:
    return _wire(ag.ToolCallArgsEvent(tool_call_id=call, delta=raw))


def call_end(call: str) -> Event:
    return _wire(ag.ToolCallEndEvent(tool_call_id=call))


def call_result(call: str, content: str, *, metadata: dict[str, Any] | None = None) -> Event:
    """What the model is told, under the message id `<call>.result`; `metadata` is for people."""
    event = ag.ToolCallResultEvent(
        message_id=f"{call}.result", tool_call_id=call, content=content, role="tool", metadata=metadata
    )
    return _wire(event)


def custom(name: str, value: Any) -> Event:
    return _wire(ag.CustomEvent(name=name, value=value))


def state(snapshot: dict[str, Any]) -> Event:
    return _wire(ag.StateSnapshotEvent(snapshot=snapshot))


def state_delta(patch: list[dict[str, Any]]) -> Event:
    """A change of the shared state, as JSON Patch."""
    return _wire(ag.StateDeltaEvent.model_validate({"delta": patch}))


def activity(message: str, kind: str, content: dict[str, Any]) -> Event:
    """How something that goes on beside the conversation stands; it replaces what was told under this id before."""
    event = ag.ActivitySnapshotEvent(message_id=message, activity_type=kind, content=content, replace=True)
    return _wire(event)


def activity_delta(message: str, kind: str, patch: list[dict[str, Any]]) -> Event:
    """What is new of it since it was told last, as JSON Patch."""
    event = ag.ActivityDeltaEvent.model_validate(
        {"message_id": message, "activity_type": kind, "patch": patch}
    )
    return _wire(event)


def as_text(value: Any) -> str:
    """JSON for a model: compact, characters as they are."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
