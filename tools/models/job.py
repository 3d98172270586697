"""A Job: a claimed call that a queue worker carries out while the conversation goes on, and how far it has come."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from platform_site.models import User
from platform_site.tenancy import TenantModel
from tools.models.call import ToolCall


class Job(TenantModel):
    """The work on one call. Whether it waits, works or has ended is the call's status; this is the rest."""

    call = models.OneToOneField(ToolCall, on_delete=models.CASCADE, primary_key=True, related_name="job")
    queued_at = models.DateTimeField(_("queued"))
    task = models.CharField(max_length=32, blank=True)
    """The queue's id of the newest task that carries the call's id to a worker."""
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    """How often a worker has begun it; more than once only where a repeat cannot do harm."""
    worker = models.CharField(max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True)
    percent = models.PositiveSmallIntegerField(_("percent done"), null=True)
    words = models.CharField(_("what it is doing"), max_length=200, blank=True)
    output = models.TextField(_("output so far"), blank=True)
    """The end of what the handler has said on its way."""
    cancel_requested = models.BooleanField(default=False)
    cancelled_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    is_told = models.BooleanField(default=False)
    """A run was queued that tells the outcome to who asked; or nobody has to be told."""

    class Meta(TenantModel.Meta):
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        indexes = [
            models.Index(
                fields=["is_told", "queued_at"], condition=models.Q(is_told=False), name="job_untold"
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)
