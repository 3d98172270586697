"""The conversation around a call, for whoever has to judge what it was made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import ngettext

from conversations import tree
from conversations.models import Message
from tools.models import ToolCall

BEFORE = 8
"""Messages shown, that of the call included; and the last thing a person said, however long ago."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message: who said what, and which calls it made."""

    role: str
    author: str
    text: str
    calls: Sequence[ToolCall]
    at: datetime
    made_it: bool = False
    """The call in question was made here."""


def around(call: ToolCall) -> list[Said]:
    """The messages up to the one that made the call, oldest first; empty when there is no conversation (any more)."""
    messages = Message.objects.filter(conversation=call.topic).select_related("author")
    made = messages.filter(pk=call.message).first()
    if made is not None:
        parents = tree.parents_of(call.topic)
        before = tree.path(parents, made.pk) if made.pk in parents else [made.pk]
        messages = messages.filter(pk__in=before)
    found = list(messages.order_by("-position")[:BEFORE])
    if found and not any(one.role == "user" for one in found):
        found += messages.filter(role="user").order_by("-position")[:1]
    calls = _calls(found)
    return [_said(one, calls, call) for one in reversed(found)]


def _calls(messages: Sequence[Message]) -> Mapping[str, ToolCall]:
    ids = [part["call"] for one in messages for part in one.parts if part.get("kind") == "tool_call"]
    return {call.pk: call for call in ToolCall.objects.filter(pk__in=ids).select_related("version")}


def _said(message: Message, calls: Mapping[str, ToolCall], about: ToolCall) -> Said:
    parts: Sequence[Mapping[str, Any]] = message.parts
    made = [
        calls[part["call"]] for part in parts if part.get("kind") == "tool_call" and part["call"] in calls
    ]
    text = "".join(str(part.get("text", "")) for part in parts if part.get("kind") == "text")
    pictures = sum(part.get("kind") == "image" for part in parts)
    if pictures:  # who only reviews is told of them and does not see them
        told = ngettext("%(count)s picture", "%(count)s pictures", pictures) % {"count": pictures}
        text = f"{text}\n[{told}]".strip()
    author = str(message.author) if message.author else ""
    return Said(message.role, author, text, made, message.created_at, made_it=message.pk == about.message)
