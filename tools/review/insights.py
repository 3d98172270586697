"""The insights page: of all calls that models wished for, how many were right at once, mended, corrected, given up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from platform_site.door import for_reviewers
from platform_site.middleware import TenantRequest
from tools.models import ChainResult
from tools.review import choices
from tools.review.chart import chart
from tools.review.counts import Counts, Spot, Tally, count
from tools.review.filters import NONE, Filters
from tools.review.shares import Line, at, line, parts_of, share
from tools.review.words import KINDS

RANGES = (7, 30, 90)
USUAL = 30
LEAST_DAYS = 7
"""Days a chart shows at least."""
NARROWING = ("tool", "model", "agent", "playground")


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of what went wrong: in how many attempts, as a share, and as a bar beside the largest."""

    name: str | Promise
    count: int
    share: str
    width: str
    query: str
    tool: str = ""
    field: str = ""


@require_safe
@for_reviewers
def page(request: TenantRequest) -> HttpResponse:
    """Counted anew each time."""
    days = _days(request.GET.get("days", ""))
    given = Filters.read(request.GET)
    asked = Filters(**{name: getattr(given, name) for name in NARROWING})
    counts = count(asked, days)
    rows = asked.but(start=days[0], end=days[-1], known="any", show="all", first="1")
    context = _ended(counts, rows) | _faults(counts, rows.but(show="failed", first=""))
    options = {"ranges": RANGES, "range_days": len(days), "asked": asked, "choices": choices.names()}
    options |= {"first": days[0], "last": days[-1], "everything": Filters(show="all", known="any").query()}
    return render(request, "review/insights.html", context | options)


def _days(text: str) -> list[date]:
    """The last days, today's being the last of them."""
    length = int(text) if text in {str(one) for one in RANGES} else USUAL
    today = timezone.localdate()
    return [today - timedelta(days=length - 1 - at) for at in range(length)]


def _ended(counts: Counts, rows: Filters) -> dict[str, Any]:
    """How wishes ended: all together, by day, tool, version and model."""
    corrected = rows.but(result=ChainResult.CORRECTED.value)
    gain = _gain(counts.all, counts.earlier)
    return {
        "total": line(_("All"), counts.all, rows),
        "parts": parts_of(counts.all, rows),
        "gain": gain,
        "loss": -(gain or 0),
        "lengths": [
            (length - 1, found, corrected.but(length=str(length)).query())
            for length, found in sorted(counts.lengths.items())
        ],
        "chart": chart(_since_the_first(counts.days), rows),
        "asked_about": _asked(counts, rows),
        "tables": [
            (_("By tool"), _("Tool"), _ranked(_tools(counts, rows))),
            (_("By tool version"), _("Version"), _versions(counts, rows)),
            (_("By model"), _("Model"), _ranked(_models(counts, rows))),
        ],
    }


def _since_the_first(days: Mapping[date, Tally]) -> dict[date, Tally]:
    """From the first day on which there was something, but at least a week: empty days before say nothing."""
    first = next((at for at, tally in enumerate(days.values()) if tally.total), 0)
    return dict(list(days.items())[min(first, max(len(days) - LEAST_DAYS, 0)) :])


def _asked(counts: Counts, rows: Filters) -> dict[str, Any]:
    """Of the wishes a person was asked about: corrected, dropped, still open."""
    total = counts.asked.total()
    ends = (
        (ChainResult.BY_PERSON, _("corrected")),
        (ChainResult.GAVE_UP, _("dropped")),
        (ChainResult.OPEN, _("open")),
    )
    told = [
        (name, counts.asked[result], share(counts.asked[result], total), _of_asked(rows, result))
        for result, name in ends
    ]
    return {"total": total, "query": _of_asked(rows), "ends": told}


def _of_asked(rows: Filters, result: str = "") -> str:
    return rows.but(asked="1", result=str(result)).query()


def _gain(now: Tally, before: Tally) -> int | None:
    """By how many percentage points more (or fewer) were right at once than in as many days before."""
    if not (now.total and before.total):
        return None
    shares = [100 * tally.by[ChainResult.FIRST_PASS] / tally.total for tally in (now, before)]
    return round(shares[0] - shares[1])


def _tools(counts: Counts, rows: Filters) -> list[Line]:
    return [
        line(tool, tally, rows.but(tool=tool), _narrow(rows, tool=tool))
        for tool, tally in counts.tools.items()
    ]


def _models(counts: Counts, rows: Filters) -> list[Line]:
    return [
        line(model or "–", tally, rows.but(model=model or NONE), _narrow(rows, model=model or NONE))
        for model, tally in counts.models.items()
    ]


def _narrow(rows: Filters, **to: str) -> str:
    """This page's query string for one tool or model alone."""
    named = {name: getattr(rows, name) for name in NARROWING} | to
    return Filters(**named).query()


def _versions(counts: Counts, rows: Filters) -> list[Line]:
    """The tools by name, of each the newest version first."""
    known = [one for one in counts.versions if one.id]
    ordered = sorted(known, key=lambda one: (one.tool, -one.number))
    return [
        line(f"{one.tool} #{one.number}", counts.versions[one], rows.but(tool=one.tool, version=one.id))
        for one in ordered
    ]


def _ranked(lines: list[Line]) -> list[Line]:
    return sorted(lines, key=lambda one: (-one.total, one.name))


def _faults(counts: Counts, rows: Filters) -> dict[str, Any]:
    """What was wrong with the attempts that failed: by kind, and by place."""
    most = max((found for _kind, found in counts.kinds), default=0)
    kinds = [
        Fact(KINDS.get(kind, kind), found, share(found, counts.failed), at(found, most), rows.but(kind=kind).query())
        for kind, found in counts.kinds
    ]  # fmt: skip
    return {
        "failed": counts.failed, "failed_query": rows.query(), "kinds": kinds,
        "spots": [_spot(spot, counts, rows) for spot in counts.spots],
    }  # fmt: skip


def _spot(spot: Spot, counts: Counts, rows: Filters) -> Fact:
    query = rows.but(tool=spot.tool, field=spot.field, kind=spot.kind).query()
    return Fact(
        KINDS.get(spot.kind, spot.kind), spot.attempts, share(spot.attempts, counts.failed),
        at(spot.attempts, counts.spots[0].attempts), query, spot.tool, spot.field,
    )  # fmt: skip
