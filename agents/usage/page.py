"""The usage page: what requests to models came to, by day, agent, model and person, and the limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from agents.models import Agent, LanguageModel
from agents.usage import booking, counts, limits, periods
from agents.usage.chart import Measure, chart, value_of
from agents.usage.counts import Chosen, Line, Sums
from agents.usage.limit_form import LimitForm
from agents.usage.limit_row import LimitRow, rows_of
from agents.usage.period import MEASURES, PERIODS, Asked
from platform_site.door import for_admins
from platform_site.middleware import TenantRequest
from platform_site.models import Membership
from tools.review.shares import at, share

Options = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Share:
    """A line of a table: its part of the whole, and as a bar beside the largest. `query`: this page of it alone."""

    line: Line
    share: str
    width: str
    query: str


@require_safe
@for_admins
def page(request: TenantRequest) -> HttpResponse:
    """Counted anew each time."""
    return render(request, "usage/page.html", shown(request, LimitForm()))


def shown(request: TenantRequest, form: LimitForm) -> dict[str, Any]:
    """Everything the page shows."""
    now, there = timezone.now(), limits.zone_of(request.tenant)
    today = periods.day(now, there)
    asked = Asked.read(request.GET)
    chosen = asked.chosen(today)
    total = counts.total(chosen)
    measure: Measure = asked.measure or ("cost" if total.cost else "tokens")  # type: ignore[assignment]  # read checks
    tables = [
        (_("By agent"), _("Agent"), _shares(chosen, asked, "agent", total, measure)),
        (_("By model"), _("Model"), _shares(chosen, asked, "model", total, measure)),
        (_("By person"), _("Person"), _shares(chosen, asked, "user", total, measure)),
    ]
    people = list(Membership.objects.select_related("user").order_by("user__name", "user__email"))
    choices = _choices(people)
    return {
        "asked": asked, "first": chosen.start, "last": chosen.end, "total": total, "measure": measure,
        "measures": MEASURES, "periods": PERIODS, "choices": choices, "subjects": _subjects(choices, people),
        "chart": chart(_until_today(chosen, today), counts.lines(chosen, "day"), measure),
        "tables": tables, "limits": _limits(now, there), "form": form,
        "zone": there.key, "query": asked.query(),
    }  # fmt: skip


def _limits(now: datetime, there: Any) -> list[LimitRow]:
    booking.release_lapsed(now)
    return rows_of(limits.read(), now, there)


def _until_today(chosen: Chosen, today: date) -> list[date]:
    """All days of the choice; a day that is still to come says nothing."""
    days = [day for day in chosen.days if day <= today]
    return days or chosen.days


def _shares(chosen: Chosen, asked: Asked, by: counts.By, total: Sums, measure: Measure) -> list[Share]:
    lines = counts.lines(chosen, by)
    most = max((value_of(line.sums, measure) for line in lines), default=0)
    whole = value_of(total, measure)
    return [
        Share(
            line, share(value_of(line.sums, measure), whole), at(value_of(line.sums, measure), most),
            asked.but(**{by: line.key}).query(),
        )
        for line in lines
    ]  # fmt: skip


def _choices(people: Iterable[Membership]) -> dict[str, Options]:
    """What the filters offer."""
    return {
        "agent": _slugs(Agent.objects.order_by("slug").values_list("slug", flat=True)),
        "model": _slugs(LanguageModel.objects.order_by("slug").values_list("slug", flat=True)),
        "user": [(one.user_id, str(one.user)) for one in people],
    }


def _subjects(
    choices: dict[str, Options], people: Sequence[Membership]
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Whose usage a new limit may be for, as `LimitForm` reads it."""
    return [
        (_("One agent"), [(f"agent:{slug}", name) for slug, name in choices["agent"]]),
        (_("One model"), [(f"model:{slug}", name) for slug, name in choices["model"]]),
        (_("One person"), [(f"user:{one.user.email}", str(one.user)) for one in people]),
    ]


def _slugs(found: Iterable[str]) -> Options:
    return [(slug, slug) for slug in found]
