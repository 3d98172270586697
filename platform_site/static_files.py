"""Static files, answered at the edge of the server: the way through Django costs more than the file does.

WhiteNoise knows the files, their headers, and what a conditional request or one for a range asks for; this speaks
ASGI for it, compresses text once, and lets browsers keep for good what is of the version that its address names.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import lru_cache
from http import HTTPStatus
from typing import Any
from wsgiref.headers import Headers

from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import Response

from platform_site.static_version import VERSIONED

PREFIX = "/static/"
TEXT = ("text/", "application/json", "image/svg+xml")
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)
"""Of Accept-Encoding; `q=0` refuses it."""
SMALL = 1024
"""Bytes below which compressing saves nothing: they fit into one packet."""
ANOTHER_VERSION = "max-age=60, public"


class StaticFiles(WhiteNoiseMiddleware):
    """The files of all apps by their addresses. Without DEBUG they are looked for once."""

    def immutable_file_test(self, path: str, url: str) -> bool:
        return VERSIONED.match(url.removeprefix(PREFIX)) is not None

    def add_mime_headers(self, headers: Headers, path: str, url: str) -> None:
        super().add_mime_headers(headers, path, url)
        headers["X-Content-Type-Options"] = "nosniff"
        if str(headers["Content-Type"]).startswith(TEXT):
            headers["Vary"] = "Accept-Encoding"

    def response(self, method: str, path: str, asked: dict[str, str]) -> Response | None:
        """None: there is no such file. `asked` holds the request's headers, named as in WSGI's environment."""
        current = self.static_prefix + VERSIONED.sub("", path.removeprefix(PREFIX), count=1)
        found = self.find_file(current) if self.autorefresh else self.files.get(current)
        if found is None:
            return None
        response = found.get_response(method, asked)
        if path == current:
            return response
        lasting = [pair for pair in response.headers if pair[0] != "Cache-Control"]
        return Response(response.status, [*lasting, ("Cache-Control", ANOTHER_VERSION)], response.file)


@lru_cache(maxsize=1)
def static_files() -> StaticFiles:
    return StaticFiles()


async def served(scope: dict[str, Any], send: Callable[[dict[str, Any]], Awaitable[None]]) -> bool:
    """Whether the request was for a static file that exists: then it is answered."""
    if not scope["path"].startswith(PREFIX):
        return False
    asked = {wsgi_name(name): value.decode("latin-1") for name, value in scope["headers"]}
    response = static_files().response(scope["method"], scope["path"], asked)
    if response is None:
        return False
    headers = Headers(list(response.headers))
    body = body_of(response, headers, bool(GZIP.search(asked.get("HTTP_ACCEPT_ENCODING", ""))))
    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": int(response.status), "headers": raw})
    await send({"type": "http.response.body", "body": body})
    return True


def wsgi_name(header: bytes) -> str:
    return f"HTTP_{header.decode('latin-1').upper().replace('-', '_')}"


def body_of(response: Response, headers: Headers, takes_gzip: bool) -> bytes:
    """The content, and what `headers` say of it. A file that was written anew keeps its true length."""
    if response.file is None:
        return b""
    with closing(response.file) as file:
        content = bytes(file.read())
    is_plain = "Vary" in headers and "Content-Encoding" not in headers  # a file may lie there compressed, too
    if takes_gzip and response.status == HTTPStatus.OK and is_plain and len(content) >= SMALL:
        content = compressed(content)
        headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(content))
    return content


@lru_cache(maxsize=512)
def compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
