"""`POST /api/v1/auth/token`: how a program signs in with a person's e-mail address and password.

Unknown address, wrong password and no such place in the tenant get the same answer and take the same time. It honours
no Idempotency-Key: a stored answer would be a stored secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from platform_site import access, audit, tokens
from platform_site.access import Actor, Scope
from platform_site.errors import Problem
from platform_site.models import User
from platform_site.tenancy import acting_for
from platform_site.throttle import Limit

LIVES = timedelta(days=30)
PER_ACCOUNT = Limit("sign-in:account", 10, 300)
PER_ADDRESS = Limit("sign-in:address", 100, 300)


class Asked(BaseModel):
    """The body. `scopes` narrows the token; without it, it may do all that the person's role may."""

    model_config = ConfigDict(extra="forbid", strict=True)

    email: str = Field(max_length=254, pattern=r"^[^\x00]*$")
    password: str = Field(max_length=1000)
    tenant: str = Field(max_length=40, pattern=r"^[^\x00]*$")
    code: str | None = Field(default=None, max_length=40)
    scopes: list[Scope] | None = None
    name: str = Field(default="signed in by a program", max_length=80, pattern=r"^[^\x00]*$")


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong tries are counted for the account and for the address they come from."""

    account: str
    address: str

    def check(self) -> None:
        if PER_ACCOUNT.reached(self.account) or PER_ADDRESS.reached(self.address):
            detail = _("Too many wrong tries. Wait a few minutes.")
            raise Problem(429, "rate_limited", detail, retry_after=PER_ACCOUNT.seconds)

    def wrong(self) -> None:
        PER_ACCOUNT.count(self.account)
        PER_ADDRESS.count(self.address)
        self.check()


class TokenView(APIView):
    """Open to everybody; whoever knows a password gets a token."""

    authentication_classes = []
    permission_classes = []

    def post(self, request: Request) -> Response:
        asked = _read(request.data)
        tries = Tries(asked.email.strip().lower(), get_adapter().get_client_ip(request._request))
        tries.check()
        actor = _signed_in(asked)
        if actor is None:
            _note_failed(asked)
            tries.wrong()
            raise Problem(
                401, "unauthenticated", _("The e-mail address, the password or the tenant is wrong.")
            )
        _check_code(actor.user, asked, tries)
        # Asked again: of many guesses made at once, none may slip in behind the limit.
        tries.check()
        return _token_for(actor, asked)


def _read(data: Any) -> Asked:
    try:
        return Asked.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        faults = [
            {"path": "".join(f"/{step}" for step in fault["loc"]), "message": fault["msg"]} for fault in found
        ]
        raise Problem(400, "bad_request", _("The request is not valid."), errors=faults) from None


def _signed_in(asked: Asked) -> Actor | None:
    user = User.objects.filter(email=asked.email.strip().lower()).first()
    if user is None:
        make_password(asked.password)  # as slow as checking one
        return None
    if not user.check_password(asked.password):
        return None
    return access.actor_for_session(user, asked.tenant)


def _check_code(user: User, asked: Asked, tries: Tries) -> None:
    """Who has two-factor sign-in needs the second factor here too."""
    second = [found.wrap() for found in Authenticator.objects.filter(user=user).exclude(type="webauthn")]
    if not second:
        return
    code = asked.code
    if not code:
        raise Problem(401, "proof_needed", _("This account needs a one-time code as well."))
    if not any(one.validate_code(code) for one in second):
        _note_failed(asked, "one-time code")
        tries.wrong()
        raise Problem(401, "proof_wrong", _("The one-time code is wrong."))


def _note_failed(asked: Asked, why: str = "password") -> None:
    """In the tenants of whoever it is; nobody's, when there is no such account."""
    user = User.objects.filter(email=asked.email.strip().lower()).first()
    if user:
        with audit.recording():
            audit.note_of_person(user, "signin.failed", by=None, why=why)


def _token_for(actor: Actor, asked: Asked) -> Response:
    allowed = access.scopes_for(actor.role)
    scopes = allowed & frozenset(asked.scopes) if asked.scopes is not None else allowed
    expires_at = timezone.now() + LIVES
    with acting_for(actor.tenant):
        _row, raw = tokens.make(actor.user, asked.name, scopes, expires_at)
    answer = {"token": raw, "expires_at": expires_at.isoformat(), "scopes": sorted(scopes)}
    return Response(answer, headers={"Cache-Control": "no-store"})
