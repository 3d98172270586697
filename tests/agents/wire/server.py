"""A tiny HTTP server on loopback that plays wire files: what a model server would answer, byte by byte.

It keeps what it was asked, and notices when the asker hangs up. One answer a request, in order; the last repeats.

    async with WireServer(wire) as server:
        ...ask server.url...
        server.seen[0].json, server.seen[0].gone_after
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.agents.wire.files import Wire

BEFORE_A_DROP = 0.02
"""Seconds for what was sent to be read: a reset may overtake it."""


@dataclass
class Seen:
    """One request as it came in. Times are `time.monotonic()`."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    came_at: float
    gone_at: float | None = None
    sent: int = 0
    """Bytes of the body sent so far."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def hung_up(self) -> None:
        if self.gone_at is None:
            self.gone_at = time.monotonic()
            self.gone.set()


Answers = Wire | Sequence[Wire] | Callable[[Seen], Wire]


class WireServer:
    """Plays wires to whoever asks. `one_byte` sends each body in pieces of one byte."""

    def __init__(self, answers: Answers, *, one_byte: bool = False) -> None:
        self.answers = answers
        self.one_byte = one_byte
        self.seen: list[Seen] = []
        self.connections = 0
        self.came = asyncio.Event()
        """Set once somebody has asked something."""
        self._talks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> WireServer:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        self.connections += 1
        try:
            await self._talk(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the asker hung up, or the server closes
        finally:
            self._talks.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Request after request on one connection."""
        begun = b""
        while True:
            seen = await _read(reader, begun)
            self.seen.append(seen)
            self.came.set()
            listening = asyncio.create_task(_listen(reader, seen))
            try:
                wire = self._answer(seen)
                await self._play(wire, writer, seen)
                if wire.end != "keep":
                    return
                begun = await listening
                if not begun:
                    return
            finally:
                listening.cancel()
                with suppress(asyncio.CancelledError):
                    await listening

    def _answer(self, seen: Seen) -> Wire:
        match self.answers:
            case Wire():
                return self.answers
            case Sequence():
                return self.answers[min(len(self.seen), len(self.answers)) - 1]
            case _:
                return self.answers(seen)

    async def _play(self, wire: Wire, writer: asyncio.StreamWriter, seen: Seen) -> None:
        writer.write(_head(wire))
        for piece in _cut(wire.body, self.one_byte):
            if isinstance(piece, float):
                await writer.drain()
                with suppress(TimeoutError):
                    await asyncio.wait_for(seen.gone.wait(), piece)
            else:
                writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                await writer.drain()
                seen.sent += len(piece)
            if seen.gone.is_set():
                raise ConnectionResetError
        await writer.drain()
        match wire.end:
            case "keep":
                writer.write(b"0\r\n\r\n")
                await writer.drain()
            case "drop":
                await asyncio.sleep(BEFORE_A_DROP)
                _reset(writer)
            case "stall":
                await seen.gone.wait()


async def _read(reader: asyncio.StreamReader, begun: bytes) -> Seen:
    head = begun + await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _version = first.split(" ", 2)
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Seen(method, path, headers, body, time.monotonic())


async def _listen(reader: asyncio.StreamReader, seen: Seen) -> bytes:
    """The next request's first byte; nothing when the asker hung up."""
    try:
        byte = await reader.read(1)
    except ConnectionError:
        byte = b""
    if not byte:
        seen.hung_up()
    return byte


def _head(wire: Wire) -> bytes:
    lines = [f"HTTP/1.1 {wire.status} Told", *(f"{name}: {value}" for name, value in wire.headers)]
    lines += ["transfer-encoding: chunked", "", ""]
    return "\r\n".join(lines).encode("latin-1")


def _cut(body: Iterable[bytes | float], one_byte: bool) -> Iterable[bytes | float]:
    for piece in body:
        if isinstance(piece, bytes) and one_byte:
            yield from (piece[at : at + 1] for at in range(len(piece)))
        else:
            yield piece


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close without goodbye: the asker's socket reads ECONNRESET."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
