"""Neutral messages: what a conversation is made of, whichever provider speaks. Pure values, no Django.

A provider turns a `Request` into its own wire form and yields `agents.stream` events. Parts carry no identity; a
ToolCallPart's `call` is our ToolCall's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A picture. `upload` names it; its bytes stand in the request's `images`."""

    upload: str
    media_type: str
    width: int = 0
    height: int = 0
    kind: Literal["image"] = "image"


@dataclass(frozen=True, slots=True)
class ThinkingPart:
    """What a model thought aloud before it answered. Shown to people, never sent to another model."""

    text: str
    kind: Literal["thinking"] = "thinking"


Part = TextPart | ToolCallPart | ToolResultPart | ImagePart | ThinkingPart


@dataclass(frozen=True, slots=True)
class Native:
    """An assistant message as its provider gave it, to be given back unchanged to the same model alone.

    Signed thoughts are worth nothing elsewhere, so another provider or model is told the neutral parts.
    """

    provider: str
    model: str
    content: Any


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """One message of the history. Results stand in a `tool` message after the assistant's, in call order."""

    role: Literal["user", "assistant", "tool"]
    parts: tuple[Part, ...]
    native: Native | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """The bytes of an ImagePart."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """Everything one model request is made of."""

    model: str
    instructions: str
    messages: Sequence[ModelMessage]
    tools: Sequence[ToolSpec] = ()
    locale: str = "en"
    settings: Mapping[str, Any] = field(default_factory=dict)
    images: Mapping[str, Picture] = field(default_factory=dict)
    """Pictures by upload id."""


def part_to_json(part: Part) -> dict[str, Any]:
    """The stored form of a part."""
    match part:
        case TextPart(text):
            return {"kind": "text", "text": text}
        case ToolCallPart(call, name, arguments):
            return {"kind": "tool_call", "call": call, "name": name, "arguments": arguments}
        case ToolResultPart(call, name, content, status):
            return {"kind": "tool_result", "call": call, "name": name, "content": content, "status": status}
        case ImagePart(upload, media_type, width, height):
            return {
                "kind": "image", "upload": upload, "media_type": media_type, "width": width, "height": height,
            }  # fmt: skip
        case ThinkingPart(text):
            return {"kind": "thinking", "text": text}


NATIVE = "native"
"""The stored kind of what is no part: an assistant message as its provider gave it. Nobody is shown it."""


def native_to_json(native: Native) -> dict[str, Any]:
    """The stored form, beside the parts."""
    return {"kind": NATIVE, "provider": native.provider, "model": native.model, "content": native.content}


def native_among(stored: Iterable[Mapping[str, Any]]) -> Native | None:
    """What stands beside stored parts; None for most messages."""
    for one in stored:
        if one["kind"] == NATIVE:
            return Native(one["provider"], one["model"], one["content"])
    return None


def shown_parts(stored: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The stored parts alone: what people and programs may read."""
    return [dict(one) for one in stored if one["kind"] != NATIVE]


def part_from_json(stored: Mapping[str, Any]) -> Part:
    """The part a stored form stands for."""
    kinds: dict[str, type[Part]] = {
        "text": TextPart,
        "tool_call": ToolCallPart,
        "tool_result": ToolResultPart,
        "image": ImagePart,
        "thinking": ThinkingPart,
    }
    values = dict(stored)
    return kinds[values.pop("kind")](**values)
