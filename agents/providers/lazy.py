"""A provider whose SDK is imported when it is first asked, and beside the event loop: that takes up to seconds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from importlib import import_module

from agents.messages import Request
from agents.providers.base import Provider
from agents.spec import ModelSpec
from agents.stream import StreamEvent


class LazyProvider:
    """Stands for `module.provider(name)`."""

    is_demo = False

    def __init__(self, name: str, module: str) -> None:
        self.name = name
        self._module = module
        self._found: Provider | None = None

    async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        if self._found is None:
            self._found = await asyncio.to_thread(self.load)
        async with aclosing(self._found.stream(request, model)) as events:
            async for event in events:
                yield event

    def load(self) -> Provider:
        """Import it now."""
        found: Provider = import_module(self._module).provider(self.name)
        return found
