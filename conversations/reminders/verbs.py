"""What people do with reminders: set, change, pause, resume, delete. Called by the tools, the HTTP API and the pages.

Each verb is one transaction, raises `Problem` in plain words (`extra["errors"]` names the field of `Wish`: path
`$.time`), tells `reminder.changed` in the conversation and returns the row as it is now.

A reminder is seen by who set it and by everybody in its conversation. Each of them may stop it (pause, delete); only
who set it may change or resume it, because it speaks, and may act, in their name; who left may only stop it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from conversations import actions
from conversations.access import conversation_for, conversations_for, reminder_for, reminders_for
from conversations.reminders import schedule, telling
from conversations.reminders.models import REMINDER_ARROWS, Occurrence, Reminder, ReminderAct, ReminderStatus
from conversations.reminders.schedule import NoSuchRule, Rule, Wrong
from platform_site import audit, ledger, lifecycle, zones
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Membership

S = ReminderStatus
MOST_ACTIVE = 50
"""Reminders of one person in a tenant that are active or paused."""
MOST_RUNS = 10
"""Of these, those that ask an agent."""
LONGEST_CONTENT = 2_000
Can = Literal["change", "pause", "resume", "delete"]
OWNER_CAN: Mapping[str, frozenset[Can]] = {
    S.ACTIVE: frozenset({"change", "pause", "delete"}),
    S.PAUSED: frozenset({"change", "resume", "delete"}),
    S.DONE: frozenset({"change", "delete"}),
    S.DELETED: frozenset(),
}
OTHERS_CAN: frozenset[Can] = frozenset({"pause", "delete"})
ONLY_HERE: frozenset[Can] = frozenset({"change", "resume"})
"""Speaks in the conversation: who left it may only stop what they set there."""
UNTOLD = _(
    "Nobody can tell when this reminder comes: its time or its time zone is not valid. Change or delete it."
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to be reminded of, as `reminder_set` takes it (R3). `zone` "": that of the person."""

    type: str
    time: str
    content: str
    weekday: int | None = None
    action: str = "tell"
    zone: str = ""
    mail: bool = False
    webhook: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """The call that sets it, and the tools whose outside text had been read then."""

    call: str = ""
    after: Sequence[str] = ()


BY_HAND = Origin()


def zone_of(actor: Actor) -> str:
    """The zone this person's times are in: their own, else the tenant's."""
    return actor.user.timezone or actor.tenant.timezone or "UTC"


def set_(actor: Actor, conversation_id: str, wish: Wish, origin: Origin = BY_HAND) -> Reminder:
    """A new reminder of this person in a conversation they take part in. The same call sets one, however often."""
    conversation = conversation_for(actor, conversation_id)
    with actions.writing(conversation.pk, actor) as log:
        made = Reminder.objects.filter(conversation=conversation, call=origin.call).first()
        if origin.call and made:
            return made
        values = _values(wish, zone_of(actor))
        _check_room(actor, wish)
        # The first digits of such an id tell it from others: people copy no more of it.
        row = Reminder(
            pk=secrets.token_hex(16), conversation=conversation, owner=actor.user, call=origin.call,
            after=list(origin.after), **values,
        )  # fmt: skip
        row.save(force_insert=True)
        _tell(log, actor, row, "set")
    return row


def change(actor: Actor, reminder_id: str, wish: Wish) -> Reminder:
    """Another time, content, or way; a finished one with a time in the future becomes active again. `wish` is whole
    (see `wish_of`). One that is paused stays paused. Only its owner."""
    found = reminder_for(actor, reminder_id)
    with actions.writing(found.conversation_id, actor) as log:
        row = _locked(actor, found, "change")
        values = _values(wish, row.zone)
        if row.status == S.DONE or (wish.action == ReminderAct.RUN != row.act):
            _check_room(actor, wish, besides=row)
        if row.status == S.DONE:
            values["status"] = S.ACTIVE
        elif row.status == S.PAUSED:
            values["next_due"] = None
        _save(row, **values)
        _tell(log, actor, row, "changed")
    return row


def wish_of(reminder: Reminder) -> Wish:
    """The reminder as it would be wished for today: what a form begins with, `dataclasses.replace` changes one."""
    day = f"{reminder.date:%Y-%m-%d} " if reminder.date else ""
    return Wish(
        reminder.kind, f"{day}{reminder.time:%H:%M}", reminder.content, reminder.weekday, reminder.act, reminder.zone,
        reminder.mail, reminder.webhook,
    )  # fmt: skip


def pause(actor: Actor, reminder_id: str) -> Reminder:
    """It is not due any more until it is resumed. Pausing a paused one changes nothing."""
    return _move(actor, reminder_id, "pause", S.PAUSED, "paused")


def resume(actor: Actor, reminder_id: str) -> Reminder:
    """Due again from now on; what would have been meanwhile is not made up for. Only its owner."""
    return _move(actor, reminder_id, "resume", S.ACTIVE, "resumed")


def delete(actor: Actor, reminder_id: str) -> Reminder:
    """It is gone from every list; the row and its occurrences stay. Deleting a deleted one: 404."""
    return _move(actor, reminder_id, "delete", S.DELETED, "deleted")


def get(actor: Actor, reminder_id: str) -> Reminder:
    """One that this person sees; 404 otherwise. With `conversation` and `owner` at hand."""
    return reminder_for(actor, reminder_id)


def listing(actor: Actor) -> QuerySet[Reminder]:
    """Their own and those of conversations they take part in, not the deleted: next due first, then the others.

    With `conversation` and `owner` at hand.
    """
    return reminders_for(actor).order_by(F("next_due").asc(nulls_last=True), "created_at", "pk")


def listing_in(actor: Actor, conversation_id: str) -> QuerySet[Reminder]:
    """Those of one conversation, in the same order (R4)."""
    return listing(actor).filter(conversation=conversation_id)


def may(actor: Actor, reminder: Reminder) -> frozenset[Can]:
    """What this person can do with it as it stands now: which buttons a page shows."""
    can = OWNER_CAN[reminder.status]
    return can if reminder.owner_id == actor.user.pk else can & OTHERS_CAN


def may_now(actor: Actor, reminder: Reminder) -> frozenset[Can]:
    """The same, asked for one row alone: without what only who takes part in its conversation can do."""
    can = may(actor, reminder)
    if can & ONLY_HERE and not conversations_for(actor).filter(pk=reminder.conversation_id).exists():
        return can - ONLY_HERE
    return can


def rule_of(reminder: Reminder) -> Rule:
    """Its pure rule. Raises `NoSuchRule` where the row is broken: its zone, say, is not known any more."""
    kind: schedule.Kind = reminder.kind  # type: ignore[assignment]  # ReminderKind's values are Kind's
    return Rule(kind, reminder.time, reminder.zone, reminder.date, reminder.weekday)


def is_broken(reminder: Reminder) -> bool:
    """Whether nobody can tell when it comes. Its owner changes it, or somebody deletes it."""
    try:
        rule_of(reminder)
    except NoSuchRule:
        return True
    return False


def next_five(reminder: Reminder, now: datetime | None = None) -> list[datetime]:
    """The next five times it comes, in UTC; of a paused one those it would have; none of a finished or broken one."""
    if reminder.status not in (S.ACTIVE, S.PAUSED) or is_broken(reminder):
        return []
    return schedule.next_five(rule_of(reminder), now or timezone.now())


def recent(reminder: Reminder, limit: int = 10) -> list[Occurrence]:
    """What became of its last times, newest first: `status`, `why` (see `words.SKIPPED`), `is_late`, `due_at`."""
    return list(Occurrence.objects.filter(reminder=reminder).order_by("-due_at")[:limit])


# What the verbs share


def _values(wish: Wish, usual_zone: str) -> dict[str, Any]:
    """The columns of a wish that makes sense; raises what is wrong with it."""
    now, zone, content = timezone.now(), wish.zone or usual_zone, wish.content.strip()
    if not content or len(content) > LONGEST_CONTENT:
        words = _("content must say what to be reminded of, in at most {most} characters.")
        raise _wrong("content", format_lazy(words, most=f"{LONGEST_CONTENT:,}"))
    if zone not in zones.known():
        words = _("There is no time zone {zone}; use a name like Europe/Berlin.")
        raise _wrong("zone", format_lazy(words, zone=zone))
    if wish.action not in ReminderAct.values:
        raise _wrong("action", _("action must be tell or run."))
    rule = schedule.read(wish.type, wish.time, wish.weekday, zone, now)
    if isinstance(rule, Wrong):
        raise _wrong(rule.field, rule.words)
    return {
        "kind": rule.kind, "date": rule.date, "time": rule.time, "weekday": rule.weekday, "zone": zone,
        "content": content, "act": wish.action, "mail": wish.mail, "webhook": wish.webhook,
        "next_due": schedule.next_after(rule, now),
    }  # fmt: skip


def _wrong(field: str, words: str | Promise) -> Problem:
    return Problem(400, "bad_request", words, errors=[{"path": f"$.{field}", "message": str(words)}])


def _check_room(actor: Actor, wish: Wish, besides: Reminder | None = None) -> None:
    """Nobody has more reminders than the limit. Their membership is locked, so that two at once are counted."""
    list(Membership.objects.select_for_update().filter(user=actor.user).values_list("pk"))
    mine = Reminder.objects.filter(owner=actor.user, status__in=[S.ACTIVE, S.PAUSED])
    others = mine.exclude(pk=besides.pk) if besides else mine
    if others.count() >= MOST_ACTIVE:
        words = _(
            "There are {most} reminders already, which is as many as one person may have. Delete one first."
        )
        raise Problem(409, "conflict", format_lazy(words, most=MOST_ACTIVE))
    if wish.action == ReminderAct.RUN and others.filter(act=ReminderAct.RUN).count() >= MOST_RUNS:
        words = _("There are {most} reminders that ask the agent, which is as many as one person may have.")
        raise Problem(409, "conflict", format_lazy(words, most=MOST_RUNS))


def _locked(actor: Actor, found: Reminder, what: Can) -> Reminder:
    """The row as it is now, alone until the commit, if this person can do this with it."""
    rows = reminders_for(actor).select_for_update(of=("self",))
    row = rows.filter(pk=found.pk).first()
    if row is None:
        raise Problem(404, "not_found", _("There is no such reminder."))
    if what not in may(actor, row):
        raise _cannot(actor, row)
    return row


def _cannot(actor: Actor, row: Reminder) -> Problem:
    if row.owner_id != actor.user.pk:
        return Problem(403, "forbidden", format_lazy(_("Only {owner} can do this."), owner=row.owner))
    if row.status == S.DONE:
        return Problem(409, "conflict", _("This reminder is done. Give it a time in the future instead."))
    return Problem(409, "conflict", _("This cannot be done with the reminder as it is now."))


def _move(actor: Actor, reminder_id: str, what: Can, new: ReminderStatus, did: telling.Did) -> Reminder:
    found = reminder_for(actor, reminder_id)
    with actions.writing(found.conversation_id, actor if what in ONLY_HERE else None) as log:
        found.refresh_from_db(fields=["status"])
        if found.status == new:
            return found
        row = _locked(actor, found, what)
        due = _due_again(row) if new == S.ACTIVE else None
        if lifecycle.move(row, row.status, new, REMINDER_ARROWS, next_due=due, updated_at=timezone.now()):
            _tell(log, actor, row, did)
    return row


def _due_again(row: Reminder) -> datetime:
    if is_broken(row):
        raise Problem(409, "conflict", UNTOLD)
    due = schedule.next_after(rule_of(row), timezone.now())
    if due is None:
        raise Problem(409, "conflict", _("Its time has passed. Give it a time in the future first."))
    return due


def _save(row: Reminder, **values: Any) -> None:
    if (new := values.get("status")) and new != row.status:
        lifecycle.check(REMINDER_ARROWS, row.status, new)
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=[*values, "updated_at"])


def _tell(log: ledger.Log, actor: Actor, row: Reminder, did: telling.Did) -> None:
    telling.tell_changed(log, row, did, actor.user)
    audit.note(f"reminder.{did}", row, by=actor.user, act=row.act, conversation=row.conversation_id)
