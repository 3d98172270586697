"""One reply of the model as rows and events: begun, then stored with the calls it makes, called or written (A14)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from agents.messages import (
    ModelMessage,
    Native,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    native_to_json,
    part_to_json,
)
from agents.stream import Reply
from conversations import tree
from conversations.models import Message, Run
from conversations.turn import Turn
from platform_site import ledger, wire
from platform_site.ids import new_id
from platform_site.models import User
from tools.gate import telling
from tools.models import AttemptSource
from tools.pipeline import written

NO_TOKENS = {"input_tokens": 0, "output_tokens": 0}


@dataclass(frozen=True, slots=True)
class Called:
    """One call of a reply, under the id it gets here. The model's own id stays on the ToolCall."""

    id: str
    model_call_id: str
    name: str
    raw: str
    source: AttemptSource = AttemptSource.MODEL


@dataclass(frozen=True, slots=True)
class Calls:
    """What a reply asks for; `unknown`: tools it wrote calls of that it does not have."""

    made: tuple[Called, ...] = ()
    unknown: tuple[str, ...] = ()


def calls_of(reply: Reply, offered: Collection[str]) -> Calls:
    """The calls a reply makes. One that makes none may have written one into its text instead."""
    if reply.calls:
        return Calls(tuple(Called(new_id(), call.id, call.name, call.arguments) for call in reply.calls))
    found = written.find(reply.text, offered)
    made = (Called(new_id(), "", one.name, one.raw, AttemptSource.TEXT) for one in found.calls)
    return Calls(tuple(made), found.unknown)


def begin(log: ledger.Log, turn: Turn, reply: str) -> None:
    """Announce the next reply. A restarted one keeps its id, so that its START is told once."""
    if turn.run.reply:
        return
    turn.run.reply = reply
    Run.objects.filter(pk=turn.run.pk).update(reply=turn.run.reply)
    place = turn.floor.place if turn.floor else {}
    log.tell(wire.text_start(turn.run.reply, metadata={"run": turn.run.pk, "parent": turn.head, **place}))


def store(
    log: ledger.Log, turn: Turn, reply: Reply, finish: str, *, demo: bool, calls: Calls = Calls()
) -> Message:
    """The message row and its events."""
    parts: list[Part] = [ThinkingPart(reply.thinking)] if reply.thinking else []
    parts += [TextPart(reply.text)] if reply.text else []
    parts += [ToolCallPart(call.id, call.name, call.raw) for call in calls.made]
    native = _native(turn, reply)
    stored = [part_to_json(part) for part in parts] + [native_to_json(one) for one in native]
    message = Message(
        pk=turn.run.reply, conversation_id=turn.topic, parent_id=turn.head, role="assistant", run=turn.run,
        finish=finish, model=_who(turn, reply), parts=stored,
        usage=_usage(reply), **(turn.floor.values if turn.floor else {}),
    )  # fmt: skip
    if reply.thinking:
        log.tell(*wire.reasoning(message.pk, reply.thinking))
    if reply.text:
        log.tell(wire.text_content(message.pk, reply.text, offset=0))
    told = {"demo": demo, "finish": finish} | turn.fallback | _warnings(calls.unknown, turn.requester)
    message.position = log.tell(
        wire.text_end(message.pk, length=len(reply.text), model=message.model, usage=message.usage, **told)
    )
    message.save(force_insert=True)
    turn.head = message.pk
    tree.move_head(turn.topic, message.pk)
    turn.messages.append(ModelMessage("assistant", tuple(parts), *native))
    return message


def _who(turn: Turn, reply: Reply) -> str:
    """The model that wrote the text, as it calls itself; one that broke off did not come to that."""
    if reply.finish:
        return reply.finish.model
    return turn.speaker.name if turn.speaker and reply.text else ""


def _native(turn: Turn, reply: Reply) -> list[Native]:
    """What this model alone gets back of its reply, if there is anything."""
    if reply.finish is None or reply.finish.native is None or turn.speaker is None:
        return []
    return [Native(turn.speaker.provider, turn.speaker.name, reply.finish.native)]


def _usage(reply: Reply) -> dict[str, int]:
    ended = reply.finish
    return {"input_tokens": ended.input_tokens, "output_tokens": ended.output_tokens} if ended else NO_TOKENS


def _warnings(unknown: Sequence[str], person: User) -> dict[str, Any]:
    """The person is told of a call that only looked like one: nothing came of it."""
    if not unknown:
        return {}
    with telling.words_for(person):
        words = _(
            "The agent wrote a call of “%(name)s” into its answer, which it cannot use. Nothing was done."
        )
        told = [{"code": "written_call", "name": name, "message": words % {"name": name}} for name in unknown]
    return {"warnings": told}
