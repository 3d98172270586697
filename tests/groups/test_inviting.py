"""Invitations: the owner asks members of the tenant in, who see nothing before they accept (R8, T32 to T34, T40)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.groups import inviting, people
from conversations.groups.models import Invitation
from platform_site.errors import Problem
from platform_site.models import Membership, User
from tests.groups.conftest import Company


def refused(status: int, verb: object, *args: object, **more: object) -> None:
    with pytest.raises(Problem) as caught:
        verb(*args, **more)  # type: ignore[operator]
    assert caught.value.status == status


def test_who_accepts_takes_part(us: Company) -> None:
    made = inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)
    assert not us.sees(us.ann)
    assert [one.pk for one in inviting.invitations_for(us.ann)] == [made.pk]
    assert inviting.accept(us.ann, made.pk) == us.talk.pk
    assert us.sees(us.ann)
    assert us.here() == ["Bob", "Ann"]
    assert us.owner() == "Bob"
    assert us.log()[-1]["name"] == "participant.joined"


def test_who_declines_does_not(us: Company) -> None:
    made = inviting.invite(us.bob, us.talk.pk, email="ANN@acme.test ")
    inviting.decline(us.ann, made.pk)
    assert not us.sees(us.ann)
    refused(409, inviting.accept, us.ann, made.pk)
    assert not list(inviting.invitations_for(us.ann))


def test_one_that_was_withdrawn_is_over(us: Company) -> None:
    made = inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)
    inviting.withdraw(us.bob, made.pk)
    refused(409, inviting.accept, us.ann, made.pk)
    assert not us.sees(us.ann)
    inviting.accept(us.ann, inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk).pk)
    assert us.sees(us.ann)


def test_an_invitation_is_answered_by_who_is_invited_alone(us: Company) -> None:
    """T34."""
    made = inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)
    for verb in (inviting.accept, inviting.decline):
        refused(404, verb, us.cora, made.pk)
        refused(404, verb, us.bob, made.pk)
    refused(404, inviting.withdraw, us.cora, made.pk)
    refused(404, inviting.withdraw, us.ann, made.pk)


def test_only_the_owner_invites_and_withdraws(us: Company) -> None:
    us.join(us.ann)
    refused(403, inviting.invite, us.ann, us.talk.pk, person=us.cora.user.pk)
    refused(403, inviting.candidates, us.ann, us.talk.pk, "")
    made = inviting.invite(us.bob, us.talk.pk, person=us.cora.user.pk)
    refused(403, inviting.withdraw, us.ann, made.pk)
    refused(404, inviting.invite, us.cora, us.talk.pk, person=us.cora.user.pk)


def test_nobody_is_asked_twice(us: Company) -> None:
    us.join(us.ann)
    inviting.invite(us.bob, us.talk.pk, person=us.cora.user.pk)
    refused(409, inviting.invite, us.bob, us.talk.pk, person=us.cora.user.pk)
    refused(409, inviting.invite, us.bob, us.talk.pk, person=us.ann.user.pk)
    refused(409, inviting.invite, us.bob, us.talk.pk, person=us.bob.user.pk)


def test_strangers_look_like_nobody(us: Company, charlie: User) -> None:
    """T34: a person of another tenant, a former member and nobody at all are answered alike."""
    Membership.objects.filter(user=us.cora.user).update(is_active=False)
    answers = set()
    for asked in (
        {"person": charlie.pk}, {"person": us.cora.user.pk}, {"person": "0" * 32},
        {"email": charlie.email}, {"email": us.cora.user.email}, {"email": "nobody@acme.test"},
    ):  # fmt: skip
        with pytest.raises(Problem) as caught:
            inviting.invite(us.bob, us.talk.pk, **asked)
        answers.add((caught.value.status, caught.value.detail))
    assert len(answers) == 1
    assert not Invitation.objects.exists()


def test_the_picker_finds_people_of_this_tenant_only(us: Company, charlie: User) -> None:
    def found(asked: str) -> list[str]:
        return [str(one) for one in inviting.candidates(us.bob, us.talk.pk, asked)]

    assert found("") == ["Ann", "Cora"]
    assert found("COR") == found("cora@acme") == ["Cora"]
    assert found("charlie") == found("globex") == found("%") == []
    us.join(us.ann)
    inviting.invite(us.bob, us.talk.pk, person=us.cora.user.pk)
    assert found("") == []


def test_the_invited_hear_who_invites_them_and_nothing_of_the_conversation(us: Company) -> None:
    us.say(us.bob, "The secret plan")
    made = inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)
    told = [data for who, data in us.notices("invitation") if who == "Ann"]
    assert told == [{"invitation": made.pk, "status": "pending", "by": {"id": us.bob.user.pk, "name": "Bob"}}]
    people_told = [data for who, data in us.notices("invitation") if who == "Bob"]
    assert people_told[0]["conversation"] == us.talk.pk


def test_there_is_room_for_so_many(us: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inviting, "MOST_PEOPLE", 2)
    inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)
    refused(409, inviting.invite, us.bob, us.talk.pk, person=us.cora.user.pk)


def test_nobody_is_kept_busy_with_invitations(us: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """Invited, withdrawn, invited …: each is a notice to who is asked."""
    monkeypatch.setattr(inviting, "MOST_AN_HOUR", 3)
    for _ in range(3):
        made = inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)
        inviting.withdraw(us.bob, made.pk)
    refused(429, inviting.invite, us.bob, us.talk.pk, person=us.ann.user.pk)
    Invitation.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)


def test_who_was_removed_can_be_asked_again(us: Company) -> None:
    us.join(us.ann)
    people.remove(us.bob, us.talk.pk, us.ann.user.pk)
    assert not us.sees(us.ann)
    us.join(us.ann)
    assert us.sees(us.ann)
