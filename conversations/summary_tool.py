"""`summary` (R7): what was said lately, by the agent's own model, in parts where it is long.

Only the branch in which it was asked, up to what the person said before asking. Each request is booked with the run and
bounded by the tenant's limits. What came from outside counts on: the calls it came by are still there (T29).
"""

from __future__ import annotations

import asyncio
from typing import Any, assert_never

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, Field

from agents.aside_words import DIGEST
from agents.providers.base import ProviderError
from conversations import beside, compaction
from conversations.summary_tool_lines import lines
from conversations.summary_tool_reading import Material, NoSuchTime, NotHere, read
from platform_site.db import db
from tools.outcome import Failed
from tools.registry import ToolContext, tool
from tools.schema_words import Text

MOST = 500
USUAL = 100
"""Messages, where nobody says how many."""
WITHIN_S = 150.0
NOTHING = "Nothing was said in this conversation then. Tell the person so; do not make anything up."
LATER = "Tell the person that it did not work, and offer to try again."


class Wanted(BaseModel):
    """Which part of the conversation."""

    last: int | None = Field(
        default=None,
        ge=1,
        le=MOST,
        description=f"Only the newest so many messages, 1 to {MOST}. Leave it out for the recent ones.",
        examples=[20],
    )
    since: str | None = Field(
        default=None,
        pattern=r"^(\d{4}-\d{2}-\d{2} )?\d{1,2}:\d{2}$",
        description='Only what was said from this local time on: "YYYY-MM-DD HH:MM", or "HH:MM" for the last time the'
        " clock showed that.",
        examples=["2026-11-16 00:00", "09:00"],
    )


@tool(
    risk="SAFE",
    read_only=True,
    idempotent=True,
    domain="conversation",
    timeout_s=WITHIN_S + 30,
    rate_limit="10/m",
    labels={
        "en": {"title": "Summary", "summary": "Summarise this conversation"},
        "zh-hans": {"title": "总结", "summary": "总结本次对话"},
    },
)
async def summary(context: ToolContext, args: Wanted) -> dict[str, Any] | Failed:
    """Summarise what was said in this conversation, in the person's language. Give the person the summary as it is.
    Good: "summarise the last 20 messages" -> {"last": 20}, "what happened since nine?" -> {"since": "09:00"}, "sum up
    the week" -> {"since": "2026-11-16 00:00"} (its Monday). Bad: for what one message answers; for other texts.
    """
    material = await db(read, context, args.since, args.last or (MOST if args.since else USUAL))
    match material:
        case NotHere():
            return _failed("no_conversation", _("There is no conversation here that could be summarised."))
        case NoSuchTime():
            return _failed("bad_time", _("There is no such time. Write YYYY-MM-DD HH:MM, or HH:MM."))
        case Material():
            return await _made(material, counts=args.last is None)
        case _:
            assert_never(material)


async def _made(material: Material, *, counts: bool) -> dict[str, Any] | Failed:
    """`counts`: it is worth saying how many older messages were left out."""
    if not material.messages:
        return {"messages": 0, "message": NOTHING}
    try:
        async with asyncio.timeout(WITHIN_S):
            return _told(material, *await _summarise(material), counts=counts)
    except beside.NoBudget:
        return _failed("budget", _("A limit of this place is reached, so no summary could be made."))
    except (ProviderError, beside.NoAnswer, TimeoutError):
        return _failed("no_summary", _("The model gave no summary."))


async def _summarise(material: Material) -> tuple[str, int]:
    """The summary, and in how many parts it was made: each request says on what the one before has said."""
    window = compaction.window_of(material.turn.models)
    longest = min(compaction.LONGEST, window // 4)
    made, parts = "", 0
    transcript = lines(material.messages, material.answers)
    for piece in compaction.in_pieces(transcript, int(compaction.PIECE * window)):
        before = f"Summary of what was said before:\n{made}\n\nThen:\n" if made else ""
        asked = f"For the person who wrote last: “{material.last_words}”\n\n{before}{piece}"
        made, parts = await beside.ask(material.turn, DIGEST, asked, most=longest), parts + 1
    return made, parts


def _told(material: Material, text: str, parts: int, *, counts: bool) -> dict[str, Any]:
    first, last = (f"{one.at:%Y-%m-%d %H:%M}" for one in (material.messages[0], material.messages[-1]))
    found: dict[str, Any] = {"summary": text, "messages": len(material.messages), "from": first, "to": last}
    found |= {"parts": parts} if parts > 1 else {}
    return found | ({"left_out": material.left_out} if counts and material.left_out else {})


def _failed(code: str, words: Text) -> Failed:
    return Failed(code, words, suggestions=[LATER])
