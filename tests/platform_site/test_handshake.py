"""T42: a websocket's handshake comes from our own pages, or from a program with a token."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from platform_site.handshake import from_our_pages, is_welcome

HOST = "chat.test:8000"


@pytest.fixture(autouse=True)
def _hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["chat.test"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://other.test"]
    settings.SECURE_SSL_REDIRECT = False


def headers(
    origin: str | None = None, token: str | None = None, host: str = HOST
) -> list[tuple[bytes, bytes]]:
    found = [(b"host", host.encode()), (b"cookie", b"sessionid=x")]
    found += [(b"origin", origin.encode())] if origin is not None else []
    return found + ([(b"authorization", token.encode())] if token is not None else [])


@pytest.mark.parametrize("origin", ["http://chat.test:8000", "https://chat.test:8000", "https://other.test"])
def test_our_own_pages_are_welcome(origin: str) -> None:
    assert is_welcome(headers(origin))
    assert is_welcome(headers(origin, "Bearer slc_x"))


@pytest.mark.parametrize(
    "origin",
    [
        None, "", "null", "http://evil.test", "http://chat.test", "http://chat.test:9000", "http://chat.test.evil.test:8000",
        "http://evil.test/chat.test:8000", "http://chat.test:8000@evil.test", "file://chat.test:8000", "chat.test:8000",
        "http://evil.test#chat.test:8000", "http://other.test",
    ],
)  # fmt: skip
def test_a_cookie_counts_from_no_other_page(origin: str | None) -> None:
    """Another port of the same host is another site, although cookies do not know it."""
    assert not is_welcome(headers(origin))


def test_a_program_with_a_token_needs_no_origin() -> None:
    assert is_welcome(headers(None, "Bearer slc_x"))
    for nothing in ("Bearer ", "Basic eDp5", ""):
        assert not is_welcome(headers(None, nothing))


@pytest.mark.parametrize("origin", ["null", "http://evil.test"])
def test_a_token_does_not_excuse_a_foreign_page(origin: str) -> None:
    assert not is_welcome(headers(origin, "Bearer slc_x"))


def test_a_host_that_is_not_ours_is_refused() -> None:
    """A name that somebody pointed at us (DNS rebinding) has a matching Origin."""
    assert not is_welcome(headers("http://rebound.test", host="rebound.test"))
    assert not is_welcome(headers(None, "Bearer slc_x", host="rebound.test"))


def test_behind_https_a_plain_page_is_not_ours(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert is_welcome(headers(f"https://{HOST}"))
    assert not is_welcome(headers(f"http://{HOST}"))


def test_a_refused_handshake_reaches_nothing() -> None:
    """T43"""
    reached, sent = list[str](), list[dict[str, Any]]()

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["path"])

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def scenario() -> None:
        app = from_our_pages(inner)
        await app({"path": "/bad", "headers": headers("http://evil.test")}, receive, send)
        await app({"path": "/good", "headers": headers(f"http://{HOST}")}, receive, send)

    asyncio.run(scenario())
    assert reached == ["/good"]
    assert sent == [{"type": "websocket.close", "code": 4403}]
