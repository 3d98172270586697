"""A `Request` as the body of the Responses API, and what of a reply must be given back. Pure.

Nothing is stored at the provider: each request says everything. A reply's output items go back unchanged to the model
that made them, with their signed thoughts; every other model is told the neutral parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from agents.messages import (
    ImagePart,
    ModelMessage,
    Part,
    Picture,
    Request,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from agents.providers.openai_messages import NOT_SEEN, as_object, call_id, data_url, settings, text_of
from agents.providers.openai_tools import Toolbox
from agents.spec import ModelSpec

PROVIDER = "openai-responses"
SIGNED_THOUGHTS = "reasoning.encrypted_content"
_THINKS = re.compile(r"(o\d|gpt-[5-9])(?!.*-chat)")
"""Models known to think; others refuse to be asked for their thoughts."""
_PLAIN = ("message", "function_call")


def body(request: Request, model: ModelSpec, toolbox: Toolbox) -> dict[str, Any]:
    """The whole body."""
    name = request.model or model.name
    given = settings(request, model, "max_output_tokens", ("temperature", "top_p", "reasoning_effort"))
    effort = given.pop("reasoning_effort", None)
    made: dict[str, Any] = {
        "model": name,
        "input": items(request, model, toolbox),
        "stream": True,
        "store": False,
        **given,
    }
    if request.instructions:
        made["instructions"] = request.instructions
    if effort is not None:
        made["reasoning"] = {"effort": effort, "summary": "auto"}
    if effort is not None or _THINKS.match(name):
        made["include"] = [SIGNED_THOUGHTS]
    if request.tools:
        made["tools"] = toolbox.for_responses()
    return made


def items(request: Request, model: ModelSpec, toolbox: Toolbox) -> list[dict[str, Any]]:
    """`input`: the history as items. A call's result names the call as the call's own item does."""
    made: list[dict[str, Any]] = []
    ids: dict[str, str] = {}
    images = request.images if model.images else {}
    for message in request.messages:
        match message.role:
            case "user":
                made.append({"role": "user", "content": _content(message.parts, images)})
            case "assistant":
                made += _assistant(message, request, model, toolbox, ids)
            case "tool":
                made += [
                    {
                        "type": "function_call_output",
                        "call_id": ids.get(part.call) or call_id(part.call),
                        "output": part.content,
                    }
                    for part in message.parts
                    if isinstance(part, ToolResultPart)
                ]
            case _:
                assert_never(message.role)
    return made


def native(output: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]] | None:
    """What the same model must be given back of its output items; None if the neutral parts say as much."""
    if all(item.get("type") in _PLAIN and not item.get("phase") for item in output):
        return None
    return list(output)


def _assistant(
    message: ModelMessage, request: Request, model: ModelSpec, toolbox: Toolbox, ids: dict[str, str]
) -> list[dict[str, Any]]:
    calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
    if own := _own(message, request.model or model.name):
        named = [str(item["call_id"]) for item in own if item.get("type") == "function_call"]
        if len(named) == len(calls):
            ids.update(zip((call.call for call in calls), named, strict=True))
            return own
    text = text_of(message.parts)
    made: list[dict[str, Any]] = [{"role": "assistant", "content": text}] if text else []
    return made + [
        {
            "type": "function_call", "call_id": call_id(call.call),
            "name": toolbox.table.told(call.name), "arguments": as_object(call.arguments),
        }
        for call in calls
    ]  # fmt: skip


def _own(message: ModelMessage, model: str) -> list[dict[str, Any]]:
    """The items this very model gave; thoughts without their signature, which nobody would take back, are left out."""
    kept = message.native
    if kept is None or (kept.provider, kept.model) != (PROVIDER, model) or not isinstance(kept.content, list):
        return []
    return [item for item in kept.content if item.get("type") != "reasoning" or item.get("encrypted_content")]


def _content(parts: Sequence[Part], images: Mapping[str, Picture]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for part in parts:
        match part:
            case TextPart(text):
                made.append({"type": "input_text", "text": text})
            case ImagePart(upload) if upload in images:
                made.append({"type": "input_image", "image_url": data_url(images[upload]), "detail": "auto"})
            case ImagePart():
                made.append({"type": "input_text", "text": NOT_SEEN})
            case ThinkingPart() | ToolCallPart() | ToolResultPart():
                pass
            case _:
                assert_never(part)
    return made
