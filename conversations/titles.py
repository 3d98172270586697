"""What a conversation is called, until somebody calls it something: its first words, then what a model says.

`make` is done beside everything else, after the first answer, at most once; when it does not work out, nobody hears
of it and the first words stay. A title that a person gave is never touched.
"""

from __future__ import annotations

import asyncio
import logging

from django.db import DatabaseError

from agents.aside_words import TITLE
from agents.providers.base import ProviderError
from conversations import beside, tree
from conversations.models import Conversation, Message, Outcome
from conversations.turn import Turn
from platform_site import ledger, wire
from platform_site.db import db
from platform_site.models import Topic
from platform_site.one_line import one_line

log = logging.getLogger(__name__)
LONGEST = 60
WITHIN_S = 20.0
SHOWN = 1500
"""Characters of a message a model reads for it."""
_MARKS = "\"'“”‘’«»„「」『』*#`_ "


def begin(conversation: Conversation, text: str) -> None:
    """The first words, for a conversation that has no title yet."""
    words = one_line(text, LONGEST)
    if words and not conversation.title:
        Conversation.objects.filter(pk=conversation.pk, title="").update(title=words)


def title_in(answer: str) -> str:
    """The title a model's answer is: its first line, without the marks some put around it."""
    first = next((line for line in answer.splitlines() if line.strip(_MARKS)), "")
    return one_line(first.strip(_MARKS).removesuffix("."), LONGEST)


async def make(turn: Turn) -> None:
    """Name the conversation of a run that has ended, if it is time to."""
    if turn.is_titled or turn.run.outcome != Outcome.SUCCESS:
        return
    try:
        async with asyncio.timeout(WITHIN_S):
            wanted = await db(claim, turn)
            if wanted is None:
                return
            answer = await beside.ask(turn, TITLE, wanted, most=4 * LONGEST)
            if title := title_in(answer):
                await db(keep, turn.topic, title)
    except (ProviderError, beside.NoAnswer, TimeoutError, DatabaseError, Topic.DoesNotExist):
        log.info("a conversation keeps its first words for a title", exc_info=True)


def claim(turn: Turn) -> str | None:
    """What was said, once: whoever gets it is the one who asks."""
    untitled = Conversation.objects.filter(pk=turn.topic, titled="")
    if not untitled.exists():
        return None
    said = _first_words_of_both(turn.topic)
    return said if said and untitled.update(titled="asked") else None


def _first_words_of_both(conversation: str) -> str:
    shown = Message.objects.filter(pk__in=tree.shown_path(conversation)[:12]).order_by("position")
    texts: dict[str, str] = {}
    for role, parts in shown.values_list("role", "parts"):
        text = " ".join(part["text"] for part in parts if part["kind"] == "text").strip()
        if text:
            texts.setdefault(role, text[:SHOWN])
    if "assistant" not in texts:
        return ""
    return f"The person: {texts.get('user', '(a picture)')}\n\nThe assistant: {texts['assistant']}"


def keep(conversation: str, title: str) -> None:
    """The model's title, unless somebody gave one meanwhile."""
    with ledger.writing(conversation) as told:
        asked = Conversation.objects.filter(pk=conversation, titled="asked")
        if asked.update(title=title, titled="model"):
            told.tell(wire.custom("conversation.changed", {"title": title}))
