"""What surrounds every request: its id and its line in the log, its language, its tenant and time zone.

All of it is synchronous, as are the pages: Django then runs the whole stack in one thread, one hop a request.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import cast
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, set_script_prefix
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from platform_site import audit, errors
from platform_site.access import Actor, actor_for_session
from platform_site.errors import Problem
from platform_site.ids import new_id
from platform_site.logs import bound
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for

log = structlog.get_logger(__name__)
Handler = Callable[[HttpRequest], HttpResponseBase]
GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
RESET_KEY = re.compile(r"(/password/reset/key/).+")
PROBES = ("/healthz", "/readyz", "/metrics")


class TenantRequest(HttpRequest):
    """A request under `/t/<slug>/`, after `TenantMiddleware` let it pass."""

    user: User
    tenant: Tenant
    actor: Actor


class RequestContextMiddleware:
    """Gives the request an id (or keeps a sensible one), puts it into every log line and into `X-Request-ID`."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if GIVEN_ID.fullmatch(given) else new_id()
        started = time.perf_counter()
        way = audit.way_of(request.path_info)
        with bound(request_id=request_id), audit.coming_from(way, audit.address_of(request), request_id):
            response = self.get_response(request)
            response["X-Request-ID"] = request_id
            _note(request, response.status_code, time.perf_counter() - started)
        return response


def _note(request: HttpRequest, status: int, seconds: float) -> None:
    """The access line. Without the query, which may hold anything, and without a reset link's key, which is one."""
    actor: Actor | None = getattr(request, "actor", None)
    who = {"tenant": actor.tenant.pk, "user": actor.user.pk} if actor else {}
    tell = log.debug if request.path in PROBES else log.info
    path = RESET_KEY.sub(r"\1…", request.path)
    tell("request", method=request.method, path=path, status=status, ms=round(seconds * 1000, 1), **who)


class LanguageMiddleware:
    """The person's own language, else the one chosen in this browser, else the tenant's, else the browser's.

    The tenant is known later: `TenantMiddleware` asks `use_language_of` when nobody chose.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with translation.override(chosen_language(request) or translation.get_language_from_request(request)):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        return response


def chosen_language(request: HttpRequest) -> str | None:
    """What the person chose, in their profile or in this browser."""
    kept = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    own = ""
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        own = request.user.locale
    return supported(own) or supported(kept)


def supported(language: str) -> str | None:
    """The language of ours that this one stands for."""
    try:
        return translation.get_supported_language_variant(language)
    except LookupError:
        return None


class TenantMiddleware:
    """Opens the scope of `/t/<slug>/…`: who is not a member there learns nothing, not even whether it exists.

    The console under `/t/<slug>/admin/` is one admin site for all tenants, mounted at `admin/`: its path is rewritten
    and the prefix becomes the script's, so that every link it makes stays inside the tenant. Websites and API tokens
    are told apart by path: `/api/` finds its tenant in `api.TenantView`.
    """

    IN_TENANT = re.compile(r"/t/(?P<slug>[-a-zA-Z0-9_]+)/")
    CONSOLE = "admin/"

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        found = self.IN_TENANT.match(request.path_info)
        if found:
            return self._in_tenant(request, found["slug"], found.end())
        if request.path_info.startswith("/" + self.CONSOLE) or "\0" in request.path_info:
            return _nothing_here(request)
        return self.get_response(request)

    def _in_tenant(self, request: HttpRequest, slug: str, prefix: int) -> HttpResponseBase:
        user = request.user
        if not user.is_authenticated:
            return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
        actor = actor_for_session(user, slug, request.session.session_key or "")
        # No address of ours holds a NUL, and PostgreSQL breaks on one.
        if actor is None or "\0" in request.path_info:
            return _nothing_here(request)
        inside = cast(TenantRequest, request)
        inside.tenant, inside.actor = actor.tenant, actor
        _use_language_of(actor.tenant, request)
        with acting_for(actor.tenant), timezone.override(_zone_of(actor)):
            if request.path_info.startswith(self.CONSOLE, prefix):
                return self._in_console(inside, prefix)
            return self.get_response(request)

    def _in_console(self, request: TenantRequest, prefix: int) -> HttpResponseBase:
        if not request.actor.can_configure:
            detail = _("Only owners and admins of this tenant may open the console.")
            return errors.answer(request, Problem(403, "forbidden", detail))
        outer = get_script_prefix()
        set_script_prefix(outer.rstrip("/") + request.path_info[:prefix])
        request.path_info = request.path_info[prefix - 1 :]
        try:
            return self.get_response(request)
        finally:
            set_script_prefix(outer)


def _use_language_of(tenant: Tenant, request: HttpRequest) -> None:
    language = supported(tenant.locale)
    if language and not chosen_language(request):
        translation.activate(language)


def _zone_of(actor: Actor) -> ZoneInfo:
    """The person's own time zone, else the tenant's."""
    try:
        return ZoneInfo(actor.user.timezone or actor.tenant.timezone)
    except (LookupError, ValueError, OSError):
        return ZoneInfo("UTC")


def _nothing_here(request: HttpRequest) -> HttpResponseBase:
    return errors.page_404(request, Http404())
