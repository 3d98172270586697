"""One row for each request to a model, and the limits a tenant set itself."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from platform_site.ids import new_id
from platform_site.models import User
from platform_site.tenancy import TenantModel


class UsageEntry(TenantModel):
    """A request to a model: reserved before it is sent where a limit applies, settled with what it came to.

    Its id is the reply's, so that nothing is booked twice. It points at no conversation: it outlives it.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    day = models.DateField(_("day"))
    """The tenant's day on which it was settled, or reserved."""
    agent = models.CharField(_("agent"), max_length=60)
    model = models.CharField(_("model"), max_length=60)
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("person")
    )
    run = models.CharField(max_length=32)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cached_tokens = models.PositiveBigIntegerField(default=0)
    thinking_tokens = models.PositiveBigIntegerField(default=0)
    cost = models.BigIntegerField(default=0)
    """Billionths of the currency the prices are in."""
    finish = models.CharField(max_length=16, blank=True)
    is_estimate = models.BooleanField(default=False)
    """It was broken off before the provider said what it came to."""
    is_reserved = models.BooleanField(default=False)
    """Not settled: the tokens and the cost are the most it may come to."""
    held = models.JSONField(default=list)
    """What was reserved of which limit: [[limit, period, how much]]."""
    lapses_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("model request")
        verbose_name_plural = _("model requests")
        indexes: ClassVar = [
            models.Index(fields=["tenant", "day"], name="usage_by_day"),
            models.Index(
                fields=["tenant", "lapses_at"], condition=Q(is_reserved=True), name="usage_reserved"
            ),
        ]


class LimitKind(models.TextChoices):
    COST = "monthly_cost", _("Cost a month")
    TOKENS = "monthly_tokens", _("Tokens a month")
    REQUESTS = "requests_per_minute", _("Requests a minute")
    RUNS = "concurrent_runs", _("Turns at the same time")


MONTHLY = frozenset({LimitKind.COST, LimitKind.TOKENS})


class LimitOf(models.TextChoices):
    """Whose usage a limit counts."""

    TENANT = "tenant", pgettext_lazy("limit for", "Everybody together")
    AGENT = "agent", _("One agent")
    MODEL = "model", _("One model")
    USER = "user", _("One person")


class UsageLimit(TenantModel):
    """A limit, and what was used and is reserved of it in its newest period.

    `amount`, `used` and `reserved` are in billionths for a cost, else in tokens or requests. A limit on concurrent
    runs counts no use: running runs are counted when one wants to begin.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    kind = models.CharField(_("what is limited"), max_length=20, choices=LimitKind)
    of = models.CharField(_("for"), max_length=8, choices=LimitOf, default=LimitOf.TENANT)
    name = models.CharField(max_length=60, blank=True)
    """The agent's or model's slug, or the person's id; empty for the whole tenant."""
    amount = models.BigIntegerField(_("at most"))
    period = models.CharField(max_length=16, blank=True)
    used = models.BigIntegerField(default=0)
    reserved = models.BigIntegerField(default=0)
    warned = models.CharField(max_length=16, blank=True)
    """The month in which admins were told that most of it is used."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("limit")
        verbose_name_plural = _("limits")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "kind", "of", "name"], name="one_limit_of_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".strip()
