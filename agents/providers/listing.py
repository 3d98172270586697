"""Which models a server offers: `GET …/models`. Not every server says; one that has no list offers an empty one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
import orjson

from agents.providers import clients, faults
from agents.providers.access import Account
from tools.executors.guard import EgressRefused

MOST_BYTES = 4 * 1024 * 1024
MOST_MODELS = 1_000
_CONTEXT_NAMES = ("inputTokenLimit", "context_length", "max_model_len", "context_window")
_NO_LIST = frozenset({404, 405, 501})


@dataclass(frozen=True, slots=True)
class Offered:
    """A model's name at its provider, and the tokens it can take in, 0 where the server does not say."""

    name: str
    context: int = 0


async def offered(account: Account) -> tuple[Offered, ...]:
    """The models by name. Raises `ProviderError`."""
    url, headers = _asked(account)
    try:
        async with clients.http(account).stream("GET", url, headers=headers) as response:
            body = await _body(response)
    except EgressRefused as refused:
        raise faults.not_reachable(str(refused)) from None
    except httpx2.TimeoutException as error:
        raise faults.error("timeout", type(error).__name__) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise faults.error("network", f"{type(error).__name__}: {error}", key=account.key) from None
    if response.status_code in _NO_LIST:
        return ()
    if response.status_code != 200:
        raise faults.from_status(response.status_code, dict(response.headers), body, account.key)
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise faults.no_model_server("the answer is not JSON", account.key) from None
    return tuple(sorted(read(found), key=lambda one: one.name.casefold())[:MOST_MODELS])


def read(found: Any) -> Iterator[Offered]:
    """The models in a list, as OpenAI's protocol and Gemini's have it; what cannot be read is left out."""
    entries = (found.get("data") or found.get("models")) if isinstance(found, Mapping) else None
    for entry in entries if isinstance(entries, list) else ():
        name = entry.get("id") or entry.get("name") if isinstance(entry, Mapping) else None
        if isinstance(name, str) and name.strip() and _speaks(entry):
            yield Offered(name.removeprefix("models/")[:120], _context(entry))


def _asked(account: Account) -> tuple[str, dict[str, str]]:
    base = account.base_url.rstrip("/")
    if account.provider == "gemini":
        return f"{base}/v1beta/models?pageSize=1000", {"x-goog-api-key": account.key}
    return f"{base}/models", {"authorization": f"Bearer {account.key}"}


def _speaks(entry: Mapping[str, Any]) -> bool:
    """Gemini also lists what makes no text."""
    methods = entry.get("supportedGenerationMethods")
    return not isinstance(methods, list) or "generateContent" in methods


def _context(entry: Mapping[str, Any]) -> int:
    values = (entry.get(name) for name in _CONTEXT_NAMES)
    return next((value for value in values if isinstance(value, int) and 0 < value <= 100_000_000), 0)


async def _body(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MOST_BYTES:
            raise faults.unreadable("the list is longer than 4 MiB")
    return bytes(body)
