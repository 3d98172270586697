"""Two servers a benchmark talks to over a websocket: the bare loop, and Sluice with a model of the same address."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import orjson
import psutil
from websockets.asyncio.client import ClientConnection, connect

from tests.bench.processes import cpu_of, started
from tests.served.up import Up, two_free_ports


class Talker(Protocol):
    """A server under measurement. Every turn is a new conversation on a kept socket."""

    name: str
    cpu: Callable[[], float]

    async def turn(self, text: str, words: int) -> float:
        """One question and its whole answer, which must have so many words; seconds until the first of them."""
        ...


@dataclass
class Bare:
    """The loop that stores nothing."""

    socket: ClientConnection
    cpu: Callable[[], float]
    name: str = "bare loop"

    async def turn(self, text: str, words: int) -> float:
        begun, first, said = time.perf_counter(), 0.0, []
        await self.socket.send(text)
        while (frame := orjson.loads(await self.socket.recv()))["type"] != "end":
            first = first or time.perf_counter() - begun
            said.append(frame["text"])
        assert len("".join(said).split()) == words
        return first


@dataclass
class Sluice:
    """A served Sluice; signed in once."""

    socket: ClientConnection
    cpu: Callable[[], float]
    name: str = "Sluice"

    async def ask(self, **frame: object) -> dict:
        await self.socket.send(json.dumps({"id": "1", **frame}))
        while (answer := orjson.loads(await self.socket.recv()))["type"] != "ack":
            assert answer["type"] != "error", answer
        return answer

    async def turn(self, text: str, words: int) -> float:
        made = await self.ask(type="conversation.create", agent="bench", title="Bench")
        await self.ask(type="subscribe", conversation=made["conversation"])
        begun, first, said = time.perf_counter(), 0.0, ""
        asked = {"id": "2", "type": "message.send", "conversation": made["conversation"], "text": text}
        await self.socket.send(json.dumps(asked))
        while True:
            frame = orjson.loads(await self.socket.recv())
            assert frame["type"] != "error", frame
            event = frame.get("event", {})
            if event.get("type") == "TEXT_MESSAGE_CONTENT":
                first = first or time.perf_counter() - begun
                said += event["delta"][len(said) - event["metadata"]["offset"] :]
            assert event.get("type") != "RUN_ERROR", event
            if event.get("type") == "RUN_FINISHED":
                break
        assert len(said.split()) == words
        return first


@asynccontextmanager
async def bare(model_port: int) -> AsyncIterator[Bare]:
    port = two_free_ports()
    url = f"http://127.0.0.1:{model_port}/v1"
    with started("tests.bench.bare_loop", str(port), port=port, MODEL_URL=url) as process:
        async with connect(f"ws://127.0.0.1:{port}/ws", proxy=None) as socket:
            yield Bare(socket, lambda: cpu_of(process))


@asynccontextmanager
async def sluice(folder: Path, model_port: int) -> AsyncIterator[Sluice]:
    url = f"http://127.0.0.1:{model_port}/v1"
    up = Up(folder / "var", OPENAI_BASE_URL=url, OPENAI_API_KEY="bench", LOG_LEVEL="WARNING")
    try:
        up.start()
        configured(up, folder)
        headers = up.socket_headers(up.token("member"))
        async with connect(up.socket_url(), additional_headers=headers, proxy=None, max_size=None) as socket:
            assert up.process
            server = psutil.Process(up.process.pid)
            yield Sluice(socket, lambda: cpu_of(server))
    finally:
        up.discard()


def configured(up: Up, folder: Path) -> None:
    """An agent that asks the benchmark's model."""
    file = folder / "bench.json"
    model = {"slug": "bench", "provider": "openai", "name": "bench"}
    agent = {"slug": "bench", "name": "Bench", "instructions": "", "models": ["bench"], "tools": []}
    file.write_text(
        json.dumps({"tenant": {"slug": "mall", "name": "Mall"}, "models": [model], "agents": [agent]})
    )
    up.manage("apply", str(file))
