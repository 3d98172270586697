from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("platform_site", "0002_audit")]

    operations = []
