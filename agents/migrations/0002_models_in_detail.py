from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0001_initial")]

    operations = [
        migrations.AddField(
            "languagemodel", "context", models.PositiveIntegerField("context window", default=0)
        ),
        migrations.AddField(
            "languagemodel", "settings", models.JSONField("settings", default=dict, blank=True)
        ),
    ]
