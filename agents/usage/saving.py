"""Setting, changing and lifting limits; each with its entry in the audit log.

A new monthly limit begins with what was used of it this month already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from django.db.models import F, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.models import Agent, LanguageModel
from agents.usage import limits, periods
from agents.usage.models import MONTHLY, LimitKind, LimitOf, UsageEntry, UsageLimit
from agents.usage.price import billionths, money, written
from platform_site import audit
from platform_site.errors import BadDefinition
from platform_site.models import Membership, Tenant, User
from platform_site.tenancy import current_tenant_id

MOST_MONEY = 1_000_000_000
MOST_COUNT = 10**15
Outcome = Literal["created", "changed", "unchanged"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A limit as somebody wrote it down. `name`: an agent's or model's slug, a person's e-mail address."""

    kind: LimitKind
    amount: Decimal
    of: LimitOf = LimitOf.TENANT
    name: str = ""


def save(wanted: Wanted, by: User | None) -> tuple[UsageLimit, Outcome]:
    """Make the limit or change its amount. Raises `BadDefinition`."""
    name, amount = _name(wanted), _amount(wanted)
    with audit.recording():
        rows = UsageLimit.objects.select_for_update().filter(kind=wanted.kind, of=wanted.of, name=name)
        row = rows.first()
        if row and row.amount == amount:
            return row, "unchanged"
        before = _state(row) if row else None
        if row:
            rows.update(amount=amount, warned="")
            row.amount = amount
        else:
            row = _make(wanted, name, amount)
        _note_saved(row, by, before)
    return row, "changed" if before else "created"


def delete(row: UsageLimit, by: User | None) -> None:
    """Lift the limit."""
    with audit.recording():
        if UsageLimit.objects.filter(pk=row.pk).delete()[0]:
            audit.note("limit.deleted", row, by=by, before=audit.digest(_state(row)), **_said(row))


def written_amount(kind: str, amount: int) -> Decimal:
    """As people write it: money, or a number."""
    return money(amount) if kind == LimitKind.COST else Decimal(amount)


def amount_text(kind: str, amount: int) -> str:
    """The same in digits, for programs."""
    return written(amount) if kind == LimitKind.COST else str(amount)


def _make(wanted: Wanted, name: str, amount: int) -> UsageLimit:
    row = UsageLimit(kind=wanted.kind, of=wanted.of, name=name, amount=amount)
    if wanted.kind in MONTHLY:
        there = limits.zone_of(Tenant.objects.get(pk=current_tenant_id()))
        row.period = periods.month(timezone.now(), there)
        row.used = _used(wanted, name, row.period)
    row.save(force_insert=True)
    return row


def _used(wanted: Wanted, name: str, month: str) -> int:
    """What this month has come to so far."""
    inside = {"day__gte": periods.first_of(month), "day__lt": periods.after(month)}
    rows = UsageEntry.objects.filter(is_reserved=False, **inside)
    if wanted.of != LimitOf.TENANT:
        rows = rows.filter(**{wanted.of.value: name})
    what = F("cost") if wanted.kind == LimitKind.COST else F("input_tokens") + F("output_tokens")
    return int(rows.aggregate(all=Sum(what))["all"] or 0)


def _note_saved(row: UsageLimit, by: User | None, before: Mapping[str, Any] | None) -> None:
    was = audit.digest(before) if before else ""
    audit.note("limit.saved", row, by=by, before=was, after=audit.digest(_state(row)), **_said(row))


def _state(row: UsageLimit) -> dict[str, Any]:
    return {"kind": row.kind, "of": row.of, "name": row.name, "amount": row.amount}


def _said(row: UsageLimit) -> dict[str, Any]:
    return {"limit": row.kind, "of": row.of, "name": row.name, "amount": amount_text(row.kind, row.amount)}


def _name(wanted: Wanted) -> str:
    """What the limit's row names; `BadDefinition` when there is no such thing here."""
    name = wanted.name.strip()
    found: QuerySet[Any, str]
    match wanted.of:
        case LimitOf.TENANT:
            return ""
        case LimitOf.AGENT:
            found = Agent.objects.filter(slug=name).values_list("slug", flat=True)
            words = _("there is no agent %(name)s")
        case LimitOf.MODEL:
            if wanted.kind == LimitKind.RUNS:
                raise _bad("$.model", _("turns at the same time cannot be limited for one model"))
            found = LanguageModel.objects.filter(slug=name).values_list("slug", flat=True)
            words = _("there is no model %(name)s")
        case LimitOf.USER:
            found = Membership.objects.filter(user__email=name.lower()).values_list("user_id", flat=True)
            words = _("nobody here has the address %(name)s")
    known = found.first()
    if known is None:
        raise _bad(f"$.{wanted.of.value}", words % {"name": name or "–"})
    return str(known)


def _amount(wanted: Wanted) -> int:
    if wanted.kind == LimitKind.COST:
        if not 0 < wanted.amount <= MOST_MONEY:
            raise _bad("$.amount", _("This must be more than 0 and at most %(most)s.") % {"most": MOST_MONEY})
        return billionths(wanted.amount)
    if wanted.amount != int(wanted.amount) or not 1 <= wanted.amount <= MOST_COUNT:
        raise _bad("$.amount", _("This must be a whole number from 1."))
    return int(wanted.amount)


def _bad(path: str, message: str) -> BadDefinition:
    return BadDefinition([{"path": path, "message": message}])
