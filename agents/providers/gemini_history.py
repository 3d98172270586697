"""Neutral messages as Gemini's `contents`. Pure.

A reply of the same model, asked with the same key, goes back exactly as it came: its thought signatures are worth
nothing when a part is changed, merged or moved. Everything else is told from the neutral parts.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from agents.messages import (
    ImagePart,
    ModelMessage,
    Native,
    Part,
    Picture,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from agents.providers import gemini_models
from tools.compile.names import Table

PROVIDER = "gemini"
UNSIGNED = "skip_thought_signature_validator"
"""Documented for calls that another model made: without it Gemini 3 refuses them in the turn that goes on."""
NOT_SHOWN = "[An image was shown here. This model cannot see it.]"
BEGINNING = "[The conversation begins with your words.]"

Content = dict[str, Any]
Called = Mapping[str, Mapping[str, Any]]
"""The function calls of one reply as the model is given them, by our ToolCall's id."""


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells one model the history. `key` is what `Native.content["key"]` must be for its parts to count."""

    model: str
    key: str
    table: Table
    sees: bool = False
    images: Mapping[str, Picture] = field(default_factory=dict)

    def contents(self, messages: Sequence[ModelMessage]) -> list[Content]:
        """The whole history. It begins with the user's words and answers each call right after it was made."""
        told: list[Content] = []
        called: Called = {}
        turn = _turn(messages)
        for place, message in enumerate(messages):
            match message.role:
                case "user":
                    _add(told, "user", filter(None, map(self._said, message.parts)))
                case "assistant":
                    parts, called = self._reply(message, in_turn=place > turn)
                    _add(told, "model", parts)
                case "tool":
                    results = (part for part in message.parts if isinstance(part, ToolResultPart))
                    _add(told, "user", [self._response(part, called) for part in results])
                case _:
                    assert_never(message.role)
        if told and told[0]["role"] == "model":
            told.insert(0, {"role": "user", "parts": [{"text": BEGINNING}]})
        return told

    def _said(self, part: Part) -> dict[str, Any] | None:
        """What a person said or showed; None for what is neither."""
        if isinstance(part, TextPart):
            return {"text": part.text} if part.text else None
        if not isinstance(part, ImagePart):
            return None
        picture = self.images.get(part.upload)
        if not self.sees or picture is None:
            return {"text": NOT_SHOWN}
        data = b64encode(picture.data).decode("ascii")
        return {"inlineData": {"mimeType": picture.media_type, "data": data}}

    def _reply(self, message: ModelMessage, *, in_turn: bool) -> tuple[list[dict[str, Any]], Called]:
        calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
        parts = self._own(message.native)
        own = [part["functionCall"] for part in parts or () if "functionCall" in part]
        if parts and len(own) == len(calls):
            return parts, {call.call: given for call, given in zip(calls, own, strict=True)}
        return self._neutral(message, signed=in_turn and gemini_models.wants_signatures(self.model))

    def _own(self, native: Native | None) -> list[dict[str, Any]] | None:
        """The parts as this model gave them under this key, if it did."""
        if native is None or (native.provider, native.model) != (PROVIDER, self.model):
            return None
        content = native.content
        if not isinstance(content, Mapping) or content.get("key") != self.key:
            return None
        return list(content.get("parts", ())) or None

    def _neutral(self, message: ModelMessage, *, signed: bool) -> tuple[list[dict[str, Any]], Called]:
        parts: list[dict[str, Any]] = []
        called: dict[str, Mapping[str, Any]] = {}
        for part in message.parts:
            match part:
                case TextPart(text) if text:
                    parts.append({"text": text})
                case ToolCallPart(call, name, arguments):
                    given = {"id": call, "name": self.table.told(name), "args": arguments_of(arguments)}
                    unsigned = {"thoughtSignature": UNSIGNED} if signed and not called else {}
                    parts.append({"functionCall": given, **unsigned})
                    called[call] = given
                case TextPart() | ThinkingPart() | ImagePart() | ToolResultPart():
                    pass
                case _:
                    assert_never(part)
        return parts, called

    def _response(self, part: ToolResultPart, called: Called) -> dict[str, Any]:
        """What came of a call, under the name and the id the model knows it by; it may know it by no id."""
        given = called.get(part.call, {"id": part.call, "name": self.table.told(part.name)})
        known = {word: given[word] for word in ("id", "name") if given.get(word)}
        return {"functionResponse": {**known, "response": {"output": part.content}}}


def arguments_of(raw: str) -> dict[str, Any]:
    """A call's arguments as an object; what a model wrote that is none is told as it was written."""
    try:
        made = json.loads(raw or "{}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        made = None
    return made if isinstance(made, dict) else {"unreadable": raw}


def _no_number(word: str) -> None:
    raise ValueError(word)


def _turn(messages: Sequence[ModelMessage]) -> int:
    """Where the turn that goes on began: the user's last message."""
    return max((place for place, message in enumerate(messages) if message.role == "user"), default=-1)


def _add(told: list[Content], role: str, parts: Iterable[dict[str, Any]]) -> None:
    """One more content. Two of the model's in a row are one: a call must follow the user's words or an answer."""
    parts = list(parts)
    if not parts:
        return
    if role == "model" and told and told[-1]["role"] == "model":
        told[-1]["parts"] += parts
    else:
        told.append({"role": role, "parts": parts})
