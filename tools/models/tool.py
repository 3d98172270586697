"""A Tool is a name; what it does stands in its immutable ToolVersions."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.models import User
from platform_site.tenancy import TenantModel


class Risk(models.TextChoices):
    SAFE = "SAFE", _("Safe")
    CONFIRM = "CONFIRM", _("Confirm")
    CRITICAL = "CRITICAL", _("Critical")


class Tool(TenantModel):
    """A tool of a tenant, under a name the model sees."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=64)
    domain = models.CharField(_("group"), max_length=40, blank=True)
    is_enabled = models.BooleanField(_("enabled"), default=True)
    current = models.ForeignKey(
        "ToolVersion",
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("version"),
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("tool")
        verbose_name_plural = _("tools")
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="tool_name_per_tenant")]

    def __str__(self) -> str:
        return self.name


class ToolVersion(TenantModel):
    """What a tool does, as saved at one time; never changed. `spec.ToolSpec` is its frozen value.

    `definition` is the tool's entry of the configuration file (protocol.md), defaults filled in; the columns beside
    it are what queries and admin lists need.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    tool = models.ForeignKey(Tool, on_delete=models.CASCADE, related_name="versions", verbose_name=_("tool"))
    number = models.PositiveIntegerField(_("number"))
    definition = models.JSONField(_("definition"))
    risk = models.CharField(_("risk"), max_length=8, choices=Risk)
    sha256 = models.CharField(_("fingerprint"), max_length=64)
    author = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("author")
    )
    created_at = models.DateTimeField(_("saved"), auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("tool version")
        verbose_name_plural = _("tool versions")
        constraints = [models.UniqueConstraint(fields=["tool", "number"], name="version_number_per_tool")]

    def __str__(self) -> str:
        return f"#{self.number}"
