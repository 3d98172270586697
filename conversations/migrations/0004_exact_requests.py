from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("conversations", "0003_branches")]

    operations = []
