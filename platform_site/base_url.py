"""The base URL of a server somebody's key is sent to: read once, by one parser, and kept in the one form that has no
second reading. Pure: no name is looked up.

Only http and https, a host, perhaps a port and a path. No user, query or fragment: what is appended to the URL
(`/chat/completions`) shall stand in its path, whatever the URL was. An address in an odd spelling (`2130706433`) is
written out, so that people see where it goes.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from platform_site.egress import Egress

USUAL = {"http": 80, "https": 443}
_NAME = re.compile(
    r"(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*"
)
_PATH = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*")
_DOTS = re.compile(r"/\.{1,2}(?:/|$)")
_PRINTABLE = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Server:
    """Where a base URL leads. `host` is a name or an address, without the brackets of IPv6."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        port = "" if USUAL[self.scheme] == self.port else f":{self.port}"
        return f"{self.scheme}://{self._written}{port}{self.path}"

    @property
    def place(self) -> str:
        """`host:port`, as an operator lists it."""
        return f"{self._written}:{self.port}"

    @property
    def _written(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def server_of(url: str) -> Server:
    """Where `url` leads. Raises ValueError with a sentence for who wrote it."""
    if not _PRINTABLE.fullmatch(url) or "\\" in url:
        raise ValueError(
            _("Only ASCII characters, without spaces; a name in other letters is written xn--….")
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(_("This is not a URL.")) from None
    if parts.scheme not in USUAL:
        raise ValueError(_("Begin with https:// or http://."))
    if "@" in parts.netloc:
        raise ValueError(_("No user name or password in the URL: the key has a field of its own."))
    if "?" in url or "#" in url:
        raise ValueError(_("No “?” and no “#”: the addresses below it are made by adding to its end."))
    path = parts.path.rstrip("/")
    if not _PATH.fullmatch(path) or _DOTS.search(path):
        raise ValueError(_("The path may hold names between single slashes, no “%” and no “..”."))
    return Server(parts.scheme, _host(host), USUAL[parts.scheme] if port is None else _port(port), path)


def normalised(url: str) -> str:
    """The one form of a base URL; empty stays empty. Raises ValueError with a sentence."""
    return server_of(url).url if url else ""


def is_refused(server: Server, listed: Egress) -> bool:
    """Whether it is known, without asking anybody, that the server is at a private address nobody listed.

    A name is looked up when it is connected to, and refused there.
    """
    address = _address(server.host)
    if address is None and (server.host == "localhost" or server.host.endswith(".localhost")):
        address = ipaddress.IPv4Address("127.0.0.1")
    return address is not None and not listed.allows(server.host, server.port, address)


def _host(host: str) -> str:
    host = host.removesuffix(".")
    address = _address(host)
    if address:
        return str(address)
    if not _NAME.fullmatch(host):
        raise ValueError(_("There is no host name in it."))
    return host


def _port(port: int) -> int:
    if not port:
        raise ValueError(_("There is no port 0."))
    return port


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address a host is, in any spelling that a resolver reads as one."""
    if "%" in host:
        return None
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return None
    return ipaddress.ip_address(str(found[0][4][0]).split("%")[0])
