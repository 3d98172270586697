from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('platform_site', '0003_notices'),
    ]

    operations = [
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('confirmation_waiting', 'A decision is waited for'), ('confirmation_expiring', 'The time to decide is nearly over'), ('reminder', 'A reminder is due'), ('test', 'A test')], max_length=30, verbose_name='tells of'),
        ),
    ]
