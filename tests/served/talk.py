"""A program that talks to a served Sluice as `docs/protocol.md` says, and folds what it hears."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

PASSWORD = "demo-pass-1234"


@dataclass
class Transcript:
    """One conversation, folded from its frames as a client does."""

    last: int = 0
    events: list[dict[str, Any]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    gaps: list[str] = field(default_factory=list)

    def fold(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "delta":
            self._content(frame["event"])
        elif frame["seq"] <= self.last:
            self.gaps.append(f"{frame['seq']} came again")
        else:
            if frame["seq"] != self.last + 1:
                self.gaps.append(f"{frame['seq']} after {self.last}")
            self.last = frame["seq"]
            self._event(frame["event"])

    def _event(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        match event:
            case {"type": "TEXT_MESSAGE_START", "messageId": message}:
                self.texts.setdefault(message, "")
            case {"type": "TEXT_MESSAGE_CONTENT"}:
                self._content(event)
            case {"type": "CUSTOM", "name": "message.restarted", "value": {"messageId": message}}:
                self.texts[message] = ""
            case {"type": "TEXT_MESSAGE_END", "messageId": message, "metadata": {"length": length}}:
                self.lengths[message] = length

    def _content(self, event: dict[str, Any]) -> None:
        message, offset = event["messageId"], event["metadata"]["offset"]
        have = self.texts.get(message, "")
        if offset > len(have):
            self.gaps.append(f"text gap in {message}: {offset} after {len(have)}")
        new = event["delta"][len(have) - offset :]
        self.texts[message] = have + new

    def said(self) -> list[str]:
        """The agent's texts, in order, without the empty ones."""
        order = [e["messageId"] for e in self.events if e["type"] == "TEXT_MESSAGE_START"]
        return [self.texts[message] for message in order if self.texts[message]]

    def of(self, kind: str, name: str = "") -> list[dict[str, Any]]:
        return [e for e in self.events if e["type"] == kind and (not name or e.get("name") == name)]

    def in_short(self) -> list[str]:
        return [event.get("name") or event["type"] for event in self.events] + self.said()

    def ended(self) -> int:
        """How many runs have come to an end."""
        return len(self.of("RUN_FINISHED")) + len(self.of("RUN_ERROR"))

    def open_confirmations(self) -> list[dict[str, Any]]:
        """What waits for a person, as the checked events and statuses tell it."""
        held = {
            e["value"]["toolCallId"]: e["value"]["confirmation"]
            for e in self.of("CUSTOM", "tool_call.checked")
            if e["value"]["confirmation"]
        }
        for event in self.of("CUSTOM", "tool_call.status"):
            if event["value"]["status"] != "held":
                held.pop(event["value"]["toolCallId"], None)
        for event in self.of("TOOL_CALL_RESULT"):
            held.pop(event["toolCallId"], None)
        return list(held.values())


class Refused(Exception):
    """The server answered a frame with an error."""

    def __init__(self, frame: dict[str, Any]) -> None:
        super().__init__(f"{frame['code']}: {frame['detail']}")
        self.code = frame["code"]
        self.frame = frame


class Talk:
    """One socket. Frames are folded into `transcripts` as they come; `ask` waits for its ack."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.transcripts: dict[str, Transcript] = {}
        self.notices: list[dict[str, Any]] = []
        self._ids = itertools.count(1)
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                self._take(json.loads(text))
                self._news.set()
        finally:
            self._news.set()
            for future in self._answers.values():
                if not future.done():
                    future.set_exception(ConnectionError("the socket closed"))

    def _take(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "ack" | "error":
                future = self._answers.pop(frame["id"], None)
                if future and not future.done():
                    future.set_result(frame)
            case "event" | "delta":
                self.transcripts.setdefault(frame["conversation"], Transcript()).fold(frame)
            case "notice":
                self.notices.append(frame)

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a frame and wait for its ack; raises `Refused` for an error."""
        name = f"f{next(self._ids)}"
        self._answers[name] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"type": kind, "id": name, **fields}))
        frame = await asyncio.wait_for(self._answers[name], 20)
        if frame["type"] == "error":
            raise Refused(frame)
        return frame

    async def start(self, agent: str) -> str:
        """A new conversation, followed from its beginning."""
        made = await self.ask("conversation.create", agent=agent)
        await self.follow(made["conversation"])
        return str(made["conversation"])

    async def follow(self, conversation: str, transcript: Transcript | None = None) -> None:
        """Subscribe, going on after what `transcript` has."""
        self.transcripts[conversation] = transcript or Transcript()
        await self.ask("subscribe", conversation=conversation, after=self.transcripts[conversation].last)

    async def say(self, conversation: str, text: str, key: str | None = None) -> dict[str, Any]:
        more = {"key": key} if key else {}
        return await self.ask("message.send", conversation=conversation, text=text, **more)

    async def until(
        self, conversation: str, ready: Callable[[Transcript], object], seconds: float = 30
    ) -> Transcript:
        """Wait until the transcript is as wanted."""
        told = self.transcripts[conversation]
        try:
            async with asyncio.timeout(seconds):
                while not ready(told):
                    self._news.clear()
                    if self._reading.done():
                        raise ConnectionError("the socket closed")
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(
                f"not within {seconds} s; the log ends with {told.in_short()[-30:]}"
            ) from None
        return told

    async def turn(self, conversation: str, text: str) -> Transcript:
        """Say something and wait until the run that answers it has ended."""
        before = self.transcripts[conversation].ended()
        await self.say(conversation, text)
        return await self.until(conversation, lambda told: told.ended() > before)

    async def close(self) -> None:
        await self.socket.close()
        await asyncio.gather(self._reading, return_exceptions=True)


async def token(url: str, email: str, tenant: str, password: str = PASSWORD) -> str:
    """Sign in as a program."""
    body = {"email": email, "password": password, "tenant": tenant}
    async with httpx2.AsyncClient(base_url=url, trust_env=False) as client:
        answer = await client.post("/api/v1/auth/token", json=body)
    answer.raise_for_status()
    return str(answer.json()["token"])


async def talk(url: str, bearer: str, tenant: str) -> Talk:
    """Open a socket."""
    address = f"{url.replace('http', 'ws', 1)}/ws/t/{tenant}/"
    headers = {"Authorization": f"Bearer {bearer}"}
    return Talk(await connect(address, additional_headers=headers, proxy=None, max_size=None))
