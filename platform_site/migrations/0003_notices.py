import django.db.models.deletion
import platform_site.ids
import platform_site.tenancy
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('platform_site', '0002_audit'),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='mail_notices',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='tenant',
            name='notify_after_s',
            field=models.PositiveIntegerField(default=300),
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.CharField(default=platform_site.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('url', models.CharField(max_length=500, verbose_name='address')),
                ('kinds', models.JSONField(default=list, verbose_name='tells of')),
                ('is_enabled', models.BooleanField(default=True, verbose_name='switched on')),
                ('sealed', models.TextField(blank=True, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('tenant', models.ForeignKey(default=platform_site.tenancy.current_tenant_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='platform_site.tenant')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'abstract': False,
                'base_manager_name': 'objects',
                'default_manager_name': 'objects',
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.CharField(default=platform_site.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('confirmation_waiting', 'A decision is waited for'), ('confirmation_expiring', 'The time to decide is nearly over'), ('test', 'A test')], max_length=30, verbose_name='tells of')),
                ('channel', models.CharField(choices=[('mail', 'E-mail'), ('webhook', 'Webhook'), ('none', 'Nobody')], max_length=10, verbose_name='way')),
                ('about', models.CharField(blank=True, max_length=32, verbose_name='id of the thing')),
                ('digest', models.CharField(blank=True, max_length=64, verbose_name='fingerprint')),
                ('part', models.CharField(blank=True, max_length=10)),
                ('key', models.CharField(editable=False, max_length=64)),
                ('data', models.JSONField(default=dict, verbose_name='data')),
                ('status', models.CharField(choices=[('waiting', 'Waiting to be sent'), ('sending', 'Being sent'), ('sent', 'Sent'), ('failed', 'Given up'), ('cancelled', 'Not needed any more'), ('nobody', 'Nobody to tell')], default='waiting', max_length=10, verbose_name='status')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('is_forced', models.BooleanField(default=False)),
                ('due_at', models.DateTimeField(verbose_name='due')),
                ('lease_until', models.DateTimeField(null=True)),
                ('tries', models.JSONField(default=list, verbose_name='tries')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='planned')),
                ('sent_at', models.DateTimeField(null=True, verbose_name='sent')),
                ('recipient', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person')),
                ('tenant', models.ForeignKey(default=platform_site.tenancy.current_tenant_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='platform_site.tenant')),
                ('webhook', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='platform_site.webhook', verbose_name='webhook')),
            ],
            options={
                'verbose_name': 'notice',
                'verbose_name_plural': 'notices',
                'abstract': False,
                'base_manager_name': 'objects',
                'default_manager_name': 'objects',
            },
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.UniqueConstraint(fields=('tenant', 'name'), name='webhook_name_per_tenant'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['status', 'due_at'], name='notice_due'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['about'], name='notice_about'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('tenant', 'key'), name='notice_once'),
        ),
    ]
