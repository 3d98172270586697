"""An invitation into a conversation. Who takes part is a Participant, beside Conversation."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from platform_site.ids import new_id
from platform_site.lifecycle import Arrows
from platform_site.models import User
from platform_site.tenancy import TenantModel


class InvitationStatus(models.TextChoices):
    PENDING = "pending", _("Waiting")
    ACCEPTED = "accepted", _("Accepted")
    DECLINED = "declined", _("Declined")
    WITHDRAWN = "withdrawn", _("Withdrawn")


INVITATION_ARROWS: Arrows = {
    InvitationStatus.PENDING: frozenset(
        {InvitationStatus.ACCEPTED, InvitationStatus.DECLINED, InvitationStatus.WITHDRAWN}
    ),
}


class Invitation(TenantModel):
    """A member of the tenant was asked into a conversation. They see nothing of it before they accept."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    conversation = models.ForeignKey(
        "conversations.Conversation", on_delete=models.CASCADE, related_name="invitations"
    )
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", verbose_name=_("person"))
    invited_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", verbose_name=_("by"))
    status = models.CharField(
        _("status"), max_length=10, choices=InvitationStatus, default=InvitationStatus.PENDING
    )
    created_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "person"], condition=Q(status="pending"), name="one_open_invitation"
            )
        ]

    def __str__(self) -> str:
        return str(self.person)
