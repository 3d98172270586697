from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("agents", "0002_models_in_detail")]

    operations = []
