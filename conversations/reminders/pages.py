"""`/t/<slug>/reminders/`: what will remind this person, what is paused, and what has been."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from conversations.access import conversation_for
from conversations.models import Conversation
from conversations.reminders import shown, verbs
from conversations.reminders.models import Reminder, ReminderStatus
from platform_site.access import Actor
from platform_site.errors import Problem, answer
from platform_site.middleware import TenantRequest

A_PAGE = 50
FEW = 5
"""Of those that are over, the page of those to come shows the newest."""
View = Callable[..., HttpResponseBase]


def for_members(view: View) -> View:
    """A page below a tenant's address, never kept by a browser; what is not there is answered as a page."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, slug: str, **named: Any) -> HttpResponseBase:
        try:
            return view(cast(TenantRequest, request), **named)
        except Problem as problem:
            return answer(request, problem)

    return guarded


@require_safe
@for_members
def index(request: TenantRequest) -> HttpResponse:
    """Those to come by day, the paused, and the last that are over."""
    actor, talk = request.actor, _talk(request)
    found = _found(actor, talk)
    active = _page(request, found.filter(status=ReminderStatus.ACTIVE))
    paused = found.filter(status=ReminderStatus.PAUSED)[: verbs.MOST_ACTIVE * 2]
    over = found.filter(status=ReminderStatus.DONE).order_by("-updated_at", "-pk")[: FEW + 1]
    now = timezone.now()
    return render(request, "reminders/index.html", _common(actor, talk) | {
        "pages": active,
        "days": shown.by_day(shown.rows(actor, active, now), now),
        "paused": shown.rows(actor, paused, now),
        "over": shown.rows(actor, over[:FEW], now),
        "more_over": len(over) > FEW,
    })  # fmt: skip


@require_safe
@for_members
def over(request: TenantRequest) -> HttpResponse:
    """All that are over, newest first."""
    actor, talk = request.actor, _talk(request)
    done = _found(actor, talk).filter(status=ReminderStatus.DONE).order_by("-updated_at", "-pk")
    page = _page(request, done)
    rows = shown.rows(actor, page, timezone.now())
    return render(request, "reminders/over.html", _common(actor, talk) | {"pages": page, "over": rows})


def _talk(request: TenantRequest) -> Conversation | None:
    """The conversation the page is narrowed to."""
    wanted = request.GET.get("conversation", "").replace("\0", "")
    return conversation_for(request.actor, wanted) if wanted else None


def _found(actor: Actor, talk: Conversation | None) -> QuerySet[Reminder]:
    return verbs.listing_in(actor, talk.pk) if talk else verbs.listing(actor)


def _page(request: TenantRequest, found: QuerySet[Reminder]) -> Page[Reminder]:
    return Paginator(found, A_PAGE).get_page(request.GET.get("page"))


def _common(actor: Actor, talk: Conversation | None) -> dict[str, Any]:
    return {"talk": talk, "zone": verbs.zone_of(actor), "me": actor.user, "now": timezone.now()}
