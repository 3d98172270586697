"""`manage.py export TENANT`: a tenant's configuration as JSON, secrets left out; `apply` takes it back."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from platform_site.audit import coming_from
from platform_site.models import Tenant
from platform_site.setup.config_file import export_tenant, note_exported


class Command(BaseCommand):
    help = "Writes a tenant's configuration to standard output, in the form that apply takes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tenant", help="the tenant's short name")

    def handle(self, *args: Any, tenant: str, **options: Any) -> None:
        found = Tenant.objects.filter(slug=tenant).first()
        if found is None:
            known = ", ".join(Tenant.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no tenant {tenant!r}. Tenants: {known}.")
        with coming_from("command"):
            note_exported(found, by=None)
        self.stdout.write(json.dumps(export_tenant(found), indent=2, ensure_ascii=False))
