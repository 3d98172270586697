import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import platform_site.ids
import platform_site.tenancy


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0001_initial"),
        ("platform_site", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Upload",
            fields=[
                ("id", models.CharField(default=platform_site.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                ("media_type", models.CharField(max_length=40, verbose_name="format")),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("bytes", models.PositiveIntegerField(verbose_name="size")),
                ("sha256", models.CharField(max_length=64, verbose_name="fingerprint")),
                ("name", models.CharField(blank=True, max_length=120, verbose_name="name")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("conversation", models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to="conversations.conversation")),
                ("tenant", models.ForeignKey(default=platform_site.tenancy.current_tenant_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="platform_site.tenant")),
                ("uploader", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="sent by")),
            ],
            options={
                "verbose_name": "picture",
                "verbose_name_plural": "pictures",
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "indexes": [models.Index(condition=models.Q(("conversation", None)), fields=["created_at"], name="unsent_uploads")],
            },
        ),
    ]
