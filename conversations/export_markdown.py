"""What is shown of a conversation, as one Markdown document: who said what, and the notepads of its debates."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from agents.debate import SUMMARY, Settings, from_json
from conversations.debate import notepad, rows
from conversations.debate.models import Debate
from conversations.debate.transcript import BROKEN, Row
from conversations.models import Conversation

MARKS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_#[]<>"})


def document(conversation: Conversation) -> str:
    """Texts stand as they were said; names are made harmless."""
    path = rows.path_of(conversation.pk, conversation.head_id)
    debates = {row.pk: row for row in Debate.objects.filter(conversation=conversation)}
    settings = {pk: from_json(row.settings) for pk, row in debates.items()}
    title = (conversation.title or str(conversation.agent)).translate(MARKS)
    parts = [f"# {title}", *_parts(path, settings, conversation.agent.slug)]
    return "\n\n".join(parts) + "\n"


def _parts(path: list[Row], settings: dict[str, Settings], agent: str) -> Iterator[str]:
    last = {row.debate: row.id for row in path if row.debate}
    for row in path:
        debate = settings.get(row.debate or "")
        if row.text:
            broken = " (" + _("broken off") + ")" if row.finish in BROKEN else ""
            yield f"## {_heading(row, debate, agent)}{broken}\n\n{row.text}"
        if debate and row.debate and last[row.debate] == row.id and (noted := _noted(row.debate, debate)):
            heading = _("Notepad")
            yield f"## {heading}\n\n{noted}"


def _heading(row: Row, debate: Settings | None, agent: str) -> str:
    if row.role == "user":
        return row.author.translate(MARKS) or _("A person")
    if debate is None:
        return agent.translate(MARKS)
    if row.turn == SUMMARY:
        return _("Final answer")
    voice = debate.persona(row.speaker)
    return f"{(voice.name if voice else row.speaker).translate(MARKS)} [T{row.turn}]"


def _noted(debate: str, settings: Settings) -> str:
    names = {one.slug: one.name for one in settings.personas}
    kinds = {
        "fact": _("Facts"),
        "assumption": _("Assumptions"),
        "question": _("Open questions"),
        "todo": _("To do"),
    }
    return notepad.markdown(rows.notepad_of(debate), names, kinds)
