"""System checks: combinations of settings that cannot work, or are not safe, said at start with what to do about it.

Run by every management command; those that only matter once others can reach the installation are tagged `deploy`.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig, apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db.models import Model
from django.http.request import validate_host

from platform_site.env import env
from platform_site.models import Tenant
from platform_site.sealed_fields import unlisted
from platform_site.tenancy import TenantManager, TenantModel

MIN_SECRET = 32
MEMORY_LAYER = "channels.layers.InMemoryChannelLayer"
Apps = Sequence[AppConfig] | None


@register()
def check_queue(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    queue: dict[str, Any] = settings.Q_CLUSTER
    if not queue.get("timeout") or queue.get("retry", 60) < queue["timeout"] + 3:
        yield Error(
            "The queue would start a task again while it still runs.",
            hint="Set Q_CLUSTER['retry'] at least 3 seconds above Q_CLUSTER['timeout'].",
            id="sluice.E001",
        )


@register()
def check_layer(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    in_memory = settings.CHANNEL_LAYERS["default"]["BACKEND"] == MEMORY_LAYER
    if in_memory and not settings.IS_SQLITE:
        yield Warning(
            "PostgreSQL without Redis: with several web processes, text streams only in the one that writes it.",
            hint="Set REDIS_URL, or keep to one process. Finished messages arrive everywhere all the same.",
            id="sluice.W002",
        )


@register()
def check_debug(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    if settings.DEBUG and not _is_loopback(env.host):
        yield Error(
            f"DEBUG is on and HOST is {env.host}: error pages would show settings and code to others.",
            hint="Unset DEBUG, or serve on 127.0.0.1.",
            id="sluice.E003",
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@register(Tags.security)
def check_secret_key(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    if len(settings.SECRET_KEY) < MIN_SECRET:
        yield Error(
            f"SECRET_KEY has fewer than {MIN_SECRET} characters.",
            hint="Unset it (one is made and kept in the data directory) or set a long random one.",
            id="sluice.E004",
        )


@register(Tags.database)
def check_sqlite(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    database: dict[str, Any] = settings.DATABASES["default"]
    options = database.get("OPTIONS", {})
    if settings.IS_SQLITE and options.get("transaction_mode") != "IMMEDIATE":
        yield Error(
            "SQLite transactions do not begin IMMEDIATE: under contention writes would fail as “database is locked”.",
            hint='Set OPTIONS["transaction_mode"] = "IMMEDIATE".',
            id="sluice.E005",
        )
    if database.get("ATOMIC_REQUESTS"):
        yield Error(
            "ATOMIC_REQUESTS holds the database's write lock for whole requests.",
            hint="Verbs open their own transactions; leave it off.",
            id="sluice.E006",
        )


@register()
def check_data_dir(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    folder = Path(settings.DATA_DIR)
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Error(
            f"The data directory {folder} cannot be written to.",
            hint="Set SLUICE_DATA_DIR to a folder of the user that runs Sluice.",
            id="sluice.E007",
        )


@register()
def check_public_url(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    """Links in mails lead to a host that this installation answers to."""
    parts = urlsplit(settings.PUBLIC_URL)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
        yield Error(
            f"PUBLIC_URL is {settings.PUBLIC_URL!r}, which is no address of a site.",
            hint="Set it to https://host or http://host:port, without a path.",
            id="sluice.E011",
        )
    elif not validate_host(_host_of(parts.hostname), settings.ALLOWED_HOSTS):
        yield Warning(
            f"Links in mails lead to {parts.hostname}, which is not among ALLOWED_HOSTS: they would be refused.",
            hint="Set PUBLIC_URL to where people reach this installation.",
            id="sluice.W012",
        )


def _host_of(name: str) -> str:
    """As it stands in a Host header, and so in ALLOWED_HOSTS."""
    return f"[{name}]" if ":" in name else name


@register(Tags.translation)
def check_languages(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    """Each language but the source's has compiled texts for pages and for scripts."""
    for language, _name in settings.LANGUAGES[1:]:
        folder = Path(settings.LOCALE_PATHS[0]) / _folder(language) / "LC_MESSAGES"
        missing = [name for name in ("django.mo", "djangojs.mo") if not (folder / name).is_file()]
        if missing:
            yield Warning(
                f"The language {language} lacks {' and '.join(missing)}; its pages will be in English.",
                hint="Run `make messages`.",
                id="sluice.W008",
            )


def _folder(language: str) -> str:
    name, _dash, rest = language.partition("-")
    return f"{name}_{rest.title()}" if rest else name


@register(Tags.models)
def check_tenancy(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    """Every table with a tenant is a TenantModel whose managers put the tenant into the SQL."""
    for model in apps.get_models():
        if _points_to_tenant(model) and not _is_scoped(model):
            yield Error(
                f"{model._meta.label} belongs to tenants, but not all of its queries are scoped.",
                hint="Derive it from TenantModel, and its Meta from TenantModel.Meta; add no other manager.",
                obj=model,
                id="sluice.E009",
            )
        if issubclass(model, TenantModel) and model._meta.local_many_to_many:
            yield Error(
                f"{model._meta.label} has a many-to-many field, whose hidden table knows no tenant.",
                hint="Write the table between the two as a TenantModel of its own.",
                obj=model,
                id="sluice.E010",
            )


@register(Tags.models)
def check_sealed(app_configs: Apps = None, **kwargs: Any) -> Iterator[CheckMessage]:
    """Whatever is sealed is found when keys are rotated."""
    for column in unlisted():
        yield Error(
            f"{column} is not listed: `manage.py secrets rotate` would miss it.",
            hint="Add it to platform_site/sealed_fields.py.",
            id="sluice.E013",
        )


def _points_to_tenant(model: type[Model]) -> bool:
    return any(field.related_model is Tenant for field in model._meta.concrete_fields)


def _is_scoped(model: type[Model]) -> bool:
    managers = [*model._meta.managers, model._base_manager, model._default_manager]
    return issubclass(model, TenantModel) and all(isinstance(one, TenantManager) for one in managers)
