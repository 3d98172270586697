"""Which of an agent's models can take a request at all, and the request as each of them can take it. Pure.

Looked at before anything is sent: a model without tools is offered none, one that sees no pictures is not asked about
one, one whose window is too small is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, assert_never

from agents import tokens
from agents.messages import (
    ImagePart,
    ModelMessage,
    Part,
    Request,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from agents.spec import ModelSpec

Lack = Literal["images", "context_too_long"]
UNSEEN = "(A picture was here, which you cannot see.)"


@dataclass(frozen=True, slots=True)
class Able:
    """The models that can answer, in the agent's order, and why each other one cannot, by slug."""

    models: Sequence[ModelSpec]
    lacks: dict[str, Lack]


def able(request: Request, models: Sequence[ModelSpec]) -> Able:
    """Sort the models by whether they can take the request."""
    pictures = asks_about_pictures(request.messages) or _debates_pictures(request)
    size = tokens.of_request(request) if any(model.context for model in models) else 0
    lacks = {model.slug: lack for model in models if (lack := _lack(model, size, pictures))}
    return Able([model for model in models if model.slug not in lacks], lacks)


def _lack(model: ModelSpec, size: int, pictures: bool) -> Lack | None:
    if pictures and not model.images:
        return "images"
    return "context_too_long" if model.context and size > model.context else None


def _debates_pictures(request: Request) -> bool:
    """Every turn of a debate is about what was asked, pictures included."""
    place: Any = request.settings.get("debate") or {}
    return bool(request.images) and place.get("stage") == "turn"


def asks_about_pictures(messages: Sequence[ModelMessage]) -> bool:
    """Whether a picture came with what is to be answered now. One from earlier may be passed over."""
    for message in reversed(messages):
        if any(isinstance(part, ImagePart) for part in message.parts):
            return True
        if message.role == "user":
            return False
    return False


def asked_of(model: ModelSpec, request: Request) -> Request:
    """The request as this model takes it."""
    asked = replace(request, model=model.name, tools=request.tools if model.tools else ())
    if not model.images and (request.images or _has(request.messages, ImagePart)):
        asked = replace(asked, messages=tuple(map(without_pictures, asked.messages)), images={})
    if not model.tools and _has(request.messages, ToolCallPart):
        asked = replace(asked, messages=tuple(map(_in_words, asked.messages)))
    return asked


def _has(messages: Iterable[ModelMessage], kind: type[Part]) -> bool:
    return any(isinstance(part, kind) for message in messages for part in message.parts)


def without_pictures(message: ModelMessage) -> ModelMessage:
    """The message for a model that sees none: it is told where one was."""
    parts = tuple(TextPart(UNSEEN) if isinstance(part, ImagePart) else part for part in message.parts)
    return replace(message, parts=parts)


def _in_words(message: ModelMessage) -> ModelMessage:
    """Calls and results told in words, for a model whose protocol has none."""
    role = "user" if message.role == "tool" else message.role
    return ModelMessage(role, tuple(map(_worded, message.parts)))


def _worded(part: Part) -> Part:
    match part:
        case ToolCallPart(_, name, arguments):
            return TextPart(f"(The tool {name} was used with {arguments}.)")
        case ToolResultPart(_, name, content):
            return TextPart(f"(The tool {name} answered: {content})")
        case TextPart() | ImagePart() | ThinkingPart():
            return part
        case _:
            assert_never(part)
