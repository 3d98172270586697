"""API tokens: made once and shown once; what is stored is their SHA-256.

256 random bits need no slow hash. A token is dead at once when it is revoked or expired, or when its person, their
membership or the tenant is not active any more (`access.actor_for_token` looks at the membership).
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from platform_site import audit
from platform_site.models import ApiToken, User
from platform_site.tenancy import acting_for

PREFIX = "slc_"
NOTE_EVERY = timedelta(minutes=1)


def make(
    user: User, name: str, scopes: Iterable[str], expires_at: datetime | None = None
) -> tuple[ApiToken, str]:
    """A new token of this person in the acting tenant, and its text, which is never seen again."""
    raw = PREFIX + secrets.token_urlsafe(32)
    with audit.recording():
        token = ApiToken.objects.create(
            user=user,
            name=name[:80],
            hint=raw[:10],
            hash=_hash(raw),
            scopes=sorted(set(scopes)),
            expires_at=expires_at,
        )
        audit.note("token.made", token, by=user, scopes=token.scopes, expires_at=expires_at)
    return token, raw


def verify(raw: str) -> ApiToken | None:
    """The live token with this text, its person and tenant loaded; None when there is none."""
    if not raw.startswith(PREFIX):
        return None
    return _alive().filter(hash=_hash(raw)).first()


def alive(ids: Iterable[str]) -> list[ApiToken]:
    """Those of these tokens that still open the door."""
    wanted = set(ids)
    return list(_alive().filter(pk__in=wanted)) if wanted else []


def note_use(token: ApiToken) -> None:
    """Remember when it was last used, to the minute: a write for each request would be dear."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= NOTE_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - NOTE_EVERY)
        ApiToken.objects.across_tenants().filter(stale, pk=token.pk).update(last_used_at=now)


def revoke(token: ApiToken, *, by: User | None) -> None:
    """Dead from now on. A second revocation changes nothing."""
    with audit.recording():
        if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
            audit.note("token.revoked", token, by=by, of=token.user.email)


def revoke_all_of(user: User, *, by: User | None) -> int:
    """A new password ends what was opened with the old one, in every tenant."""
    live = ApiToken.objects.across_tenants().filter(user=user, revoked_at=None)
    ended = list(live.select_related("user", "tenant"))
    for token in ended:
        with acting_for(token.tenant):
            revoke(token, by=by)
    return len(ended)


def _alive() -> QuerySet[ApiToken]:
    not_expired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    tokens = ApiToken.objects.across_tenants().select_related("user", "tenant")
    return tokens.filter(not_expired, revoked_at=None, user__is_active=True, tenant__is_active=True)


def _hash(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()
