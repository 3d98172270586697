"""A ToolCall: one request of a model (or a person) to run a tool. It moves only along `CALL_ARROWS`."""

from __future__ import annotations

from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.lifecycle import Arrows
from platform_site.models import User
from platform_site.tenancy import TenantModel
from tools.models.tool import Risk, ToolVersion


class CallStatus(models.TextChoices):
    PROPOSED = "proposed", _("Being prepared")
    REJECTED = "rejected", _("Bad arguments")
    REFUSED = "refused", _("Not allowed")
    ASKING = "asking", _("Waiting for corrected arguments")
    HELD = "held", _("Waiting for approval")
    CLEARED = "cleared", _("Cleared")
    APPROVED = "approved", _("Approved")
    DENIED = "denied", _("Denied")
    EXPIRED = "expired", _("Expired")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    LAPSED = "lapsed", _("Lapsed")
    CLAIMED = "claimed", _("Running")
    WORKING = "working", _("Working in the background")
    SUCCEEDED = "succeeded", _("Done")
    FAILED = "failed", _("Failed")
    UNKNOWN = "unknown", _("Outcome unknown")


S = CallStatus
CALL_ARROWS: Arrows = {
    S.PROPOSED: frozenset({S.REJECTED, S.REFUSED, S.ASKING, S.HELD, S.CLEARED, S.WITHDRAWN}),
    S.ASKING: frozenset({S.PROPOSED, S.HELD, S.CLEARED, S.REFUSED, S.EXPIRED, S.WITHDRAWN}),
    S.HELD: frozenset({S.PROPOSED, S.APPROVED, S.DENIED, S.EXPIRED, S.WITHDRAWN}),
    S.CLEARED: frozenset({S.CLAIMED, S.WITHDRAWN, S.LAPSED}),
    S.APPROVED: frozenset({S.HELD, S.CLAIMED, S.LAPSED, S.WITHDRAWN}),
    S.CLAIMED: frozenset({S.WORKING, S.SUCCEEDED, S.FAILED, S.UNKNOWN}),
    S.WORKING: frozenset({S.CLAIMED, S.SUCCEEDED, S.FAILED, S.UNKNOWN}),
    S.UNKNOWN: frozenset({S.SUCCEEDED, S.FAILED, S.CLAIMED}),
}
"""Every move a call may make. What has no arrow is the end."""

OPEN_STATUSES = frozenset({S.PROPOSED, S.ASKING, S.HELD, S.CLEARED, S.APPROVED, S.CLAIMED, S.WORKING})
"""A call in one of these has not been answered yet."""


class ToolCall(TenantModel):
    """One request to run a tool. Its id travels as the Idempotency-Key of the effect."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    topic = models.CharField(_("conversation"), max_length=32, db_index=True)
    run = models.CharField(_("run"), max_length=32, db_index=True)
    message = models.CharField(max_length=32, blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    model_call_id = models.CharField(max_length=120, blank=True)
    name = models.CharField(_("tool"), max_length=120)
    version = models.ForeignKey(
        ToolVersion, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("version")
    )
    requester = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("asked by")
    )
    model = models.CharField(_("model"), max_length=120, blank=True)
    status = models.CharField(_("status"), max_length=12, choices=CallStatus, default=CallStatus.PROPOSED)
    risk = models.CharField(_("risk"), max_length=8, choices=Risk, blank=True)
    reasons = models.JSONField(default=list)
    """Why it was held or refused, each as `{"en": …, "zh-hans": …}`; of older calls, plain texts."""
    raw = models.TextField()
    arguments = models.JSONField(null=True)
    proposed_arguments = models.JSONField(null=True)
    """What was asked for, if somebody who decided changed it."""
    likeness = models.CharField(max_length=64, blank=True)
    """The same for every call of one version with the same arguments."""
    flags = models.JSONField(default=list)
    errors = models.JSONField(default=list)
    digest = models.CharField(_("fingerprint"), max_length=64, blank=True)
    result = models.JSONField(null=True)
    proposed_at = models.DateTimeField(_("asked"), auto_now_add=True)
    claimed_at = models.DateTimeField(_("started"), null=True)
    give_up_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(_("ended"), null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("tool call")
        verbose_name_plural = _("tool calls")
        indexes = [
            models.Index(fields=["status", "give_up_at"], name="call_sweep"),
            models.Index(fields=["version", "claimed_at"], name="call_rate"),
            models.Index(fields=["likeness", "-proposed_at"], name="call_likeness"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.id[:12]}"

    @property
    def why(self) -> list[str]:
        """The reasons in the language that is active."""
        return self.why_in(get_language() or "")

    def why_in(self, language: str) -> list[str]:
        return [
            reason if isinstance(reason, str) else reason.get(language) or reason.get("en", "")
            for reason in self.reasons
        ]
