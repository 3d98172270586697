"""The one HTTP client for tools: guarded, without proxies, redirects, cookies or retries of its own.

There is one an event loop. Connections are pooled by what a tenant may reach, so that none that was opened under
one tenant's permissions is ever used under another's.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from functools import cache
from weakref import WeakKeyDictionary

import httpcore2
import httpx2

from tools.executors.guard import Egress, GuardedBackend

KEEP_S = 2.0
"""Shorter than any server keeps an idle connection: a write on one that was just closed has an unknown outcome."""
CONNECT_S = 5.0

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx2.AsyncClient] = WeakKeyDictionary()


def client() -> httpx2.AsyncClient:
    """This loop's client."""
    loop = asyncio.get_running_loop()
    found = _clients.get(loop)
    if found is None:
        timeout = httpx2.Timeout(None, connect=CONNECT_S)  # the whole is bounded by the tool's own time limit
        found = httpx2.AsyncClient(transport=GuardedTransport(), trust_env=False, timeout=timeout)
        _clients[loop] = found
    return found


async def close() -> None:
    """Close this loop's client, at the end of the process."""
    found = _clients.pop(asyncio.get_running_loop(), None)
    if found is not None:
        await found.aclose()


class PooledTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over a pool whose network is guarded; the pool has no public way in."""

    def __init__(self, egress: Egress) -> None:
        super().__init__(verify=_tls(), trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=_tls(), max_connections=200, max_keepalive_connections=50, keepalive_expiry=KEEP_S,
            network_backend=GuardedBackend(egress),
        )  # fmt: skip


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Hands each request to the pool of what its tenant may reach (`extensions["egress"]`)."""

    def __init__(self) -> None:
        self._pools: dict[frozenset[tuple[str, int]], PooledTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        listed: Iterable[str] = request.extensions.get("egress", ())
        return await self._pool_of(Egress(listed)).handle_async_request(request)

    def _pool_of(self, egress: Egress) -> PooledTransport:
        pool = self._pools.get(egress.listed)
        if pool is None:
            pool = self._pools[egress.listed] = PooledTransport(egress)
        return pool

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()


@cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)
