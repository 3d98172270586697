"""The review queue: what waits for people, the most urgent first, many of one conversation kept together (T13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conversations.models import Run
from platform_site.access import Actor
from platform_site.door import for_reviewers
from platform_site.middleware import TenantRequest
from tools.models import Confirmation, Risk
from tools.review import waiting
from tools.review.playground_words import RISKS
from tools.review.queue_asked import TABS, Asked, by_conversation, first_of_each
from tools.review.queue_rows import Row, row_of, with_everything
from tools.review.waiting import Groups

ROWS_A_PAGE = 50
CONVERSATIONS_A_PAGE = 20
FIRST_OF_EACH = 3
"""Questions shown of one conversation before the rest is a link."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Questions of one conversation that stand together; `more` are not shown here."""

    topic: str
    rows: Sequence[Row]
    number: int = 0

    @property
    def more(self) -> int:
        return max(0, self.number - len(self.rows))


@require_safe
@for_reviewers
def page(request: TenantRequest) -> HttpResponse:
    """`/t/<slug>/review/`."""
    asked, groups = Asked.read(request.GET), Groups.read()
    rows = asked.rows(request.actor, groups)
    cut = _paginated(asked, rows, request.GET.get("page", ""))
    bundles = _bundles(asked, rows, cut, request.actor, groups)
    context = {
        "tab": "queue", "asked": asked, "bundles": bundles, "cut": cut, "count": rows.count(),
        "agents": agents_of([row for bundle in bundles for row in bundle.rows]),
        "tabs": [(show, asked.but(show=show, talk="").query()) for show in TABS],
        "risks": [(risk, RISKS[risk][0]) for risk in (Risk.CONFIRM, Risk.CRITICAL)],
        "everything": asked.but(q="", risk="", talk="").query(), "unknown": waiting.unknown_calls().count(),
    }  # fmt: skip
    return render(request, "review/queue.html", context)


@require_safe
@for_reviewers
def state(request: TenantRequest) -> HttpResponse:
    """What open pages ask every few seconds: whether something changed, and how many wait."""
    return JsonResponse(waiting.state(request.actor))


def _paginated(asked: Asked, rows: QuerySet[Confirmation], number: str) -> Page[Any]:
    if asked.is_grouped:
        return Paginator(by_conversation(rows), CONVERSATIONS_A_PAGE).get_page(number)
    order = ("-decided_at", "-pk") if asked.show == "history" else ("decide_by", "pk")
    return Paginator(rows.order_by(*order), ROWS_A_PAGE).get_page(number)


def _bundles(
    asked: Asked, rows: QuerySet[Confirmation], cut: Page[Any], actor: Actor, groups: Groups
) -> list[Bundle]:
    """The page's lines; ungrouped, they are one bundle."""
    if not asked.is_grouped:
        shown = with_everything(Confirmation.objects.filter(pk__in=[one.pk for one in cut]), actor, groups)
        found = {one.pk: row_of(one) for one in shown}
        return [Bundle("", [found[one.pk] for one in cut])]
    numbers: dict[str, int] = {one["call__topic"]: one["number"] for one in cut}
    first = first_of_each(with_everything(rows, actor, groups), list(numbers), FIRST_OF_EACH)
    lines: dict[str, list[Row]] = {topic: [] for topic in numbers}
    for one in first:
        lines[one.call.topic].append(row_of(one))
    return [Bundle(topic, lines[topic], number) for topic, number in numbers.items() if lines[topic]]


def agents_of(rows: Sequence[Row]) -> Mapping[str, str]:
    """The agents' names by call."""
    runs = Run.objects.filter(pk__in={row.call.run for row in rows}).select_related("agent_version")
    names = {run.pk: str(run.agent_version.definition.get("name", "")) for run in runs}
    return {row.call.pk: names.get(row.call.run, "") for row in rows}
