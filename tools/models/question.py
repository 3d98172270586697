"""What people are asked about a call: a Confirmation, with the Votes that answer it, or a Correction.

A Confirmation is the question put to people about a held call. A Correction is the form put to the person who asked,
when the model could not get a call's arguments right.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.lifecycle import Arrows
from platform_site.models import User
from platform_site.tenancy import TenantModel
from tools.models.call import ToolCall


class ConfirmationStatus(models.TextChoices):
    PENDING = "pending", _("Waiting")
    APPROVED = "approved", _("Approved")
    DENIED = "denied", _("Denied")
    EXPIRED = "expired", _("Expired")
    WITHDRAWN = "withdrawn", _("Withdrawn")


C = ConfirmationStatus
CONFIRMATION_ARROWS: Arrows = {
    C.PENDING: frozenset({C.APPROVED, C.DENIED, C.EXPIRED, C.WITHDRAWN}),
    C.APPROVED: frozenset({C.PENDING}),
}
"""An approved one is put again when its preview shows something else by the time it would be carried out."""


class Confirmation(TenantModel):
    """The question put to people about one held call: exactly what was shown, who may answer, and until when."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    call = models.OneToOneField(ToolCall, on_delete=models.CASCADE, related_name="confirmation")
    status = models.CharField(_("status"), max_length=10, choices=ConfirmationStatus, default=C.PENDING)
    digest = models.CharField(_("fingerprint"), max_length=64)
    by = models.CharField(_("decided by"), max_length=14)
    proof = models.CharField(_("proof"), max_length=10)
    votes_needed = models.PositiveSmallIntegerField(default=1)
    user_approved = models.BooleanField(_("user agreed"), default=False)
    preview = models.JSONField(null=True)
    preview_before = models.JSONField(null=True)
    """What was shown, and approved, before the preview changed."""
    decide_by = models.DateTimeField(_("decide by"))
    execute_within = models.PositiveIntegerField()
    execute_by = models.DateTimeField(_("execute by"), null=True)
    wrong_proofs = models.PositiveSmallIntegerField(default=0)
    locked_until = models.DateTimeField(null=True)
    """No proof is looked at before this time: too many were wrong."""
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    decided_at = models.DateTimeField(_("decided"), null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("confirmation")
        verbose_name_plural = _("confirmations")
        indexes = [models.Index(fields=["status", "decide_by"], name="confirmation_sweep")]

    def __str__(self) -> str:
        return self.pk


class Vote(TenantModel):
    """One person's answer to a Confirmation, about what it showed then (`digest`); kept for ever."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    confirmation = models.ForeignKey(Confirmation, on_delete=models.CASCADE, related_name="votes")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    part = models.CharField(max_length=10)
    decision = models.CharField(max_length=10)
    proof = models.CharField(max_length=10, blank=True)
    reason = models.TextField(blank=True)
    digest = models.CharField(_("fingerprint"), max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["confirmation", "user", "part", "digest"], name="one_vote_each_digest"
            )
        ]


class CorrectionStatus(models.TextChoices):
    PENDING = "pending", _("Waiting")
    SUBMITTED = "submitted", _("Corrected")
    CANCELLED = "cancelled", _("Cancelled")
    EXPIRED = "expired", _("Expired")
    WITHDRAWN = "withdrawn", _("Withdrawn")


K = CorrectionStatus
CORRECTION_ARROWS: Arrows = {K.PENDING: frozenset({K.SUBMITTED, K.CANCELLED, K.EXPIRED, K.WITHDRAWN})}


class Correction(TenantModel):
    """The form put to the person who asked: the arguments as far as they could be read, to be put right (A11)."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    call = models.OneToOneField(ToolCall, on_delete=models.CASCADE, related_name="correction")
    status = models.CharField(_("status"), max_length=10, choices=CorrectionStatus, default=K.PENDING)
    given = models.JSONField(default=dict)
    """What the form starts from."""
    errors = models.JSONField(default=list)
    """What is wrong with it, in the language of the person who is asked."""
    answer_by = models.DateTimeField(_("answer by"))
    answered_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("answered by")
    )
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    answered_at = models.DateTimeField(_("answered"), null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        indexes = [models.Index(fields=["status", "answer_by"], name="correction_sweep")]

    def __str__(self) -> str:
        return self.pk
