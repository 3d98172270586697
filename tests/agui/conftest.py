"""A program that speaks AG-UI to the application itself, without a server between; runs are moved by hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest

from conversations import hall
from conversations.feed import the_feeds
from conversations.models import Run, RunStatus
from platform_site import tokens
from platform_site.access import Actor
from platform_site.asgi import application
from platform_site.db import db
from platform_site.tenancy import acting_for
from tests.conversations.conftest import Talk, bobs, talk

__all__ = ["bobs", "talk"]
Event = dict[str, Any]


@dataclass
class Stream:
    """One answer as it comes in. `status` 0: not begun yet."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    whole: bool = False

    @property
    def events(self) -> list[Event]:
        parts = self.body.decode().split("\n\n")
        return [json.loads(part.removeprefix("data: ")) for part in parts if part.startswith("data: ")]

    @property
    def kinds(self) -> list[str]:
        return [event.get("name") or event["type"] for event in self.events]

    @property
    def text(self) -> str:
        """The texts as a client puts them together: by appending."""
        return "".join(event["delta"] for event in self.events if event["type"] == "TEXT_MESSAGE_CONTENT")

    @property
    def last(self) -> Event:
        return self.events[-1]

    @property
    def interrupts(self) -> list[Event]:
        return self.last["outcome"]["interrupts"]

    @property
    def problem(self) -> Event:
        return json.loads(self.body)

    def take(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message.get("body", b"")
            self.whole = not message.get("more_body")


@dataclass
class Program:
    """Posts RunAgentInputs for a person."""

    bearer: str
    tenant: str = "acme"
    agent: str = "helper"
    talk: Talk | None = None
    thread: str = field(default_factory=lambda: str(uuid4()))
    messages: list[Event] = field(default_factory=list)

    def say(self, text: str, **more: Any) -> Stream:
        """Add a message to the client's history, and run."""
        self.messages.append({"id": str(uuid4()), "role": "user", "content": text})
        return self.run(**more)

    def resume(self, *entries: Event, **more: Any) -> Stream:
        self.messages.append({"id": str(uuid4()), "role": "assistant", "content": "…"})
        return self.run(resume=list(entries), **more)

    def run(self, **more: Any) -> Stream:
        """Post, and move what is queued, until the answer is whole."""
        return asyncio.run(self.moved(**more))

    async def moved(self, **more: Any) -> Stream:
        async with self.asking(**more) as stream:
            while not stream.whole:
                await self.move()
                await asyncio.sleep(0.01)
        await hall.close_doors()
        return stream

    async def move(self) -> None:
        queued = await db(oldest_queued)
        if queued and self.talk:
            await self.talk.advance(queued)

    def asking(self, headers: dict[str, str] | None = None, **more: Any) -> Asking:
        return Asking(self, self.input(**more), headers or {})

    def input(self, **more: Any) -> Event:
        run = {
            "threadId": self.thread,
            "runId": str(uuid4()),
            "messages": self.messages,
            "state": {},
            "tools": [],
        }
        return run | {"context": [], "forwardedProps": {}} | more


class Asking:
    """One request under way; leaving it early is a client that goes away."""

    def __init__(self, program: Program, body: Event, headers: dict[str, str]) -> None:
        self.stream = Stream()
        self.gone = asyncio.Event()
        self.body = json.dumps(body).encode()
        path = f"/api/v1/t/{program.tenant}/agents/{program.agent}/ag-ui"
        sent = {"host": "localhost", "content-type": "application/json", "accept": "text/event-stream"}
        sent |= {"content-length": str(len(self.body))} | headers
        sent |= {"authorization": f"Bearer {program.bearer}"} if program.bearer else {}
        self.scope = {
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
            "root_path": "", "scheme": "http", "http_version": "1.1", "server": ("localhost", 80),
            "client": ("127.0.0.1", 1), "headers": [(k.encode(), v.encode()) for k, v in sent.items()],
        }  # fmt: skip

    async def __aenter__(self) -> Stream:
        self.task = asyncio.create_task(application(self.scope, self._receive, self._send))
        return self.stream

    async def __aexit__(self, *error: object) -> None:
        self.gone.set()
        await asyncio.wait_for(self.task, 10)

    async def _receive(self) -> dict[str, Any]:
        if self.body is not None:
            body, self.body = self.body, None  # type: ignore[assignment]
            return {"type": "http.request", "body": body, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.stream.take(message)


def oldest_queued() -> str:
    queued = Run.objects.across_tenants().filter(status=RunStatus.QUEUED).order_by("created_at").first()
    return queued.pk if queued else ""


async def until(ready: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not ready():  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0.01)


def program_of(actor: Actor, *scopes: str, **more: Any) -> Program:
    with acting_for(actor.tenant):
        _, bearer = tokens.make(actor.user, "a program", scopes or ("chat",))
    return Program(bearer, actor.tenant.slug, **more)


@pytest.fixture
def client(talk: Talk) -> Program:
    """Bob's program, at the agent of `talk`."""
    return program_of(talk.actor, talk=talk)


@pytest.fixture(autouse=True)
def _nobody_keeps_listening() -> Any:
    """However a stream ends, it leaves no follower behind."""
    yield
    assert the_feeds.by_topic == {}
