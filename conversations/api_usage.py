"""What requests to models came to, over HTTP. Owners and admins see the whole tenant's, others their own."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any, Self

from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from agents.usage import counts, limits, periods
from agents.usage.models import MONTHLY, LimitKind, LimitOf
from agents.usage.price import written
from agents.usage.saving import amount_text
from conversations.api_base import ApiView, answer
from conversations.api_bodies import Query
from conversations.api_docs import operation
from conversations.api_shapes import Shape
from platform_site.access import Actor
from platform_site.errors import Problem

USUAL_DAYS = 30
MONEY = "A decimal number as text, in the currency the tenant's prices are in."


class UsageQuery(Query):
    """Which usage is asked for; days are the tenant's, both ends are counted."""

    start: Annotated[
        date | None, Field(alias="from", description="The first day; 30 days before `to` if absent.")
    ] = None
    end: Annotated[date | None, Field(alias="to", description="The last day; today if absent.")] = None
    by: Annotated[counts.By, Field(description="What each result is about.")] = "day"


class UsageSums(Shape):
    requests: int
    input_tokens: int
    output_tokens: int
    cost: str = Field(description=MONEY)
    estimated: int = Field(
        description="Requests that were broken off before the provider said what they came to."
    )

    @classmethod
    def of(cls, sums: counts.Sums) -> Self:
        return cls(**cls._values(sums))

    @staticmethod
    def _values(sums: counts.Sums) -> dict[str, Any]:
        return {
            "requests": sums.requests, "input_tokens": sums.input_tokens, "output_tokens": sums.output_tokens,
            "cost": written(sums.cost), "estimated": sums.estimated,
        }  # fmt: skip


class UsageLine(UsageSums):
    key: str = Field(description="The day, the agent's or model's slug, or the person's id.")
    name: str = Field(description="The same for people; empty for somebody who is gone.")

    @classmethod
    def line(cls, line: counts.Line) -> Self:
        return cls(key=line.key, name=line.name, **cls._values(line.sums))


class UsageLimitShape(Shape):
    kind: str = Field(
        description="`monthly_cost`, `monthly_tokens`, `requests_per_minute` or `concurrent_runs`."
    )
    of: str = Field(description="`tenant`, `agent`, `model` or `user`.")
    name: str = Field(description="Whose: a slug or an e-mail address; empty for the whole tenant.")
    amount: str
    used: str | None = Field(description="This month, or this minute; null where nothing is counted.")
    reserved: str | None = Field(description="For requests under way.")


class UsageReport(Shape):
    """What was used, in all and by day, agent, model or person."""

    start: date = Field(alias="from")
    end: date = Field(alias="to")
    by: str
    timezone: str
    totals: UsageSums
    results: list[UsageLine]
    limits: list[UsageLimitShape] = Field(description="Those that count the usage shown to you.")


class Usage(ApiView):
    @operation("usage_report", "What requests to models came to", {200: UsageReport}, query=UsageQuery)
    def get(self, request: Request, **kwargs: Any) -> Response:
        asked = self.query(UsageQuery)
        chosen = _chosen(self.actor, asked)
        report = UsageReport.model_validate({
            "from": chosen.start, "to": chosen.end, "by": asked.by, "timezone": self.actor.tenant.timezone,
            "totals": UsageSums.of(counts.total(chosen)),
            "results": [UsageLine.line(line) for line in counts.lines(chosen, asked.by)],
            "limits": _limits(self.actor),
        })  # fmt: skip
        return answer(report)


def _chosen(actor: Actor, asked: UsageQuery) -> counts.Chosen:
    today = periods.day(timezone.now(), limits.zone_of(actor.tenant))
    end = asked.end or today
    start = asked.start or end - timedelta(days=USUAL_DAYS - 1)
    if not 0 <= (end - start).days < counts.LONGEST_DAYS:
        words = _("`from` is not after `to`, and at most %(most)s days lie between them.")
        raise Problem(400, "bad_request", words % {"most": counts.LONGEST_DAYS})
    return counts.Chosen(start, end, user="" if actor.can_configure else actor.user.pk)


def _limits(actor: Actor) -> list[UsageLimitShape]:
    known = limits.read()
    if not actor.can_configure:
        known = tuple(limit for limit in known if (limit.of, limit.name) == (LimitOf.USER, actor.user.pk))
    called = limits.names_of(known)
    return [_limit(limit, called[limit.id], actor) for limit in known]


def _limit(limit: limits.Limit, called: str, actor: Actor) -> UsageLimitShape:
    period = limits.period_of(limit.kind, timezone.now(), limits.zone_of(actor.tenant))
    used, reserved = (amount_text(limit.kind, one) for one in limit.in_period(period))
    return UsageLimitShape(
        kind=limit.kind, of=limit.of, name=called, amount=amount_text(limit.kind, limit.amount),
        used=used if limit.kind in (*MONTHLY, LimitKind.REQUESTS) else None,
        reserved=reserved if limit.kind in MONTHLY else None,
    )  # fmt: skip
