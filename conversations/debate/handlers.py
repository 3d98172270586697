"""The tools of a debate: its personas keep the notepad with them, and mark that they have nothing to add.

Who notes, and in which turn, is read from the message that made the call, never from its arguments: nobody notes in
another's name. Both change nothing outside of their conversation, so they ask nobody, also after outside text was read.
"""

from __future__ import annotations

from typing import Annotated, Literal

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from conversations.debate import rows
from conversations.debate.models import NoteAction, NoteChange
from conversations.debate.notepad import LONGEST, MOST_CHANGES, MOST_ENTRIES, Notepad, patch
from conversations.models import Message
from platform_site import ledger, wire
from tools.models import CallStatus, ToolCall
from tools.outcome import Failed
from tools.registry import ToolContext, tool

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST)]


class Note(BaseModel):
    """A change of the notepad."""

    model_config = ConfigDict(extra="forbid")

    action: Literal["add", "change", "strike"] = Field(
        description="`add` a new entry; `change` one that is there; `strike` one that turned out wrong or is done."
    )
    entry: int | None = Field(
        default=None,
        ge=1,
        description="The number of the entry to change or strike: 3 for [N3]. Not with `add`.",
    )
    kind: Literal["fact", "assumption", "question", "todo"] | None = Field(
        default=None, description="What it is. Needed with `add`."
    )
    text: Words | None = Field(
        default=None,
        description=f"One short statement, at most {LONGEST} characters. Needed with `add` and `change`.",
    )


class Nothing(BaseModel):
    """That the turn ends the speaker's part, unless the other goes on."""

    model_config = ConfigDict(extra="forbid")

    reason: Words = Field(description="In a sentence: why nothing needs to be added.")


@tool(
    name="notepad_update", pack="debate", risk="SAFE", read_only=True, domain="debate",
    labels={
        "en": {"title": "Note", "summary": "{text}"},
        "zh-hans": {"title": "记事", "summary": "{text}"},
    },
)  # fmt: skip
def notepad_update(context: ToolContext, args: Note) -> dict[str, str] | Failed:
    """Note a fact, an assumption, an open question or a to-do on the notepad both personas of this debate share, or
    change or strike an entry of it."""
    with ledger.writing(context.topic) as log:
        message = _turn_of(context)
        if message is None:
            return NO_DEBATE
        if done := NoteChange.objects.filter(debate=message.debate_id, call=context.call).first():
            return _told(done)
        pad = rows.notepad_of(str(message.debate_id))
        if wrong := _objection(pad, args):
            return wrong
        change = _change(pad, args, message, context.call)
        change.save(force_insert=True)
        log.tell(wire.state_delta(patch(pad, rows.change_of(change))))
    return _told(change)


@tool(
    name="nothing_to_add", pack="debate", risk="SAFE", read_only=True, domain="debate",
    labels={
        "en": {"title": "Nothing to add", "summary": "{reason}"},
        "zh-hans": {"title": "没有要补充的", "summary": "{reason}"},
    },
)  # fmt: skip
def nothing_to_add(context: ToolContext, args: Nothing) -> dict[str, str] | Failed:
    """Mark that you have nothing to add to this debate. It ends when both personas do so, one after the other."""
    if _turn_of(context) is None:
        return NO_DEBATE
    return {"noted": "You have nothing to add. If the other goes on, you are asked again."}


NO_DEBATE = Failed("no_debate", _("This can only be used in a persona's own turn of a debate."))


def _turn_of(context: ToolContext) -> Message | None:
    """The message of a persona that makes this call, if the call is still to be carried out."""
    call = ToolCall.objects.filter(pk=context.call, topic=context.topic, status=CallStatus.CLAIMED).first()
    found = Message.objects.filter(pk=call.message, conversation=context.topic).first() if call else None
    return found if found and found.debate_id and found.speaker and found.role == "assistant" else None


def _objection(pad: Notepad, args: Note) -> Failed | None:
    """Why this change cannot be made, told so that the next call can be right."""
    if len(pad.changes) >= MOST_CHANGES:
        words = _("The notepad has been changed {most} times, which is the most.")
        return Failed("full", format_lazy(words, most=MOST_CHANGES))
    if args.action == "add":
        return _objection_to_new(pad, args)
    entry = pad.entry(args.entry or 0)
    if entry is None:
        there = ", ".join(f"N{one.n}" for one in pad.entries if not one.struck) or "–"
        words = _("There is no such entry. Give the number of one that is there: {there}.")
        return Failed("unknown_entry", format_lazy(words, there=there))
    if entry.struck:
        words = _("N{n} was struck out and stays so. Add a new entry instead.")
        return Failed("struck_entry", format_lazy(words, n=entry.n))
    if args.action == "change" and args.text is None and args.kind is None:
        return Failed("nothing_said", _("Say what is to change: a new `text`, a new `kind`, or both."))
    return None


def _objection_to_new(pad: Notepad, args: Note) -> Failed | None:
    if args.text is None or args.kind is None:
        return Failed("nothing_said", _("A new entry needs a `kind` and a `text`."))
    if args.entry is not None:
        words = _("A new entry gets its number by itself: leave `entry` out, or use `change`.")
        return Failed("entry_given", words)
    if len(pad.entries) >= MOST_ENTRIES:
        words = _("The notepad is full: it has {most} entries. Change one instead.")
        return Failed("full", format_lazy(words, most=MOST_ENTRIES))
    return None


def _change(pad: Notepad, args: Note, message: Message, call: str) -> NoteChange:
    """The row. A change that leaves something out keeps it as it was."""
    old = pad.entry(args.entry or 0)
    keeps = old if args.action != "add" else None
    strikes = args.action == "strike"
    return NoteChange(
        debate_id=str(message.debate_id), version=pad.version + 1, action=args.action,
        entry=keeps.n if keeps else len(pad.entries) + 1,
        kind=(keeps.kind if keeps and (strikes or args.kind is None) else args.kind) or "",
        text=(keeps.text if keeps and (strikes or args.text is None) else args.text) or "",
        speaker=message.speaker, turn=message.turn, call=call,
    )  # fmt: skip


def _told(change: NoteChange) -> dict[str, str]:
    """What the persona hears: the number by which the entry can be cited."""
    did = {NoteAction.ADD: "added", NoteAction.CHANGE: "changed", NoteAction.STRIKE: "struck"}
    return {"entry": f"N{change.entry}", "done": did[NoteAction(change.action)]}
