"""The SDKs' clients, kept: making one costs 19 ms, using a kept one 1.5. One an event loop and account.

An account is a value that includes its key and address, so a changed credential has another client and the old one is
forgotten when there are too many. Clients own no connections (`network` does): forgetting one closes nothing in use.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import httpx2

from agents.providers import network
from agents.providers.access import Account

C = TypeVar("C")
MOST_KEPT = 200
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, OrderedDict[tuple[str, Account], Any]] = (
    WeakKeyDictionary()
)


def kept(kind: str, account: Account, make: Callable[[Account, httpx2.AsyncClient], C]) -> C:
    """The account's client of that kind; `make` is given the account and the HTTP client to use."""
    clients = _clients.setdefault(asyncio.get_running_loop(), OrderedDict())
    place = (kind, account)
    if place not in clients:
        clients[place] = make(account, http(account))
        if len(clients) > MOST_KEPT:
            clients.popitem(last=False)
    clients.move_to_end(place)
    found: C = clients[place]
    return found


def http(account: Account) -> httpx2.AsyncClient:
    """An HTTP client that reaches what the account may reach."""
    transport = network.AccountTransport(account, network.network())
    return httpx2.AsyncClient(transport=transport, trust_env=False, timeout=network.limits())


async def close() -> None:
    """Forget this loop's clients and close its connections, at the end of the process."""
    _clients.pop(asyncio.get_running_loop(), None)
    await network.close()
