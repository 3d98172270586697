"""What `summary` reads: the messages before the person asked, in the branch they asked in, and their calls' answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils import timezone

from agents import catalogue
from agents.messages import Part, TextPart, ToolResultPart, part_from_json, shown_parts
from agents.usage import limits
from agents.usage.spending import Spending
from conversations import clock, tree
from conversations.groups import naming
from conversations.models import Message, Participant, Run
from conversations.summary_tool_lines import Said
from conversations.summary_tool_since import moment_of
from conversations.turn import Turn, told
from platform_site.models import Membership
from tools.models import ToolCall
from tools.registry import ToolContext

SHOWN = 200
"""Characters of the person's last words that the model is shown."""


@dataclass(frozen=True, slots=True)
class Material:
    """What is to be summarised. `left_out`: how many older messages of that time there are besides."""

    turn: Turn
    last_words: str
    messages: Sequence[Said]
    answers: dict[str, ToolResultPart]
    left_out: int


@dataclass(frozen=True, slots=True)
class NotHere:
    """This is no run in a conversation of this person's."""


@dataclass(frozen=True, slots=True)
class NoSuchTime:
    """What was given is no time."""


def read(context: ToolContext, since: str | None, most: int) -> Material | NotHere | NoSuchTime:
    """The newest `most` messages from the local time `since` on."""
    turn = _asking(context)
    if turn is None:
        return NotHere()
    there = clock.zone_of(context.user, context.tenant)
    begins = moment_of(since, timezone.now(), there) if since else None
    if since and begins is None:
        return NoSuchTime()
    before, last_words = _before(context)
    rows = [row for row in before if begins is None or row.created_at >= begins]
    names = naming.names_in(context.topic)
    said = [_said(row, names, there) for row in rows[-most:]]
    return Material(turn, last_words, said, _answers(context.topic, rows[-most:]), max(0, len(rows) - most))


def _asking(context: ToolContext) -> Turn | None:
    """The run as a question beside it needs it: whose models, whose limits."""
    run = (
        Run.objects.filter(pk=context.run, conversation=context.topic).select_related("agent_version").first()
    )
    membership = Membership.objects.filter(user=context.user, is_active=True).first()
    takes_part = Participant.objects.filter(conversation=context.topic, user=context.user).exists()
    if run is None or membership is None or not takes_part:
        return None
    agent = catalogue.spec_of(run.agent_version)
    models = catalogue.models_for(agent, run.options)
    spending = Spending(limits=limits.read())
    return Turn(run, context.tenant, context.user, membership, agent, models, {}, [], spending=spending)


def _before(context: ToolContext) -> tuple[list[Message], str]:
    """The messages before the one that was answered by this call, oldest first; and that one's text."""
    called_in = ToolCall.objects.values_list("message", flat=True).get(pk=context.call)
    path = tree.path(tree.parents_of(context.topic), called_in)
    rows = Message.objects.in_bulk(path)
    asked = max((at for at, pk in enumerate(path) if rows[pk].role == "user"), default=0)
    return [rows[pk] for pk in path[:asked]], " ".join(_text_of(rows[path[asked]])[:SHOWN].split())


def _parts(row: Message) -> list[Part]:
    return [part_from_json(part) for part in shown_parts(row.parts)]


def _text_of(row: Message) -> str:
    return " ".join(part.text for part in _parts(row) if isinstance(part, TextPart)).strip()


def _said(row: Message, names: naming.Names, there: ZoneInfo) -> Said:
    """One message; where one person talks they need no name."""
    who = (
        names.get(row.author_id or "", "The person") if row.role == "user" else row.speaker or "The assistant"
    )
    return Said(who, row.created_at.astimezone(there), _parts(row))


def _answers(topic: str, rows: Sequence[Message]) -> dict[str, ToolResultPart]:
    """What the calls of these messages came to, as a model is told it."""
    calls = ToolCall.objects.filter(topic=topic, message__in=[row.pk for row in rows])
    return {call.pk: told(call) for call in calls.select_related("confirmation", "version", "requester")}
