"""The doors of pages that not every member of a tenant may open.

`TenantMiddleware` has let members of the tenant through before, and nobody else; others of the tenant are told that
this is not for them. A `Problem` that a view raises becomes the page that says so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from platform_site.access import Actor
from platform_site.errors import Problem, answer
from platform_site.middleware import TenantRequest

View = Callable[..., HttpResponseBase]


def for_admins(view: View) -> View:
    """Owners and admins come in."""
    refusal = _("Only owners and admins of this tenant may open these pages.")
    return _guarded(view, lambda actor: actor.can_configure, refusal)


def for_reviewers(view: View) -> View:
    """Owners, admins and reviewers come in."""
    refusal = _("Only owners, admins and reviewers of this tenant may open these pages.")
    return _guarded(view, lambda actor: actor.can_review, refusal)


def _guarded(view: View, may: Callable[[Actor], bool], refusal: str | Promise) -> View:
    """The view as the resolver calls it: with the tenant's slug, which the request knows already."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
        inside = cast(TenantRequest, request)
        try:
            if not may(inside.actor):
                raise Problem(403, "forbidden", str(refusal))
            return view(inside, **kwargs)
        except Problem as problem:
            return answer(request, problem)

    return guarded
