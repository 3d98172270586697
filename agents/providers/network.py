"""The network as models' servers are reached: guarded like tools' requests, except for the operator's own address.

Connections are pooled an event loop, by what may be reached, and kept longer than tools' are: a model request that was
refused because its connection had just closed may simply be sent again. No proxies, redirects or cookies.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from functools import cache
from weakref import WeakKeyDictionary

import httpcore2
import httpx2

from agents.providers.access import Account
from platform_site.env import env
from tools.executors.guard import Egress, GuardedBackend

KEEP_S = 30.0
MOST_CONNECTIONS, MOST_IDLE = 500, 50
MOST_OF_AN_ERROR = 64 * 1024
"""Bytes read of an answer that is an error."""
LONGEST_ERROR_S = 5.0
LONGEST_ANSWER_S = 600.0
"""An answer may take so long, also where nothing comes but signs of life."""
PLAIN_HEADERS = frozenset({
    "host", "accept", "accept-encoding", "connection", "content-type", "content-length", "transfer-encoding",
    "user-agent", "authorization", "x-goog-api-key",
})  # fmt: skip
"""All that a tenant's server is sent: SDKs add the operator's environment (organization, custom headers) to these."""
_KEYS = ("authorization", "x-goog-api-key")


class Pool(httpx2.AsyncHTTPTransport):
    """httpx2's transport over a pool of our own, which has no public way in; guarded unless `egress` is None."""

    def __init__(self, egress: Egress | None) -> None:
        super().__init__(verify=_tls(), trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=_tls(), max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_IDLE,
            keepalive_expiry=KEEP_S, network_backend=GuardedBackend(egress) if egress else None,
        )  # fmt: skip


class Network:
    """The pools of one event loop."""

    def __init__(self) -> None:
        self._pools: dict[frozenset[tuple[str, int]] | None, Pool] = {}

    def pool(self, account: Account) -> Pool:
        egress = None if account.trusted else Egress(account.egress)
        reach = egress.listed if egress else None
        if reach not in self._pools:
            self._pools[reach] = Pool(egress)
        return self._pools[reach]

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()


class AccountTransport(httpx2.AsyncBaseTransport):
    """Sends an account's requests. Closing it closes no connections: they belong to the loop."""

    def __init__(self, account: Account, network: Network) -> None:
        self._account = account
        self._network = network

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        sent = httpx2.Request(
            request.method, request.url, headers=self._headers(request), stream=request.stream,
            extensions=request.extensions,
        )  # fmt: skip
        response = await self._network.pool(self._account).handle_async_request(sent)
        return response if response.status_code < 300 else await _beginning(response)

    def _headers(self, request: httpx2.Request) -> list[tuple[bytes, bytes]]:
        kept = [(name, value) for name, value in request.headers.raw if name.decode().lower() != "cookie"]
        if not self._account.trusted:
            kept = [(name, value) for name, value in kept if name.decode().lower() in PLAIN_HEADERS]
        if not self._account.key:
            kept = [(name, value) for name, value in kept if name.decode().lower() not in _KEYS]
        return kept


async def _beginning(response: httpx2.Response) -> httpx2.Response:
    """An error's answer with at most the beginning of its body, read within a bounded time."""
    body = b""
    with suppress(TimeoutError, httpx2.HTTPError, httpcore2.NetworkError, httpcore2.TimeoutException):
        async with asyncio.timeout(LONGEST_ERROR_S):
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > MOST_OF_AN_ERROR:
                    break
    await response.aclose()
    left_out = ("content-encoding", "content-length", "transfer-encoding")
    headers = [(name, value) for name, value in response.headers.multi_items() if name not in left_out]
    return httpx2.Response(response.status_code, headers=headers, content=body[:MOST_OF_AN_ERROR])


_networks: WeakKeyDictionary[asyncio.AbstractEventLoop, Network] = WeakKeyDictionary()


def network() -> Network:
    """This loop's network."""
    return _networks.setdefault(asyncio.get_running_loop(), Network())


async def close() -> None:
    """Close this loop's connections, at the end of the process."""
    found = _networks.pop(asyncio.get_running_loop(), None)
    if found is not None:
        await found.aclose()


def limits() -> httpx2.Timeout:
    """How long a server may take: to connect, and to say something."""
    return httpx2.Timeout(env.model_stall_s, connect=env.model_connect_s, pool=env.model_connect_s)


@cache
def _tls() -> ssl.SSLContext:
    """Certificates the machine trusts, and those of SSL_CERT_FILE."""
    return httpx2.create_ssl_context()
