"""Which addresses a request of ours may go to: what is public, and what the operator listed. Pure.

However an address is spelled (`2130706433`, `::ffff:127.0.0.1`), what counts is where the socket would go.
`tools.executors.guard` asks this at the moment of connecting.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from contextlib import suppress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
ANY_PORT = -1
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_SPECIAL = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "fec0::/10", "3fff::/20")))
"""Python takes some of these for the open internet: a cloud keeps its machines' credentials at 192.0.0.192, and private
networks still use site-local addresses."""


class Egress:
    """What an operator listed: `host:port`, the host a name or an address, the port a number or `*` for each."""

    def __init__(self, listed: Iterable[str]) -> None:
        self.listed = frozenset(filter(None, map(_entry, listed)))

    def allows(self, host: str, port: int, address: Address) -> bool:
        """Whether a connection to `address`, which `host` resolved to, may be made.

        Listing a name opens the private addresses it has, but never link-local ones (where clouds keep their
        machines' credentials): those must be listed as addresses.
        """
        real = unwrapped(address)
        if self._lists(str(real), port) or self._lists(str(address), port):
            return True
        if is_public(real):
            return True
        nameable = not (real.is_link_local or real.is_multicast or real.is_unspecified)
        return nameable and self._lists(host.rstrip(".").lower(), port)

    def _lists(self, host: str, port: int) -> bool:
        return (host, port) in self.listed or (host, ANY_PORT) in self.listed


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
    special = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not special and not any(address in network for network in _SPECIAL)


def _entry(listed: str) -> tuple[str, int] | None:
    """`host:port` or `[v6]:port`, normalised; None for what cannot be read, which then opens nothing."""
    host, _colon, port = listed.strip().rpartition(":")
    host = host.strip("[]").rstrip(".").lower()
    if not host or not (port.isdecimal() or port == "*"):
        return None
    with suppress(ValueError):
        host = str(ipaddress.ip_address(host))
    return host, ANY_PORT if port == "*" else int(port)
