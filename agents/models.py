"""Agents and the models they speak through."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from agents.usage.models import UsageEntry, UsageLimit  # noqa: F401  # Django looks for tables here
from platform_site.ids import new_id
from platform_site.models import Credential, User
from platform_site.tenancy import TenantModel


class LanguageModel(TenantModel):
    """A model a tenant may use: which provider, which name there, what it can do and costs."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    slug = models.SlugField(_("short name"), max_length=60)
    provider = models.CharField(_("provider"), max_length=20)
    credential = models.ForeignKey(
        Credential,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("credential"),
    )
    name = models.CharField(_("name at the provider"), max_length=120)
    images = models.BooleanField(_("sees images"), default=False)
    tools = models.BooleanField(_("calls tools"), default=True)
    context = models.PositiveIntegerField(_("context window"), default=0)
    """Tokens it can take in; 0 when nobody said."""
    settings = models.JSONField(_("settings"), default=dict, blank=True)
    """Sent with each request; `definition.SettingsForm` says what may be in it."""
    input_price = models.DecimalField(
        _("price per million input tokens"), max_digits=12, decimal_places=6, default=0
    )
    output_price = models.DecimalField(
        _("price per million output tokens"), max_digits=12, decimal_places=6, default=0
    )

    class Meta(TenantModel.Meta):
        verbose_name = _("model")
        verbose_name_plural = _("models")
        constraints = [models.UniqueConstraint(fields=["tenant", "slug"], name="model_slug_per_tenant")]

    def __str__(self) -> str:
        return self.slug


class AgentKind(models.TextChoices):
    CHAT = "chat", _("Chat")
    DEBATE = "debate", _("Debate")


class Agent(TenantModel):
    """Somebody to talk to. What it is told and may use stands in its immutable AgentVersions."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    slug = models.SlugField(_("short name"), max_length=60)
    is_enabled = models.BooleanField(_("enabled"), default=True)
    current = models.ForeignKey(
        "AgentVersion", on_delete=models.PROTECT, null=True, editable=False, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("agent")
        verbose_name_plural = _("agents")
        constraints = [models.UniqueConstraint(fields=["tenant", "slug"], name="agent_slug_per_tenant")]

    def __str__(self) -> str:
        return self.slug


class AgentVersion(TenantModel):
    """An agent as saved at one time; never changed.

    `definition` is its entry of the configuration file (protocol.md), defaults filled in: name, instructions, models,
    tools, max_rounds, kind, scenarios, suggestions.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    agent = models.ForeignKey(
        Agent, on_delete=models.CASCADE, related_name="versions", verbose_name=_("agent")
    )
    number = models.PositiveIntegerField(_("number"))
    definition = models.JSONField(_("definition"))
    sha256 = models.CharField(_("fingerprint"), max_length=64)
    author = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("author")
    )
    created_at = models.DateTimeField(_("saved"), auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("agent version")
        verbose_name_plural = _("agent versions")
        constraints = [models.UniqueConstraint(fields=["agent", "number"], name="version_number_per_agent")]

    def __str__(self) -> str:
        return f"#{self.number}"
