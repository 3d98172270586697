"""What surrounds each request: an id, a language, and the tenant of its path."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_script_prefix
from django.utils import timezone, translation

from platform_site import people
from platform_site.models import Membership, Tenant, User
from platform_site.scope import acting_tenant
from platform_site.tenancy import acting_for

pytestmark = [pytest.mark.urls("tests.platform_site.urls"), pytest.mark.django_db]


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, settings.AUTHENTICATION_BACKENDS[0])
    return client


# Request id


def test_every_answer_names_its_request(client: Client) -> None:
    first, second = client.get("/healthz"), client.get("/nowhere")
    assert len(first["X-Request-ID"]) == 32
    assert first["X-Request-ID"] != second["X-Request-ID"]


def test_a_sensible_id_of_the_caller_is_kept(client: Client) -> None:
    assert (
        client.get("/healthz", headers={"X-Request-ID": "trace-12345678"})["X-Request-ID"] == "trace-12345678"
    )
    for odd in ("short", "x" * 65, "with space 123", "new\tline-123", "<script>alert(1)"):
        assert client.get("/healthz", headers={"X-Request-ID": odd})["X-Request-ID"] != odd


# Tenant


def test_a_member_is_inside(tenant: Tenant, bob: User) -> None:
    answer = signed_in(bob).get("/t/acme/where/")
    assert answer.content.decode().split()[0] == tenant.pk
    assert acting_tenant.get() is None


@pytest.mark.parametrize("path", ["where/", "", "admin/", "admin/console/x", "nowhere/"])
def test_anonymous_is_sent_to_sign_in_and_back(path: str, client: Client, tenant: Tenant) -> None:
    """The same for a tenant that does not exist."""
    for slug in ("acme", "nowhere"):
        answer = client.get(f"/t/{slug}/{path}?a=b")
        assert answer.status_code == 302
        assert answer["Location"] == f"/accounts/login/?next=/t/{slug}/{path}%3Fa%3Db"


@pytest.mark.parametrize("path", ["where/", "admin/console/x"])
@pytest.mark.parametrize("slug", ["globex", "nowhere", "ACME", "acme%00"])
def test_a_stranger_cannot_tell_a_foreign_tenant_from_none(
    slug: str, path: str, bob: User, other_tenant: Tenant
) -> None:
    """T32, T35"""
    client, shape = signed_in(bob), []
    for one in (slug, "x" * len(slug)):
        answer = client.get(f"/t/{one}/{path}")
        shape.append((answer.status_code, len(answer.content.replace(b"\0", b"%00"))))
    assert shape[0] == shape[1]
    assert shape[0][0] == 404


@pytest.mark.parametrize("what", ["membership", "tenant"])
def test_who_lost_their_place_is_a_stranger(what: str, tenant: Tenant, bob: User) -> None:
    """T38"""
    client = signed_in(bob)
    assert client.get("/t/acme/where/").status_code == 200
    if what == "tenant":
        Tenant.objects.update(is_active=False)
    else:
        with acting_for(tenant):
            people.deactivate(None, Membership.objects.get(user=bob).pk)
    assert client.get("/t/acme/where/").status_code == 404


def test_the_console_is_inside_the_tenant_with_its_links(tenant: Tenant, alice: User) -> None:
    body = signed_in(alice).get("/t/acme/admin/console/tools").content.decode().split()
    assert body == [
        tenant.pk,
        "/t/acme/admin/console/tools",
        "/admin/console/tools",
        "/t/acme/admin/console/x",
    ]
    assert get_script_prefix() == "/"


@pytest.mark.parametrize(
    ("who", "status"), [("alice", 200), ("adam", 200), ("rita", 403), ("bob", 403), ("charlie", 404)]
)
def test_the_console_is_for_owners_and_admins(who: str, status: int, tenant: Tenant, request: Any) -> None:
    """T65"""
    user = request.getfixturevalue(who)
    assert signed_in(user).get("/t/acme/admin/console/x").status_code == status


@pytest.mark.parametrize("path", ["/admin/", "/admin/console/x", "/admin/tools/tool/", "/admin/nowhere/"])
def test_the_console_has_no_address_outside_a_tenant(path: str, alice: User) -> None:
    """T35"""
    assert signed_in(alice).get(path).status_code == 404


# Language


def language(client: Client, **headers: str) -> str:
    return client.get("/t/acme/where/", headers=headers).content.decode().split()[1]


def test_the_language_is_the_persons_then_the_browsers_choice_then_the_tenants(
    tenant: Tenant, bob: User
) -> None:
    client = signed_in(bob)
    assert language(client, accept_language="zh-CN") == "en"  # the tenant's
    Tenant.objects.update(locale="zh-hans")
    assert language(client, accept_language="en") == "zh-hans"
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert language(client) == "en"
    User.objects.update(locale="zh-hans")
    assert language(client) == "zh-hans"
    assert translation.get_language() == settings.LANGUAGE_CODE


def test_outside_a_tenant_the_browsers_language_counts(client: Client) -> None:
    assert (
        client.get("/accounts/login/", headers={"Accept-Language": "zh-CN,zh;q=0.9"})["Content-Language"]
        == "zh-hans"
    )
    assert client.get("/accounts/login/", headers={"Accept-Language": "fr"})["Content-Language"] == "en"


def test_a_language_we_do_not_have_is_passed_over(tenant: Tenant, bob: User) -> None:
    User.objects.update(locale="xx")
    Tenant.objects.update(locale="yy")
    assert language(signed_in(bob)) == "en"


def test_choosing_a_language_is_remembered_in_the_profile(bob: User, tenant: Tenant) -> None:
    client = signed_in(bob)
    client.post("/i18n/setlang/", {"language": "zh-hans", "next": "/"})
    bob.refresh_from_db()
    assert bob.locale == "zh-hans"
    assert language(client) == "zh-hans"
    client.post("/i18n/setlang/", {"language": "tlh", "next": "/"})
    bob.refresh_from_db()
    assert bob.locale == "zh-hans"


def test_the_language_is_never_changed_by_a_get(bob: User) -> None:
    """T65"""
    assert signed_in(bob).get("/i18n/setlang/?language=zh-hans").status_code == 405


def test_who_chose_without_signing_in_keeps_it_in_a_cookie(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "zh-hans", "next": "https://evil.test/"})
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "zh-hans"
    assert client.get("/accounts/login/")["Content-Language"] == "zh-hans"


def test_a_language_choice_redirects_to_our_own_pages_alone(client: Client) -> None:
    answer = client.post("/i18n/setlang/", {"language": "en", "next": "https://evil.test/"})
    assert answer["Location"] == "/"


def test_an_address_with_a_nul_is_no_address(client: Client, tenant: Tenant, bob: User) -> None:
    client.force_login(bob)
    for path in ("/t/acme/c/%00/", "/t/acme/admin/%00/", "/%00", "/api/v1/t/acme/%00"):
        assert client.get(path).status_code == 404, path


# Time zone


@pytest.mark.parametrize(
    ("own", "of_tenant", "used"),
    [
        ("", "Asia/Shanghai", "Asia/Shanghai"),
        ("Europe/Berlin", "Asia/Shanghai", "Europe/Berlin"),
        ("", "", "UTC"),
        ("Mars/Olympus", "Asia/Shanghai", "UTC"),
        ("../etc/passwd", "UTC", "UTC"),
        ("America", "UTC", "UTC"),
    ],
)
def test_times_are_in_the_persons_zone_else_the_tenants(
    own: str, of_tenant: str, used: str, tenant: Tenant, bob: User
) -> None:
    User.objects.update(timezone=own)
    Tenant.objects.update(timezone=of_tenant)
    assert signed_in(bob).get("/t/acme/where/").content.decode().split()[2] == used
    assert timezone.get_current_timezone_name() == "UTC"
