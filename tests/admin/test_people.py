"""People of a tenant in the console: adding, roles, leaving, and the owner who stays."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from platform_site.models import Membership, Role, Tenant, User
from tests.admin.conftest import HOME, errors_at
from tests.conftest import PASSWORD

ADD = HOME + "platform_site/membership/add/"
NEW = {"email": "nina@acme.test", "name": "Nina", "role": "member", "password": "tremendous-41"}


def place(user: User) -> Membership:
    return Membership.objects.across_tenants().get(user=user)


def change(browser: Client, user: User, role: str, *, active: bool = True) -> Any:
    form = {"role": role} | ({"is_active": "on"} if active else {})
    return browser.post(f"{HOME}platform_site/membership/{place(user).pk}/change/", form, follow=True)


def test_somebody_new_gets_an_account(console: Client, tenant: Tenant) -> None:
    assert console.post(ADD, NEW).status_code == 302
    nina = User.objects.get(email="nina@acme.test")
    assert nina.check_password(NEW["password"]) and not mail.outbox
    assert (place(nina).tenant, place(nina).role) == (tenant, Role.MEMBER)


def test_a_weak_password_is_refused(console: Client) -> None:
    assert errors_at(console.post(ADD, NEW | {"password": "12345678"}), "password")
    assert not User.objects.filter(email="nina@acme.test").exists()


@pytest.mark.django_db(transaction=True)
def test_without_a_password_they_are_sent_a_link(console: Client, client: Client) -> None:
    """Once the membership stands. The link is outside the tenant's path, and works."""
    console.post(ADD, NEW | {"password": ""})
    (letter,) = mail.outbox
    found = re.search(r"http://testserver(/\S+)", letter.body)
    assert letter.to == ["nina@acme.test"] and found and found[1].startswith("/accounts/password/reset/key/")
    assert client.get(found[1], follow=True).status_code == 200


def test_who_has_an_account_keeps_their_password_and_name(console: Client, charlie: User) -> None:
    assert console.post(ADD, NEW | {"email": "Charlie@globex.test", "name": "X"}).status_code == 302
    charlie.refresh_from_db()
    assert (charlie.name, charlie.check_password(PASSWORD)) == ("Charlie", True)
    assert Membership.objects.across_tenants().filter(user=charlie).count() == 2


def test_nobody_is_added_twice(console: Client, bob: User) -> None:
    assert b"already takes part" in console.post(ADD, NEW | {"email": bob.email}, follow=True).content


def test_a_role_changes_and_a_membership_ends(console: Client, bob: User) -> None:
    change(console, bob, "reviewer")
    change(console, bob, "reviewer", active=False)
    assert (place(bob).role, place(bob).is_active) == (Role.REVIEWER, False)
    change(console, bob, "reviewer")
    assert place(bob).is_active


@pytest.mark.parametrize(("role", "active"), [("admin", True), ("owner", False)])
def test_the_last_owner_stays(console: Client, alice: User, role: str, active: bool) -> None:
    page = change(console, alice, role, active=active)
    assert b"A tenant needs an owner" in page.content
    assert (place(alice).role, place(alice).is_active) == (Role.OWNER, True)


def test_of_two_owners_one_may_go(console: Client, alice: User, bob: User) -> None:
    change(console, bob, "owner")
    change(console, alice, "member")
    assert (place(alice).role, place(bob).role) == (Role.MEMBER, Role.OWNER)


def test_an_admin_touches_no_owner(as_admin: Client, alice: User, bob: User) -> None:
    assert change(as_admin, alice, "member").status_code == 403
    change(as_admin, bob, "owner")
    as_admin.post(ADD, NEW | {"role": "owner"})
    assert (place(alice).role, place(bob).role) == (Role.OWNER, Role.MEMBER)
    assert not User.objects.filter(email="nina@acme.test").exists()


def test_an_admin_adds_members(as_admin: Client, alice: User) -> None:
    assert as_admin.post(ADD, NEW | {"role": "reviewer"}).status_code == 302
    assert place(User.objects.get(email="nina@acme.test")).role == Role.REVIEWER
