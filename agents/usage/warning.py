"""When most of a monthly limit is used, the tenant's admins hear of it: once a month and limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F

from agents.usage import limits as reading
from agents.usage.limits import Limit
from agents.usage.models import MONTHLY, UsageLimit
from platform_site import bell
from platform_site.models import ADMIN_ROLES, Membership
from platform_site.tenancy import current_tenant_id


def warn(
    limits: Iterable[Limit], now: datetime, there: ZoneInfo, since_read: Mapping[str, int] | None = None
) -> None:
    """Warn of those that are due. Costs nothing while none is.

    `since_read`: how much more was used since the limits were read, as far as the caller knows, by the limit's id.
    """
    for limit in limits:
        period = reading.period_of(limit.kind, now, there)
        more = (since_read or {}).get(limit.id, 0)
        if limit.kind in MONTHLY and limit.warned < period and is_high(limit, period, more):
            _warn(limit, period)


def is_high(limit: Limit, period: str, more: int = 0) -> bool:
    """Whether four fifths of it are used."""
    share, of = reading.MOST
    return (limit.in_period(period)[0] + more) * of >= limit.amount * share


def _warn(limit: Limit, period: str) -> None:
    """Of all who see that it is due, one tells."""
    share, of = reading.MOST
    high = UsageLimit.objects.filter(pk=limit.id, period=period, used__gte=F("amount") * share / of)
    if high.exclude(warned=period).update(warned=period):
        told = {"limit": limit.kind.value, "of": limit.of.value, "name": limit.name}
        admins = Membership.objects.filter(role__in=ADMIN_ROLES, is_active=True).values_list(
            "user_id", flat=True
        )
        for admin in admins:
            notice = bell.Notice(current_tenant_id(), admin, "budget", told)
            transaction.on_commit(partial(bell.notify, notice))
