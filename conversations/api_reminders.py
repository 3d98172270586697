"""Reminders over HTTP: list, set, change, pause, resume, delete. Each handler calls the verb the pages call."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from django.utils import timezone
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from conversations.access import conversation_for
from conversations.api_base import ApiView, answer
from conversations.api_bodies import Body
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import Page, Person, Shape
from conversations.frames import Id
from conversations.reminders import verbs
from conversations.reminders.models import Occurrence, Reminder
from conversations.reminders.verbs import Wish

Kind = Literal["once", "daily", "weekly"]
Act = Literal["tell", "run"]
Status = Literal["active", "paused", "done"]
Time = Annotated[
    str, Field(max_length=40, description="`YYYY-MM-DD HH:MM` once; `HH:MM` daily and weekly. Local.")
]
Content = Annotated[str, Field(max_length=verbs.LONGEST_CONTENT, description="What to be reminded of.")]
Weekday = Annotated[int, Field(ge=0, le=6, description="Of a weekly one: 0 = Monday to 6 = Sunday.")]
Zone = Annotated[str, Field(max_length=64, description="An IANA name; left out: the person's own zone.")]
NEWEST_FIRST = ("-created_at", "-pk")


class NewReminder(Body):
    """When, what, where, and what then."""

    conversation: Annotated[Id, Field(description="Where it comes.")]
    type: Kind
    time: Time
    content: Content
    weekday: Weekday | None = None
    action: Annotated[Act, Field(description="`tell` shows it; `run` asks the agent, with nobody there.")] = (
        "tell"
    )
    zone: Zone = ""
    mail: Annotated[bool, Field(description="Also by e-mail to who sets it.")] = False
    webhook: Annotated[bool, Field(description="Also to the webhooks that tell of reminders.")] = False


class ReminderChange(Body):
    """What is left out stays as it is."""

    type: Kind | None = None
    time: Time | None = None
    content: Content | None = None
    weekday: Annotated[Weekday | None, Field(description="null: none.")] = None
    action: Act | None = None
    zone: Zone | None = None
    mail: bool | None = None
    webhook: bool | None = None

    def of(self, reminder: Reminder) -> Wish:
        """The whole wish, with these changes."""
        given: dict[str, Any] = self.model_dump(exclude_unset=True)
        changes = {name: value for name, value in given.items() if value is not None or name == "weekday"}
        if changes.get("type") in ("once", "daily"):
            changes.setdefault("weekday", None)
        return replace(verbs.wish_of(reminder), **changes)


class RemindersQuery(PageQuery):
    conversation: Annotated[Id, Field(pattern=r"^[^\x00]*$")] | None = Field(
        None, description="Only those of this conversation."
    )
    status: Status | None = None


class ReminderShape(Shape):
    """A reminder, with the next times it comes."""

    id: str
    conversation: str
    owner: Person | None = Field(description="Who set it.")
    type: str = Field(description="`once`, `daily` or `weekly`.")
    time: str
    weekday: int | None
    zone: str
    content: str
    action: Act
    mail: bool
    webhook: bool
    status: str = Field(description="`active`, `paused` or `done`.")
    next: datetime | None = Field(description="When it comes next; null when paused or done.")
    coming: list[datetime] = Field(
        description="The next five times; of a paused one those it would come; none where its zone is no zone."
    )
    after: list[str] = Field(description="Tools whose outside text the agent had read when it set this.")
    may: list[str] = Field(description="What you can do with it now: change, pause, resume, delete.")
    created_at: datetime
    updated_at: datetime

    @classmethod
    def values_of(cls, row: Reminder, view: ApiView) -> dict[str, Any]:
        wish = verbs.wish_of(row)
        return {
            "id": row.pk, "conversation": row.conversation_id, "owner": Person.of(row.owner), "type": row.kind,
            "time": wish.time, "weekday": row.weekday, "zone": row.zone, "content": row.content, "action": row.act,
            "mail": row.mail, "webhook": row.webhook, "status": row.status, "next": row.next_due,
            "coming": verbs.next_five(row, timezone.now()), "after": row.after,
            "may": sorted(verbs.may_now(view.actor, row)), "created_at": row.created_at, "updated_at": row.updated_at,
        }  # fmt: skip

    @classmethod
    def of(cls, row: Reminder, view: ApiView) -> Self:
        return cls(**cls.values_of(row, view))


class OccurrenceShape(Shape):
    """One time a reminder was due."""

    due: datetime
    status: str = Field(description="`due`, `delivered` or `skipped`.")
    why: str = Field(description="Of a skipped one: `missed`, `parked`, `busy`, `gone` or `broken`.")
    late: bool
    run: str | None = Field(description="The run it asked for.")
    dealt_at: datetime | None

    @classmethod
    def of(cls, row: Occurrence) -> Self:
        return cls(
            due=row.due_at, status=row.status, why=row.why, late=row.is_late, run=row.run or None,
            dealt_at=row.dealt_at,
        )  # fmt: skip


class ReminderInFull(ReminderShape):
    """A reminder, with what became of its last ten times."""

    recent: list[OccurrenceShape]

    @classmethod
    def of(cls, row: Reminder, view: ApiView) -> Self:
        return cls(**cls.values_of(row, view), recent=[OccurrenceShape.of(one) for one in verbs.recent(row)])


class ReminderPage(Page[ReminderShape]):
    """A part of the list of reminders, newest first."""


class Reminders(ApiView):
    @operation(
        "reminders_list", "My reminders, and those of conversations I take part in", {200: ReminderPage},
        query=RemindersQuery,
    )  # fmt: skip
    def get(self, request: Request, **kwargs: str) -> Response:
        asked = self.query(RemindersQuery)
        rows = verbs.listing(self.actor)
        if asked.conversation:
            rows = rows.filter(conversation=conversation_for(self.actor, asked.conversation))
        if asked.status:
            rows = rows.filter(status=asked.status)
        found, after = cut(rows, NEWEST_FIRST, asked)
        return answer(ReminderPage(results=[ReminderShape.of(row, self) for row in found], next=after))

    @operation(
        "reminders_set", "Set a reminder", {201: ReminderShape}, body=NewReminder, posts=True, problems=(409,)
    )
    def post(self, request: Request, **kwargs: str) -> Response:
        body = self.body(NewReminder)
        wish = Wish(**body.model_dump(exclude={"conversation"}))
        return answer(ReminderShape.of(verbs.set_(self.actor, body.conversation, wish), self), 201)


class OneReminder(ApiView):
    @operation("reminders_get", "One reminder, and what became of its last times", {200: ReminderInFull})
    def get(self, request: Request, reminder: str, **kwargs: str) -> Response:
        return answer(ReminderInFull.of(verbs.get(self.actor, reminder), self))

    @operation(
        "reminders_change",
        "Change a reminder of one's own",
        {200: ReminderShape},
        body=ReminderChange,
        problems=(409,),
    )
    def patch(self, request: Request, reminder: str, **kwargs: str) -> Response:
        wish = self.body(ReminderChange).of(verbs.get(self.actor, reminder))
        return answer(ReminderShape.of(verbs.change(self.actor, reminder, wish), self))

    @operation("reminders_delete", "Delete a reminder", {204: None})
    def delete(self, request: Request, reminder: str, **kwargs: str) -> Response:
        verbs.delete(self.actor, reminder)
        return Response(status=204)


class PauseReminder(ApiView):
    @operation("reminders_pause", "Pause a reminder", {200: ReminderShape}, posts=True)
    def post(self, request: Request, reminder: str, **kwargs: str) -> Response:
        self.no_body()
        return answer(ReminderShape.of(verbs.pause(self.actor, reminder), self))


class ResumeReminder(ApiView):
    @operation("reminders_resume", "Let a paused reminder come again", {200: ReminderShape}, posts=True)
    def post(self, request: Request, reminder: str, **kwargs: str) -> Response:
        self.no_body()
        return answer(ReminderShape.of(verbs.resume(self.actor, reminder), self))
