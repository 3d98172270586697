"""The configuration file's sections about the ground: applied twice they change nothing, and secrets only go in."""

from __future__ import annotations

from typing import Any

import pytest

from platform_site import config_sections as sections
from platform_site.errors import BadDefinition
from platform_site.models import Credential, Membership, Tenant, User
from platform_site.secrets import key_of
from platform_site.tenancy import acting_for
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def faults(apply: Any, *args: Any) -> list[str]:
    with pytest.raises(BadDefinition) as bad:
        apply(*args)
    return [error["path"] for error in bad.value.errors]


# Tenant


def test_a_tenant_is_made_once_then_updated_then_left_alone(db: None) -> None:
    section = {"slug": "new", "name": "New", "locale": "zh-hans", "timezone": "Asia/Shanghai"}
    assert sections.apply_tenant(section, None)[1] == "created"
    assert sections.apply_tenant(section, None)[1] == "unchanged"
    tenant, outcome = sections.apply_tenant({"slug": "new", "name": "Newer", "egress": ["10.0.0.1:80"]}, None)
    assert (outcome, tenant.name, tenant.locale) == ("changed", "Newer", "zh-hans")
    exported = sections.export_tenant(tenant)
    assert exported == {**section, "name": "Newer", "egress": ["10.0.0.1:80"], "notify_after_s": 300}
    assert sections.apply_tenant(exported, None)[1] == "unchanged"


@pytest.mark.parametrize(
    ("section", "path"),
    [
        ({"slug": "new", "name": "N", "colour": "red"}, "$.tenant.colour"),
        ({"slug": "New", "name": "N"}, "$.tenant.slug"),
        ({"slug": "a:b", "name": "N"}, "$.tenant.slug"),
        ({"slug": "new"}, "$.tenant.name"),
        ({"slug": "new", "name": "N", "locale": "tlh"}, "$.tenant.locale"),
        ({"slug": "new", "name": "N", "timezone": "Mars/Olympus"}, "$.tenant.timezone"),
        ({"slug": "new", "name": "N", "egress": ["http://x:1"]}, "$.tenant.egress[0]"),
    ],
)
def test_what_is_wrong_with_a_tenant_is_named(section: dict[str, Any], path: str) -> None:
    assert faults(sections.apply_tenant, section, None) == [path]
    assert not Tenant.objects.exists()


def test_a_tenants_own_admin_opens_no_private_hosts_and_makes_no_tenants(tenant: Tenant, alice: User) -> None:
    """T05, T48"""
    assert faults(sections.apply_tenant, {"slug": "acme", "name": "A", "egress": ["10.0.0.1:80"]}, alice)
    assert faults(sections.apply_tenant, {"slug": "fresh", "name": "A"}, alice)
    assert sections.apply_tenant({"slug": "acme", "name": "A", "egress": []}, alice)[1] == "changed"


# People


def test_people_are_made_updated_and_exported_without_passwords(inside: Tenant) -> None:
    people = [
        {"email": "Ann@acme.test", "name": "Ann", "role": "owner", "password": PASSWORD},
        {"email": "ben@acme.test", "role": "member"},
    ]
    assert sections.apply_people(people, None) == [("Ann@acme.test", "created"), ("ben@acme.test", "created")]
    assert {outcome for _name, outcome in sections.apply_people(people, None)} == {"unchanged"}
    assert User.objects.get(email="ann@acme.test").check_password(PASSWORD)
    assert not User.objects.get(email="ben@acme.test").has_usable_password()
    people[1] |= {"role": "admin"}
    assert sections.apply_people(people, None)[1] == ("ben@acme.test", "changed")
    exported = sections.export_people()
    assert exported == [
        {"email": "ann@acme.test", "name": "Ann", "role": "owner"},
        {"email": "ben@acme.test", "role": "admin"},
    ]
    assert {outcome for _name, outcome in sections.apply_people(exported, None)} == {"unchanged"}


def test_who_is_not_named_stays(inside: Tenant, alice: User, bob: User) -> None:
    sections.apply_people([{"email": "new@acme.test", "role": "member"}], None)
    assert Membership.objects.filter(is_active=True).count() == 3


def test_the_operator_sets_an_existing_persons_password(inside: Tenant, bob: User) -> None:
    sections.apply_people([{"email": bob.email, "role": "member", "password": "fresh-pass-99"}], None)
    bob.refresh_from_db()
    assert bob.check_password("fresh-pass-99")


def test_a_tenants_own_admin_sets_no_existing_persons_password(
    inside: Tenant, adam: User, bob: User, charlie: User
) -> None:
    """T32: neither of somebody here nor of somebody from elsewhere."""
    for user in (bob, charlie):
        sections.apply_people(
            [{"email": user.email, "name": "X", "role": "member", "password": "taken-over-1"}], adam
        )
        user.refresh_from_db()
        assert user.check_password(PASSWORD)
        assert user.name != "X"


def test_an_admin_cannot_import_owners(inside: Tenant, adam: User, bob: User) -> None:
    entries = [{"email": "fine@acme.test", "role": "member"}, {"email": bob.email, "role": "owner"}]
    assert faults(sections.apply_people, entries, adam) == ["$.people[1]"]
    assert not User.objects.filter(email="fine@acme.test").exists()  # all or nothing


def test_all_faults_are_named_together(inside: Tenant) -> None:
    entries = [{"email": "nobody", "role": "king"}, {"email": "a@b.test", "role": "member", "age": 4}]
    assert faults(sections.apply_people, entries, None) == [
        "$.people[0].email",
        "$.people[0].role",
        "$.people[1].age",
    ]


# Credentials


def test_a_key_goes_in_sealed_and_never_comes_out(inside: Tenant) -> None:
    """T61"""
    entries = [{"slug": "main", "provider": "openai", "base_url": "https://x.test/v1", "api_key": "canary-1"}]
    assert sections.apply_credentials(entries, None) == [("main", "created")]
    row = Credential.objects.get()
    assert "canary" not in str(Credential.objects.values().get())
    assert key_of(row) == "canary-1"
    assert sections.apply_credentials(entries, None) == [("main", "unchanged")]
    assert Credential.objects.get().sealed == row.sealed
    exported = sections.export_credentials()
    assert exported == [{"slug": "main", "provider": "openai", "base_url": "https://x.test/v1"}]
    assert sections.apply_credentials(exported, None) == [("main", "unchanged")]
    assert key_of(Credential.objects.get()) == "canary-1"
    assert sections.apply_credentials([{**entries[0], "api_key": "canary-2"}], None) == [("main", "changed")]
    assert key_of(Credential.objects.get()) == "canary-2"


def test_a_key_can_come_from_the_environment_if_the_operator_says_so(
    inside: Tenant, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T35: no tenant reaches the operator's own secrets by their name."""
    monkeypatch.setenv("SHOP_API_KEY", "from outside")
    entries = [{"slug": "env", "provider": "http", "api_key_env": "SHOP_API_KEY"}]
    assert faults(sections.apply_credentials, entries, alice) == ["$.credentials[0]"]
    sections.apply_credentials(entries, None)
    assert key_of(Credential.objects.get()) == "from outside"
    assert sections.export_credentials() == entries
    assert sections.apply_credentials(entries, alice) == [("env", "unchanged")]


def test_a_key_is_given_in_one_way(inside: Tenant) -> None:
    both = [{"slug": "x", "provider": "http", "api_key": "a", "api_key_env": "B_KEY"}]
    assert faults(sections.apply_credentials, both, None) == ["$.credentials[0]"]
    assert not Credential.objects.exists()


def test_an_unknown_provider_or_key_is_named(inside: Tenant) -> None:
    entries = [{"slug": "x", "provider": "acme"}, {"slug": "y", "provider": "http", "secret": "s"}]
    assert faults(sections.apply_credentials, entries, None) == [
        "$.credentials[0].provider",
        "$.credentials[1].secret",
    ]


def test_credentials_of_one_name_in_two_tenants_do_not_meet(tenant: Tenant, other_tenant: Tenant) -> None:
    """T32"""
    for one, key in ((tenant, "a"), (other_tenant, "b")):
        with acting_for(one):
            sections.apply_credentials([{"slug": "main", "provider": "http", "api_key": key}], None)
    with acting_for(tenant):
        assert key_of(Credential.objects.get()) == "a"
