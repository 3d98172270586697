"""Who is let in, as what, and for how long: the same answer by page, API and websocket."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from platform_site import access, people, tokens
from platform_site.access import Actor, actor_for_session, actor_for_socket
from platform_site.errors import Problem
from platform_site.models import Membership, Role, Tenant, User
from platform_site.tenancy import acting_for


def handshake(client: Client | None = None, token: str | None = None) -> dict[str, Any]:
    headers = []
    if client:
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}; other=1".encode()))
    if token is not None:
        headers.append((b"authorization", token.encode()))
    return {"type": "websocket", "headers": headers}


@pytest.fixture
def signed_in(client: Client, bob: User) -> Client:
    client.force_login(bob, settings.AUTHENTICATION_BACKENDS[0])
    return client


ROLES = {
    Role.OWNER: {"read", "chat", "configure", "review"},
    Role.ADMIN: {"read", "chat", "configure", "review"},
    Role.REVIEWER: {"read", "chat", "review"},
    Role.MEMBER: {"read", "chat"},
}


@pytest.mark.parametrize("role", Role)
def test_a_role_may_what_the_table_says(role: Role) -> None:
    actor = Actor(User(), Tenant(), role, None, "session")
    assert {scope for scope in access.SCOPES if actor.may(scope)} == ROLES[role] == access.scopes_for(role)


def test_the_check_raises_what_the_api_answers() -> None:
    actor = Actor(User(), Tenant(), Role.MEMBER, None, "session")
    access.check_scope(actor, "chat")
    with pytest.raises(Problem) as refused:
        access.check_scope(actor, "configure")
    assert (refused.value.status, refused.value.code) == (403, "forbidden")


def test_a_member_is_let_in_where_they_belong(tenant: Tenant, other_tenant: Tenant, bob: User) -> None:
    actor = actor_for_session(bob, "acme")
    assert actor is not None
    assert (actor.user, actor.tenant, actor.role, actor.scopes) == (bob, tenant, Role.MEMBER, None)
    for slug in ("globex", "nowhere", "ACME", ""):
        assert actor_for_session(bob, slug) is None
    assert access.tenants_of(bob) == [tenant]


def test_who_is_deactivated_anywhere_is_not_let_in(tenant: Tenant, bob: User) -> None:
    """T38"""
    for row, column in ((bob, "is_active"), (tenant, "is_active")):
        setattr(row, column, False)
        row.save()
        assert actor_for_session(bob, "acme") is None
        setattr(row, column, True)
        row.save()
    with acting_for(tenant):
        people.deactivate(None, Membership.objects.get(user=bob).pk)
    assert actor_for_session(bob, "acme") is None
    assert access.tenants_of(bob) == []


# Websockets


def test_a_socket_with_a_session_acts_for_its_person(signed_in: Client, bob: User) -> None:
    actor = actor_for_socket(handshake(signed_in), "acme")
    assert isinstance(actor, Actor)
    assert (actor.user, actor.via) == (bob, "session")
    assert access.still_here([actor]) == [actor]


def test_a_socket_without_sign_in_is_unauthenticated(signed_in: Client, tenant: Tenant) -> None:
    """T43"""
    bad = Client()
    bad.cookies[settings.SESSION_COOKIE_NAME] = "no-such-session"
    assert actor_for_socket(handshake(), "acme") == "unauthenticated"
    assert actor_for_socket(handshake(bad), "acme") == "unauthenticated"


def test_a_socket_to_a_foreign_tenant_is_forbidden_whether_or_not_it_exists(
    signed_in: Client, other_tenant: Tenant
) -> None:
    """T32"""
    assert actor_for_socket(handshake(signed_in), "globex") == "forbidden"
    assert actor_for_socket(handshake(signed_in), "nowhere") == "forbidden"


def test_a_token_decides_alone_even_beside_a_good_cookie(
    signed_in: Client, tenant: Tenant, bob: User
) -> None:
    """T39"""
    for bad in ("Bearer slc_wrong", "Bearer ", "Basic Ym9iOng=", "slc_wrong"):
        assert actor_for_socket(handshake(signed_in, bad), "acme") == "unauthenticated"
    with acting_for(tenant):
        _row, raw = tokens.make(bob, "t", ["read"])
    actor = actor_for_socket(handshake(signed_in, f"Bearer {raw}"), "acme")
    assert isinstance(actor, Actor)
    assert actor.scopes == {"read"}
    assert actor_for_socket(handshake(token=f"bearer {raw}"), "globex") == "forbidden"


@pytest.mark.parametrize("how", ["signed out", "password changed", "deactivated", "removed", "suspended"])
def test_an_open_socket_is_let_go_when(how: str, signed_in: Client, tenant: Tenant, bob: User) -> None:
    """T38"""
    actor = actor_for_socket(handshake(signed_in), "acme")
    assert isinstance(actor, Actor)
    match how:
        case "signed out":
            signed_in.logout()
        case "password changed":
            people.set_password(bob, "something-else-9", by=bob)
        case "deactivated":
            User.objects.filter(pk=bob.pk).update(is_active=False)
        case "removed":
            with acting_for(tenant):
                people.deactivate(None, Membership.objects.get(user=bob).pk)
        case "suspended":
            Tenant.objects.update(is_active=False)
    assert access.still_here([actor]) == [None]
    assert not isinstance(
        actor_for_socket(handshake(signed_in) if signed_in.cookies else handshake(), "acme"), Actor
    )


def test_an_open_socket_learns_of_a_new_role(signed_in: Client, tenant: Tenant, bob: User) -> None:
    """T38"""
    actor = actor_for_socket(handshake(signed_in), "acme")
    assert isinstance(actor, Actor)
    with acting_for(tenant):
        people.change_role(None, Membership.objects.get(user=bob).pk, "reviewer")
    [now] = access.still_here([actor])
    assert now is not None
    assert now.can_review


def test_everybody_is_looked_at_in_three_queries(
    signed_in: Client, tenant: Tenant, bob: User, alice: User, django_assert_max_num_queries: Any
) -> None:
    with acting_for(tenant):
        raws = [tokens.make(person, "t", ["read"])[1] for person in (alice, bob)]
    found = [actor_for_socket(handshake(token=f"Bearer {raw}"), "acme") for raw in raws]
    actors = [
        actor
        for actor in [*found, actor_for_socket(handshake(signed_in), "acme")]
        if isinstance(actor, Actor)
    ]
    assert len(actors) == 3
    with django_assert_max_num_queries(3):
        assert all(access.still_here(actors * 10))
    assert access.still_here([]) == []
