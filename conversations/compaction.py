"""Room in the model's window: the older part of a long history is summarised, once, before the model is asked.

`make_room` is a step of the engine. What is cut stands between messages, so that no call is parted from its result;
the last turns stay as they are. When no summary can be had, the older part is left out; people see either.
The rules about outside text do not read the history but the calls, so a summary makes nothing harmless (T29).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, assert_never

from agents import tokens
from agents.aside_words import SUMMARY
from agents.messages import (
    ImagePart,
    ModelMessage,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from agents.providers.base import ProviderError
from agents.spec import ModelSpec
from conversations import beside, summaries, tree
from conversations.debate import floor
from conversations.ending import writing
from conversations.groups import naming
from conversations.history import history
from conversations.kept_models import Summary
from conversations.models import Message
from conversations.own_lines import within
from conversations.turn import Turn, read_history, told
from platform_site import wire
from platform_site.db import db
from tools.models import ToolCall

if TYPE_CHECKING:
    from conversations.engine import Moving

log = logging.getLogger(__name__)
WINDOW = 100_000
"""Tokens of a model whose window nobody named."""
FULL = 0.8
"""Above this part of the window a history is compacted; the rest is the answer's, and for our rough count."""
KEPT = 0.4
"""The part of the window that the last turns may take."""
PIECE = 0.5
"""The part of the window that one request for a summary takes."""
WITHIN_S = 120.0
LONGEST = 6_000
"""Characters of a summary."""


async def make_room(moving: Moving) -> bool:
    """See to it that the next request fits; False when the run was stopped meanwhile."""
    turn = moving.turn
    if turn.exact or not turn.models or tokens.of_request(turn.request()) <= FULL * window_of(turn.models):
        return True
    cut = await db(plan, turn)
    if cut is None:
        return True
    task = moving.stoppable(summarise(turn, cut))
    await asyncio.wait({task})
    if task.cancelled():
        return False
    await db(keep, turn, cut, task.result())
    return True


def window_of(models: Sequence[ModelSpec]) -> int:
    return models[0].context or WINDOW


@dataclass(frozen=True, slots=True)
class Cut:
    """What is to be summarised: `old` up to the message `upto`, `messages` of them counted from the first."""

    upto: str
    messages: int
    before: str
    """The summary so far."""
    old: tuple[ModelMessage, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A message as the model is told it, with the results of its calls: never cut apart."""

    message: str
    told: tuple[ModelMessage, ...]
    said: bool
    """A person's: what follows is a turn."""

    @property
    def size(self) -> int:
        return tokens.of_messages(self.told)


def plan(turn: Turn) -> Cut | None:
    """Where to cut; None when nothing can be gained."""
    path = tree.shown_path(turn.topic)
    summary = summaries.newest_in(turn.topic, path)
    units = _units(turn.topic, summaries.rest_of(path, summary))
    instructions = turn.floor.instructions if turn.floor else turn.agent.instructions
    fixed = tokens.of_text(instructions) + tokens.of_tools(turn.offered.values())
    at = where(units, int(KEPT * window_of(turn.models)) - fixed)
    if at == 0:
        return None
    old = tuple(message for unit in units[:at] for message in unit.told)
    upto = units[at - 1].message
    return Cut(upto, path.index(upto) + 1, summary.text if summary else "", old)


def where(units: Sequence[Unit], room: int) -> int:
    """How many units to give up, so that the rest fits into `room` and begins with a turn if it can."""
    at, size = len(units), 0
    while at > 0 and (at == len(units) or size + units[at - 1].size <= room):
        at -= 1
        size += units[at].size
    return next((nth for nth in range(at, len(units)) if units[nth].said), at) if at else 0


def _units(topic: str, path: Sequence[str]) -> list[Unit]:
    calls = ToolCall.objects.filter(topic=topic, message__in=path).select_related("confirmation", "version")
    answers = {call.pk: told(call) for call in calls}
    rows = {row.pk: row for row in Message.objects.filter(conversation=topic, pk__in=path)}
    names = naming.names_in(topic)
    parts = {
        pk: naming.named(row.parts, row.speaker)
        if row.speaker
        else naming.told_by(names, row.author_id, row.parts)
        for pk, row in rows.items()
    }
    return [
        Unit(pk, tuple(history([(rows[pk].role, parts[pk])], answers)), rows[pk].role == "user")
        for pk in path
    ]


async def summarise(turn: Turn, cut: Cut) -> str:
    """The summary; empty when none could be had."""
    window = window_of(turn.models)
    limit, longest = int(PIECE * window), min(LONGEST, window // 4)
    summary = cut.before
    try:
        async with asyncio.timeout(WITHIN_S):
            for piece in pieces(cut.old, limit):
                before = f"Summary of what was said before:\n{summary}\n\nThen:\n" if summary else ""
                summary = await beside.ask(turn, SUMMARY, before + piece, most=longest)
    except (ProviderError, beside.NoAnswer, TimeoutError):
        log.warning("a long history could not be summarised: its older part is left out", exc_info=True)
        return ""
    return summary


def pieces(old: Sequence[ModelMessage], limit: int) -> Iterator[str]:
    """The transcript as text, in parts of at most `limit` tokens."""
    return in_pieces((_line(message, part) for message in old for part in message.parts), limit)


def in_pieces(lines: Iterable[str], limit: int) -> Iterator[str]:
    """Lines put together, in parts of at most `limit` tokens."""
    part: list[str] = []
    size = 0
    for line in chain.from_iterable(_cut(whole, limit) for whole in lines):
        cost = tokens.of_text(line) + 1
        if part and size + cost > limit:
            yield "\n".join(part)
            part, size = [], 0
        part.append(line)
        size += cost
    if part:
        yield "\n".join(part)


def _cut(line: str, limit: int) -> Iterator[str]:
    """A line that is too long for one request, in characters: none costs more than a token."""
    step = max(1, limit - 1)
    whole = tokens.of_text(line) < limit
    yield from [line] if whole else (line[at : at + step] for at in range(0, len(line), step))


def _line(message: ModelMessage, part: Part) -> str:
    match part:
        case TextPart(text):
            return f"{'The person' if message.role == 'user' else 'The assistant'}: {within(text)}"
        case ToolCallPart(_, name, arguments):
            return f"The assistant called {name} with {arguments}"
        case ToolResultPart(_, name, content, status):
            return f"Result of {name} ({status}): {within(content)}"
        case ImagePart():
            return "The person showed a picture."
        case ThinkingPart():
            return ""
        case _:
            assert_never(part)


def keep(turn: Turn, cut: Cut, text: str) -> None:
    """Store the summary, tell people, and go on with the shorter history."""
    with writing(turn) as log_:
        values = {"conversation_id": turn.topic, "text": text, "messages": cut.messages}
        Summary.objects.get_or_create(upto_id=cut.upto, defaults=values)
        told_ = {"messageId": cut.upto, "messages": cut.messages, "text": text}
        log_.tell(wire.custom("conversation.summarised", told_))
        if turn.floor:
            return floor.retell(turn)
        calls = ToolCall.objects.filter(topic=turn.topic).select_related("confirmation", "version")
        turn.messages = read_history(turn.topic, turn.head, calls, turn.run.started_at)
