"""Websocket frames, both ways. Pure: text in, a client frame or what is wrong with it; events out, text.

Client frames are pydantic models in one table, `CLIENT_FRAMES`; the tenant walk and the documentation are made from
it, so a new frame is a new entry there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from platform_site.wire import Event
from tools import strictjson

MAX_FRAME_BYTES = 64 * 1024
Id = Annotated[str, Field(min_length=1, max_length=64)]


class ClientFrame(BaseModel):
    """What every frame has: `id` is any string the client chose; the answer carries it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    type: ClassVar[str]
    scope: ClassVar[Literal["read", "chat"]] = "chat"
    """What the sender's token has to allow. A decision asks for more later: which part it is decides."""
    id: Annotated[str, Field(min_length=1, max_length=128)]


class ConversationCreate(ClientFrame):
    type = "conversation.create"
    agent: Id
    title: Annotated[str, Field(max_length=120)] = ""


class Subscribe(ClientFrame):
    type = "subscribe"
    scope = "read"
    conversation: Id
    after: Annotated[int, Field(ge=0, lt=2**31)] = 0


class Unsubscribe(ClientFrame):
    type = "unsubscribe"
    scope = "read"
    conversation: Id


class Options(BaseModel):
    """How a message is to be answered; what an agent has no use for is ignored."""

    model_config = ConfigDict(extra="forbid", strict=True)

    scenario: Id | None = None
    model: Id | None = None
    mode: Id | None = None
    budget: Id | None = None
    rounds: Annotated[int, Field(ge=1, le=50)] | None = None
    models: Annotated[dict[Id, Id], Field(max_length=2)] | None = None
    """In a debate: a model for each persona, slugs."""


class MessageSend(ClientFrame):
    type = "message.send"
    conversation: Id
    text: str
    attachments: Annotated[list[Id], Field(max_length=16)] = []
    options: Options = Options()
    key: Annotated[str, Field(max_length=100)] = ""
    reply_to: Annotated[str, Field(max_length=64)] = ""


class MessageEdit(ClientFrame):
    """One's own earlier message, said differently. What is left out stays as it was."""

    type = "message.edit"
    conversation: Id
    message: Id
    text: str
    attachments: Annotated[list[Id], Field(max_length=16)] | None = None
    options: Options | None = None
    key: Annotated[str, Field(max_length=100)] = ""


class MessageRegenerate(ClientFrame):
    """A reply, written anew."""

    type = "message.regenerate"
    conversation: Id
    message: Id
    key: Annotated[str, Field(max_length=100)] = ""


class BranchSwitch(ClientFrame):
    """Another version: the branch through this message is shown, and goes on."""

    type = "branch.switch"
    conversation: Id
    message: Id


class DebateSteer(ClientFrame):
    """What is wished of the debate that is shown; of one at work it is done between two turns."""

    type = "debate.steer"
    conversation: Id
    do: Literal["pause", "resume", "summarise"]


class RunStop(ClientFrame):
    type = "run.stop"
    run: Id


class RunRetry(ClientFrame):
    type = "run.retry"
    run: Id


class Proof(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    password: Annotated[str, Field(max_length=1000)] | None = None
    code: Annotated[str, Field(max_length=32)] | None = None


class Grant(BaseModel):
    """A standing yes to the next calls whose pinned arguments are as they are now."""

    model_config = ConfigDict(extra="forbid", strict=True)

    pinned: Annotated[list[Annotated[str, Field(max_length=120)]], Field(max_length=50)]
    uses: Annotated[int, Field(ge=1, le=50)]
    minutes: Annotated[int, Field(ge=1, le=1440)]


class ConfirmationDecide(ClientFrame):
    type = "confirmation.decide"
    scope = "read"
    confirmation: Id
    decision: Literal["approve", "reject"]
    digest: Annotated[str, Field(max_length=64)]
    proof: Proof | None = None
    reason: Annotated[str, Field(max_length=2000)] = ""
    arguments: dict[str, Any] | None = None
    grant: Grant | None = None


class InputSubmit(ClientFrame):
    """The arguments a person put right, or that they drop the call: one of the two."""

    type = "input.submit"
    interrupt: Id
    arguments: dict[str, Any] | None = None
    cancel: bool = False

    @model_validator(mode="after")
    def _one_answer(self) -> InputSubmit:
        if (self.arguments is None) != self.cancel:
            raise ValueError("give arguments, or cancel: true")
        return self


class JobCancel(ClientFrame):
    """A background call is not wanted any more. Its id says where it was asked; `conversation` may, too."""

    type = "job.cancel"
    call: Id
    conversation: Annotated[str, Field(max_length=64)] = ""


class Typing(ClientFrame):
    """The person is writing. Told to the others there, and kept nowhere."""

    type = "typing"
    conversation: Id


class ReadMark(ClientFrame):
    """The person has seen everything up to `seq`."""

    type = "read.mark"
    conversation: Id
    seq: Annotated[int, Field(ge=0, lt=2**31)]


class Ping(ClientFrame):
    type = "ping"
    scope = "read"


CLIENT_FRAMES: dict[str, type[ClientFrame]] = {
    frame.type: frame
    for frame in (
        ConversationCreate, Subscribe, Unsubscribe, MessageSend, MessageEdit, MessageRegenerate, BranchSwitch,
        DebateSteer, RunStop, RunRetry, ConfirmationDecide, InputSubmit, JobCancel, Typing, ReadMark, Ping,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Why a frame was not understood, for whoever sent it."""

    id: str | None
    code: str
    detail: str


def parse(text: str | bytes | None) -> ClientFrame | BadFrame:
    """The frame a client meant, or what is wrong with it. Never raises."""
    if not isinstance(text, str):
        return BadFrame(None, "bad_frame", "Frames are text, not binary.")
    try:
        given = strictjson.loads(text)
    except strictjson.NotJson as error:
        return BadFrame(None, "bad_frame", f"This is not JSON: {error.why}")
    if not isinstance(given, dict):
        return BadFrame(None, "bad_frame", "A frame is a JSON object.")
    id_ = given["id"][:128] if isinstance(given.get("id"), str) else None
    return _typed(given, id_)


def _typed(given: dict[str, Any], id_: str | None) -> ClientFrame | BadFrame:
    kind = given.pop("type", None)
    frame = CLIENT_FRAMES.get(kind) if isinstance(kind, str) else None
    if frame is None:
        known = ", ".join(CLIENT_FRAMES)
        return BadFrame(id_, "unknown_frame", f"There is no frame {str(kind)[:60]!r}. Known: {known}.")
    try:
        return frame.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        return BadFrame(id_, "bad_frame", f"{where}: {first['msg']}")


def ack(id_: str, **fields: Any) -> str:
    return _text({"type": "ack", "id": id_, **fields})


def error(id_: str | None, code: str, detail: str, **more: Any) -> str:
    return _text({"type": "error", "id": id_, "code": code, "detail": detail, **more})


def event(topic: str, seq: int, what: Event) -> str:
    return _text({"type": "event", "conversation": topic, "seq": seq, "event": what})


def delta(topic: str, what: Event) -> str:
    return _text({"type": "delta", "conversation": topic, "event": what})


def notice(kind: str, data: dict[str, Any]) -> str:
    return _text({"type": "notice", "kind": kind, "data": data})


def _text(frame: dict[str, Any]) -> str:
    try:
        return orjson.dumps(frame).decode()
    except TypeError:  # a number beyond 64 bits, half a surrogate pair: slower, and it takes both
        return json.dumps(frame)
