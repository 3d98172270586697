"""What the server is given: websockets at one path alone, and a database connection that ends with its request."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connections
from django.test import AsyncRequestFactory

from platform_site import asgi


def handshake(path: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[dict[str, Any]]]:
    """(slugs that reached the socket, what was sent)."""
    reached, sent = list[str](), list[dict[str, Any]]()

    async def socket(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["url_route"]["kwargs"]["slug"])

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    monkeypatch.setattr(asgi, "socket", socket)
    headers = [(b"host", b"localhost:8000"), (b"origin", b"http://localhost:8000")]
    async_to_sync(asgi.application)({"type": "websocket", "path": path, "headers": headers}, receive, send)
    return reached, sent


def test_a_socket_is_told_its_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    assert handshake("/ws/t/acme/", monkeypatch) == (["acme"], [])


NOWHERE = ["/", "/ws/", "/ws/t/", "/ws/t/acme", "/ws/t/a/b/", "/ws/t/../", "/ws/t/acme/\n", "/x/ws/t/acme/"]


@pytest.mark.parametrize("path", NOWHERE)
def test_elsewhere_there_are_no_sockets(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """T37"""
    reached, sent = handshake(path, monkeypatch)
    assert reached == []
    assert [message["type"] for message in sent] == ["websocket.close"]


def test_a_requests_connection_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the request broke."""
    closed: list[str] = []

    async def breaks(scope: Any, receive: Any, send: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(asgi, "django", breaks)
    monkeypatch.setattr(connections, "close_all", lambda: closed.append("closed"))
    with pytest.raises(ZeroDivisionError):
        async_to_sync(asgi.http)(AsyncRequestFactory().get("/").scope, None, None)
    assert closed == ["closed"]
