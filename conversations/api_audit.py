"""The audit log over HTTP, for whoever configures the tenant: newest first, with filters."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Self

from django.db.models import QuerySet
from pydantic import AwareDatetime, Field
from rest_framework.request import Request
from rest_framework.response import Response

from conversations.api_base import ApiView, answer
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import Page, Shape
from platform_site.models import AuditEntry

Text = Annotated[str, Field(max_length=64, pattern=r"^[^\x00]*$")]


class AuditQuery(PageQuery):
    who: Annotated[Text, Field(description="A person's id.")] = ""
    verb: Annotated[
        Text, Field(description="`tool.version_saved`; or with a dot at its end, all that begin so.")
    ] = ""
    kind: Annotated[
        Text, Field(description="The kind of thing it was done to: `tool`, `toolcall`, `membership`…")
    ] = ""
    thing: Annotated[Text, Field(description="The id of the thing it was done to.")] = ""
    since: Annotated[AwareDatetime | None, Field(description="From this time on.")] = None
    until: Annotated[AwareDatetime | None, Field(description="Before this time.")] = None

    def of(self, rows: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        """The entries that are asked for."""
        verb = "verb__startswith" if self.verb.endswith(".") else "verb"
        asked = {
            "actor": self.who, verb: self.verb, "object_kind": self.kind, "object_id": self.thing,
            "time__gte": self.since, "time__lt": self.until,
        }  # fmt: skip
        return rows.filter(**{name: value for name, value in asked.items() if value})


class Party(Shape):
    id: str
    name: str = Field(description="The e-mail address, as it was then.")

    @classmethod
    def of(cls, id_: str, name: str) -> Self | None:
        return cls(id=id_, name=name) if id_ else None


class Thing(Shape):
    kind: str
    id: str
    name: str = Field(description="As it was called then.")


class Link(Shape):
    """What proves the entry: an HMAC over it and the one before, and the id of its key."""

    key: str
    hash: str


class AuditShape(Shape):
    id: str
    number: int = Field(description="Counts from 1 without gaps in each tenant.")
    time: datetime
    who: Party | None = Field(description="Null: the operator, or the system itself.")
    on_behalf_of: Party | None
    verb: str
    thing: Thing | None
    before: str = Field(description="SHA-256 of what stood before; empty when there was nothing.")
    after: str
    details: dict[str, Any]
    way: str = Field(description="`page`, `console`, `api`, `websocket`, `agui`, `command` or `system`.")
    ip: str
    request: str
    link: Link

    @classmethod
    def of(cls, row: AuditEntry) -> Self:
        thing = (
            Thing(kind=row.object_kind, id=row.object_id, name=row.object_name) if row.object_kind else None
        )
        return cls(
            id=row.pk, number=row.number, time=row.time, who=Party.of(row.actor, row.actor_name),
            on_behalf_of=Party.of(row.behalf, row.behalf_name), verb=row.verb, thing=thing, before=row.before,
            after=row.after, details=json.loads(row.details), way=row.way, ip=row.ip, request=row.request,
            link=Link(key=row.key, hash=row.hash),
        )  # fmt: skip


class AuditPage(Page[AuditShape]):
    """A part of the audit log, newest first."""


class Audit(ApiView):
    scopes = {"GET": "configure", "HEAD": "configure"}

    @operation("audit_list", "The audit log", {200: AuditPage}, query=AuditQuery)
    def get(self, request: Request, **kwargs: str) -> Response:
        asked = self.query(AuditQuery)
        found, after = cut(asked.of(AuditEntry.objects.all()), ("-number",), asked)
        return answer(AuditPage(results=[AuditShape.of(row) for row in found], next=after))
