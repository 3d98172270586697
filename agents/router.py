"""From an agent's list of models to the stream of one reply. The engine calls `speak`; providers stand behind it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from agents import providers
from agents.messages import Request
from agents.providers.base import ProviderError
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, StreamEvent, TextDelta, ThinkingDelta
from tools.strictjson import storable


async def speak(request: Request, models: Sequence[ModelSpec]) -> AsyncGenerator[StreamEvent]:
    """Ask the first model and pass its stream through. Ends with `Finish`, or raises `ProviderError`.

    The request's `model` is filled in here. Close the generator to end the upstream request.
    """
    if not models:
        raise ProviderError("bad_request", "this agent has no model")
    model = models[0]
    asked = replace(request, model=model.name, tools=request.tools if model.tools else ())
    async with aclosing(providers.get(model.provider).stream(asked, model)) as stream:
        async for event in stream:
            yield cleaned(event)
            if isinstance(event, Finish):
                return
    raise ProviderError("network", "the model's answer broke off before its end")


def cleaned(event: StreamEvent) -> StreamEvent:
    """The event with what no database stores (half a surrogate pair, NUL) shown as U+FFFD."""
    match event:
        case ThinkingDelta(text):
            return ThinkingDelta(storable(text))
        case TextDelta(text) if (clean := storable(text)) != text:
            return TextDelta(clean)
        case CallDelta(index, id_, name, arguments):
            return CallDelta(index, storable(id_), storable(name), storable(arguments))
    return event
