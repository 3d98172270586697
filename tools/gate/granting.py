"""Standing grants: a person's yes to the next calls of one tool version with some arguments pinned.

For what asks them alone, simply, because the tool is CONFIRM; never for a call that something raised, that was mended
or written as text, or that comes after outside text. A new version of the tool ends its grants by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from platform_site import audit
from platform_site.access import Actor
from platform_site.models import User
from tools import catalogue, policy
from tools.canonical import canonical
from tools.gate.judging import Judgement
from tools.gate.values import Refused
from tools.models import Confirmation, Grant
from tools.spec import ToolSpec

MOST_USES = 50
LONGEST = timedelta(days=1)
HARMLESS = frozenset({"default", "empty", "coerced", "corrected_by_person"})
"""Flags that do not stand in the way of a grant; rules that only tell do not, either."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody who says yes would also say yes to: calls with these arguments as they are now."""

    pinned: Sequence[str]
    uses: int
    minutes: int


def use(spec: ToolSpec, user: User, judged: Judgement) -> str:
    """Use up one use of a grant that covers this call; its id, or "" when there is none."""
    assert judged.arguments is not None
    if not can_be_granted(spec) or not _is_ordinary(judged.risk, judged.reasons, judged.flags):
        return ""
    for grant in live(timezone.now()).filter(user=user, version=spec.version).order_by("expires_at"):
        if _covers(grant, judged.arguments) and _take_one(grant):
            audit.note("grant.used", grant, by=user)
            return grant.pk
    return ""


def can_be_granted(spec: ToolSpec) -> bool:
    """Whether calls of this tool ask the person alone, with a click, and show nothing that has to be looked at."""
    if spec.risk != "CONFIRM" or spec.preview:
        return False
    asks = policy.policy_for(spec, "CONFIRM")
    return (asks.by, asks.proof) == ("user", "none")


def can_grant(confirmation: Confirmation) -> bool:
    """Whether who says yes to this may say it to the next calls as well."""
    version = confirmation.call.version
    return version is not None and can_be_granted(catalogue.spec_of(version)) and is_plain(confirmation)


def problem(confirmation: Confirmation, wanted: Wanted, edited: Mapping[str, Any] | None) -> Refused | None:
    """Why what is asked about, or put in its place, cannot be granted for the next calls as well, if it cannot."""
    if not can_grant(confirmation):
        return Refused("bad_request", _("A standing yes is not possible for this call."))
    given = (confirmation.call.arguments or {}) if edited is None else edited
    if missing := [name for name in wanted.pinned if name not in given]:
        return Refused("bad_request", _("There is no argument %(name)s here.") % {"name": missing[0]})
    return None


def grant(confirmation: Confirmation, user: User, wanted: Wanted) -> Grant:
    """Store what somebody who has just said yes wants to hold for the next calls as well."""
    call = confirmation.call
    assert call.version is not None
    made = Grant.objects.create(
        user=user, version=call.version, confirmation=confirmation, uses=wanted.uses, uses_left=wanted.uses,
        pinned={name: (call.arguments or {})[name] for name in wanted.pinned},
        expires_at=timezone.now() + min(timedelta(minutes=wanted.minutes), LONGEST),
    )  # fmt: skip
    audit.note("grant.made", made, by=user, uses=made.uses, until=made.expires_at.isoformat(), call=call.pk)
    return made


def live(now: datetime) -> QuerySet[Grant]:
    """The grants that still hold."""
    return Grant.objects.filter(revoked_at=None, expires_at__gt=now, uses_left__gt=0)


def revoke(grant_id: str, actor: Actor) -> bool:
    """Take a grant back: one's own, or, for who configures, anybody's. False when it held no longer."""
    grants = live(timezone.now()).filter(pk=grant_id)
    mine = grants if actor.can_configure else grants.filter(user=actor.user)
    with audit.recording():
        found = mine.select_for_update().first()
        if found is None or not mine.update(revoked_at=timezone.now()):
            return False
        audit.note("grant.revoked", found, by=actor.user)
    return True


def _is_harmless(flag: str) -> bool:
    return flag in HARMLESS or flag.startswith("rule:")


def _is_ordinary(risk: str, reasons: Sequence[object], flags: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a CONFIRM tool's own level is all that such a call is held for: a second reason is what raised it."""
    return risk == "CONFIRM" and len(reasons) == 1 and all(_is_harmless(flag["name"]) for flag in flags)


def is_plain(confirmation: Confirmation) -> bool:
    """Whether the question is the simple one, and nothing about its call is out of the ordinary."""
    call = confirmation.call
    is_simple = (confirmation.by, confirmation.proof) == ("user", "none")
    return is_simple and _is_ordinary(call.risk, call.reasons, call.flags)


def _covers(grant: Grant, arguments: Mapping[str, Any]) -> bool:
    return all(
        name in arguments and canonical(arguments[name]) == canonical(value)
        for name, value in grant.pinned.items()
    )


def _take_one(grant: Grant) -> bool:
    """Of two calls at once, the last use goes to one."""
    left = Grant.objects.filter(pk=grant.pk, uses_left__gt=0, revoked_at=None)
    return bool(left.update(uses_left=F("uses_left") - 1))
