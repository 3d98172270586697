"""Ways to read one streamed answer: each SDK as its documentation shows, and Sluice's router over the same server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from google import genai
from google.genai import types
from openai import AsyncOpenAI

from agents.messages import ModelMessage, Request, TextPart
from agents.router import speak
from agents.spec import ModelSpec
from agents.stream import TextDelta
from platform_site.env import env

Read = Callable[[str], AsyncIterator[str]]
Said = list[tuple[str, str]]


def readers(server: str, history: int) -> dict[str, Read]:
    """Readers by name; each asks with a history of so many messages before its question."""
    env.openai_base_url, env.gemini_base_url = f"{server}/v1", server
    before = [
        ("assistant" if nth % 2 else "user", f"message {nth} of before, " * 8) for nth in range(history)
    ]
    return {
        "OpenAI: SDK": openai_sdk(f"{server}/v1", before),
        "OpenAI: Sluice": sluice("openai", before),
        "Gemini: SDK": gemini_sdk(server, before),
        "Gemini: Sluice": sluice("gemini", before),
    }


def openai_sdk(url: str, before: Said) -> Read:
    client = AsyncOpenAI(base_url=url, api_key="bench", max_retries=0)

    async def read(text: str) -> AsyncIterator[str]:
        messages: Any = [{"role": role, "content": said} for role, said in [*before, ("user", text)]]
        stream = await client.chat.completions.create(model="bench", messages=messages, stream=True)
        async for chunk in stream:
            if chunk.choices and (piece := chunk.choices[0].delta.content):
                yield piece

    return read


def gemini_sdk(url: str, before: Said) -> Read:
    options = types.HttpOptions(base_url=url, api_version="v1beta")
    client = genai.Client(api_key="bench", http_options=options)
    roles = {"assistant": "model", "user": "user"}

    async def read(text: str) -> AsyncIterator[str]:
        contents: Any = [
            types.Content(role=roles[role], parts=[types.Part.from_text(text=said)])
            for role, said in [*before, ("user", text)]
        ]
        stream = await client.aio.models.generate_content_stream(model="bench", contents=contents)
        async for chunk in stream:
            if chunk.text:
                yield chunk.text

    return read


def sluice(provider: str, before: Said) -> Read:
    model = ModelSpec("bench", provider, "bench", tenant="bench")

    async def read(text: str) -> AsyncIterator[str]:
        said = [*before, ("user", text)]
        messages = [ModelMessage(role, (TextPart(words),)) for role, words in said]  # type: ignore[arg-type]
        async for event in speak(Request("", "", messages), [model]):
            if isinstance(event, TextDelta):
                yield event.text

    return read
