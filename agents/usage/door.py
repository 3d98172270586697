"""The door of the usage pages, `/t/<slug>/usage/…`: owners and admins come in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from platform_site.errors import Problem, answer
from platform_site.middleware import TenantRequest

View = Callable[..., HttpResponseBase]


def for_admins(view: View) -> View:
    """The view as the resolver calls it: with the tenant's slug, which the request knows already."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
        inside = cast(TenantRequest, request)
        try:
            _check(inside)
            return view(inside, **kwargs)
        except Problem as problem:
            return answer(request, problem)

    return guarded


def _check(request: TenantRequest) -> None:
    if not request.actor.can_configure:
        raise Problem(403, "forbidden", _("Only owners and admins of this tenant may open these pages."))
