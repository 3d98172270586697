"""A tenant's limits as values: which apply to a request, what is left of them, and when one frees. No writing here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from agents.usage import periods
from agents.usage.models import MONTHLY, LimitKind, LimitOf, UsageLimit
from platform_site.models import Tenant, User

MOST = 4, 5
"""Of a monthly limit: from this share on admins are warned."""


@dataclass(frozen=True, slots=True)
class About:
    """Whose request it is: an agent's and a model's slug, a person's id."""

    agent: str
    model: str
    user: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit as it stood when it was read; `used` and `reserved` count in its own `period`."""

    id: str
    kind: LimitKind
    of: LimitOf
    name: str
    amount: int
    period: str = ""
    used: int = 0
    reserved: int = 0
    warned: str = ""

    def counts(self, about: About) -> bool:
        """Whether this usage is counted by this limit."""
        match self.of:
            case LimitOf.TENANT:
                return True
            case LimitOf.AGENT:
                return self.name == about.agent
            case LimitOf.MODEL:
                return self.name == about.model
            case LimitOf.USER:
                return self.name == about.user

    def in_period(self, period: str) -> tuple[int, int]:
        """(used, reserved) in `period`: what an older one left behind does not count."""
        return (self.used, self.reserved) if self.period >= period else (0, 0)


@dataclass(frozen=True, slots=True)
class Reached:
    """A limit leaves no room for a request before `frees_at`."""

    limit: Limit
    frees_at: datetime

    @property
    def seconds(self) -> int:
        """Until it frees; at least one."""
        return max(1, int((self.frees_at - timezone.now()).total_seconds()) + 1)


def read() -> tuple[Limit, ...]:
    """The acting tenant's limits, in the order in which their rows are locked."""
    return tuple(value_of(row) for row in UsageLimit.objects.order_by("pk"))


def value_of(row: UsageLimit) -> Limit:
    return Limit(
        row.pk, LimitKind(row.kind), LimitOf(row.of), row.name, row.amount, row.period, row.used, row.reserved,
        row.warned,
    )  # fmt: skip


def period_of(kind: LimitKind, now: datetime, there: ZoneInfo) -> str:
    return periods.month(now, there) if kind in MONTHLY else periods.minute(now)


def frees_at(kind: LimitKind, now: datetime, there: ZoneInfo) -> datetime:
    return periods.next_month(now, there) if kind in MONTHLY else periods.next_minute(now)


def minute_is_full(limits: Iterable[Limit], about: About, now: datetime) -> bool:
    """Whether a request would have to wait for the next minute, as far as was known when the limits were read."""
    minute = periods.minute(now)
    asked = (limit for limit in limits if limit.kind == LimitKind.REQUESTS and limit.counts(about))
    return any(limit.in_period(minute)[0] >= limit.amount for limit in asked)


def subject(limit: Limit) -> str:
    """Whose usage the limit counts, in words."""
    match limit.of:
        case LimitOf.TENANT:
            return _("everybody here together")
        case LimitOf.AGENT:
            return _("the agent “%(name)s”") % {"name": limit.name}
        case LimitOf.MODEL:
            return _("the model “%(name)s”") % {"name": limit.name}
        case LimitOf.USER:
            return _("you")


def sentence(reached: Reached, there: ZoneInfo) -> str:
    """For the person who asked: which limit, and when there is room again."""
    limit = reached.limit
    named = {"who": subject(limit), "when": date_format(reached.frees_at.astimezone(there), "DATE_FORMAT")}
    match limit.kind:
        case LimitKind.COST:
            words = _("The monthly spending limit for %(who)s leaves no room for this. It frees on %(when)s.")
        case LimitKind.TOKENS:
            words = _("The monthly token limit for %(who)s leaves no room for this. It frees on %(when)s.")
        case LimitKind.REQUESTS:
            words = _("The limit of requests a minute for %(who)s is reached. It frees within a minute.")
        case LimitKind.RUNS:
            words = _("The limit of turns at the same time for %(who)s is reached.")
    return words % named


def told(reached: Reached) -> dict[str, Any]:
    """The same for programs."""
    limit = reached.limit
    return {"limit": limit.kind.value, "of": limit.of.value, "name": limit.name,
            "freesAt": reached.frees_at.isoformat()}  # fmt: skip


def names_of(limits: Sequence[Limit | UsageLimit]) -> dict[str, str]:
    """What people call whom each limit is about, by the limit's id."""
    people = {limit.name for limit in limits if limit.of == LimitOf.USER}
    known = {user.pk: user.email for user in User.objects.filter(pk__in=people)} if people else {}
    return {
        limit.pk if isinstance(limit, UsageLimit) else limit.id: known.get(limit.name, limit.name)
        for limit in limits
    }


def zone_of(tenant: Tenant) -> ZoneInfo:
    """Months and days of usage are the tenant's."""
    return periods.zone(tenant.timezone)
