"""The chosen usage as a table for spreadsheets: a line for each day, agent, model and person.

A cell that a spreadsheet would take for a formula gets an apostrophe in front (T72).
"""

from __future__ import annotations

import csv
import io
from typing import Any

from django.db.models import Count, Q, Sum
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from agents.usage import limits, periods
from agents.usage.counts import Chosen
from agents.usage.period import Asked
from agents.usage.price import written
from platform_site.door import for_admins
from platform_site.middleware import TenantRequest
from tools.review.export import FORMULA

MOST_ROWS = 50_000
COLUMNS = (
    "day", "agent", "model", "person", "email", "requests", "input_tokens", "output_tokens", "cached_tokens",
    "thinking_tokens", "cost", "estimated_requests",
)  # fmt: skip


@require_safe
@for_admins
def as_csv(request: TenantRequest) -> HttpResponse:
    """With a byte order mark, without which a spreadsheet guesses the encoding."""
    today = periods.day(timezone.now(), limits.zone_of(request.tenant))
    chosen = Asked.read(request.GET).chosen(today)
    out = io.StringIO(newline="")
    csv.writer(out).writerows([COLUMNS, *([cell(value) for value in row] for row in _rows(chosen))])
    answer = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    name = f"usage-{request.tenant.slug}-{chosen.start}-{chosen.end}.csv"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _rows(chosen: Chosen) -> list[tuple[Any, ...]]:
    groups = chosen.rows().order_by().values_list("day", "agent", "model", "user__name", "user__email")
    found = groups.annotate(
        requests=Count("pk"), read=Sum("input_tokens"), said=Sum("output_tokens"), cached=Sum("cached_tokens"),
        thought=Sum("thinking_tokens"), money=Sum("cost"), estimates=Count("pk", filter=Q(is_estimate=True)),
    )  # fmt: skip
    ordered = found.order_by("day", "agent", "model", "user__email")[:MOST_ROWS]
    return [(*row[:10], written(row[10]), row[11]) for row in ordered]


def cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return "'" + text if text.startswith(FORMULA) else text
