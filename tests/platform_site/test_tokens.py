"""API tokens: shown once, stored as a hash, and dead the moment anything they stand on is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from platform_site import access, people, tokens
from platform_site.models import ApiToken, Membership, Role, Tenant, User
from platform_site.tenancy import acting_for


@pytest.fixture
def made(tenant: Tenant, bob: User) -> tuple[ApiToken, str]:
    with acting_for(tenant):
        return tokens.make(bob, "laptop", ["read", "chat"])


def test_a_token_has_256_random_bits_and_only_its_hash_is_kept(made: tuple[ApiToken, str]) -> None:
    token, raw = made
    assert raw.startswith("slc_")
    assert len(raw) == 4 + 43
    assert raw not in str(vars(token))
    assert token.hint == raw[:10]
    assert len(token.hash) == 64


def test_a_token_opens_its_own_tenant_and_no_other(made: tuple[ApiToken, str], other_tenant: Tenant) -> None:
    """T32, T35"""
    _token, raw = made
    actor = access.actor_for_token(raw, "acme")
    assert actor is not None
    assert (actor.role, actor.via, actor.scopes) == (Role.MEMBER, "token", {"read", "chat"})
    assert access.actor_for_token(raw, None) is not None
    for slug in ("globex", "ACME", "", "acme "):
        assert access.actor_for_token(raw, slug) is None


@pytest.mark.parametrize("raw", ["", "slc_", "null", "slc_null", "Bearer x", "slc_" + "a" * 43, "\0"])
def test_what_is_no_token_opens_nothing(raw: str, made: tuple[ApiToken, str]) -> None:
    """T41"""
    assert access.actor_for_token(raw, None) is None


def ended() -> dict[str, Callable[[ApiToken], object]]:
    def set_on(row: object, **values: object) -> None:
        for name, value in values.items():
            setattr(row, name, value)
        row.save()  # type: ignore[attr-defined]

    def membership(token: ApiToken) -> Membership:
        return Membership.objects.get(user=token.user)

    return {
        "revoked": lambda token: tokens.revoke(token, by=token.user),
        "expired": lambda token: set_on(token, expires_at=timezone.now()),
        "person deactivated": lambda token: set_on(token.user, is_active=False),
        "membership ended": lambda token: people.deactivate(None, membership(token).pk),
        "membership deleted": lambda token: membership(token).delete(),
        "tenant suspended": lambda token: set_on(token.tenant, is_active=False),
        "password changed": lambda token: people.set_password(token.user, "something-else-9", by=token.user),
    }


@pytest.mark.parametrize("how", ended())
def test_a_token_is_dead_at_once_when(how: str, made: tuple[ApiToken, str]) -> None:
    """T38"""
    token, raw = made
    before = access.actor_for_token(raw, None)
    assert before is not None
    with acting_for(token.tenant_id):
        ended()[how](token)
    assert access.actor_for_token(raw, None) is None
    assert access.still_here([before]) == [None]


def test_a_role_that_was_taken_away_takes_the_scope_with_it(
    made: tuple[ApiToken, str], tenant: Tenant, alice: User, adam: User
) -> None:
    """T38"""
    with acting_for(tenant):
        _row, raw = tokens.make(adam, "ci", access.SCOPES)
        actor = access.actor_for_token(raw, "acme")
        assert actor is not None and actor.can_configure and actor.can_review
        people.change_role(None, Membership.objects.get(user=adam).pk, "member")
    now = access.actor_for_token(raw, "acme")
    assert now is not None
    assert not now.can_configure
    assert not now.can_review
    assert access.still_here([actor]) == [now]


def test_a_scope_the_token_lacks_is_not_given_by_the_role(tenant: Tenant, alice: User) -> None:
    """T39"""
    with acting_for(tenant):
        _row, raw = tokens.make(alice, "read only", ["read"])
    actor = access.actor_for_token(raw, "acme")
    assert actor is not None
    assert [scope for scope in sorted(access.SCOPES) if actor.may(scope)] == ["read"]


def test_unknown_scopes_open_nothing(tenant: Tenant, alice: User) -> None:
    with acting_for(tenant):
        _row, raw = tokens.make(alice, "odd", ["everything"])
    actor = access.actor_for_token(raw, "acme")
    assert actor is not None
    assert not any(actor.may(scope) for scope in access.SCOPES)


def test_its_last_use_is_noted_once_a_minute(made: tuple[ApiToken, str]) -> None:
    _token, raw = made
    rows = ApiToken.objects.across_tenants()
    access.actor_for_token(raw, None)
    first = rows.get().last_used_at
    assert first is not None
    access.actor_for_token(raw, None)
    assert rows.get().last_used_at == first
    rows.update(last_used_at=first - timedelta(minutes=2))
    access.actor_for_token(raw, None)
    assert rows.get().last_used_at >= first


def test_a_second_revocation_keeps_the_time_of_the_first(
    made: tuple[ApiToken, str], tenant: Tenant, bob: User
) -> None:
    token, _raw = made
    with acting_for(tenant):
        tokens.revoke(token, by=bob)
        first = ApiToken.objects.get().revoked_at
        tokens.revoke(token, by=bob)
        assert ApiToken.objects.get().revoked_at == first
