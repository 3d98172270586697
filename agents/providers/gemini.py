"""Gemini by `generateContent`, on the `google-genai` SDK, as a `Provider`.

What is sent is made by `gemini_request` and `gemini_history`, what comes is read by `gemini_reply`; `gemini_line` has
the SDK. Here they meet the network.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from typing import Any

import httpx2
from django.utils.crypto import salted_hmac

from agents.messages import Request
from agents.providers import access, faults, gemini_faults, gemini_line, network
from agents.providers.access import Account
from agents.providers.base import ProviderError
from agents.providers.gemini_history import PROVIDER
from agents.providers.gemini_reply import Reading
from agents.providers.gemini_request import body
from agents.providers.sse import Events, TooLong
from agents.spec import ModelSpec
from agents.stream import StreamEvent
from tools.compile.names import Table
from tools.executors.guard import EgressRefused

MOST_BYTES = 64 * 1024 * 1024
"""Of one reply."""
AFTER_END_S = 1.0
"""How long more is waited for once the reply has ended: the numbers may come after it."""


class Gemini:
    """Gemini's models, and any server that speaks its protocol."""

    name = PROVIDER
    is_demo = False

    async def stream(self, request: Request, model: ModelSpec) -> AsyncGenerator[StreamEvent]:
        """The reply as it comes. Raises `ProviderError`."""
        account = await access.account(model)
        table = Table(request.tools)
        reading = Reading(request.model, table, _mark_of(account))
        asked = body(request, model, table, reading.key)
        with _translated(account.key):
            async with aclosing(_chunks(account, request.model, asked, reading)) as chunks:
                async for chunk in chunks:
                    for event in reading.read(chunk):
                        yield event
            yield reading.finish()


def provider(_name: str) -> Gemini:
    """Made once, beside the event loop."""
    gemini_line.sdk()
    return Gemini()


async def _chunks(
    account: Account, model: str, asked: dict[str, Any], reading: Reading
) -> AsyncGenerator[Any]:
    """The decoded chunks of the answer. What breaks after the reply has ended is no matter any more."""
    async with gemini_line.asked(account, model, asked) as answer:
        kind = answer.headers.get("content-type", "")
        if not kind.startswith("text/event-stream"):
            raise faults.no_model_server(f"200 with {kind or 'no content type'}")
        try:
            async with aclosing(_events(answer, reading)) as events:
                async for data in events:
                    yield _decoded(data)
        except (httpx2.HTTPError, OSError):
            if reading.end is None:
                raise


async def _events(answer: httpx2.Response, reading: Reading) -> AsyncGenerator[bytes]:
    events, size = Events(), 0
    pieces, until = answer.aiter_bytes(), time.monotonic() + network.LONGEST_ANSWER_S
    while True:
        async with asyncio.timeout(AFTER_END_S if reading.end else None):
            piece = await anext(pieces, None)
        if piece is None:
            break
        size += len(piece)
        if size > MOST_BYTES:
            raise TooLong
        if time.monotonic() > until:
            raise TimeoutError
        for data in events.feed(piece):
            yield data
    for data in events.end():
        yield data


def _decoded(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise gemini_faults.unreadable(data.decode("utf-8", "replace")) from None


@contextmanager
def _translated(key: str) -> Iterator[None]:
    """Every error on the way as a `ProviderError`, without the key."""
    try:
        yield
    except ProviderError as error:
        error.detail = faults.stripped(error.detail, key)
        raise
    except (httpx2.TimeoutException, TimeoutError) as error:
        raise faults.error("timeout", _said(error), key=key) from None
    except EgressRefused as refused:
        raise faults.not_reachable(str(refused)) from None
    except TooLong:
        raise faults.unreadable("longer than any answer") from None
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise faults.no_model_server(_said(error), key) from None
    except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
        raise faults.error("network", _said(error), key=key) from None
    except UnicodeEncodeError:
        raise faults.error("auth", "the key has signs that no key has") from None
    except (AttributeError, TypeError, KeyError, ValueError, RecursionError) as error:
        raise faults.unreadable(_said(error), key) from error


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _mark_of(account: Account) -> str:
    """Tells keys apart in what is stored, and says nothing of them."""
    return salted_hmac("agents.providers.gemini", account.key).hexdigest()[:16]
