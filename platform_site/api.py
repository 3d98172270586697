"""What every view of the HTTP API under `/api/v1/t/<slug>/` stands on.

    class Agents(TenantView):
        scopes = {"POST": "configure"}          # GET asks for "read", all else for "chat", unless said here
        def get(self, request: ApiRequest, slug: str) -> Response: …

The order: authentication, membership and scope; then the tenant's scope is open until the answer is made; then, for
a POST with an Idempotency-Key, one transaction around the handler (`idempotency`); the body is read last.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, ClassVar, cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from platform_site import errors, idempotency
from platform_site.access import Actor, Scope
from platform_site.models import Tenant, User
from platform_site.parsers import StrictJsonParser
from platform_site.tenancy import acting_for

__all__ = ["ApiRequest", "StrictJsonParser", "TenantView"]


class ApiRequest(Request):
    """A request a `TenantView` handler gets."""

    user: User
    tenant: Tenant
    actor: Actor


class TenantView(APIView):
    """A view inside a tenant. Handlers find `request.actor` and `request.tenant`, and ordinary queries are scoped."""

    scopes: ClassVar[Mapping[str, Scope]] = {}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.claim: idempotency.Claim | None = None
        try:
            with ExitStack() as self.open:
                return super().dispatch(request, *args, **kwargs)
        except idempotency.TakenOver:
            return errors.answer(request, idempotency.in_use())
        except BaseException:
            if self.claim:
                idempotency.give_up(self.claim)
            raise

    def enter(self, actor: Actor) -> None:
        """Let this actor in: called by the permission that checked them."""
        for request in (self.request, self.request._request):
            inside = cast(ApiRequest, request)
            inside.tenant, inside.actor = actor.tenant, actor
        self.open.enter_context(acting_for(actor.tenant))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.prepare(request)
        key = request.headers.get("Idempotency-Key")
        if request.method == "POST" and key is not None:
            self.claim = idempotency.begin(cast(ApiRequest, request).actor, key, request.path, request.data)
            self.open.enter_context(idempotency.carrying_out(self.claim))

    def prepare(self, request: Request) -> None:
        """Slow work on what was sent: after the sign-in, before the transaction of an idempotent POST."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, idempotency.AnsweredBefore):
            return exc.answer
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        if self.claim and isinstance(final, Response):
            idempotency.keep(self.claim, final)
        return final
