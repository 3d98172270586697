"""Chat completions: OpenAI, and every server that speaks its protocol (vLLM, Ollama, llama.cpp, Perplexity, …)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from agents.messages import Request
from agents.providers import access, openai_messages, openai_wire
from agents.providers.openai_chunks import ChatReader
from agents.providers.openai_tools import Toolbox
from agents.spec import ModelSpec
from agents.stream import StreamEvent


class OpenAIChat:
    """One provider of this protocol."""

    is_demo = False

    def __init__(self, name: str) -> None:
        self.name = name

    async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        """The reply as it comes. Raises `ProviderError`."""
        account = await access.account(model)
        toolbox = Toolbox(request.tools)
        body = openai_messages.body(request, model, toolbox, is_openai=openai_wire.is_openai(account))
        reader = ChatReader(model.name, toolbox, account.key)
        async with aclosing(openai_wire.ask(account, "/chat/completions", body, reader)) as events:
            async for event in events:
                yield event


def provider(name: str) -> OpenAIChat:
    return OpenAIChat(name)
