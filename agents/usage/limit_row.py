"""A limit as a line of the page: its amount, how far it is used, when it frees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from agents.usage import limits
from agents.usage.limits import Limit
from agents.usage.models import MONTHLY, LimitKind, LimitOf
from agents.usage.saving import amount_text
from agents.usage.warning import is_high
from tools.review.shares import at, share


@dataclass(frozen=True, slots=True)
class LimitRow:
    """`x` and `width` are lengths of the bar: used, then reserved. `tone`: good, warn or bad."""

    limit: Limit
    called: str
    amount: str
    used: int
    reserved: int
    share: str
    width: str
    reserved_x: str
    reserved_width: str
    tone: str
    frees_at: datetime | None

    @property
    def kind_name(self) -> str:
        return str(self.limit.kind.label)

    @property
    def of_name(self) -> str:
        return str(LimitOf(self.limit.of).label)

    @property
    def subject(self) -> str:
        """As the form says it."""
        return f"{self.limit.of.value}:{self.called}"

    @property
    def is_money(self) -> bool:
        return self.limit.kind == LimitKind.COST

    @property
    def is_monthly(self) -> bool:
        return self.limit.kind in MONTHLY


def rows_of(known: Sequence[Limit], now: datetime, there: ZoneInfo) -> list[LimitRow]:
    """By what is limited, the whole tenant's first."""
    called = limits.names_of(known)
    order = list(LimitKind)
    subjects = list(LimitOf)
    ranked = sorted(known, key=lambda one: (order.index(one.kind), subjects.index(one.of), called[one.id]))
    return [_row(limit, called[limit.id], now, there) for limit in ranked]


def _row(limit: Limit, called: str, now: datetime, there: ZoneInfo) -> LimitRow:
    period = limits.period_of(limit.kind, now, there)
    used, reserved = limit.in_period(period)
    shown_used, shown_reserved = min(used, limit.amount), max(0, min(reserved, limit.amount - used))
    tone = "bad" if used >= limit.amount else "warn" if is_high(limit, period) else "good"
    return LimitRow(
        limit, called, amount_text(limit.kind, limit.amount), used, reserved, share(used, limit.amount),
        at(shown_used, limit.amount), at(shown_used, limit.amount), at(shown_reserved, limit.amount), tone,
        limits.frees_at(limit.kind, now, there) if limit.kind in MONTHLY else None,
    )  # fmt: skip
