"""The egress guard: which addresses a tool's request may connect to. Decided on the address itself, then connected to.

A host is resolved once, every address it has is checked, and the connection goes to a checked one: a name that
answers differently the next time changes nothing, and however an address is spelled (`2130706433`, `0x7f.1`,
`::ffff:127.0.0.1`), what counts is where the socket would go. Private, loopback and other special addresses are
refused unless the operator listed that host and port for the tenant.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable

import httpcore2
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from httpcore2 import SOCKET_OPTION, AsyncNetworkBackend, AsyncNetworkStream

from platform_site.egress import Address, Egress, is_public, unwrapped

__all__ = ["Address", "Egress", "EgressRefused", "GuardedBackend", "is_public", "resolve", "unwrapped"]


class EgressRefused(Exception):
    """The address is not one a tool of this tenant may reach. The message names the host, not the address."""


class GuardedBackend(AsyncNetworkBackend):
    """The network as a tenant's tools see it; everything else is httpcore2's own."""

    def __init__(self, egress: Egress) -> None:
        self.egress = egress
        self._network = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                addresses = await resolve(host, port)
        except TimeoutError:
            raise httpcore2.ConnectTimeout("the name was not resolved in time") from None
        if not all(self.egress.allows(host, port, address) for address in addresses):
            raise EgressRefused(
                format_lazy(_("{host} is not an address tools may reach from here"), host=f"{host}:{port}")
            )
        return await self._first(addresses, port, timeout, local_address, socket_options)

    async def _first(
        self,
        addresses: list[Address],
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[SOCKET_OPTION] | None,
    ) -> AsyncNetworkStream:
        """A connection to the first checked address that takes one."""
        for address in addresses[:-1]:
            try:
                return await self._network.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._network.connect_tcp(
            str(addresses[-1]), port, timeout, local_address, socket_options
        )

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[SOCKET_OPTION] | None = None
    ) -> AsyncNetworkStream:
        raise EgressRefused(_("tools do not reach local sockets"))

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


async def resolve(host: str, port: int) -> list[Address]:
    """Every address of a host, in the resolver's order, each once."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore2.ConnectError(f"{host} is not known") from error
    texts = dict.fromkeys(str(entry[4][0]).split("%")[0] for entry in found)
    return [ipaddress.ip_address(text) for text in texts]
