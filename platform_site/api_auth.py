"""Who calls the HTTP API, and may they? A Bearer token, or the browser's session with its CSRF token.

All of it happens before the body is read. An Authorization header decides alone: a bad token is not forgiven
because a good cookie came with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from platform_site import access
from platform_site.access import Actor, Scope
from platform_site.errors import Problem
from platform_site.models import User

if TYPE_CHECKING:
    from platform_site.api import TenantView


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer slc_…`; `request.auth` is then the token's Actor."""

    def authenticate(self, request: Request) -> tuple[User, Actor] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        actor = access.actor_for_token(access.bearer(header) or "", None)
        if actor is None:
            raise AuthenticationFailed(_("This token is not valid."))
        return actor.user, actor

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class SessionAuthentication(BaseAuthentication):
    """The person signed in with this browser. Requests that change something need the CSRF token."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        user = request._request.user
        if not user.is_authenticated or not user.is_active:
            return None
        self._check_csrf(request)
        return user, None

    def _check_csrf(self, request: Request) -> None:
        check = CSRFCheck(_no_response)
        check.process_request(request._request)
        if check.process_view(request._request, _no_response, (), {}):
            raise Problem(403, "forbidden", _("The CSRF token is missing or wrong."))


def _no_response(request: Any) -> Any:
    """CSRFCheck wants a next handler and never calls it."""


class MemberOfTenant(BasePermission):
    """The default permission: a member of the tenant in the path, allowed what the view's scope says.

    Opens the view's tenant scope. A view that is no `TenantView` is refused: it must say who may call it.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user:
            raise NotAuthenticated
        slug = view.kwargs.get("slug")
        if slug is None or not hasattr(view, "enter"):
            return False
        actor = _actor(request, slug)
        if actor is None:
            raise Problem(404, "not_found", _("There is no such thing here."))
        access.check_scope(actor, scope_of(view, request.method or ""))
        view.enter(actor)
        return True


def _actor(request: Request, slug: str) -> Actor | None:
    if isinstance(request.auth, Actor):
        return request.auth if request.auth.tenant.slug == slug else None
    return access.actor_for_session(cast(User, request.user), slug, request.session.session_key or "")


def scope_of(view: TenantView, method: str) -> Scope:
    """What this method of a view asks of a token's scopes and the person's role."""
    return view.scopes.get(method) or ("read" if method in ("GET", "HEAD", "OPTIONS") else "chat")
