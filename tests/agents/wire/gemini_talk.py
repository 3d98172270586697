"""Talks with the Gemini provider over a loopback server: asked once or several times, with what was heard and seen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import SecretStr

from agents.messages import Request
from agents.providers import access, clients
from agents.providers.access import Account
from agents.providers.gemini import Gemini
from agents.spec import ModelSpec
from agents.stream import Finish
from platform_site.env import env
from tests.agents.wire.driving import Heard, ask, model_of
from tests.agents.wire.files import Wire
from tests.agents.wire.server import Answers, Seen, WireServer

SSE = (("content-type", "text/event-stream"),)
KEY = "AIzaSyTestOnlyNotAKey0123456789abcdefgh"


def stream_of(*chunks: Any, separator: bytes = b"\n\n") -> Wire:
    """A stream of these chunks, whole."""
    return Wire(200, SSE, (b"".join(b"data: " + json.dumps(one).encode() + separator for one in chunks),))


def said(*parts: Any, end: str | None = None, **more: Any) -> dict[str, Any]:
    """One chunk with these parts."""
    candidate = {"content": {"role": "model", "parts": list(parts)}, "index": 0, **more}
    return {"candidates": [candidate | ({"finishReason": end} if end else {})]}


def refusing(status: int, body: Any, *headers: tuple[str, str]) -> Wire:
    """An answer that is an error; `body` is sent as JSON, or as it is when it is text."""
    text = body if isinstance(body, str) else json.dumps(body)
    return Wire(status, (("content-type", "application/json"), *headers), (text.encode(),))


def gemini(**values: Any) -> ModelSpec:
    return replace(model_of("gemini"), **values)


def talk(
    monkeypatch: Any,
    answers: Answers,
    *asks: Request,
    model: ModelSpec | None = None,
    base: str = "",
    key: str = "",
) -> tuple[list[Heard], Sequence[Seen]]:
    """Ask one request after another. Each is asked once, whatever comes."""
    monkeypatch.setattr(env, "model_stall_s", 0.2)
    monkeypatch.setattr(env, "gemini_api_key", SecretStr(key) if key else None)

    async def scenario() -> tuple[list[Heard], Sequence[Seen]]:
        try:
            async with WireServer(answers) as server:
                monkeypatch.setattr(env, "gemini_base_url", server.url + base)
                heard = [
                    await ask(Gemini(), request, model or gemini(name=request.model)) for request in asks
                ]
                assert len(server.seen) == len(asks), "no provider asks twice of itself"
                return heard, server.seen
        finally:
            await clients.close()

    return asyncio.run(scenario())


def ask_as(monkeypatch: Any, account: Account, request: Request) -> Heard:
    """Ask as this account, wherever it leads."""

    async def always(_model: Any) -> Account:
        return account

    async def scenario() -> Heard:
        try:
            return await ask(Gemini(), request, gemini(name=request.model))
        finally:
            await clients.close()

    monkeypatch.setattr(access, "account", always)
    return asyncio.run(scenario())


def finish_of(heard: Heard) -> Finish:
    assert heard.error is None, heard.error and heard.error.detail
    finish = heard.events[-1]
    assert isinstance(finish, Finish)
    return finish
