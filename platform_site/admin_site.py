"""The one admin site object, for all tenants.

The tenant is in the path (`/t/<slug>/admin/`): `TenantMiddleware` takes it off, sets `request.tenant` and
`request.actor`, and opens the scope, so each query of a page sees one tenant. In are its owners and admins; signing
in and out is allauth's. Unfold needs 'unsafe-eval' and inline styles: this path alone has them, and what a model or
a tool wrote is shown on it as escaped text alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from unfold.sites import UnfoldAdminSite

from platform_site.console.base import is_let_in
from platform_site.setup import config_page

View = Callable[..., HttpResponseBase]
POLICY = {"script-src": [SELF, UNSAFE_EVAL], "style-src": [SELF, UNSAFE_INLINE]}
NOT_OURS = {"login", "logout", "password_change", "password_change_done", "search", "view_on_site"}
"""Pages of Django's and unfold's that stay away: people sign in elsewhere, and unfold's search keeps what it
found in a cache under the person alone, whichever tenant they were in."""


class TenantAdminSite(UnfoldAdminSite):
    """The console of the tenant in the path."""

    def has_permission(self, request: HttpRequest) -> bool:
        return is_let_in(request)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [url for url in super().get_urls() if getattr(url, "name", None) not in NOT_OURS]

    def extra_urls(self) -> list[URLPattern]:
        """Pages that are no table's. Unfold calls this."""
        return [
            path("configuration/", self._page(config_page.page), name="configuration"),
            path("configuration/export/", self._page(config_page.export), name="configuration_export"),
        ]

    def _page(self, view: Callable[..., HttpResponse]) -> View:
        def with_site(request: HttpRequest) -> HttpResponse:
            request.current_app = self.name  # type: ignore[attr-defined]
            return view(request, self.each_context(request))

        return self.admin_view(update_wrapper(with_site, view))

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        inner = super().admin_view(view, cacheable)

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
            if not self.has_permission(request):
                raise PermissionDenied
            return inner(request, *args, **kwargs)

        return update_wrapper(csp_replace(POLICY)(guarded), view)

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        raise Http404


site = TenantAdminSite(name="admin")
