"""Who is asking, where, and what may they do? Every way in (page, API, websocket) gets its `Actor` here.

| scope     | lets a token                                              | asked of the person |
|-----------|-----------------------------------------------------------|---------------------|
| read      | see what the person sees                                  | any role            |
| chat      | talk to agents and decide one's own confirmations         | any role            |
| configure | change tools, agents, models, people                      | owner, admin        |
| review    | decide what waits for a reviewer                          | owner, admin, reviewer |

Each of the last three includes `read`. A session has no scopes: the person may do what their role lets them. A token
may do what its scopes and the person's role both allow. `check_scope` is the only check there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.http import parse_cookie
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from platform_site import tokens
from platform_site.errors import Problem
from platform_site.models import ADMIN_ROLES, ApiToken, Membership, Role, Tenant, User

Scope = Literal["read", "chat", "configure", "review"]
REVIEW_ROLES = ADMIN_ROLES | {Role.REVIEWER}
ROLES_FOR: dict[str, frozenset[Role]] = {
    "read": frozenset(Role),
    "chat": frozenset(Role),
    "configure": frozenset(ADMIN_ROLES),
    "review": frozenset(REVIEW_ROLES),
}
SCOPES = frozenset(ROLES_FOR)
Denied = Literal["unauthenticated", "forbidden"]


@dataclass(frozen=True, slots=True)
class Actor:
    """A person acting in a tenant. `scopes` is None for a session; `key` is the token's id or the session's key."""

    user: User
    tenant: Tenant
    role: Role
    scopes: frozenset[str] | None
    via: Literal["session", "token"]
    key: str = ""

    def may(self, scope: Scope) -> bool:
        """Role and scopes both allow it."""
        return self.role in ROLES_FOR[scope] and (self.scopes is None or scope in self.scopes)

    @property
    def can_configure(self) -> bool:
        return self.may("configure")

    @property
    def can_review(self) -> bool:
        return self.may("review")


def check_scope(actor: Actor, scope: Scope) -> None:
    """Raise `forbidden` unless the actor may do what `scope` names."""
    if not actor.may(scope):
        raise Problem(403, "forbidden", _("This needs the right “%(scope)s”.") % {"scope": scope})


def scopes_for(role: str) -> frozenset[str]:
    """All scopes that mean something for this role."""
    return frozenset(scope for scope, roles in ROLES_FOR.items() if role in roles)


def actor_for_session(user: User, tenant_slug: str, key: str = "") -> Actor | None:
    """The signed-in person in this tenant; None when there is no such place for them, whatever the reason."""
    if not user.is_active:
        return None
    memberships = Membership.objects.across_tenants().select_related("tenant")
    membership = memberships.filter(
        user=user, is_active=True, tenant__slug=tenant_slug, tenant__is_active=True
    ).first()
    # SQLite compares case-sensitively here, but a database's collation may not.
    if membership is None or membership.tenant.slug != tenant_slug:
        return None
    return Actor(user, membership.tenant, Role(membership.role), None, "session", key)


def tenants_of(user: User) -> list[Tenant]:
    """Where the person may go, by name."""
    memberships = Membership.objects.across_tenants().filter(
        user=user, is_active=True, tenant__is_active=True
    )
    return [membership.tenant for membership in memberships.select_related("tenant").order_by("tenant__name")]


def actor_for_token(raw: str, tenant_slug: str | None) -> Actor | None:
    """The person a token speaks for; None when it is dead or belongs to another tenant than `tenant_slug`."""
    token = tokens.verify(raw)
    if token is None or tenant_slug not in (None, token.tenant.slug):
        return None
    memberships = Membership.objects.across_tenants().filter(
        user=token.user, tenant=token.tenant, is_active=True
    )
    membership = memberships.first()
    if membership is None:
        return None
    tokens.note_use(token)
    return _with_token(token, membership)


def _with_token(token: ApiToken, membership: Membership) -> Actor:
    scopes = frozenset(token.scopes) & SCOPES
    scopes = scopes | {"read"} if scopes else scopes
    return Actor(token.user, token.tenant, Role(membership.role), scopes, "token", token.pk)


# Websockets: the handshake, then again every few seconds


def actor_for_socket(scope: dict[str, Any], tenant_slug: str) -> Actor | Denied:
    """Who opened this websocket. A Bearer token decides alone when there is one; else the session cookie.

    That a cookie came from one of our own pages (Origin) was checked before, in `handshake`.
    """
    headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
    if b"authorization" in headers:
        raw = bearer(headers[b"authorization"])
        actor = actor_for_token(raw, None) if raw else None
        if actor is None:
            return "unauthenticated"
        return actor if actor.tenant.slug == tenant_slug else "forbidden"
    session = _session(parse_cookie(headers.get(b"cookie", "")).get(settings.SESSION_COOKIE_NAME))
    user = _user_of(session) if session else None
    if session is None or user is None:
        return "unauthenticated"
    return actor_for_session(user, tenant_slug, session.session_key or "") or "forbidden"


def bearer(header: str) -> str | None:
    """The token of an Authorization header; None for another scheme, empty for a broken one."""
    scheme, _space, raw = header.partition(" ")
    return raw.strip() if scheme.lower() == "bearer" else None


def _session(key: str | None) -> SessionBase | None:
    if not key:
        return None
    store: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return store


def _user_of(session: SessionBase) -> User | None:
    """The person a session belongs to, if they are active and did not change their password since."""
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    user = User.objects.filter(pk=session.get(SESSION_KEY), is_active=True).first()
    return user if user and _same_password(user, session) else None


def _same_password(user: User, session: SessionBase) -> bool:
    return constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())


def still_here(actors: Sequence[Actor]) -> list[Actor | None]:
    """For each: as they stand now, or None when they may not be here any more. At most three queries for all."""
    memberships = _memberships(actors)
    live_tokens = {token.pk: token for token in tokens.alive(_keys(actors, "token"))}
    sessions = _live_sessions(_keys(actors, "session"))
    return [_now(actor, memberships, live_tokens, sessions) for actor in actors]


def _now(
    actor: Actor, memberships: dict[tuple[str, str], Membership], live_tokens: dict[str, ApiToken],
    sessions: dict[str, str],
) -> Actor | None:  # fmt: skip
    membership = memberships.get((actor.user.pk, actor.tenant.pk))
    if membership is None:
        return None
    if actor.via == "token":
        token = live_tokens.get(actor.key)
        return _with_token(token, membership) if token else None
    fresh = replace(actor, user=membership.user, tenant=membership.tenant, role=Role(membership.role))
    proof = sessions.get(actor.key, "")
    return fresh if constant_time_compare(proof, membership.user.get_session_auth_hash()) else None


def _memberships(actors: Iterable[Actor]) -> dict[tuple[str, str], Membership]:
    found = Membership.objects.across_tenants().select_related("user", "tenant")
    found = found.filter(
        user__in={actor.user.pk for actor in actors},
        is_active=True,
        user__is_active=True,
        tenant__is_active=True,
    )
    return {(membership.user.pk, membership.tenant.pk): membership for membership in found}


def _keys(actors: Iterable[Actor], via: str) -> set[str]:
    return {actor.key for actor in actors if actor.via == via}


def _live_sessions(keys: set[str]) -> dict[str, str]:
    """Session key to the password fingerprint it was opened with."""
    if not keys:
        return {}
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return {row.session_key: row.get_decoded().get(HASH_SESSION_KEY, "") for row in rows}
