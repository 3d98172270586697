"""Pictures people sent. The bytes lie on disk (`platform_site.stored_files`) under the row's id."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.models import User
from platform_site.tenancy import TenantModel

ENDINGS = {"image/jpeg": "jpg", "image/png": "png"}
"""The file endings of what we keep: the two kinds we encode ourselves."""
OTHER = "bin"


class Upload(TenantModel):
    """A picture. Its uploader's alone until it is sent; then it stands in one conversation, for its participants."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    uploader = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", verbose_name=_("sent by"))
    conversation = models.ForeignKey(
        "conversations.Conversation", on_delete=models.CASCADE, null=True, related_name="uploads"
    )
    media_type = models.CharField(_("format"), max_length=40)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    bytes = models.PositiveIntegerField(_("size"))
    sha256 = models.CharField(_("fingerprint"), max_length=64)
    name = models.CharField(_("name"), max_length=120, blank=True)
    """What its sender called the file. Shown, never used for a path."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        indexes = [
            models.Index(fields=["created_at"], condition=Q(conversation=None), name="unsent_uploads"),
        ]

    def __str__(self) -> str:
        return self.name or self.pk

    @property
    def ending(self) -> str:
        return ENDINGS.get(self.media_type, OTHER)

    @property
    def file_name(self) -> str:
        return f"{self.pk}.{self.ending}"

    @property
    def download_name(self) -> str:
        """The sender's name for it with the ending of what it is now."""
        stem = self.name.rpartition(".")[0] or self.name or self.pk
        return f"{stem}.{self.ending}"
