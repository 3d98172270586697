"""The door of the reviewers' pages, `/t/<slug>/review/…`: owners, admins and reviewers come in.

`TenantMiddleware` has let members of the tenant through before, and nobody else; others of the tenant are told that
this is not for them. A `Problem` that a view raises becomes the page that says so.
"""

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


def for_reviewers(view: View) -> View:
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
    if not request.actor.can_review:
        detail = _("Only owners, admins and reviewers of this tenant may open these pages.")
        raise Problem(403, "forbidden", detail)
