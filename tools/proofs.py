"""Proof that the person deciding is who they are: their password, or a one-time code.

A code is one of their authenticator app, or one of the recovery codes that came with it. Each holds once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Exists, OuterRef, Q, QuerySet

from platform_site.models import User

Kind = Literal["password", "code"]
TOTP, RECOVERY = Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES


def proofs_of(user: User, wanted: Collection[Kind]) -> frozenset[Kind]:
    """Which of the wanted kinds this person could give."""
    found: set[Kind] = set()
    if "password" in wanted and user.has_usable_password():
        found.add("password")
    if "code" in wanted and (len(wanted) == 1 or not found) and _authenticator(user):
        found.add("code")
    return frozenset(found)


def given_kind(proof: Mapping[str, str] | None, accepted: Collection[Kind]) -> Kind | None:
    """The accepted kind that was given, if any."""
    kinds: tuple[Kind, ...] = ("password", "code")
    return next((kind for kind in kinds if kind in accepted and proof and proof.get(kind)), None)


def can_give(wanted: Collection[Kind]) -> Q:
    """Memberships of people who could give one of these kinds; of everybody when none is wanted."""
    able = Q()
    if "password" in wanted:
        able |= ~Q(user__password__startswith=UNUSABLE_PASSWORD_PREFIX)
    if "code" in wanted:
        able |= Q(Exists(_of_kind(TOTP).filter(user=OuterRef("user"))))
    return able


def is_right(user: User, kind: Kind, given: str) -> bool:
    """Whether the proof holds. A one-time code holds once."""
    if kind == "password":
        return user.has_usable_password() and user.check_password(given)
    return _is_code(user, TOTP, given) or (
        _authenticator(user) is not None and _is_code(user, RECOVERY, given)
    )


def _is_code(user: User, kind: Authenticator.Type, given: str) -> bool:
    found = _of_kind(kind).filter(user=user.pk).first()
    return found is not None and bool(found.wrap().validate_code(given))


def _authenticator(user: User) -> Authenticator | None:
    return _of_kind(TOTP).filter(user=user.pk).first()


def _of_kind(kind: Authenticator.Type) -> QuerySet[Authenticator]:
    rows: QuerySet[Authenticator] = Authenticator.objects.filter(type=kind)
    return rows
