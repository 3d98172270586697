"""Two at once: one answer an invitation, nobody in by a withdrawn one, nothing begun for who is gone.

SLUICE_ROUNDS says how often each race is run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from conversations import saying
from conversations.groups import inviting, people
from conversations.groups.models import Invitation
from conversations.models import Message, Participant, Run, RunStatus
from conversations.saying import Words
from conversations.steps import claim
from platform_site.errors import Problem
from platform_site.models import Tenant, User
from tests.gate_evidence.rounds import ROUNDS
from tests.groups.conftest import Company, company
from tests.tools.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


@pytest.fixture
def us(
    transactional_db: None, tenant: Tenant, bob: User, inside: Tenant, monkeypatch: pytest.MonkeyPatch
) -> Company:
    monkeypatch.setattr(inviting, "MOST_AN_HOUR", ROUNDS + 1)
    return company(tenant, bob, [])


def tried(work: Callable[[], Any]) -> str:
    try:
        work()
    except Problem as problem:
        return problem.code
    return "done"


def together(us: Company, *work: Callable[[], Any]) -> list[str]:
    return at_once(us.bob.tenant, [partial(tried, one) for one in work])


def test_of_many_accepts_one_counts(us: Company) -> None:
    for _ in range(ROUNDS):
        made = inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)
        said = together(us, *[partial(inviting.accept, us.ann, made.pk)] * AT_ONCE)
        assert sorted(said) == ["conflict"] * (AT_ONCE - 1) + ["done"]
        assert us.here() == ["Bob", "Ann"]
        people.leave(us.ann, us.talk.pk)


def test_of_many_invitations_one_is_made(us: Company) -> None:
    invite = partial(inviting.invite, us.bob, us.talk.pk, person=us.ann.user.pk)
    assert sorted(together(us, *[invite] * AT_ONCE)) == ["conflict"] * (AT_ONCE - 1) + ["done"]
    assert Invitation.objects.count() == 1


def test_accepted_or_withdrawn_and_never_both(us: Company) -> None:
    for _ in range(ROUNDS):
        made = inviting.invite(us.bob, us.talk.pk, person=us.ann.user.pk)
        said = together(
            us, partial(inviting.accept, us.ann, made.pk), partial(inviting.withdraw, us.bob, made.pk)
        )
        made.refresh_from_db()
        assert sorted(said) == ["conflict", "done"]
        assert us.here() == (["Bob", "Ann"] if made.status == "accepted" else ["Bob"])
        Participant.objects.filter(user=us.ann.user).delete()


def test_there_is_always_one_owner(us: Company) -> None:
    us.join(us.ann, us.cora)
    together(
        us,
        partial(people.leave, us.bob, us.talk.pk),
        partial(people.leave, us.ann, us.talk.pk),
        partial(people.hand_over, us.bob, us.talk.pk, us.ann.user.pk),
    )
    assert Participant.objects.filter(conversation=us.talk, is_owner=True).count() == 1


def test_who_leaves_while_a_run_begins_has_nothing_that_goes_on(us: Company) -> None:
    for _ in range(ROUNDS):
        us.join(us.ann)
        run = saying.post_message(us.ann, us.talk.pk, Words("Shoes?")).run
        together(us, partial(claim, run, "tests"), partial(people.leave, us.ann, us.talk.pk))
        after = Run.objects.get(pk=run)
        assert after.status in (RunStatus.FINISHED, RunStatus.FAILED) or after.stop_requested
        Run.objects.filter(pk=run).update(status=RunStatus.FAILED)


def test_who_is_removed_says_nothing_afterwards(us: Company) -> None:
    for _ in range(ROUNDS):
        us.join(us.ann)
        say = partial(saying.post_message, us.ann, us.talk.pk, Words("One more"))
        together(us, say, partial(people.remove, us.bob, us.talk.pk, us.ann.user.pk))
        told = [event.get("name") for event in us.log()]
        last_left = max(at for at, name in enumerate(told) if name == "participant.left")
        assert "message.user" not in told[last_left:]
        live = Run.objects.filter(requester=us.ann.user, status__in=[RunStatus.QUEUED, RunStatus.RUNNING])
        assert not live.exists()
        assert Message.objects.filter(author=us.ann.user).count() <= ROUNDS
