"""What is kept beside the messages: the exact request of a failed run, and what stands in for a long history."""

from __future__ import annotations

from django.db import models

from platform_site.ids import new_id
from platform_site.tenancy import TenantModel


class ExactRequest(TenantModel):
    """The request a run failed at, so that it can be made once more as it was. `content`: see `conversations.exact`."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    run = models.OneToOneField("conversations.Run", on_delete=models.CASCADE, related_name="exact")
    reply = models.CharField(max_length=32)
    """The message that was being written."""
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        pass


class Summary(TenantModel):
    """What a model is told in place of the messages from the beginning of the branch to `upto`.

    An empty text: it could not be made, and those messages are left out.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    conversation = models.ForeignKey(
        "conversations.Conversation", on_delete=models.CASCADE, related_name="summaries"
    )
    upto = models.OneToOneField("conversations.Message", on_delete=models.CASCADE, related_name="+")
    text = models.TextField(blank=True)
    messages = models.PositiveIntegerField()
    """How many messages it stands for, from the first."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        pass
