"""Who may change who takes part, and what never happens: a tenant without an owner, an account taken over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from platform_site import people, tokens
from platform_site.access import Actor, actor_for_session
from platform_site.errors import Problem
from platform_site.models import ApiToken, Membership, Role, Tenant, User
from platform_site.tenancy import acting_for
from tests.conftest import PASSWORD, person
from tests.platform_site.test_ledger import side_by_side

pytestmark = pytest.mark.django_db


def actor(user: User) -> Actor:
    found = actor_for_session(user, "acme")
    assert found is not None
    return found


def place(user: User) -> Membership:
    return Membership.objects.get(user=user)


def refused(verb: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(Problem) as problem:
        verb(*args, **kwargs)
    return problem.value.code


def test_an_admin_adds_somebody_new(inside: Tenant, adam: User) -> None:
    made = people.add_person(actor(adam), " New@Acme.test", "reviewer", name="Nel", password=PASSWORD)
    assert (made.role, made.user.email, made.user.name) == ("reviewer", "new@acme.test", "Nel")
    assert made.user.check_password(PASSWORD)


def test_somebody_known_elsewhere_keeps_their_name_and_password(
    inside: Tenant, adam: User, charlie: User
) -> None:
    """T32: being added here gives nobody here a hold on the account."""
    people.add_person(actor(adam), charlie.email, "member", name="Mallory", password="taken-over-1")
    charlie.refresh_from_db()
    assert charlie.name == "Charlie"
    assert charlie.check_password(PASSWORD)


def test_nobody_is_added_twice(inside: Tenant, adam: User, bob: User) -> None:
    assert refused(people.add_person, actor(adam), bob.email, "member") == "conflict"


def test_a_role_that_does_not_exist_is_refused(inside: Tenant, adam: User, bob: User) -> None:
    assert refused(people.add_person, actor(adam), "x@y.test", "root") == "bad_request"
    assert refused(people.change_role, actor(adam), place(bob).pk, "") == "bad_request"


@pytest.mark.parametrize("who", ["bob", "rita"])
def test_members_and_reviewers_change_nobody(who: str, inside: Tenant, alice: User, request: Any) -> None:
    by = actor(request.getfixturevalue(who))
    target = place(alice).pk
    assert refused(people.add_person, by, "x@y.test", "member") == "forbidden"
    assert refused(people.change_role, by, target, "member") == "forbidden"
    assert refused(people.deactivate, by, target) == "forbidden"
    assert refused(people.reactivate, by, target) == "forbidden"


def test_an_admin_neither_makes_nor_touches_an_owner(
    inside: Tenant, alice: User, adam: User, bob: User
) -> None:
    by = actor(adam)
    assert refused(people.add_person, by, "x@y.test", "owner") == "forbidden"
    assert refused(people.change_role, by, place(bob).pk, "owner") == "forbidden"
    assert refused(people.change_role, by, place(adam).pk, "owner") == "forbidden"
    assert refused(people.change_role, by, place(alice).pk, "member") == "forbidden"
    assert refused(people.deactivate, by, place(alice).pk) == "forbidden"


def test_the_last_owner_stays(inside: Tenant, alice: User, bob: User) -> None:
    by = actor(alice)
    assert refused(people.change_role, by, place(alice).pk, "admin") == "conflict"
    assert refused(people.deactivate, by, place(alice).pk) == "conflict"
    people.change_role(by, place(bob).pk, "owner")
    people.deactivate(by, place(alice).pk)
    assert refused(people.deactivate, None, place(bob).pk) == "conflict"


def test_an_owner_who_cannot_sign_in_does_not_count(inside: Tenant, alice: User) -> None:
    other = person(inside, "Otto", Role.OWNER)
    User.objects.filter(pk=other.pk).update(is_active=False)
    assert refused(people.deactivate, actor(alice), place(alice).pk) == "conflict"


@pytest.mark.django_db(transaction=True)
def test_two_owners_cannot_remove_each_other_at_once(tenant: Tenant, alice: User) -> None:
    """T09"""
    otto = person(tenant, "Otto", Role.OWNER)
    answers: list[str] = []

    with acting_for(tenant):
        pairs = [(actor(alice), place(otto).pk), (actor(otto), place(alice).pk)]

    def go(by: Actor, membership: str) -> None:
        with acting_for(tenant):
            try:
                people.deactivate(by, membership)
                answers.append("done")
            except Problem as problem:
                answers.append(problem.code)

    side_by_side(*[lambda pair=pair: go(*pair) for pair in pairs])
    assert sorted(answers) == ["conflict", "done"]


def test_a_former_member_can_come_back(inside: Tenant, alice: User, bob: User) -> None:
    by = actor(alice)
    people.deactivate(by, place(bob).pk)
    assert actor_for_session(bob, "acme") is None
    people.reactivate(by, place(bob).pk)
    assert actor(bob).role == Role.MEMBER


def test_a_person_of_another_tenant_is_not_there(inside: Tenant, alice: User, charlie: User) -> None:
    """T32"""
    theirs = Membership.objects.across_tenants().get(user=charlie).pk
    for verb in (people.deactivate, people.reactivate):
        assert refused(verb, actor(alice), theirs) == "not_found"
    assert refused(people.change_role, actor(alice), theirs, "member") == "not_found"
    assert refused(people.deactivate, actor(alice), "no-such-id") == "not_found"


def test_a_new_password_ends_all_tokens_everywhere(inside: Tenant, bob: User, other_tenant: Tenant) -> None:
    """T38"""
    tokens.make(bob, "here", ["read"])
    with acting_for(other_tenant):
        tokens.make(bob, "there", ["read"])
    people.set_password(bob, "something-else-9", by=bob)
    assert bob.check_password("something-else-9")
    assert not ApiToken.objects.across_tenants().filter(revoked_at=None).exists()
