"""The application a server serves: HTTP is Django's, websockets go to the chat's socket."""

from __future__ import annotations

import os
import re
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "platform_site.settings")

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application
from django.db import connections

django = get_asgi_application()

from conversations.consumers import socket  # noqa: E402  # needs the apps that the line above loads
from platform_site.handshake import from_our_pages  # noqa: E402
from platform_site.static_files import served  # noqa: E402

SOCKET_PATH = re.compile(r"/ws/t/(?P<slug>[-a-zA-Z0-9_]+)/")


async def http(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Each request has a thread of its own, which ends with it; its database connection must not outlive it."""
    if await served(scope, send):
        return
    async with ThreadSensitiveContext():
        try:
            await django(scope, receive, send)
        finally:
            await sync_to_async(connections.close_all)()


async def sockets(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """The one path that has sockets; elsewhere the handshake is refused."""
    if found := SOCKET_PATH.fullmatch(scope["path"]):
        await socket({**scope, "url_route": {"args": (), "kwargs": found.groupdict()}}, receive, send)
    else:
        await receive()
        await send({"type": "websocket.close", "code": 4404})


application = ProtocolTypeRouter({"http": http, "websocket": from_our_pages(sockets)})
