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
from contextlib import suppress

import httpcore2
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from httpcore2 import SOCKET_OPTION, AsyncNetworkBackend, AsyncNetworkStream

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class EgressRefused(Exception):
    """The address is not one a tool of this tenant may reach. The message names the host, not the address."""


class Egress:
    """What a tenant's operator listed: `host:port`, the host a name or an address."""

    def __init__(self, listed: Iterable[str]) -> None:
        self.listed = frozenset(filter(None, map(_entry, listed)))

    def allows(self, host: str, port: int, address: Address) -> bool:
        """Whether a connection to `address`, which `host` resolved to, may be made.

        Listing a name opens the private addresses it has, but never link-local ones (where clouds keep their
        machines' credentials): those must be listed as addresses.
        """
        real = unwrapped(address)
        if (str(real), port) in self.listed or (str(address), port) in self.listed:
            return True
        if is_public(real):
            return True
        nameable = not (real.is_link_local or real.is_multicast or real.is_unspecified)
        return nameable and (host.rstrip(".").lower(), port) in self.listed


def unwrapped(address: Address) -> Address:
    """The IPv4 address an IPv6 one stands for, if it stands for one (mapped, 6to4, NAT64, Teredo)."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or _compatible(address)


def _compatible(address: ipaddress.IPv6Address) -> Address:
    """`::a.b.c.d`, an old way to write IPv4; `::` and `::1` are themselves."""
    value = int(address)
    return ipaddress.IPv4Address(value) if 1 < value <= 0xFFFFFFFF else address


def is_public(address: Address) -> bool:
    """A unicast address on the open internet."""
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


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


def _entry(listed: str) -> tuple[str, int] | None:
    """`host:port` or `[v6]:port`, normalised; None for what cannot be read, which then opens nothing."""
    host, _colon, port = listed.strip().rpartition(":")
    host = host.strip("[]").rstrip(".").lower()
    if not host or not port.isdecimal():
        return None
    with suppress(ValueError):
        host = str(ipaddress.ip_address(host))
    return host, int(port)
