"""The tools `reminder_set`, `reminder_list` and `reminder_delete` (R3 to R5): a model's way to the verbs people use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from conversations.groups import naming
from conversations.models import Participant
from conversations.reminders import telling, verbs
from conversations.reminders.arguments import SET_RULES, ReminderArgs, ReminderDeleteArgs, ReminderListArgs
from conversations.reminders.models import Reminder, ReminderStatus
from conversations.reminders.verbs import Origin, Wish
from platform_site.access import Actor, actor_for_session
from platform_site.errors import Problem
from tools.gate.judging import carried_by
from tools.models import ToolCall
from tools.outcome import Failed
from tools.registry import ToolContext, tool
from tools.schema_words import Text

Answered = dict[str, Any] | Failed
PACK = "reminders"
FROM_OUTSIDE = (
    "(Set in another conversation after outside text was read. The page of reminders shows its words.)"
)
BROKEN = "Nobody can tell when it comes: its time or zone is not valid. It can be changed on the page of reminders."
SHOWN = 8
"""Characters of an id that tell it from others."""


def for_member(context: ToolContext, verb: Callable[[Actor], Answered]) -> Answered:
    """Done for the person the call is for, as they stand now; a problem becomes an answer that says how to fix it."""
    actor = actor_for_session(context.user, context.tenant.slug)
    if actor is None:
        return Failed("forbidden", _("The person may not do this here any more."))
    try:
        return verb(actor)
    except Problem as problem:
        return Failed(problem.code, cast(Text, problem.words))


@tool(
    pack=PACK, name="reminder_set", risk="SAFE", idempotent=True, domain="reminders", rules=SET_RULES,
    labels={
        "en": {"title": "Set a reminder", "summary": "Remind ({type}, {time}): {content}"},
        "zh-hans": {"title": "设置提醒", "summary": "提醒（{type}，{time}）：{content}"},
    },
)  # fmt: skip
def reminder_set(context: ToolContext, args: ReminderArgs) -> Answered:
    """Set a reminder for the person in this conversation: once, every day, or every week, in their local time. The
    answer says when it comes next: tell the person. Good: "remind me every Monday at nine to send the report" ->
    {"type": "weekly", "time": "09:00", "weekday": 0, "content": "Send the report"}. Bad: a guessed date when the person
    did not say when (ask)."""
    return for_member(context, partial(_set, context, args))


def _set(context: ToolContext, args: ReminderArgs, actor: Actor) -> Answered:
    wish = Wish(args.type, args.time, args.content, args.weekday, args.action)
    origin = Origin(context.call, _outside_text(context.call))
    row = verbs.set_(actor, context.topic, wish, origin)
    return {"set": _shown(row, context)}


def _outside_text(call: str) -> tuple[str, ...]:
    """The tools whose outside text had been read when this was called: what it sets may come from there (T29)."""
    found = ToolCall.objects.filter(pk=call).first()
    return carried_by(found) if found else ()


@tool(
    pack=PACK, name="reminder_list", risk="SAFE", read_only=True, domain="reminders",
    labels={"en": {"title": "List reminders"}, "zh-hans": {"title": "提醒列表"}},
)  # fmt: skip
def reminder_list(context: ToolContext, args: ReminderListArgs) -> Answered:
    """List the person's reminders, or in a group the group's, next first, each with its id. Call it before you delete
    one or say which there are."""
    return for_member(context, partial(_list, context, args))


def _list(context: ToolContext, _args: ReminderListArgs, actor: Actor) -> Answered:
    return {
        "reminders": [_shown(row, context) for row in _current(context, actor)],
        "zone": verbs.zone_of(actor),
    }


@tool(
    pack=PACK, name="reminder_delete", risk="SAFE", idempotent=True, domain="reminders",
    labels={
        "en": {"title": "Delete a reminder", "summary": "Delete the reminder {reminder_id}"},
        "zh-hans": {"title": "删除提醒", "summary": "删除提醒 {reminder_id}"},
    },
)  # fmt: skip
def reminder_delete(context: ToolContext, args: ReminderDeleteArgs) -> Answered:
    """Delete one reminder by its id or the first characters of it, as reminder_list shows them. Where they fit several,
    the answer names these: ask the person which one is meant."""
    return for_member(context, partial(_delete, context, args))


def _delete(context: ToolContext, args: ReminderDeleteArgs, actor: Actor) -> Answered:
    prefix = args.reminder_id.strip().rstrip("…").lower()
    found = [row for row in _current(context, actor) if prefix and row.pk.startswith(prefix)]
    match found:
        case [row]:
            shown = _shown(row, context)
            verbs.delete(actor, row.pk)
            return {"deleted": shown}
        case []:
            return _none(actor, prefix)
    words = _("Several reminders begin with {prefix}. Give more of the id of the one that is meant.")
    return Failed(
        "ambiguous", format_lazy(words, prefix=prefix), suggestions=[_shown(row, context) for row in found]
    )


def _none(actor: Actor, prefix: str) -> Answered:
    """Asked for again after it is gone, it is still gone."""
    gone = Reminder.objects.filter(owner=actor.user, status=ReminderStatus.DELETED, pk__startswith=prefix)
    if prefix and gone.count() == 1:
        return {"deleted": {"id": prefix}, "message": "It was deleted before."}
    words = _("There is no reminder {prefix}. Call reminder_list for the ids there are.")
    return Failed("not_found", format_lazy(words, prefix=prefix))


def _current(context: ToolContext, actor: Actor) -> Sequence[Reminder]:
    """In a group those of the group; of somebody who talks alone, all their own."""
    alone = Participant.objects.filter(conversation=context.topic).count() < 2
    rows = verbs.listing(actor).filter(status__in=[ReminderStatus.ACTIVE, ReminderStatus.PAUSED])
    return list(rows.filter(owner=actor.user) if alone else rows.filter(conversation=context.topic))


def _shown(row: Reminder, context: ToolContext) -> dict[str, Any]:
    """A reminder for a model: local times, and an id no longer than it has to be.

    What may come from outside text says nothing where that text was not read: there nothing would be marked (T29).
    """
    wish, is_ours = verbs.wish_of(row), not row.after or row.conversation_id == context.topic
    is_broken = verbs.is_broken(row)
    return {
        "id": row.pk[:SHOWN], "type": wish.type, "time": wish.time, "weekday": wish.weekday, "zone": row.zone,
        "content": row.content if is_ours else FROM_OUTSIDE, "action": row.act, "status": row.status,
        "set_by": naming.plain_name(str(row.owner)),
        "next": telling.local_of(row.next_due, row.zone) if row.next_due and not is_broken else None,
    } | ({"broken": BROKEN} if is_broken else {})  # fmt: skip
