"""Messages become a tree: each knows what was said before it, a conversation which branch it goes on in.

Until now there was one branch, in the order in which runs began; what waits for its run waits on.
"""

from itertools import pairwise

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Coalesce

import platform_site.ids
import platform_site.tenancy


def chain(apps, schema_editor):
    Conversation = apps.get_model("conversations", "Conversation")
    Message = apps.get_model("conversations", "Message")
    Message.objects.filter(role="user", run__status="queued").update(waiting=True)
    for conversation in Conversation.objects.iterator():
        placed = Message.objects.filter(conversation=conversation, waiting=False).only("pk", "parent")
        in_order = list(placed.order_by(Coalesce("run__started_at", "created_at"), "position"))
        for before, message in pairwise(in_order):
            message.parent = before
        Message.objects.bulk_update(in_order, ["parent"], batch_size=400)
        conversation.head = in_order[-1] if in_order else None
        conversation.titled = "person" if conversation.title else ""
        conversation.save(update_fields=["head", "titled"])


class Migration(migrations.Migration):
    dependencies = [("conversations", "0002_uploads")]

    operations = [
        migrations.AddField(
            "conversation", "head",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="conversations.message"
            ),
        ),
        migrations.AddField("conversation", "titled", models.CharField(blank=True, max_length=8)),
        migrations.AddField(
            "message", "parent",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="conversations.message"
            ),
        ),
        migrations.AddField("message", "waiting", models.BooleanField(default=False)),
        migrations.AddField("run", "key", models.CharField(blank=True, max_length=100)),
        migrations.AddConstraint(
            "run",
            models.UniqueConstraint(
                condition=models.Q(("key", ""), _negated=True), fields=("conversation", "requester", "key"),
                name="run_key_once",
            ),
        ),
        migrations.CreateModel(
            "Summary",
            [
                ("id", models.CharField(default=platform_site.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                ("text", models.TextField(blank=True)),
                ("messages", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("conversation", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="summaries", to="conversations.conversation")),
                ("tenant", models.ForeignKey(default=platform_site.tenancy.current_tenant_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="platform_site.tenant")),
                ("upto", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="conversations.message")),
            ],
            options={"abstract": False, "base_manager_name": "objects", "default_manager_name": "objects"},
        ),
        migrations.RunPython(chain, migrations.RunPython.noop),
    ]  # fmt: skip
