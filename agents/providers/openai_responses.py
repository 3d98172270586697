"""The Responses API, for OpenAI itself: its thinking models keep their thoughts from one reply to the next."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from agents.messages import Request
from agents.providers import access, openai_items, openai_wire
from agents.providers.openai_events import ResponseReader
from agents.providers.openai_tools import Toolbox
from agents.spec import ModelSpec
from agents.stream import StreamEvent


class OpenAIResponses:
    """One provider of this protocol."""

    is_demo = False

    def __init__(self, name: str) -> None:
        self.name = name

    async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        """The reply as it comes. Raises `ProviderError`."""
        account = await access.account(model)
        toolbox = Toolbox(request.tools)
        body = openai_items.body(request, model, toolbox)
        reader = ResponseReader(model.name, toolbox, account.key)
        async with aclosing(openai_wire.ask(account, "/responses", body, reader)) as events:
            async for event in events:
                yield event


def provider(name: str) -> OpenAIResponses:
    return OpenAIResponses(name)
