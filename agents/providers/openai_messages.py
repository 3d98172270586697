"""A `Request` as the body of a chat completion, for OpenAI and the many servers that speak its protocol. Pure.

Neighbouring messages of the person are joined (several chat templates want turns to alternate), call ids are short and
plain (Mistral takes nine letters and digits), and arguments in the history are always a JSON object (vLLM reads them).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
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
from agents.providers.openai_tools import Toolbox
from agents.spec import ModelSpec

NOT_SEEN = "[An image was shown here. This model cannot see it.]"
_SETTINGS = ("temperature", "top_p", "reasoning_effort", "seed")
_ID_SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def body(request: Request, model: ModelSpec, toolbox: Toolbox, *, is_openai: bool) -> dict[str, Any]:
    """The whole body. `is_openai`: the server is OpenAI's own, which has another word for the longest answer."""
    made: dict[str, Any] = {
        "model": request.model or model.name,
        "messages": messages(request, model, toolbox),
        "stream": True,
        "stream_options": {"include_usage": True},
        **settings(request, model, "max_completion_tokens" if is_openai else "max_tokens", _SETTINGS),
    }
    if request.tools:
        made["tools"] = toolbox.for_chat()
    return made


def settings(request: Request, model: ModelSpec, longest: str, names: Iterable[str]) -> dict[str, Any]:
    """The settings that are set, the request's before the model's; `max_output_tokens` under the name `longest`."""
    given: Mapping[str, Any] = {**model.settings, **request.settings}
    made = {name: given[name] for name in names if given.get(name) is not None}
    if given.get("max_output_tokens") is not None:
        made[longest] = given["max_output_tokens"]
    return made


def messages(request: Request, model: ModelSpec, toolbox: Toolbox) -> list[dict[str, Any]]:
    """`messages`: the instructions, then the history."""
    made: list[dict[str, Any]] = []
    if request.instructions:
        made.append({"role": "system", "content": request.instructions})
    images = request.images if model.images else {}
    for message in request.messages:
        match message.role:
            case "user":
                _add_user(made, _content(message, images))
            case "assistant":
                made += _assistant(message, toolbox)
            case "tool":
                made += [_result(part) for part in message.parts if isinstance(part, ToolResultPart)]
            case _:
                assert_never(message.role)
    return made


def call_id(call: str) -> str:
    """A call's id as every server takes it."""
    number = int.from_bytes(sha256(call.encode("utf-8", "replace")).digest()[:8])
    signs = []
    for _place in range(9):
        number, sign = divmod(number, len(_ID_SIGNS))
        signs.append(_ID_SIGNS[sign])
    return "".join(signs)


def data_url(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"


def as_object(arguments: str) -> str:
    """Arguments of the history as the text of a JSON object, whatever the model wrote then."""
    text = arguments.strip()
    if not text:
        return "{}"
    try:
        if isinstance(json.loads(text), dict):
            return arguments
    except (ValueError, RecursionError):
        pass
    return json.dumps({"unreadable": arguments}, ensure_ascii=False)


def text_of(parts: Iterable[Part]) -> str:
    """The text among the parts, pieces apart by an empty line."""
    return "\n\n".join(part.text for part in parts if isinstance(part, TextPart) and part.text)


def _content(message: ModelMessage, images: Mapping[str, Picture]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for part in message.parts:
        match part:
            case TextPart(text):
                made.append({"type": "text", "text": text})
            case ImagePart(upload) if upload in images:
                made.append({"type": "image_url", "image_url": {"url": data_url(images[upload])}})
            case ImagePart():
                made.append({"type": "text", "text": NOT_SEEN})
            case ThinkingPart() | ToolCallPart() | ToolResultPart():
                pass
            case _:
                assert_never(part)
    return made


def _add_user(made: list[dict[str, Any]], content: list[dict[str, Any]]) -> None:
    """As one text if it is all text: simple servers know nothing else."""
    if made and made[-1]["role"] == "user":
        before = made.pop()["content"]
        content = [*([{"type": "text", "text": before}] if isinstance(before, str) else before), *content]
    if all(part["type"] == "text" for part in content):
        made.append({"role": "user", "content": "\n\n".join(part["text"] for part in content)})
    else:
        made.append({"role": "user", "content": content})


def _assistant(message: ModelMessage, toolbox: Toolbox) -> list[dict[str, Any]]:
    text = text_of(message.parts)
    calls = [_call(part, toolbox) for part in message.parts if isinstance(part, ToolCallPart)]
    if not text and not calls:
        return []
    return [{"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}]


def _call(part: ToolCallPart, toolbox: Toolbox) -> dict[str, Any]:
    function = {"name": toolbox.table.told(part.name), "arguments": as_object(part.arguments)}
    return {"id": call_id(part.call), "type": "function", "function": function}


def _result(part: ToolResultPart) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id(part.call), "content": part.content}
