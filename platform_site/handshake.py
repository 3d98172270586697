"""May this websocket handshake come from where it comes from? Asked before anything else is done with it.

Browsers send cookies along with any page's handshake, so a cookie counts only from our own pages: Origin must be there
and be ours (the Host asked for, or one of CSRF_TRUSTED_ORIGINS). A program that sends a Bearer token has no Origin
to send; one that it does send must be ours too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from platform_site.access import bearer

App = Callable[[dict[str, Any], Any, Any], Awaitable[None]]
FORBIDDEN = 4403


def from_our_pages(inner: App) -> App:
    """The application, behind the check."""

    async def guarded(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if is_welcome(scope["headers"]):
            await inner(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": FORBIDDEN})

    return guarded


def is_welcome(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether Host and Origin are ours, and one of Origin and token is there."""
    said = {name.lower(): value.decode("latin-1") for name, value in headers}
    host = said.get(b"host", "")
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    origin = said.get(b"origin")
    if origin is None:
        return bool(bearer(said.get(b"authorization", "")))
    return origin in settings.CSRF_TRUSTED_ORIGINS or _same_origin(origin, host)


def _same_origin(origin: str, host: str) -> bool:
    parts = urlsplit(origin)
    schemes = ("https",) if settings.SECURE_SSL_REDIRECT else ("http", "https")
    return parts.scheme in schemes and parts.netloc.lower() == host.lower()
