import django.db.models.deletion
import platform_site.ids
import platform_site.tenancy
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agents', '0002_models_in_detail'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='UsageEntry',
            fields=[
                ('id', models.CharField(default=platform_site.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                ('day', models.DateField(verbose_name='day')),
                ('agent', models.CharField(max_length=60, verbose_name='agent')),
                ('model', models.CharField(max_length=60, verbose_name='model')),
                ('run', models.CharField(max_length=32)),
                ('input_tokens', models.PositiveBigIntegerField(default=0)),
                ('output_tokens', models.PositiveBigIntegerField(default=0)),
                ('cached_tokens', models.PositiveBigIntegerField(default=0)),
                ('thinking_tokens', models.PositiveBigIntegerField(default=0)),
                ('cost', models.BigIntegerField(default=0)),
                ('finish', models.CharField(blank=True, max_length=16)),
                ('is_estimate', models.BooleanField(default=False)),
                ('is_reserved', models.BooleanField(default=False)),
                ('held', models.JSONField(default=list)),
                ('lapses_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('tenant', models.ForeignKey(default=platform_site.tenancy.current_tenant_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='platform_site.tenant')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'model request',
                'verbose_name_plural': 'model requests',
                'abstract': False,
                'base_manager_name': 'objects',
                'default_manager_name': 'objects',
                'indexes': [models.Index(fields=['tenant', 'day'], name='usage_by_day'), models.Index(condition=models.Q(('is_reserved', True)), fields=['tenant', 'lapses_at'], name='usage_reserved')],
            },
        ),
        migrations.CreateModel(
            name='UsageLimit',
            fields=[
                ('id', models.CharField(default=platform_site.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('monthly_cost', 'Cost a month'), ('monthly_tokens', 'Tokens a month'), ('requests_per_minute', 'Requests a minute'), ('concurrent_runs', 'Turns at the same time')], max_length=20, verbose_name='what is limited')),
                ('of', models.CharField(choices=[('tenant', 'Everybody together'), ('agent', 'One agent'), ('model', 'One model'), ('user', 'One person')], default='tenant', max_length=8, verbose_name='for')),
                ('name', models.CharField(blank=True, max_length=60)),
                ('amount', models.BigIntegerField(verbose_name='at most')),
                ('period', models.CharField(blank=True, max_length=16)),
                ('used', models.BigIntegerField(default=0)),
                ('reserved', models.BigIntegerField(default=0)),
                ('warned', models.CharField(blank=True, max_length=16)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('tenant', models.ForeignKey(default=platform_site.tenancy.current_tenant_id, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='platform_site.tenant')),
            ],
            options={
                'verbose_name': 'limit',
                'verbose_name_plural': 'limits',
                'abstract': False,
                'base_manager_name': 'objects',
                'default_manager_name': 'objects',
                'constraints': [models.UniqueConstraint(fields=('tenant', 'kind', 'of', 'name'), name='one_limit_of_a_kind')],
            },
        ),
    ]
