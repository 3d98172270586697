"""What people see: conversations, who takes part, messages, and the runs that make them move."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agents.models import Agent, AgentVersion
from conversations.debate.models import Debate, NoteChange  # noqa: F401  # Django looks for tables here
from conversations.groups.models import Invitation  # noqa: F401  # Django looks for tables here
from conversations.kept_models import ExactRequest, Summary  # noqa: F401  # Django looks for tables here
from conversations.reminders.models import Occurrence, Reminder  # noqa: F401  # Django looks for tables here
from conversations.uploads_models import Upload  # noqa: F401  # Django looks for tables here
from platform_site.ids import new_id
from platform_site.lifecycle import Arrows
from platform_site.models import Topic, User
from platform_site.tenancy import TenantModel


class Answers(models.TextChoices):
    """When the agent answers where several people talk."""

    ALWAYS = "always", _("Always")
    ADDRESSED = "addressed", _("When it is addressed")


class Conversation(TenantModel):
    """A talk with an agent. Its ledger is the Topic of the same id."""

    topic = models.OneToOneField(Topic, on_delete=models.CASCADE, primary_key=True, related_name="+")
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="+", verbose_name=_("agent"))
    title = models.CharField(_("title"), max_length=120, blank=True)
    titled = models.CharField(max_length=8, blank=True)
    """Who gave the title: `person`, `model`, `asked` while (or after) a model was asked; empty: the first words."""
    answers = models.CharField(_("the agent answers"), max_length=10, choices=Answers, default=Answers.ALWAYS)
    head = models.ForeignKey("Message", on_delete=models.SET_NULL, null=True, related_name="+")
    """The last message of the branch that is shown and goes on."""
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")

    def __str__(self) -> str:
        return self.title or self.pk


class Participant(TenantModel):
    """A person in a conversation: only participants see it."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="participants")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    is_owner = models.BooleanField(default=True)
    """Began the conversation: may rename and delete it, and say who takes part."""
    read_seq = models.PositiveIntegerField(default=0)
    """The number of the last event they have seen."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["conversation", "user"], name="participant_once")]


class RunStatus(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")
    FAILED = "failed", _("Failed")


RUN_ARROWS: Arrows = {
    RunStatus.QUEUED: frozenset({RunStatus.RUNNING, RunStatus.FINISHED}),
    RunStatus.RUNNING: frozenset({RunStatus.FINISHED, RunStatus.FAILED}),
}


class Outcome(models.TextChoices):
    SUCCESS = "success", _("Success")
    INTERRUPT = "interrupt", _("Waiting for a person")
    CANCELLED = "cancelled", _("Stopped")


class Run(TenantModel):
    """One stretch of agent work from a committed transcript. It never waits for a person."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="runs")
    requester = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", verbose_name=_("asked by")
    )
    agent_version = models.ForeignKey(
        AgentVersion, on_delete=models.PROTECT, related_name="+", verbose_name=_("version")
    )
    cause = models.CharField(_("cause"), max_length=12)
    """`message`, `decision`, `correction`, `retry`, `regenerate`, `job`, `reminder` or `debate`: what made it."""
    key = models.CharField(max_length=100, blank=True)
    """The sender's idempotency key where no message has it."""
    retry_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    options = models.JSONField(default=dict)
    status = models.CharField(_("status"), max_length=10, choices=RunStatus, default=RunStatus.QUEUED)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, blank=True)
    error_code = models.CharField(_("error"), max_length=24, blank=True)
    error_message = models.TextField(_("what happened"), blank=True)
    stop_requested = models.BooleanField(default=False)
    reply = models.CharField(max_length=32, blank=True)
    """The id of the message being written, told by TEXT_MESSAGE_START and not ended yet."""
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    runner = models.CharField(_("runner"), max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(status="running"), name="one_run_moves_in_a_conversation"
            ),
            models.UniqueConstraint(
                fields=["conversation", "requester", "key"], condition=~Q(key=""), name="run_key_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["status", "created_at"], condition=~Q(status__in=["finished", "failed"]), name="live"
            )
        ]

    def __str__(self) -> str:
        return self.pk


class Message(TenantModel):
    """One finished message. `parts` are `agents.messages` parts, JSON-safe; drafts are never stored."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=10)
    """`user` or `assistant`."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="+")
    """What was said before it in its branch; null at the beginning. Siblings are versions of one message."""
    waiting = models.BooleanField(default=False)
    """Said while the agent worked: it takes its place in the branch when its own run begins."""
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="messages")
    key = models.CharField(max_length=100, blank=True)
    """The sender's idempotency key, if they gave one."""
    debate = models.ForeignKey("Debate", on_delete=models.SET_NULL, null=True, related_name="messages")
    speaker = models.CharField(max_length=60, blank=True)
    """In a debate: the slug of the persona who said it; empty for a person's words and for the summary."""
    turn = models.PositiveSmallIntegerField(default=0)
    """In a debate: the number of the turn it belongs to, from 1; 0 for the question and the summary."""
    reminder = models.ForeignKey("Reminder", on_delete=models.SET_NULL, null=True, related_name="+")
    """The reminder that said it, or that asked for it in a person's name."""
    parts = models.JSONField()
    model = models.CharField(max_length=120, blank=True)
    usage = models.JSONField(default=dict)
    finish = models.CharField(max_length=16, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["conversation", "position"], name="message_position_once"),
            models.UniqueConstraint(
                fields=["conversation", "author", "key"],
                condition=~Q(key=""),
                name="message_key_once",
            ),
        ]
