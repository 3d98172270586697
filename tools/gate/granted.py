"""Standing grants as people look at them: whose they may see, whether one still holds, and what it leaves free."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from django.db.models import F, QuerySet

from platform_site.access import Actor
from tools import catalogue
from tools.gate import granting
from tools.models import Grant

State = Literal["holds", "used_up", "expired", "revoked", "outdated"]


def visible_to(actor: Actor) -> QuerySet[Grant]:
    """One's own; who configures sees everybody's."""
    rows = Grant.objects.select_related("user", "version__tool", "confirmation__call")
    return rows if actor.can_configure else rows.filter(user=actor.user)


def that_hold(rows: QuerySet[Grant], now: datetime) -> QuerySet[Grant]:
    """Those that would still clear a call."""
    return rows.filter(pk__in=granting.live(now).values("pk"), version=F("version__tool__current"))


def state_of(grant: Grant, now: datetime) -> State:
    if grant.revoked_at is not None:
        return "revoked"
    if grant.uses_left == 0:
        return "used_up"
    if grant.expires_at <= now:
        return "expired"
    return "holds" if grant.version_id == grant.version.tool.current_id else "outdated"


def free_names(grant: Grant) -> Sequence[str]:
    """The tool's arguments that may be anything."""
    known = catalogue.spec_of(grant.version).schema.get("properties") or {}
    return [name for name in known if name not in grant.pinned]
