"""Settings that cannot work together are named at start, with what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import CheckMessage
from django.db import models
from django.test.utils import isolate_apps

from platform_site import checks
from platform_site.env import env
from platform_site.tenancy import TenantModel


def ids(check: Callable[[], Iterable[CheckMessage]]) -> list[str]:
    found = list(check())
    assert all(message.hint for message in found)
    return [str(message.id) for message in found]


def test_our_own_settings_pass() -> None:
    quiet = (
        checks.check_queue, checks.check_debug, checks.check_secret_key, checks.check_sqlite,
        checks.check_data_dir, checks.check_tenancy,
    )  # fmt: skip
    assert [ids(check) for check in quiet] == [[]] * len(quiet)


@pytest.mark.parametrize(
    "queue", [{"timeout": 60, "retry": 60}, {"timeout": 60, "retry": 62}, {"retry": 90}, {}]
)
def test_a_queue_that_would_run_a_task_twice(settings: Any, queue: dict[str, int]) -> None:
    settings.Q_CLUSTER = queue
    assert ids(checks.check_queue) == ["sluice.E001"]


def test_a_memory_layer_beside_a_database_for_many_processes(settings: Any) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": checks.MEMORY_LAYER}}
    settings.IS_SQLITE = False
    assert ids(checks.check_layer) == ["sluice.W002"]
    settings.IS_SQLITE = True
    assert ids(checks.check_layer) == []


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("0.0.0.0", True),
        ("192.0.2.1", True),
        ("x.test", True),
        ("127.0.0.2", False),
        ("::1", False),
        ("localhost", False),
    ],
)
def test_debug_pages_that_others_can_see(
    settings: Any, monkeypatch: pytest.MonkeyPatch, host: str, found: bool
) -> None:
    """T66"""
    settings.DEBUG = True
    monkeypatch.setattr(env, "host", host)
    assert ids(checks.check_debug) == (["sluice.E003"] if found else [])


def test_a_short_secret_key(settings: Any) -> None:
    settings.SECRET_KEY = "x" * 31
    assert ids(checks.check_secret_key) == ["sluice.E004"]


def test_sqlite_that_begins_its_transactions_too_late(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.IS_SQLITE = True
    monkeypatch.setitem(settings.DATABASES["default"], "OPTIONS", {})
    assert ids(checks.check_sqlite) == ["sluice.E005"]


def test_transactions_around_whole_requests(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.IS_SQLITE = False
    monkeypatch.setitem(settings.DATABASES["default"], "ATOMIC_REQUESTS", True)
    assert ids(checks.check_sqlite) == ["sluice.E006"]


def test_a_data_directory_that_is_not_there(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    assert ids(checks.check_data_dir) == ["sluice.E007"]


def test_a_language_without_its_texts(settings: Any, tmp_path: Path) -> None:
    settings.LOCALE_PATHS = [tmp_path]
    assert ids(checks.check_languages) == ["sluice.W008"]
    folder = tmp_path / "zh_Hans" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    for name in ("django.mo", "djangojs.mo"):
        (folder / name).touch()
    assert ids(checks.check_languages) == []


@isolate_apps("tools")
def test_a_table_whose_queries_forget_the_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    """T32: the two ways to write one."""

    class Bare(models.Model):  # noqa: DJ008  # never shown
        tenant = models.ForeignKey("platform_site.Tenant", models.CASCADE)

        class Meta:
            app_label = "tools"

    class Loose(TenantModel):
        everything = models.Manager()

        class Meta(TenantModel.Meta):
            app_label = "tools"

    class Fine(TenantModel):
        class Meta(TenantModel.Meta):
            app_label = "tools"

    from platform_site.models import Tenant

    Bare._meta.get_field("tenant").remote_field.model = Tenant
    for model, wrong in ((Bare, True), (Loose, True), (Fine, False)):
        monkeypatch.setattr(checks.apps, "get_models", lambda model=model: [model])
        monkeypatch.setattr(checks, "_points_to_tenant", lambda model: True)
        assert ids(checks.check_tenancy) == (["sluice.E009"] if wrong else []), model


@pytest.mark.parametrize(
    ("url", "hosts", "told"),
    [
        ("https://a.test", ["a.test"], []),
        ("https://a.test:8443", [".test"], []),
        ("http://[::1]:8000", ["[::1]"], []),
        ("https://b.test", ["a.test"], ["sluice.W012"]),
        ("a.test", ["a.test"], ["sluice.E011"]),
        ("https://a.test/sluice", ["a.test"], ["sluice.E011"]),
        ("ftp://a.test", ["a.test"], ["sluice.E011"]),
    ],
)
def test_links_in_mails_lead_to_a_host_that_answers(
    settings: Any, url: str, hosts: list[str], told: list[str]
) -> None:
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = url, hosts
    assert ids(checks.check_public_url) == told
