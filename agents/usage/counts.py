"""Sums of what was used, for the API and the page: by day, agent, model or person, each one GROUP BY."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal, get_args

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from agents.usage.models import UsageEntry
from platform_site.models import User

By = Literal["day", "agent", "model", "user"]
BYS: tuple[By, ...] = get_args(By)
LONGEST_DAYS = 366


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which usage is counted: from the first day to the last, of one agent, model or person where named."""

    start: date
    end: date
    agent: str = ""
    model: str = ""
    user: str = ""

    def rows(self) -> QuerySet[UsageEntry]:
        rows = UsageEntry.objects.filter(is_reserved=False, day__gte=self.start, day__lte=self.end)
        named = {"agent": self.agent, "model": self.model, "user": self.user}
        return rows.filter(**{name: value for name, value in named.items() if value})

    @property
    def days(self) -> list[date]:
        return [self.start + timedelta(days=at) for at in range((self.end - self.start).days + 1)]

    def but(self, **changes: Any) -> Chosen:
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class Sums:
    """Costs are billionths; `estimated` are requests whose provider did not say what they came to."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: int = 0
    estimated: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Line:
    """Sums of one day, agent, model or person; `key` is the ISO day, the slug or the person's id."""

    key: str
    name: str
    sums: Sums


def _sums() -> dict[str, Any]:
    return {
        "requests": Count("pk"), "in": Coalesce(Sum("input_tokens"), 0), "out": Coalesce(Sum("output_tokens"), 0),
        "money": Coalesce(Sum("cost"), 0), "estimates": Count("pk", filter=Q(is_estimate=True)),
    }  # fmt: skip


def total(chosen: Chosen) -> Sums:
    return Sums(*(int(value) for value in chosen.rows().aggregate(**_sums()).values()))


def lines(chosen: Chosen, by: By) -> list[Line]:
    """Days in their order, those without requests left out; anything else by what it cost, the most first."""
    found = chosen.rows().order_by().values_list(by).annotate(**_sums())
    counted = [(key, Sums(*(int(value) for value in values))) for key, *values in found]
    names = _names({key for key, _sums in counted}) if by == "user" else {}
    told = [Line(_text(key), names.get(key, _text(key)), sums) for key, sums in counted]
    if by == "day":
        return sorted(told, key=lambda line: line.key)
    return sorted(told, key=lambda line: (-line.sums.cost, -line.sums.tokens, line.name))


def _text(key: Any) -> str:
    return key.isoformat() if isinstance(key, date) else key or ""


def _names(people: set[str | None]) -> dict[str | None, str]:
    return {user.pk: str(user) for user in User.objects.filter(pk__in=people - {None})}
