"""A debate's rows, read: the branch it stands in, what became of its calls, its notepad, the reply that is begun."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from conversations import tree
from conversations.debate.models import Debate, NoteChange
from conversations.debate.notepad import Change, Notepad, fold
from conversations.debate.transcript import OF_THE_DEBATE, Ended, Row, last_debate
from conversations.groups import naming
from conversations.models import Message, Run
from platform_site.models import Event
from tools.models import CallStatus, ToolCall

FIELDS = (
    "pk", "parent_id", "role", "parts", "debate_id", "speaker", "turn", "finish", "author__name", "run_id", "author_id",
)  # fmt: skip
AUTHOR = FIELDS.index("author_id")


def path_of(topic: str, head: str | None) -> list[Row]:
    """The branch that ends with `head`, with the names a model is told."""
    placed = Message.objects.filter(conversation=topic, waiting=False).order_by("position")
    found = {values[0]: values for values in placed.values_list(*FIELDS)}
    people = {values[AUTHOR] for values in found.values()} - {None}
    names = naming.names_in(topic) if len(people) > 1 else {}
    path = tree.path({pk: values[1] for pk, values in found.items()}, head)
    return [_row(found[pk], names) for pk in path]


def _row(values: tuple[Any, ...], names: naming.Names) -> Row:
    pk, _parent, role, parts, debate, speaker, turn, finish, author, run, by = values
    name = names.get(by) or (naming.plain_name(author) if author else "")
    return Row(pk, role, parts, debate, speaker, turn, finish, name, run, by)


def shown(topic: str) -> Debate | None:
    """The debate of the branch that is shown: the one that goes on in it, or was held in it last."""
    return debate_at(topic, tree.head_of(topic))


def debate_at(topic: str, head: str | None) -> Debate | None:
    """The debate that the branch which ends with `head` is in, or was in last."""
    found = last_debate(path_of(topic, head))
    return Debate.objects.get(pk=found) if found else None


def ended(calls: Iterable[ToolCall]) -> Ended:
    """What succeeded, for the script."""
    return {
        call.pk: (call.name, call.name in OF_THE_DEBATE or bool((call.result or {}).get("final")))
        for call in calls
        if call.status == CallStatus.SUCCEEDED
    }


def notepad_of(debate: str) -> Notepad:
    return fold(debate, map(change_of, NoteChange.objects.filter(debate=debate).order_by("version")))


def change_of(row: NoteChange) -> Change:
    """A stored change, as it is told."""
    at = row.created_at.isoformat(timespec="seconds")
    return Change(row.version, row.entry, row.action, row.kind, row.text, row.speaker, row.turn, at)


def begun(run: Run) -> dict[str, Any]:
    """What TEXT_MESSAGE_START said of the reply that is being written; empty when none is."""
    if not run.reply:
        return {}
    told = Event.objects.filter(
        topic=run.conversation_id, payload__type="TEXT_MESSAGE_START", payload__messageId=run.reply
    )
    found = told.values_list("payload", flat=True).first()
    return dict((found or {}).get("metadata") or {})
