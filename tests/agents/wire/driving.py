"""Asks a provider once, and compares what it yields with the table."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from agents.messages import Request
from agents.providers.base import Provider, ProviderError
from agents.spec import ModelSpec
from agents.stream import Finish, Reply, StreamEvent
from tests.agents.wire.cases import MODEL, Expected


@dataclass
class Heard:
    """What came of asking once: the events, and the error if it ended in one."""

    events: list[StreamEvent] = field(default_factory=list)
    error: ProviderError | None = None

    @property
    def reply(self) -> Reply:
        reply = Reply()
        for event in self.events:
            reply.add(event)
        reply.text = reply.text_so_far()
        reply.thinking = "".join(event.text for event in self.events if event.kind == "thinking")
        return reply


def model_of(provider: str, **values: Any) -> ModelSpec:
    """A model without a credential: the installation's own key and address are used."""
    return ModelSpec(slug="m", provider=provider, name=MODEL, **{"images": True, **values})


async def ask(provider: Provider, request: Request, model: ModelSpec) -> Heard:
    """One whole stream."""
    heard = Heard()
    try:
        async with aclosing(provider.stream(request, model)) as stream:
            async for event in stream:
                heard.events.append(event)
    except ProviderError as error:
        heard.error = error
    return heard


def check(heard: Heard, expected: Expected) -> None:
    """Assert that what was heard is what the table says."""
    reply = heard.reply
    assert (heard.error and heard.error.code) == expected.error, heard.error and heard.error.detail
    assert (reply.text, reply.thinking) == (expected.text, expected.thinking)
    assert [(call.name, _meant(call.arguments)) for call in reply.calls] == [
        (call.name, _meant(call.arguments)) for call in expected.calls
    ]
    ids = [call.id for call in reply.calls]
    assert all(ids) and len(set(ids)) == len(ids)
    finishes = [event for event in heard.events if isinstance(event, Finish)]
    if expected.error:
        assert heard.error is not None and not finishes
        assert heard.error.message
        assert heard.error.retry_after == expected.retry_after
        return
    assert heard.events[-1:] == finishes
    finish = finishes[0]
    assert (finish.reason, finish.model) == (expected.finish, MODEL)
    if expected.tokens:
        counted = (finish.input_tokens, finish.output_tokens, finish.cached_tokens, finish.thinking_tokens)
        told = expected.tokens
        assert counted == (told.input, told.output, told.cached, told.thinking)
    if expected.detail is not None:
        assert finish.detail == expected.detail


def _meant(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments
