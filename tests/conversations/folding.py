"""A log, folded as any client folds it, and the rows, in the same form: they must be equal (protocol.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conversations.models import Conversation, Message
from platform_site import ledger
from platform_site.wire import Event
from tools.models import ToolCall


@dataclass
class Folded:
    """`messages`: id -> [role, text, parent]; `waiting`: messages without a place; `calls`: id -> status."""

    messages: dict[str, list[Any]] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)
    calls: dict[str, str] = field(default_factory=dict)
    head: str | None = None


def fold(events: list[Event]) -> Folded:
    state = Folded()
    for event in events:
        _take(state, event)
    return state


def _take(state: Folded, event: Event) -> None:
    match event:
        case {"type": "TEXT_MESSAGE_START", "messageId": id_, "metadata": {"parent": parent}}:
            state.messages[id_] = ["assistant", "", parent]
            state.head = id_
        case {"type": "TEXT_MESSAGE_CONTENT", "messageId": id_, "delta": text}:
            state.messages[id_][1] = text
        case {"type": "TOOL_CALL_RESULT", "toolCallId": call, "metadata": {"status": status}}:
            state.calls[call] = status
        case {"type": "CUSTOM", "name": name, "value": value}:
            _take_custom(state, name, value)


def _take_custom(state: Folded, name: str, value: dict[str, Any]) -> None:
    match name:
        case "message.user":
            state.messages[value["messageId"]] = ["user", value["text"], value["parent"]]
            if value.get("queued"):
                state.waiting.add(value["messageId"])
            else:
                state.head = value["messageId"]
        case "message.placed":
            state.messages[value["messageId"]][2] = value["parent"]
            state.waiting.remove(value["messageId"])
            state.head = value["messageId"]
        case "message.restarted":
            state.messages[value["messageId"]][1] = ""
        case "conversation.branch":
            state.head = value["head"]
        case "tool_call.checked":
            state.calls[value["toolCallId"]] = value["verdict"]
        case "tool_call.status":
            state.calls[value["toolCallId"]] = value["status"]


def stored(conversation: str) -> Folded:
    rows = Message.objects.filter(conversation=conversation).order_by("position")
    messages = {row.pk: [row.role, _text(row.parts), row.parent_id] for row in rows}
    calls = dict(ToolCall.objects.filter(topic=conversation).values_list("pk", "status"))
    head = Conversation.objects.get(pk=conversation).head_id
    return Folded(messages, {row.pk for row in rows if row.waiting}, calls, head)


def _text(parts: list[dict[str, Any]]) -> str:
    return "".join(part["text"] for part in parts if part["kind"] == "text")


def check_folds(conversation: str) -> None:
    """The log says exactly what the rows say."""
    assert fold([event for _, event in ledger.since(conversation, 0, 100_000)]) == stored(conversation)
