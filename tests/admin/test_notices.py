"""Webhooks, the time to wait and the log of notices in the console; and a person's own page."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from platform_site import secrets
from platform_site.models import AuditEntry, Membership, Notice, Tenant, User, Webhook
from platform_site.notices import outbox
from platform_site.setup.config_file import export_tenant
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, errors_at

HOOKS = HOME + "platform_site/webhook/"
LOG = HOME + "platform_site/notice/"
ASKED = {
    "name": "ops", "url": "https://hooks.example.com/in?key=canary", "kinds": ["confirmation_waiting"],
    "is_enabled": "on",
}  # fmt: skip


def add(browser: Client, **changes: Any) -> Any:
    return browser.post(HOOKS + "add/", ASKED | changes)


def hook() -> Webhook:
    return Webhook.objects.across_tenants().get()


def secret_on(page: Any) -> str:
    found = re.search(r"whsec_[\w-]+", page.content.decode())
    assert found
    return found[0]


def opened(webhook: Webhook) -> str:
    return secrets.open_sealed(webhook.sealed, outbox.context_of(webhook))


def test_the_secret_is_shown_once(console: Client) -> None:
    """T61: when it is made, and on no page after that."""
    page = add(console)
    assert secret_on(page) == opened(hook())
    assert "no-store" in page["Cache-Control"]
    for where in (HOOKS, f"{HOOKS}{hook().pk}/change/", LOG, HOME):
        assert "whsec_" not in console.get(where).content.decode()
    told = repr(list(AuditEntry.objects.across_tenants().values()))
    assert "whsec_" not in told and "canary" not in told


def test_a_list_shows_the_host_and_not_the_key_in_the_address(console: Client) -> None:
    add(console)
    page = console.get(HOOKS).content.decode()
    assert "hooks.example.com" in page and "canary" not in page


def test_webhooks_are_not_in_the_exported_configuration(console: Client, tenant: Tenant) -> None:
    add(console)
    assert "hooks.example.com" not in json.dumps(export_tenant(tenant))


def test_a_new_secret_replaces_the_old_one(console: Client) -> None:
    old = secret_on(add(console))
    new = secret_on(console.post(f"{HOOKS}{hook().pk}/secret/"))
    assert new != old and opened(hook()) == new


def test_changing_an_address_keeps_the_secret(console: Client) -> None:
    secret = secret_on(add(console))
    console.post(f"{HOOKS}{hook().pk}/change/", ASKED | {"url": "https://other.example.com/"})
    assert (hook().url, opened(hook())) == ("https://other.example.com/", secret)


@pytest.mark.parametrize(
    "url",
    ["ftp://example.com/", "file:///etc/passwd", "https://", "https://bob:pass@example.com/", "javascript:alert(1)",
     "http://a\\@b/", "http://example.com:99999/", "https://example.com/#part", "http://exa mple.com/", "gopher://x/"],
)  # fmt: skip
def test_what_is_no_address_of_a_receiver_is_refused(console: Client, url: str) -> None:
    """T48, T49."""
    assert errors_at(add(console, url=url), "url")
    assert not Webhook.objects.across_tenants().exists()


def test_two_webhooks_of_one_name_are_told_apart(console: Client) -> None:
    add(console)
    assert errors_at(add(console), "name")


def test_a_test_can_be_sent_and_watched(console: Client) -> None:
    add(console)
    answer = console.post(f"{HOOKS}{hook().pk}/test/")
    notice = Notice.objects.across_tenants().get()
    assert answer["Location"] == f"{LOG}{notice.pk}/change/"
    assert "Waiting to be sent" in console.get(answer["Location"]).content.decode()


def test_the_log_says_how_each_try_went_and_can_send_again(console: Client, tenant: Tenant) -> None:
    add(console)
    with acting_for(tenant):
        notice = outbox.send_test(hook())
    tries = [{"at": timezone.now().isoformat(), "ms": 12, "status": 500, "error": "status"}]
    Notice.objects.across_tenants().update(status="failed", tries=tries)
    page = console.get(f"{LOG}{notice.pk}/change/").content.decode()
    assert "HTTP 500 · 12 ms · The receiver answered with an error." in page and "Send again" in page
    assert "&lt;li&gt;" not in page
    assert "HTTP 500" in console.get(LOG).content.decode()
    console.post(f"{LOG}{notice.pk}/again/")
    assert Notice.objects.across_tenants().get().status == "waiting"
    assert "Send again" not in console.get(f"{LOG}{notice.pk}/change/").content.decode()


def test_the_time_to_wait_is_set_here(console: Client, tenant: Tenant) -> None:
    console.post(HOOKS + "wait/", {"minutes": 0})
    assert Tenant.objects.get(pk=tenant.pk).notify_after_s == 0
    for wrong in (-1, 1441, "soon", ""):
        console.post(HOOKS + "wait/", {"minutes": wrong})
        assert Tenant.objects.get(pk=tenant.pk).notify_after_s == 0
    assert 'value="0"' in console.get(HOOKS).content.decode()


def test_everybody_switches_their_own_mail_off_and_on(
    console: Client, tenant: Tenant, alice: User, bob: User
) -> None:
    assert "checked" in console.get("/t/acme/notices/").content.decode()
    console.post("/t/acme/notices/", {})
    rows = Membership.objects.across_tenants()
    assert (rows.get(user=alice).mail_notices, rows.get(user=bob).mail_notices) == (False, True)
    assert "checked" not in console.get("/t/acme/notices/").content.decode()
    console.post("/t/acme/notices/", {"mail": "on"})
    assert rows.get(user=alice).mail_notices
