"""A conversation's log as one AG-UI run tells it. Pure: events in, events out.

Between RUN_STARTED and the end of the run it was asked for, everything is passed on; what concerns other runs is not.
A client puts texts together by appending, so each piece goes out once. What was told of a call that this request
answered, before its run began, is told right after RUN_STARTED: AG-UI knows nothing outside of runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from platform_site import wire
from platform_site.wire import Event

PROTOCOL = "1.0"


@dataclass(frozen=True, slots=True)
class Where:
    """Where the answer to a request is told: the events of `run` after number `after`.

    `thread` and `asked` are the client's names for conversation and run. `calls`: those the request answered. No `run`:
    nothing has to be done now, because a reviewer has to agree as well, or because the answer has raised `questions`:
    what it changed asks the same person for more.
    """

    conversation: str
    thread: str
    asked: str
    run: str
    after: int
    calls: tuple[str, ...] = ()
    questions: Sequence[dict[str, Any]] = ()


@dataclass(slots=True)
class Telling:
    """How far one stream has come."""

    where: Where
    started: bool = False
    done: bool = False
    _before: list[Event] = field(default_factory=list)
    _message: str = ""
    _shown: str = ""
    _heard: int = 0
    _void: bool = False
    _tries: int = 1

    def told(self, event: Event) -> Iterator[Event]:
        """What a numbered event says to this client."""
        if self.done:
            return
        if not self.started:
            yield from self._not_yet(event)
        elif _run_of(event) in (None, self.where.run):
            yield from self._within(event)

    def _not_yet(self, event: Event) -> Iterator[Event]:
        if event["type"] == "RUN_STARTED" and event["runId"] == self.where.run:
            yield from self.start(event.get("metadata", {}))
        elif _call_of(event) in self.where.calls:
            self._before.append(event)

    def start(self, metadata: dict[str, Any]) -> Iterator[Event]:
        """RUN_STARTED under the client's names, then what was told of the calls it answered."""
        self.started = True
        where = self.where
        ours = {"run": where.run, "conversation": where.conversation}
        started = wire.run_started(where.thread, where.asked, metadata=metadata | ours)
        yield started | {"protocolVersion": PROTOCOL}
        yield from self._before

    def end(self) -> Iterator[Event]:
        """The end of a request that no run was needed for."""
        self.done, where = True, self.where
        raised = {"outcome": {"type": "interrupt", "interrupts": list(where.questions)}}
        yield wire.run_succeeded(where.thread, where.asked) | (raised if where.questions else {})

    def _within(self, event: Event) -> Iterator[Event]:
        match event:
            case {"type": "RUN_FINISHED"}:
                self.done = True
                yield event | {"threadId": self.where.thread, "runId": self.where.asked} | _outcome(event)
            case {"type": "RUN_ERROR"}:
                self.done = True
                yield event
            case {"type": "TEXT_MESSAGE_START", "messageId": message}:
                self._message = self._shown = message
                self._heard, self._void, self._tries = 0, False, 1
                yield event
            case {"type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": text}:
                yield from self.spoken(message, 0, text)
            case {"type": "CUSTOM", "name": "message.restarted"}:
                self._void, self._heard = self._heard > 0, 0
                yield event
            case {"type": "TEXT_MESSAGE_END"}:
                yield event | {"messageId": self._shown}
            case {"type": "TOOL_CALL_START", "parentMessageId": message} if message == self._message:
                yield event | {"parentMessageId": self._shown}
            case _:
                yield event

    def misses(self, message: str, offset: int) -> bool:
        """Whether something was said before this piece that was not heard."""
        return message == self._message and offset > self._heard

    def spoken(self, message: str, offset: int, text: str) -> Iterator[Event]:
        """A piece of a message, as far as it is new. `offset`: characters before it."""
        new = text[self._heard - offset :] if offset <= self._heard else ""
        if message != self._message or not new:
            return
        if self._void:
            yield from self._again()
        yield wire.text_content(self._shown, new, offset=self._heard)
        self._heard += len(new)

    def _again(self) -> Iterator[Event]:
        """What was said does not count, and cannot be taken back from a client: another message begins."""
        self._void, self._tries = False, self._tries + 1
        yield wire.text_end(self._shown, length=0, model="", usage={}, finish="restarted")
        self._shown = f"{self._message}.{self._tries}"
        yield wire.text_start(self._shown, metadata={"run": self.where.run, "restarts": self._message})


def _run_of(event: Event) -> str | None:
    """The run whose beginning or end this is; None for all else."""
    if event["type"] == "RUN_ERROR":
        return str(event.get("metadata", {}).get("run", ""))
    return str(event["runId"]) if event["type"] in ("RUN_STARTED", "RUN_FINISHED") else None


def _call_of(event: Event) -> str | None:
    value = event.get("value") if event["type"] == "CUSTOM" else event
    return value.get("toolCallId") if isinstance(value, dict) else None


def _outcome(event: Event) -> dict[str, Any]:
    """An interrupt outcome, with what its answers have to look like."""
    outcome = event.get("outcome", {})
    if outcome.get("type") != "interrupt":
        return {}
    return {"outcome": outcome | {"interrupts": [with_schema(one) for one in outcome["interrupts"]]}}


def with_schema(interrupt: dict[str, Any]) -> dict[str, Any]:
    """A question for a decision says what an answer is; one for arguments has the tool's own schema."""
    if interrupt["reason"] != "tool_call":
        return interrupt
    digest = interrupt.get("metadata", {}).get("digest", "")
    return interrupt | {"responseSchema": approval_schema(digest)}


def approval_schema(digest: str) -> dict[str, Any]:
    """AG-UI's "approve with edits", with what was shown and who it is that says so."""
    text = {"type": "string"}
    proof = {"type": "object", "properties": {"password": text, "code": text}, "additionalProperties": False}
    properties = {
        "approved": {"type": "boolean"},
        "digest": {"type": "string", "const": digest},
        "reason": text,
        "editedArgs": {"type": "object"},
        "proof": proof,
    }
    return {
        "type": "object",
        "properties": properties,
        "required": ["approved", "digest"],
        "additionalProperties": False,
    }
