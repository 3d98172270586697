"""Reserve before a request to a model, settle after it. Plain statements for the caller's transaction.

A limit's row says what was used and is reserved in its newest period, and is changed by one conditional UPDATE: of
many requests that want its last room, one gets it. Rows are taken in the order of their ids. A reservation whose
process died lapses after `LAPSE`: it is given back when somebody needs the room, or looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import BigIntegerField, Case, CharField, F, Q, Value, When

from agents.usage import periods
from agents.usage.limits import About, Limit, Reached, frees_at, period_of
from agents.usage.models import MONTHLY, LimitKind, UsageEntry, UsageLimit

LAPSE = timedelta(minutes=10)
Held = tuple[str, str, int]
"""A limit's id, the period, and how much of it is reserved."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request about to be made: `id` is its reply's; at most so many tokens, and so many billionths."""

    id: str
    about: About
    run: str
    tokens: int = 0
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Booked:
    """What a request came to. `about.model` is the model that answered."""

    id: str
    about: About
    run: str
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    thinking_tokens: int = 0
    cost: int = 0
    finish: str = ""
    is_estimate: bool = False

    def comes_to(self, kind: LimitKind) -> int:
        return self.cost if kind == LimitKind.COST else self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Reservation:
    """What is held for a request; empty when no limit applies to it."""

    id: str
    held: tuple[Held, ...] = field(default=())


def reserve(asked: Asked, limits: Sequence[Limit], now: datetime, there: ZoneInfo) -> Reservation | Reached:
    """Take room for a request from every limit that counts it; all of it, or nothing."""
    taken: list[tuple[Limit, Held]] = []
    for limit in limits:
        if limit.kind == LimitKind.RUNS or not limit.counts(asked.about):
            continue
        wants = (limit.id, period_of(limit.kind, now, there), _wanted(limit.kind, asked))
        if not (_take(limit.kind, *wants) or _take_lapsed(limit.kind, wants, now)):
            if not UsageLimit.objects.filter(pk=limit.id).exists():
                continue  # it was deleted since
            for before, held in taken:
                _give_back(before.kind, *held)
            return Reached(limit, frees_at(limit.kind, now, there))
        taken.append((limit, wants))
    monthly = tuple(held for limit, held in taken if limit.kind in MONTHLY)
    if monthly:
        _note_reserved(asked, monthly, now, there)
    return Reservation(asked.id, monthly)


def _wanted(kind: LimitKind, asked: Asked) -> int:
    return {LimitKind.COST: asked.cost, LimitKind.TOKENS: asked.tokens}.get(kind, 1)


def _note_reserved(asked: Asked, held: Sequence[Held], now: datetime, there: ZoneInfo) -> None:
    about = asked.about
    UsageEntry(
        pk=asked.id, day=periods.day(now, there), agent=about.agent, model=about.model, user_id=about.user or None,
        run=asked.run, input_tokens=asked.tokens, cost=asked.cost, is_reserved=True,
        held=[list(one) for one in held], lapses_at=now + LAPSE,
    ).save(force_insert=True)  # fmt: skip


def _take(kind: LimitKind, limit: str, period: str, amount: int) -> bool:
    """One conditional UPDATE: it says whether there was room. A new period begins at nothing."""
    column = "reserved" if kind in MONTHLY else "used"
    this = Q(period__gte=period)
    room = (this & Q(amount__gte=F("used") + F("reserved") + amount)) | (~this & Q(amount__gte=amount))
    more = {"used": 0, "reserved": 0, column: amount}
    return bool(UsageLimit.objects.filter(room, pk=limit).update(**_moved(this, period, more)))


def _moved(this: Q, period: str, more: dict[str, int]) -> dict[str, Any]:
    values: dict[str, Any] = {
        name: Case(When(this, then=F(name) + by), default=Value(by), output_field=BigIntegerField())
        for name, by in more.items()
    }
    return values | {
        "period": Case(When(this, then=F("period")), default=Value(period), output_field=CharField())
    }


def _take_lapsed(kind: LimitKind, wants: Held, now: datetime) -> bool:
    """Once more, if somebody who died held some of it."""
    return kind in MONTHLY and release_lapsed(now) > 0 and _take(kind, *wants)


def _give_back(kind: LimitKind, limit: str, period: str, amount: int) -> None:
    column = "reserved" if kind in MONTHLY else "used"
    UsageLimit.objects.filter(pk=limit, period=period).update(**{column: F(column) - amount})


def release_lapsed(now: datetime) -> int:
    """Give back what the acting tenant's dead processes held; returns how many reservations that were."""
    lapsed = list(UsageEntry.objects.filter(is_reserved=True, lapses_at__lt=now).order_by("pk"))
    return sum(_release(row, now) for row in lapsed)


@transaction.atomic
def _release(row: UsageEntry, now: datetime) -> bool:
    """Of all who see that it lapsed, one gives it back."""
    mine = UsageEntry.objects.filter(pk=row.pk, is_reserved=True, lapses_at__lt=now)
    if not mine.delete()[0]:
        return False
    for limit, period, amount in row.held:
        UsageLimit.objects.filter(pk=limit, period=period).update(reserved=F("reserved") - amount)
    return True


def reservation(request: str, now: datetime) -> Reservation | None:
    """What a dead process reserved for this request, held on for whoever makes it again; None when it lapsed."""
    rows = UsageEntry.objects.filter(pk=request, is_reserved=True)
    if not rows.update(lapses_at=now + LAPSE):
        return None
    held: list[list[Any]] = rows.values_list("held", flat=True)[0]
    return Reservation(request, tuple((limit, period, amount) for limit, period, amount in held))


def settle(
    booked: Booked, reserved: Reservation | None, limits: Sequence[Limit], now: datetime, there: ZoneInfo
) -> None:
    """Book what a request came to, once, and give back what was reserved for it."""
    held = {limit: (period, amount) for limit, period, amount in reserved.held} if reserved else {}
    if not (held and _settle_reserved(booked, now, there)):
        held = {}
        UsageEntry(pk=booked.id, **_values(booked, now, there)).save(force_insert=True)
    for limit in limits:
        if limit.kind in MONTHLY and (limit.id in held or limit.counts(booked.about)):
            used = booked.comes_to(limit.kind) if limit.counts(booked.about) else 0
            _book(limit, used, held.get(limit.id), period_of(limit.kind, now, there))


def _settle_reserved(booked: Booked, now: datetime, there: ZoneInfo) -> bool:
    rows = UsageEntry.objects.filter(pk=booked.id, is_reserved=True)
    return bool(rows.update(is_reserved=False, held=[], lapses_at=None, **_values(booked, now, there)))


def _values(booked: Booked, now: datetime, there: ZoneInfo) -> dict[str, Any]:
    about = booked.about
    return {
        "day": periods.day(now, there), "agent": about.agent, "model": about.model, "user_id": about.user or None,
        "run": booked.run, "input_tokens": booked.input_tokens, "output_tokens": booked.output_tokens,
        "cached_tokens": booked.cached_tokens, "thinking_tokens": booked.thinking_tokens, "cost": booked.cost,
        "finish": booked.finish, "is_estimate": booked.is_estimate,
    }  # fmt: skip


def _book(limit: Limit, used: int, held: tuple[str, int] | None, period: str) -> None:
    """What was used counts now; what was held is given back in the period it was taken from."""
    this = Q(period__gte=period)
    values = _moved(this, period, {"used": used, "reserved": 0})
    if held:
        then, amount = held
        values["reserved"] = Case(
            When(period=then, period__gte=period, then=F("reserved") - amount),
            When(this, then=F("reserved")), default=Value(0), output_field=BigIntegerField(),
        )  # fmt: skip
    UsageLimit.objects.filter(pk=limit.id).update(**values)
