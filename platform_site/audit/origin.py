"""From where something is done: the way in, the address and the request. Set at the edges, read by `recording`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest

Way = Literal["page", "console", "api", "websocket", "agui", "command", "system"]
"""`system`: nobody came in; the runner, the queue and the clock."""
WAYS: tuple[tuple[re.Pattern[str], Way], ...] = (
    (re.compile(r"/api/v1/t/[^/]+/agui"), "agui"),
    (re.compile(r"/api/"), "api"),
    (re.compile(r"/t/[^/]+/admin/"), "console"),
)


@dataclass(frozen=True, slots=True)
class Origin:
    way: Way = "system"
    ip: str = ""
    request: str = ""


_origin: ContextVar[Origin] = ContextVar("origin", default=Origin())  # noqa: B039  # frozen


def origin() -> Origin:
    return _origin.get()


@contextmanager
def coming_from(way: Way, ip: str = "", request: str = "") -> Iterator[None]:
    """What is noted inside was done from here."""
    token = _origin.set(Origin(way, ip, request))
    try:
        yield
    finally:
        _origin.reset(token)


def way_of(path: str) -> Way:
    """The way in that a request's path is."""
    return next((way for pattern, way in WAYS if pattern.match(path)), "page")


def address_of(request: HttpRequest) -> str:
    return client_address(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """The same of a websocket."""
    headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
    return client_address((scope.get("client") or ("",))[0], headers.get(b"x-forwarded-for", ""))


def client_address(remote: str, forwarded: str) -> str:
    """Who is at the other end: behind n proxies, the n-th from the right of those they passed on."""
    proxies: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    hops = [hop.strip() for hop in forwarded.split(",")]
    return hops[-proxies] if proxies and len(hops) >= proxies and hops[-proxies] else remote
