"""Webhooks, and the notices that go out by them or by e-mail. A notice moves only along `NOTICE_ARROWS`."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from platform_site.ids import new_id
from platform_site.lifecycle import Arrows
from platform_site.tenancy import TenantModel


class NoticeKind(models.TextChoices):
    CONFIRMATION_WAITING = "confirmation_waiting", _("A decision is waited for")
    CONFIRMATION_EXPIRING = "confirmation_expiring", _("The time to decide is nearly over")
    REMINDER = "reminder", _("A reminder is due")
    TEST = "test", _("A test")


class Channel(models.TextChoices):
    MAIL = "mail", _("E-mail")
    WEBHOOK = "webhook", _("Webhook")
    NONE = "none", pgettext_lazy("who is told", "Nobody")


class NoticeStatus(models.TextChoices):
    WAITING = "waiting", pgettext_lazy("of a notice", "Waiting to be sent")
    SENDING = "sending", pgettext_lazy("of a notice", "Being sent")
    SENT = "sent", pgettext_lazy("of a notice", "Sent")
    FAILED = "failed", pgettext_lazy("of a notice", "Given up")
    CANCELLED = "cancelled", pgettext_lazy("of a notice", "Not needed any more")
    NOBODY = "nobody", pgettext_lazy("of a notice", "Nobody to tell")


S = NoticeStatus
NOTICE_ARROWS: Arrows = {
    S.WAITING: frozenset({S.SENDING, S.CANCELLED}),
    S.SENDING: frozenset({S.SENT, S.WAITING, S.FAILED}),
    S.SENT: frozenset({S.WAITING}),
    S.FAILED: frozenset({S.WAITING}),
    S.CANCELLED: frozenset({S.WAITING}),
}
"""The last three: whoever configures has it sent again."""


class Webhook(TenantModel):
    """Where a program of the tenant's hears of things. Its secret signs each delivery and is shown once."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=60)
    url = models.CharField(_("address"), max_length=500)
    kinds = models.JSONField(_("tells of"), default=list)
    is_enabled = models.BooleanField(_("switched on"), default=True)
    sealed = models.TextField(editable=False, blank=True)
    updated_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="webhook_name_per_tenant")]

    def __str__(self) -> str:
        return self.name


class Notice(TenantModel):
    """One thing to be told to one receiver. Its id is the delivery's, however often it is sent."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    kind = models.CharField(_("tells of"), max_length=30, choices=NoticeKind)
    channel = models.CharField(_("way"), max_length=10, choices=Channel)
    recipient = models.ForeignKey(
        "platform_site.User", on_delete=models.CASCADE, null=True, related_name="+", verbose_name=_("person")
    )
    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, null=True, related_name="+", verbose_name=_("webhook")
    )
    about = models.CharField(_("id of the thing"), max_length=32, blank=True)
    digest = models.CharField(_("fingerprint"), max_length=64, blank=True)
    part = models.CharField(max_length=10, blank=True)
    """Whose answer is waited for; with `about` and `digest` it says which stage of a question this is about."""
    key = models.CharField(max_length=64, editable=False)
    """The same for the same receiver, kind and stage: what was planned twice is stored once."""
    data = models.JSONField(_("data"), default=dict)
    status = models.CharField(_("status"), max_length=10, choices=NoticeStatus, default=S.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    is_forced = models.BooleanField(default=False)
    """Somebody wants it sent whether or not it is still of use."""
    due_at = models.DateTimeField(_("due"))
    lease_until = models.DateTimeField(null=True)
    tries = models.JSONField(_("tries"), default=list)
    """The last ones: when, how many milliseconds, which HTTP status, what went wrong."""
    created_at = models.DateTimeField(_("planned"), auto_now_add=True)
    sent_at = models.DateTimeField(_("sent"), null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = [models.UniqueConstraint(fields=["tenant", "key"], name="notice_once")]
        indexes = [
            models.Index(fields=["status", "due_at"], name="notice_due"),
            models.Index(fields=["about"], name="notice_about"),
        ]

    def __str__(self) -> str:
        return self.pk
