"""Neutral messages: what a conversation is made of, whichever provider speaks. Pure values, no Django.

A provider turns a `Request` into its own wire form and yields `agents.stream` events. Parts carry no identity; a
ToolCallPart's `call` is our ToolCall's id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tools.spec import ToolSpec


@dataclass(frozen=True, slots=True)
class TextPart:
    text: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class ToolCallPart:
    """A call as the model gave it. `arguments` is the raw text."""

    call: str
    name: str
    arguments: str
    kind: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True)
class ToolResultPart:
    """What the model is told of a call. `status` is the ToolCall's, or `pending_confirmation`."""

    call: str
    name: str
    content: str
    status: str
    kind: Literal["tool_result"] = "tool_result"


Part = TextPart | ToolCallPart | ToolResultPart


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """One message of the history. Results stand in a `tool` message after the assistant's, in call order."""

    role: Literal["user", "assistant", "tool"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """Everything one model request is made of."""

    model: str
    instructions: str
    messages: Sequence[ModelMessage]
    tools: Sequence[ToolSpec] = ()
    locale: str = "en"
    settings: Mapping[str, Any] = field(default_factory=dict)


def part_to_json(part: Part) -> dict[str, Any]:
    """The stored form of a part."""
    match part:
        case TextPart(text):
            return {"kind": "text", "text": text}
        case ToolCallPart(call, name, arguments):
            return {"kind": "tool_call", "call": call, "name": name, "arguments": arguments}
        case ToolResultPart(call, name, content, status):
            return {"kind": "tool_result", "call": call, "name": name, "content": content, "status": status}


def part_from_json(stored: Mapping[str, Any]) -> Part:
    """The part a stored form stands for."""
    kinds: dict[str, type[Part]] = {
        "text": TextPart,
        "tool_call": ToolCallPart,
        "tool_result": ToolResultPart,
    }
    values = dict(stored)
    return kinds[values.pop("kind")](**values)
