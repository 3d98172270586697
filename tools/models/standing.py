"""What holds beyond one call: a person's standing grants, and the groups of people who review some tools."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.models import User
from platform_site.tenancy import TenantModel
from tools.models.question import Confirmation
from tools.models.tool import ToolVersion


class Grant(TenantModel):
    """A standing yes of one person to CONFIRM calls of one tool version, some arguments pinned; never to more."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", verbose_name=_("person"))
    version = models.ForeignKey(
        ToolVersion, on_delete=models.CASCADE, related_name="+", verbose_name=_("version")
    )
    confirmation = models.ForeignKey(Confirmation, on_delete=models.SET_NULL, null=True, related_name="+")
    pinned = models.JSONField(_("pinned arguments"), default=dict)
    uses = models.PositiveSmallIntegerField(_("uses"))
    uses_left = models.PositiveSmallIntegerField(_("uses left"))
    expires_at = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(_("revoked"), null=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("standing grant")
        verbose_name_plural = _("standing grants")
        indexes = [models.Index(fields=["user", "version", "expires_at"], name="grant_match")]

    def __str__(self) -> str:
        return self.pk


class ReviewerGroup(TenantModel):
    """The people who alone may vote on calls of some tools, or of all tools of some domains."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    slug = models.SlugField(_("short name"), max_length=60)
    name = models.CharField(_("name"), max_length=80)
    members = models.JSONField(_("members"), default=list)
    """Ids of users."""
    tools = models.JSONField(_("tools"), default=list)
    domains = models.JSONField(_("groups of tools"), default=list)

    class Meta(TenantModel.Meta):
        verbose_name = _("reviewer group")
        verbose_name_plural = _("reviewer groups")
        constraints = [
            models.UniqueConstraint(fields=["tenant", "slug"], name="reviewer_group_slug_per_tenant")
        ]

    def __str__(self) -> str:
        return self.name
