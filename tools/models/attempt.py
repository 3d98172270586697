"""What was tried: CallAttempt, one try at a call's arguments, and its Faults. Inbox and insights read these (A12)."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.models import User
from platform_site.tenancy import TenantModel
from tools.models.call import ToolCall
from tools.models.tool import ToolVersion


class AttemptOutcome(models.TextChoices):
    VALID = "valid", _("Right at once")
    MENDED = "mended", _("Mended")
    REJECTED = "rejected", _("Bad arguments")
    UNKNOWN_TOOL = "unknown_tool", _("No such tool")


class NextStep(models.TextChoices):
    """What happened after an attempt; of a rejected one, `sent_back` may become `corrected` later."""

    WENT_ON = "went_on", _("Went on")
    SENT_BACK = "sent_back", _("Sent back to the model")
    ASKED = "asked", _("The person was asked")
    CORRECTED = "corrected", _("Corrected")
    GAVE_UP = "gave_up", _("Given up")


class ChainResult(models.TextChoices):
    """How a wish to call a tool ended, over all its attempts. Stands on the first attempt alone."""

    OPEN = "open", _("Open")
    FIRST_PASS = "first_pass", _("Right at once")
    MENDED = "mended", _("Mended")
    CORRECTED = "corrected", _("Corrected by the model")
    BY_PERSON = "by_person", _("Corrected by a person")
    GAVE_UP = "gave_up", _("Given up")


class AttemptSource(models.TextChoices):
    MODEL = "model", _("Called by the model")
    TEXT = "text", _("Written into its text")
    PERSON = "person", _("Filled in by a person")
    PLAYGROUND = "playground", _("Tried in the playground")


class CallAttempt(TenantModel):
    """One try at a call's arguments: what was sent, what was mended, what was wrong, what came of it (A12).

    Attempts at the same thing form a chain: a model's corrections of a rejected call, and what a person filled in.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    call = models.ForeignKey(ToolCall, on_delete=models.CASCADE, related_name="attempts")
    chain = models.CharField(max_length=32, db_index=True)
    """The first attempt's id."""
    number = models.PositiveSmallIntegerField(_("attempt"), default=1)
    source = models.CharField(_("source"), max_length=10, choices=AttemptSource, default=AttemptSource.MODEL)
    topic = models.CharField(max_length=32)
    run = models.CharField(max_length=32, db_index=True)
    agent = models.CharField(_("agent"), max_length=60, blank=True)
    tool = models.CharField(_("tool"), max_length=120)
    version = models.ForeignKey(
        ToolVersion, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("version")
    )
    model = models.CharField(_("model"), max_length=120, blank=True)
    requester = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("asked by")
    )
    raw = models.TextField()
    mended = models.TextField(blank=True)
    """The text after repair; empty when it was taken as it came."""
    flags = models.JSONField(default=list)
    errors = models.JSONField(default=list)
    outcome = models.CharField(_("outcome"), max_length=12, choices=AttemptOutcome)
    next_step = models.CharField(_("then"), max_length=10, choices=NextStep)
    chain_result = models.CharField(max_length=10, choices=ChainResult, blank=True)
    chain_length = models.PositiveSmallIntegerField(default=1)
    known_at = models.DateTimeField(_("marked as known"), null=True)
    known_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    known_note = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta(TenantModel.Meta):
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        indexes = [
            models.Index(fields=["tenant", "-created_at"], name="attempt_newest"),
            models.Index(fields=["tenant", "outcome", "-created_at"], name="attempt_by_outcome"),
        ]
        constraints = [models.UniqueConstraint(fields=["chain", "number"], name="attempt_number_per_chain")]

    def __str__(self) -> str:
        return f"{self.tool} {self.number}"


class Fault(TenantModel):
    """One thing wrong in one attempt, for counting: where (array positions as []) and of what kind."""

    id = models.BigAutoField(primary_key=True)
    attempt = models.ForeignKey(CallAttempt, on_delete=models.CASCADE, related_name="faults")
    field = models.CharField(_("field"), max_length=120)
    keyword = models.CharField(max_length=80)
    kind = models.CharField(_("kind"), max_length=20)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "kind", "field"], name="fault_kind_field")]
