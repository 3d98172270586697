"""Keys and exported heads of each test alone, and short words for what is in the log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from platform_site import signing
from platform_site.models import AuditEntry, Tenant
from platform_site.tenancy import acting_for


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, settings: Any) -> Iterator[Path]:
    settings.DATA_DIR = tmp_path
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    signing._key.cache_clear()
    yield tmp_path
    signing._key.cache_clear()


def log_of(tenant: Tenant) -> list[AuditEntry]:
    with acting_for(tenant):
        return list(AuditEntry.objects.order_by("number"))


def verbs_of(tenant: Tenant) -> list[str]:
    return [entry.verb for entry in log_of(tenant)]
