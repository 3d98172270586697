"""A Reminder, and an Occurrence for each time it was due: the row that makes it happen once."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.lifecycle import Arrows
from platform_site.models import User
from platform_site.tenancy import TenantModel


class ReminderKind(models.TextChoices):
    ONCE = "once", _("Once")
    DAILY = "daily", _("Every day")
    WEEKLY = "weekly", _("Every week")


class ReminderAct(models.TextChoices):
    """What happens when it is due."""

    TELL = "tell", _("Remind")
    RUN = "run", _("Ask the agent")


class ReminderStatus(models.TextChoices):
    ACTIVE = "active", _("Active")
    PAUSED = "paused", _("Paused")
    DONE = "done", _("Done")
    DELETED = "deleted", _("Deleted")


R = ReminderStatus
REMINDER_ARROWS: Arrows = {
    R.ACTIVE: frozenset({R.PAUSED, R.DONE, R.DELETED}),
    R.PAUSED: frozenset({R.ACTIVE, R.DELETED}),
    R.DONE: frozenset({R.ACTIVE, R.DELETED}),
}


class Reminder(TenantModel):
    """A local time in an IANA zone. Of a skipped hour the next valid time counts, of a doubled hour the first."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    conversation = models.ForeignKey(
        "conversations.Conversation", on_delete=models.CASCADE, related_name="reminders"
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", verbose_name=_("set by"))
    kind = models.CharField(_("how often"), max_length=8, choices=ReminderKind)
    date = models.DateField(_("date"), null=True)
    """Of one that comes once."""
    time = models.TimeField(_("time"))
    weekday = models.PositiveSmallIntegerField(_("weekday"), null=True)
    """Of a weekly one: 0 = Monday to 6 = Sunday."""
    zone = models.CharField(_("time zone"), max_length=64)
    content = models.TextField(_("what"))
    act = models.CharField(_("then"), max_length=8, choices=ReminderAct, default=ReminderAct.TELL)
    mail = models.BooleanField(_("also by e-mail"), default=False)
    webhook = models.BooleanField(_("also by webhook"), default=False)
    status = models.CharField(
        _("status"), max_length=8, choices=ReminderStatus, default=ReminderStatus.ACTIVE
    )
    next_due = models.DateTimeField(_("next"), null=True)
    """The first time not yet dealt with; null when there is none."""
    call = models.CharField(max_length=32, blank=True)
    """The call that set it."""
    after = models.JSONField(default=list)
    """The tools whose outside text had been read when it was set: what it says may come from there."""
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        indexes = [
            models.Index(fields=["next_due"], condition=models.Q(status="active"), name="reminder_due"),
            models.Index(fields=["tenant", "owner", "status"], name="reminder_of_owner"),
        ]

    def __str__(self) -> str:
        return self.content[:60]


class OccurrenceStatus(models.TextChoices):
    DUE = "due", _("Due")
    DELIVERED = "delivered", _("Delivered")
    SKIPPED = "skipped", _("Skipped")


OCCURRENCE_ARROWS: Arrows = {
    OccurrenceStatus.DUE: frozenset({OccurrenceStatus.DELIVERED, OccurrenceStatus.SKIPPED}),
}


class Occurrence(TenantModel):
    """One time a reminder was due. Unique, so that it is dealt with once."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    reminder = models.ForeignKey(Reminder, on_delete=models.CASCADE, related_name="occurrences")
    due_at = models.DateTimeField(_("due"))
    status = models.CharField(
        _("status"), max_length=10, choices=OccurrenceStatus, default=OccurrenceStatus.DUE
    )
    why = models.CharField(max_length=10, blank=True)
    """Of a skipped one: `missed` (a later one was due as well), `parked` (the last one's question still waits),
    `busy` (the last one's run still works), `gone` (paused, deleted, or the owner may not any more), `broken` (it could
    not be dealt with, again and again)."""
    is_late = models.BooleanField(_("late"), default=False)
    run = models.CharField(max_length=32, blank=True)
    dealt_at = models.DateTimeField(_("dealt with"), null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("occurrence")
        verbose_name_plural = _("occurrences")
        constraints = [models.UniqueConstraint(fields=["reminder", "due_at"], name="occurrence_once")]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(status="due"), name="occurrence_due")]

    def __str__(self) -> str:
        return f"{self.due_at:%Y-%m-%d %H:%M}"
