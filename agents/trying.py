"""Trying a model or a credential out: one tiny real request, or the list of models its server offers.

For the console's test buttons. What goes wrong is a value as well: `Failed`, with the provider's own words for the
admin. Nothing here falls back: what is tried is the credential that was named, or nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

import structlog

from agents import providers
from agents.messages import ModelMessage, Request, TextPart
from agents.providers import access, faults, listing
from agents.providers.base import ErrorCode, ProviderError
from agents.providers.listing import Offered
from agents.spec import ModelSpec
from agents.stream import Finish, FinishReason, TextDelta
from platform_site.db import db

log = structlog.get_logger(__name__)
LIMIT_S = 20.0
LONGEST_ANSWER = 300
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answered:
    """The model spoke: what it said (cut short), after how many seconds it began and ended, how, and its tokens."""

    text: str
    first_s: float
    seconds: float
    reason: FinishReason
    model: str
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Listed:
    """What the server offers; empty where it has no list."""

    models: tuple[Offered, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """Why not, and after how long; `detail` is the provider's own text, without the key."""

    code: ErrorCode
    message: str
    detail: str
    seconds: float
    is_private: bool = False
    """The address is a private one that no operator listed."""


async def ask(model: ModelSpec) -> Answered | Failed:
    """One tiny request, as a conversation would make it."""
    return await _within(lambda started: _ask(model, started), model)


async def names(model: ModelSpec) -> Listed | Failed:
    """The models that the server of this model's credential offers."""

    async def read(started: float) -> Listed:
        found = await listing.offered(await db(access.account_for, model))
        return Listed(found, time.monotonic() - started)

    return await _within(read, model)


async def _ask(model: ModelSpec, started: float) -> Answered:
    access.forget()  # a key that was just saved is the one that is tried
    text, first = "", 0.0
    said = ModelMessage("user", (TextPart("Reply with the single word: ready"),))
    request = Request(
        model.name, "You are being tested. Answer with one word.", (said,), settings=model.settings
    )
    async with aclosing(providers.get(model.provider).stream(request, model)) as stream:
        async for event in stream:
            first = first or time.monotonic() - started
            match event:
                case TextDelta(piece):
                    text = (text + piece)[: 2 * LONGEST_ANSWER]
                case Finish():
                    seconds = time.monotonic() - started
                    clean = faults.stripped(text, await _key(model))[:LONGEST_ANSWER]
                    return Answered(
                        clean,
                        first,
                        seconds,
                        event.reason,
                        event.model,
                        event.input_tokens,
                        event.output_tokens,
                    )
                case _:
                    pass
    raise faults.error("network", "the stream ended without a finish reason")


async def _within(work: Callable[[float], Awaitable[T]], model: ModelSpec) -> T | Failed:
    started = time.monotonic()
    try:
        async with asyncio.timeout(LIMIT_S):
            return await work(started)
    except TimeoutError:
        error = faults.error("timeout", f"no answer within {LIMIT_S:g} s")
    except ProviderError as caught:
        error = caught
    except Exception as surprise:
        log.exception("a test request failed in an unforeseen way", provider=model.provider)
        error = faults.error("internal", type(surprise).__name__)
    detail = faults.stripped(error.detail, await _key(model))
    is_private = str(error.message) == str(faults.not_reachable("").message)
    return Failed(error.code, str(error.message), detail, time.monotonic() - started, is_private)


async def _key(model: ModelSpec) -> str:
    """The key that was used, to be left out of what is shown."""
    try:
        return (await db(access.account_for, model)).key
    except (ProviderError, KeyError):
        return ""
