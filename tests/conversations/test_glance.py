"""One statement says what there is in a conversation, so that a turn reads nothing that is not there."""

from __future__ import annotations

from dataclasses import replace
from datetime import time

import pytest
from django.utils import timezone

from conversations import glance, steps
from conversations.glance import Glance
from conversations.kept_models import Summary
from conversations.models import Message, Participant, Run
from conversations.reminders.models import Occurrence, Reminder
from platform_site.models import Tenant, User
from platform_site.scope import acting_tenant
from platform_site.tenancy import NoTenant, acting_for
from tests.conversations.conftest import Talk
from tests.usage.made import set_limit

PLAIN = Glance(takes_part=True)
"""A conversation of one's own in which nothing was said."""


def seen(talk: Talk) -> Glance:
    return glance.at(talk.conversation.pk, talk.actor.user.pk)


def without_words(there: Glance) -> Glance:
    return replace(there, head=None, titled="")


def test_nothing_is_there_in_the_beginning(talk: Talk) -> None:
    assert seen(talk) == PLAIN


def test_after_a_turn_its_answer_is_the_head_and_nothing_else_is_there(talk: Talk) -> None:
    talk.turn("hello")
    assert seen(talk).head == Message.objects.get(role="assistant").pk
    assert without_words(seen(talk)) == PLAIN


def test_a_stranger_takes_no_part_and_does_not_know_the_others(talk: Talk, rita: User) -> None:
    there = glance.at(talk.conversation.pk, rita.pk)
    assert (there.takes_part, there.is_shared) == (False, True)


def test_it_is_shared_with_whoever_takes_part(talk: Talk, rita: User) -> None:
    Participant.objects.create(conversation=talk.conversation, user=rita, is_owner=False)
    assert seen(talk) == replace(PLAIN, is_shared=True)


def test_it_is_shared_with_whoever_said_something_and_left(talk: Talk, rita: User) -> None:
    Message.objects.create(conversation=talk.conversation, position=1, role="user", author=rita, parts=[])
    assert seen(talk).is_shared


def test_live_runs_are_counted_and_waiting_words_seen(talk: Talk) -> None:
    talk.say("hello")
    assert (seen(talk).live, seen(talk).waiting) == (1, False)
    talk.say("and another")
    assert (seen(talk).live, seen(talk).waiting) == (2, True)


def test_calls_are_seen(talk: Talk) -> None:
    talk.turn('call look {"item": "hat"}')
    assert without_words(seen(talk)) == replace(PLAIN, calls=True)


def test_summaries_are_seen(talk: Talk) -> None:
    talk.turn("hello")
    Summary.objects.create(
        conversation=talk.conversation, upto=Message.objects.earliest("position"), messages=1
    )
    assert without_words(seen(talk)) == replace(PLAIN, summaries=True)


@pytest.mark.parametrize(("status", "is_seen"), [("due", False), ("skipped", False), ("delivered", True)])
def test_reminders_are_seen_when_they_were_delivered(talk: Talk, status: str, is_seen: bool) -> None:
    came(talk, status)
    assert seen(talk) == replace(PLAIN, reminders=is_seen)


def came(talk: Talk, status: str) -> Occurrence:
    reminder = Reminder.objects.create(
        conversation=talk.conversation, owner=talk.actor.user, kind="daily", time=time(8), zone="UTC",
        content="tea",
    )  # fmt: skip
    return Occurrence.objects.create(reminder=reminder, due_at=timezone.now(), status=status)


def test_the_tenants_limits_are_seen(talk: Talk) -> None:
    set_limit("concurrent_runs", 5)
    assert seen(talk) == replace(PLAIN, limits=True)


def test_another_tenant_sees_nothing_of_it(talk: Talk, other_tenant: Tenant) -> None:
    talk.turn('call look {"item": "hat"}')
    came(talk, "delivered")
    set_limit("concurrent_runs", 5)
    with acting_for(other_tenant):
        assert seen(talk) == Glance()


def test_without_a_tenant_nothing_is_looked_at(talk: Talk) -> None:
    token = acting_tenant.set(None)
    try:
        with pytest.raises(NoTenant):
            seen(talk)
        with pytest.raises(NoTenant):
            glance.is_moved_by("tests", "run")
    finally:
        acting_tenant.reset(token)


def moved(talk: Talk) -> Run:
    run = talk.say("hello")
    assert steps.claim(run.pk, "tests")
    return run


def test_a_run_is_moved_by_the_runner_that_claimed_it(talk: Talk) -> None:
    run = moved(talk)
    assert glance.is_moved_by("tests", run.pk, talk.actor.user.pk)
    assert not glance.is_moved_by("another", run.pk)
    Run.objects.update(status="finished")
    assert not glance.is_moved_by("tests", run.pk)


def test_it_does_not_act_for_who_takes_part_no_more(talk: Talk) -> None:
    run = moved(talk)
    Participant.objects.filter(user=talk.actor.user).delete()
    assert glance.is_moved_by("tests", run.pk)
    assert not glance.is_moved_by("tests", run.pk, talk.actor.user.pk)


def test_another_tenant_moves_no_run_of_this_one(talk: Talk, other_tenant: Tenant) -> None:
    run = moved(talk)
    with acting_for(other_tenant):
        assert not glance.is_moved_by("tests", run.pk)
