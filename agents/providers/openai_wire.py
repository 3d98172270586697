"""One streamed request to a server that speaks one of OpenAI's protocols, by their SDK's client: its addresses, keys
and errors, but the bytes read by us. Typed chunks cost ten times as much, a typed body transforms the whole history.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from typing import Any, Protocol

import httpx2
import openai
import orjson

from agents.providers import clients, faults, network
from agents.providers.access import Account
from agents.providers.base import ProviderError
from agents.providers.sse import Events, TooLong
from agents.stream import StreamEvent
from tools.executors.guard import EgressRefused

MOST_BYTES = 64 * 1024 * 1024
"""Of one reply."""
MOST_WITHOUT_EVENTS = 1024 * 1024
DRAIN_S = 0.05
"""How long the end of HTTP's body is waited for after the reply's, so that the connection can be used again."""
_HEADERS = {"Content-Type": "application/json", "Accept": "text/event-stream"}


class Reader(Protocol):
    """Makes stream events of an event's data. Both raise `ProviderError`."""

    @property
    def is_over(self) -> bool: ...

    @property
    def is_finished(self) -> bool: ...

    def read(self, data: bytes) -> Iterable[StreamEvent]: ...

    def end(self) -> Iterable[StreamEvent]: ...


async def ask(
    account: Account, path: str, body: Mapping[str, Any], reader: Reader
) -> AsyncGenerator[StreamEvent]:
    """Post the body and read the answer. Raises `ProviderError`. Closing this closes the connection."""
    client = clients.kept("openai", account, _client)
    with translated(account.key):
        stream = await client.post(
            path, cast_to=object, content=_encoded(body), stream=True, stream_cls=openai.AsyncStream[object],
            options={"headers": _HEADERS, "timeout": network.limits()},
        )  # fmt: skip
        async with stream:
            try:
                async with aclosing(_events(stream.response, reader)) as events:
                    async for event in events:
                        yield event
            except (httpx2.HTTPError, OSError):
                if not reader.is_finished:
                    raise
        for event in reader.end():
            yield event


async def _events(response: httpx2.Response, reader: Reader) -> AsyncGenerator[StreamEvent]:
    """What the reader makes of a body: a stream of events, or (a server that does not stream) one object."""
    events, size, before, is_stream = Events(), 0, bytearray(), False
    pieces, until = response.aiter_bytes(), time.monotonic() + network.LONGEST_ANSWER_S
    async for piece in pieces:
        size += len(piece)
        found = events.feed(piece)
        for data in found:
            for event in reader.read(data):
                yield event
        if reader.is_over:
            await _drain(pieces)
            return
        is_stream = is_stream or bool(found)
        if is_stream:
            before.clear()
        else:
            before += piece
        if time.monotonic() > until:
            raise TimeoutError
        if size > MOST_BYTES or len(before) > MOST_WITHOUT_EVENTS:
            raise TooLong
    for data in [*events.end(), *_alone(bytes(before))]:
        for event in reader.read(data):
            yield event


def _alone(before: bytes) -> list[bytes]:
    """A body without events: an object is taken as one. Raises `ProviderError` for anything else that is there."""
    text = before.strip()
    if not text or text.startswith((b":", b"data:")):
        return []
    if text.startswith(b"{"):
        return [text]
    raise faults.no_model_server(text[:300].decode("utf-8", "replace"))


async def _drain(pieces: AsyncGenerator[bytes] | Any) -> None:
    with suppress(TimeoutError, httpx2.HTTPError, OSError):
        async with asyncio.timeout(DRAIN_S):
            async for _piece in pieces:
                pass


@contextmanager
def translated(key: str) -> Iterator[None]:
    """Every error of the SDK, of HTTP and of the network as a `ProviderError`."""
    try:
        yield
    except ProviderError:
        raise
    except openai.APIStatusError as error:
        raise faults.from_status(
            error.status_code, error.response.headers, error.response.content, key
        ) from None
    except (openai.APITimeoutError, httpx2.TimeoutException, TimeoutError) as error:
        raise faults.error("timeout", _said(error), key=key) from None
    except EgressRefused as refused:
        raise faults.not_reachable(str(refused)) from None
    except (openai.APIConnectionError, httpx2.RequestError, ssl.SSLError, OSError) as error:
        raise faults.error("network", _said(error), key=key) from None
    except TooLong:
        raise faults.unreadable("longer than any answer") from None
    except httpx2.InvalidURL as error:
        raise faults.no_model_server(str(error), key) from None
    except UnicodeEncodeError:
        raise faults.error("auth", "the key has signs that no key has") from None
    except (AttributeError, TypeError, KeyError, ValueError, openai.OpenAIError) as error:
        raise faults.unreadable(_said(error), key) from error


def is_openai(account: Account) -> bool:
    """OpenAI's own server, or Azure's."""
    host = httpx2.URL(account.base_url).host
    return host == "api.openai.com" or host.endswith((".openai.com", ".openai.azure.com"))


def _client(account: Account, http: httpx2.AsyncClient) -> openai.AsyncOpenAI:
    """Keyless servers are sent no key: the SDK wants one, the transport takes it away."""
    return openai.AsyncOpenAI(
        api_key=account.key or "none", base_url=account.base_url, max_retries=0, http_client=http
    )


def _encoded(body: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body).encode()  # whole numbers beyond 64 bits, of a tool's schema


def _said(error: BaseException) -> str:
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {cause}".removesuffix(": ")
