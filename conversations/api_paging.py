"""Lists over HTTP: `{"results", "next"}`, and the cursor that says where the next part begins.

A cursor is the signed position of the last row given out, in the list's own order: rows that come or go meanwhile
never shift what follows, and nobody can make one up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from pydantic import Field

from conversations.api_bodies import Query
from platform_site.errors import Problem

MAX_LIMIT = 100
M = TypeVar("M", bound=Model)


class PageQuery(Query):
    """Which part of a list is asked for."""

    cursor: Annotated[
        str, Field(max_length=400, description="`next` of the part before; absent for the first.")
    ] = ""
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT, description="How many results at most.")] = 50


def cut(rows: QuerySet[M], order: Sequence[str], asked: PageQuery) -> tuple[list[M], str | None]:
    """The asked part of `rows`, and the cursor of the part after it.

    `order` names fields that together are unique; all go up, or all go down (`-name`).
    """
    kind = f"{rows.model._meta.label}:{','.join(order)}"
    if asked.cursor:
        rows = rows.filter(_beyond(_read(asked.cursor, kind), order))
    found = list(rows.order_by(*order)[: asked.limit + 1])
    if len(found) <= asked.limit:
        return found, None
    return found[:-1], _written(found[-2], order, kind)


def _written(row: Model, order: Sequence[str], kind: str) -> str:
    values = [getattr(row, name.lstrip("-")) for name in order]
    return signing.dumps([v.isoformat() if isinstance(v, datetime) else v for v in values], salt=kind)


def _read(cursor: str, kind: str) -> list[Any]:
    try:
        values: list[Any] = signing.loads(cursor, salt=kind)
    except signing.BadSignature:
        raise Problem(400, "bad_request", _("This cursor does not belong to this list.")) from None
    return values


def _beyond(position: Sequence[Any], order: Sequence[str]) -> Q:
    """Rows after `position`: greater (or smaller) in one field, equal in those before it."""
    beyond, same = Q(), Q()
    for name, value in zip(order, position, strict=True):
        field = name.lstrip("-")
        step = "lt" if name.startswith("-") else "gt"
        beyond |= same & Q(**{f"{field}__{step}": value})
        same &= Q(**{field: value})
    return beyond
