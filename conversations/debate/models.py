"""A Debate and the changes of its notepad. What was said are Messages; who speaks next follows from them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.lifecycle import Arrows
from platform_site.tenancy import TenantModel


class DebateStatus(models.TextChoices):
    ACTIVE = "active", _("Going on")
    PAUSED = "paused", _("Paused")
    DONE = "done", _("Done")
    STOPPED = "stopped", _("Stopped")


DEBATE_ARROWS: Arrows = {
    DebateStatus.ACTIVE: frozenset({DebateStatus.PAUSED, DebateStatus.DONE, DebateStatus.STOPPED}),
    DebateStatus.PAUSED: frozenset({DebateStatus.ACTIVE, DebateStatus.STOPPED}),
    DebateStatus.STOPPED: frozenset({DebateStatus.ACTIVE}),
}


class Steer(models.TextChoices):
    """What a person wants of a debate that moves; it is done between two turns."""

    NOTHING = "", ""
    PAUSE = "pause", _("Pause")
    SUMMARISE = "summarise", _("Summarise now")


class Debate(TenantModel):
    """One question debated in a conversation, with the settings it began with. It may take several runs."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    conversation = models.ForeignKey(
        "conversations.Conversation", on_delete=models.CASCADE, related_name="debates"
    )
    status = models.CharField(max_length=8, choices=DebateStatus, default=DebateStatus.ACTIVE)
    steer = models.CharField(max_length=10, choices=Steer, blank=True)
    settings = models.JSONField()
    """What it began with, JSON of `agents.debate.Settings`: personas with their versions and models, mode, rounds."""
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("debate")
        verbose_name_plural = _("debates")

    def __str__(self) -> str:
        return self.pk


class NoteKind(models.TextChoices):
    FACT = "fact", _("Fact")
    ASSUMPTION = "assumption", _("Assumption")
    QUESTION = "question", _("Question")
    TODO = "todo", _("To do")


class NoteAction(models.TextChoices):
    ADD = "add", _("Added")
    CHANGE = "change", _("Changed")
    STRIKE = "strike", _("Struck")


class NoteChange(TenantModel):
    """One change of a debate's notepad; never changed itself. The notepad at a version is the changes up to it."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    debate = models.ForeignKey(Debate, on_delete=models.CASCADE, related_name="notes")
    version = models.PositiveIntegerField()
    """1, 2, 3 … in each debate."""
    entry = models.PositiveIntegerField()
    """The number people and personas call the entry by."""
    action = models.CharField(max_length=6, choices=NoteAction)
    kind = models.CharField(max_length=10, choices=NoteKind, blank=True)
    text = models.TextField(blank=True)
    speaker = models.CharField(max_length=60)
    turn = models.PositiveSmallIntegerField(default=0)
    call = models.CharField(max_length=32, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["debate", "version"], name="note_version_once")]
