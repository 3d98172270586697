"""A backend on loopback that says exactly what a test tells it to, byte by byte, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from platform_site.models import Tenant, User
from tools import executors
from tools.models import ToolCall
from tools.outcome import Outcome
from tools.registry import ToolContext
from tools.spec import HttpExecutor, ToolSpec

Say = Callable[["Seen", asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Seen:
    """One request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Backend:
    port: int = 0
    seen: list[Seen] = field(default_factory=list)
    connections: int = 0

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def answer(body: Any = None, status: str = "200 OK", **headers: str) -> Say:
    """A whole answer; JSON unless it is bytes."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return exactly(_head(status, {"Content-Length": str(len(raw)), **headers}) + raw)


def exactly(data: bytes) -> Say:
    async def say(seen: Seen, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return say


async def silence(seen: Seen, writer: asyncio.StreamWriter) -> None:
    """Take the request and never answer."""
    await asyncio.sleep(30)


async def hang_up(seen: Seen, writer: asyncio.StreamWriter) -> None:
    """Take the request and close."""


def _head(status: str, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode()


@asynccontextmanager
async def backend(*script: Say) -> AsyncIterator[Backend]:
    """Serve `script`, one entry a request; the last one repeats."""
    served = Backend()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.connections += 1
        try:
            seen = await _read(reader)
            served.seen.append(seen)
            await script[min(len(served.seen), len(script)) - 1](seen, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    served.port = server.sockets[0].getsockname()[1]
    try:
        yield served
    finally:
        await executors.close()
        server.close()


async def _read(reader: asyncio.StreamReader) -> Seen:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *rest = head.rstrip().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in rest)}
    method, target, _ = first.split(" ")
    return Seen(method, target, headers, await reader.readexactly(int(headers.get("content-length", "0"))))


CALL = "c" * 32


def tool(url: str, method: str = "POST", **more: Any) -> ToolSpec:
    headers = more.pop("headers", {})
    executor = HttpExecutor(method, url, credential=more.pop("credential", ""), headers=headers)
    settings: dict[str, Any] = {"timeout_s": 5.0, **more}
    return ToolSpec("order", "To order.", {"type": "object"}, "SAFE", executor, **settings)


async def execute(
    spec: ToolSpec, arguments: dict[str, Any] | None = None, egress: tuple[str, ...] = ()
) -> Outcome:
    tenant = Tenant(id="t" * 32, slug="acme", egress=list(egress))
    user = User(id="u" * 32, email="bob@acme.test", name="Bob")
    call = ToolCall(id=CALL, arguments=arguments or {}, tenant_id=tenant.pk)
    return await executors.execute(spec, call, ToolContext(tenant, user))


def carry_out(
    *script: Say, arguments: dict[str, Any] | None = None, path: str = "/do", **more: Any
) -> tuple[Outcome, Backend]:
    """Execute one call against a scripted backend that the operator has listed."""

    async def scenario() -> tuple[Outcome, Backend]:
        async with backend(*script) as served:
            spec = tool(served.origin + path, **more)
            return await execute(spec, arguments, (f"127.0.0.1:{served.port}",)), served

    return asyncio.run(scenario())
