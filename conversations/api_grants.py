"""Standing grants over HTTP: what people have allowed for the next calls, and taking it back."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Self

from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from conversations.api_base import ApiView, answer
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import Page, Person, Shape
from platform_site.errors import Problem
from tools.gate import granted, granting
from tools.models import Grant


class GrantShape(Shape):
    """A person's yes to the next calls of one version of a tool."""

    id: str
    person: Person | None
    tool: str
    version: int = Field(description="The number of the tool's version; it holds for no other.")
    state: Literal["holds", "used_up", "expired", "revoked", "outdated"] = Field(
        description="`outdated`: the tool has a new version."
    )
    pinned: dict[str, Any] = Field(description="Arguments that must be these.")
    free: list[str] = Field(description="Arguments that may be anything.")
    uses: int
    uses_left: int
    confirmation: str | None = Field(description="The question it was given with.")
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None

    @classmethod
    def of(cls, row: Grant) -> Self:
        return cls(
            id=row.pk, person=Person.of(row.user), tool=row.version.tool.name, version=row.version.number,
            state=granted.state_of(row, timezone.now()), pinned=row.pinned, free=list(granted.free_names(row)),
            uses=row.uses, uses_left=row.uses_left, confirmation=row.confirmation_id, created_at=row.created_at,
            expires_at=row.expires_at, revoked_at=row.revoked_at,
        )  # fmt: skip


class GrantPage(Page[GrantShape]):
    """A part of the list of standing grants, newest first."""


class GrantsQuery(PageQuery):
    holds: Literal["true"] | None = Field(None, description="`true`: only those that still hold.")


class Grants(ApiView):
    @operation(
        "grants_list", "My standing grants; everybody's, for who configures", {200: GrantPage}, query=GrantsQuery
    )  # fmt: skip
    def get(self, request: Request, **kwargs: str) -> Response:
        asked = self.query(GrantsQuery)
        rows = granted.visible_to(self.actor)
        if asked.holds:
            rows = granted.that_hold(rows, timezone.now())
        found, after = cut(rows, ("-created_at", "-pk"), asked)
        return answer(GrantPage(results=[GrantShape.of(row) for row in found], next=after))


class RevokeGrant(ApiView):
    scopes = {"POST": "chat"}

    @operation("grants_revoke", "Take a standing grant back", {200: GrantShape}, posts=True)
    def post(self, request: Request, grant: str, **kwargs: str) -> Response:
        self.no_body()
        row = granted.visible_to(self.actor).filter(pk=grant).first()
        if row is None:
            raise Problem(404, "not_found", _("There is no such standing yes."))
        if not granting.revoke(row.pk, self.actor):
            raise Problem(409, "conflict", _("This standing yes does not hold any more."))
        row.refresh_from_db(fields=["revoked_at", "uses_left"])
        return answer(GrantShape.of(row))
