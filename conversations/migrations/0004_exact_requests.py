"""A failed run keeps the request it failed at; a retry knows which run it repeats."""

import django.db.models.deletion
from django.db import migrations, models

import platform_site.ids
import platform_site.tenancy


class Migration(migrations.Migration):
    dependencies = [("conversations", "0003_branches")]

    operations = [
        migrations.AddField(
            "run", "retry_of",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="conversations.run"
            ),
        ),
        migrations.CreateModel(
            "ExactRequest",
            [
                ("id", models.CharField(default=platform_site.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                ("reply", models.CharField(max_length=32)),
                ("content", models.JSONField()),
                ("sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("run", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name="exact", to="conversations.run")),
                ("tenant", models.ForeignKey(default=platform_site.tenancy.current_tenant_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="platform_site.tenant")),
            ],
            options={"abstract": False, "base_manager_name": "objects", "default_manager_name": "objects"},
        ),
    ]  # fmt: skip
