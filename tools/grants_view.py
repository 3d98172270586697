"""`/t/<slug>/grants/`: what a person has allowed for the next calls; owners and admins see everybody's.

Here a standing yes is taken back. It is given in the conversation, with a decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from platform_site.errors import Problem, answer
from platform_site.middleware import TenantRequest
from tools import catalogue
from tools.gate import granted, granting, telling
from tools.models import Grant

A_PAGE = 50
MOST_OVER = 20
"""Of those that hold no longer, the newest are shown."""
OVER: Mapping[granted.State, str | Promise] = {
    "used_up": _("Used up"),
    "expired": _("Expired"),
    "revoked": _("Taken back"),
    "outdated": _("The tool has changed"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A grant, and what is said of it."""

    grant: Grant
    title: str
    question: str
    topic: str
    free: list[str]
    over: str | Promise


@require_safe
@never_cache
def index(request: HttpRequest, slug: str) -> HttpResponse:
    actor, now = cast(TenantRequest, request).actor, timezone.now()
    rows = granted.visible_to(actor).order_by("-created_at", "-pk")
    hold = granted.that_hold(rows, now)
    page = Paginator(hold, A_PAGE).get_page(request.GET.get("page"))
    over = rows.exclude(pk__in=hold.values("pk"))[:MOST_OVER]
    shown = {
        "pages": page, "grants": [_shown(row) for row in page], "over": [_shown(row) for row in over],
        "everybody": actor.can_configure, "me": actor.user,
    }  # fmt: skip
    return render(request, "grants/index.html", shown)


@require_POST
@never_cache
def revoke(request: HttpRequest, slug: str, grant: str) -> HttpResponse:
    actor = cast(TenantRequest, request).actor
    if not granted.visible_to(actor).filter(pk=grant).exists():
        return answer(request, Problem(404, "not_found", str(_("There is no such standing yes."))))
    if granting.revoke(grant, actor):
        messages.success(request, _("Taken back. From now on you are asked again."))
    else:
        messages.info(request, _("This standing yes does not hold any more."))
    return redirect("grants", slug)


def _shown(grant: Grant) -> Shown:
    spec = catalogue.spec_of(grant.version)
    call = grant.confirmation.call if grant.confirmation else None
    state = granted.state_of(grant, timezone.now())
    title = _label(telling.labels(spec, "title", None)) or spec.name
    return Shown(
        grant,
        title=title,
        question=_label(telling.labels(spec, "summary", call.arguments if call else None)) or title,
        topic=call.topic if call else "",
        free=list(granted.free_names(grant)),
        over=OVER.get(state, ""),
    )


def _label(texts: Mapping[str, Any]) -> str:
    return texts.get(get_language() or "") or texts.get("en", "")
