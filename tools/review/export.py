"""The filtered list of attempts as a file, for people with spreadsheets and programs: streamed, and bounded.

Rows are read in pieces, each in a scope of its own: the request's scope has ended when the stream begins. In CSV a
cell that a spreadsheet would take for a formula gets an apostrophe in front (T72).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from platform_site import audit
from platform_site.db import db
from platform_site.door import for_reviewers
from platform_site.middleware import TenantRequest
from platform_site.models import Tenant
from platform_site.tenancy import acting_for
from tools.models import CallAttempt
from tools.review.filters import Filters
from tools.review.paging import NEWEST_FIRST, beyond

MOST_ROWS = 10_000
MOST_BYTES = 32 * 1024 * 1024
AT_ONCE = 200
COLUMNS = (
    "id", "time", "outcome", "tool", "version", "agent", "model", "requester", "source", "attempt", "next_step",
    "known", "known_note", "chain", "call", "raw", "mended", "errors", "flags",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the stream needs of the request: its days begin when those of whoever asked do."""

    tenant: Tenant
    zone: tzinfo
    filters: Filters


@require_safe
@for_reviewers
def as_json(request: TenantRequest) -> HttpResponseBase:
    """`{"results": […], "complete": …}`: newest first; not complete when there were more than a file may hold."""
    _note(request, "json")
    return _file(request, _json(_entries(_asked(request))), "application/json", "json")


@require_safe
@for_reviewers
def as_csv(request: TenantRequest) -> HttpResponseBase:
    """The same as a table; errors and flags as JSON."""
    _note(request, "csv")
    return _file(request, _csv(_entries(_asked(request))), "text/csv; charset=utf-8", "csv")


def _note(request: TenantRequest, form: str) -> None:
    """That it is taken out, and by which filters: before the first row leaves."""
    if request.method == "GET":
        with audit.recording():
            query = Filters.read(request.GET).query()
            audit.note("failures.exported", request.tenant, by=request.user, form=form, filters=query)


def _asked(request: TenantRequest) -> Asked:
    return Asked(request.tenant, timezone.get_current_timezone(), Filters.read(request.GET))


def _file(request: TenantRequest, parts: Iterator[str], kind: str, ending: str) -> HttpResponseBase:
    content = _in_threads(parts) if isinstance(request, ASGIRequest) else parts
    answer = StreamingHttpResponse(content, content_type=kind)
    name = f"failures-{request.tenant.slug}-{timezone.localdate()}.{ending}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


async def _in_threads(parts: Iterator[str]) -> AsyncIterator[str]:
    """The parts, each made in a thread that may ask the database."""
    while (part := await db(next, parts, "")) != "":
        yield part


def _entries(asked: Asked) -> Iterator[list[dict[str, Any]]]:
    """The rows in pieces, newest first, up to the limits; then an empty piece if that was all."""
    last, rows, size = None, 0, 0
    while rows < MOST_ROWS and size < MOST_BYTES:
        piece = _piece(asked, last)
        last, rows = piece[-1] if piece else None, rows + len(piece)
        size += sum(len(row.raw) + len(row.mended) for row in piece)
        yield [_entry(row) for row in piece]
        if last is None:
            return


def _piece(asked: Asked, last: CallAttempt | None) -> Sequence[CallAttempt]:
    with acting_for(asked.tenant), timezone.override(asked.zone):
        rows = asked.filters.rows().select_related("version", "requester")
        rows = rows.filter(beyond(last)) if last else rows
        return list(rows.order_by(*NEWEST_FIRST)[:AT_ONCE])


def _entry(row: CallAttempt) -> dict[str, Any]:
    values = (
        row.pk, row.created_at.astimezone(UTC).isoformat(), row.outcome, row.tool,
        row.version.number if row.version else None, row.agent, row.model, str(row.requester or ""), row.source,
        row.number, row.next_step, row.known_at is not None, row.known_note, row.chain, row.call_id, row.raw,
        row.mended, row.errors, row.flags,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _json(pieces: Iterator[list[dict[str, Any]]]) -> Iterator[str]:
    yield '{"results": ['
    comma, complete = "", False
    for piece in pieces:
        complete = not piece
        for entry in piece:
            yield comma + json.dumps(entry, ensure_ascii=False)
            comma = ",\n"
    yield f'], "complete": {json.dumps(complete)}}}\n'


def _csv(pieces: Iterator[list[dict[str, Any]]]) -> Iterator[str]:
    """With a byte order mark, without which a spreadsheet guesses the encoding."""
    yield "\ufeff" + _written([COLUMNS])
    for piece in pieces:
        if piece:
            yield _written([_cell(value) for value in entry.values()] for entry in piece)


def _written(rows: Any) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "'" + text if text.startswith(FORMULA) else text
