"""What people agreed to goes on within seconds, or is taken back: nothing is left lying (E8, T73)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations import actions, steps, watch
from conversations.models import Run, RunStatus
from conversations.runner import HEARTBEAT_S, LOOK_S
from platform_site.models import User
from tests.conversations.conftest import HAPPENED, Talk
from tests.tools.test_races import at_once
from tools.models import ToolCall


def look(seconds: float = 5) -> list[str]:
    """The watchdog's round, so many seconds from now."""
    return watch.look_after(timezone.now() + timedelta(seconds=seconds))


def lose_the_run() -> None:
    """The run that was to act is gone, whatever became of it."""
    Run.objects.filter(status=RunStatus.QUEUED).delete()


@pytest.fixture
def approved(talk: Talk) -> Talk:
    """A call that was approved, and whose run is gone."""
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    lose_the_run()
    return talk


def test_an_approved_call_whose_run_is_gone_is_carried_out(approved: Talk) -> None:
    assert look() == [call.pk for call in approved.calls()]
    run = Run.objects.get(status=RunStatus.QUEUED)
    assert (run.cause, run.requester) == ("decision", approved.actor.user)
    approved.move()
    assert HAPPENED == [("buy", "hat")]
    assert look() == []


def test_it_waits_a_moment_for_what_has_only_just_come_to_rest(approved: Talk) -> None:
    assert look(seconds=0) == []


def test_a_call_that_a_run_sees_to_is_left_to_it(talk: Talk) -> None:
    talk.turn('call buy {"item": "hat"}')
    assert look() == [], "it waits for a person"
    talk.decide()
    assert look() == [], "its run is queued"
    run = Run.objects.get(status=RunStatus.QUEUED)
    assert steps.claim(run.pk, "somebody")
    assert look() == [], "its run moves"


def test_many_watchdogs_queue_one_run(approved: Talk) -> None:
    found = at_once(approved.actor.tenant, [look] * 6)
    assert sum(map(len, found)) == 1
    assert Run.objects.filter(status=RunStatus.QUEUED).count() == 1


def test_a_call_whose_runner_broke_down_is_looked_at_by_another(talk: Talk) -> None:
    """T74: claimed, and its run has ended without a receipt: its outcome is unknown, and a person sees it."""
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    run = Run.objects.get(status=RunStatus.QUEUED)
    turn = steps.claim(run.pk, "dead")
    assert turn
    steps.claim_calls(turn)
    Run.objects.filter(pk=run.pk).update(status="failed", finished_at=timezone.now())
    assert talk.statuses() == ["claimed"]
    assert len(look()) == 1
    talk.move()
    assert (talk.statuses(), HAPPENED) == (["unknown"], [])


def test_what_cannot_be_carried_out_is_taken_back_in_the_end(approved: Talk) -> None:
    for _ in range(watch.MOST_RUNS):
        assert len(look()) == 1
        Run.objects.filter(status=RunStatus.QUEUED).update(status="failed", finished_at=timezone.now())
    assert len(look()) == 1
    assert (approved.statuses(), HAPPENED) == (["withdrawn"], [])
    assert look() == []


def test_what_was_stopped_stays_stopped(talk: Talk) -> None:
    """The run that was to act was stopped before it began: nothing is left for the watchdog to find."""
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    actions.stop_run(talk.actor, Run.objects.get(status=RunStatus.QUEUED).pk)
    assert (talk.statuses(), look()) == (["withdrawn"], [])


def test_stopping_a_message_takes_along_what_its_run_would_have_carried_out(talk: Talk, rita: User) -> None:
    """The decision found a queued run and left the call to it."""
    talk.turn('call wipe {"item": "hat"}')
    ToolCall.objects.update(status="approved")
    run = talk.say("hello")
    actions.stop_run(talk.actor, run.pk)
    assert (talk.statuses(), look()) == (["withdrawn"], [])


def test_tries_of_the_playground_are_their_owners(talk: Talk) -> None:
    talk.turn('call buy {"item": "hat"}')
    talk.decide()
    lose_the_run()
    ToolCall.objects.update(topic="0" * 32)
    assert look() == []


def test_a_dead_runners_call_is_found_within_ten_seconds() -> None:
    """A lease outlives three heartbeats, and not ten seconds together with the look that finds it ran out."""
    lease = steps.LEASE.total_seconds()
    assert lease >= 3 * HEARTBEAT_S
    assert lease + LOOK_S <= 10
