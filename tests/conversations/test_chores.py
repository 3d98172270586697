"""One statement a second says whether there is anything to look after; while there is not, nothing else is asked."""

from __future__ import annotations

import asyncio
from datetime import time, timedelta

import pytest
from django.utils import timezone

from conversations import chores
from conversations.chores import Chores
from conversations.models import Run
from conversations.reminders.models import Occurrence, Reminder
from conversations.runner import Runner
from platform_site.notices.models import Notice
from tests.conversations.conftest import Talk
from tools.models import Job, ToolCall

NOTHING = Chores(runs=False, calls=False, jobs=False, reminders=False, notices=False)


def seen() -> Chores:
    return chores.seen(timezone.now())


def test_after_a_turn_nothing_is_left_to_do(talk: Talk) -> None:
    talk.turn('call look {"item": "hat"}')
    assert seen() == NOTHING


@pytest.mark.parametrize("status", ["queued", "running"])
def test_a_run_that_has_not_ended_is_looked_after(talk: Talk, status: str) -> None:
    talk.say("hello")
    Run.objects.update(status=status)
    assert seen().runs


@pytest.mark.parametrize("status", ["proposed", "asking", "held", "cleared", "approved", "claimed"])
def test_a_call_that_waits_for_somebody_is_looked_after(talk: Talk, status: str) -> None:
    talk.turn('call buy {"item": "hat"}')
    ToolCall.objects.update(status=status)
    assert seen().calls


def test_a_job_is_looked_after_until_its_outcome_was_told(talk: Talk) -> None:
    talk.turn('call look {"item": "hat"}')
    Job.objects.create(call=ToolCall.objects.get(), queued_at=timezone.now())
    assert seen().jobs
    Job.objects.update(is_told=True)
    assert not seen().jobs


def remind(talk: Talk, seconds: float, status: str = "active") -> Reminder:
    return Reminder.objects.create(
        conversation=talk.conversation, owner=talk.actor.user, kind="daily", time=time(8), zone="UTC",
        content="tea", status=status, next_due=timezone.now() + timedelta(seconds=seconds),
    )  # fmt: skip


def test_a_reminder_is_looked_after_two_looks_before_it_is_due(talk: Talk) -> None:
    remind(talk, 60)
    remind(talk, 1, status="paused")
    assert not seen().reminders
    remind(talk, 1.9)
    assert seen().reminders


def test_an_occurrence_is_looked_after_until_it_was_dealt_with(talk: Talk) -> None:
    Occurrence.objects.create(reminder=remind(talk, 60), due_at=timezone.now())
    assert seen().reminders
    Occurrence.objects.update(status="delivered")
    assert not seen().reminders


@pytest.mark.parametrize(("status", "is_seen"), [("waiting", True), ("sending", True), ("sent", False)])
def test_a_notice_is_looked_after_until_it_was_sent(talk: Talk, status: str, is_seen: bool) -> None:
    now = timezone.now()
    Notice.objects.create(status=status, due_at=now, kind="test", channel="mail", recipient=talk.actor.user)
    assert seen().notices == is_seen


def woken(runner: Runner) -> dict[str, bool]:
    asyncio.run(runner._look_around())
    events = {"runs": runner._look, "calls": runner._tend, "notices": runner._post}
    return {name: event.is_set() for name, event in events.items()}


def test_an_idle_runner_wakes_nobody(talk: Talk) -> None:
    talk.turn("hello")
    assert woken(Runner()) == {"runs": False, "calls": False, "notices": False}


def test_a_run_that_nobody_rang_for_wakes_who_claims(talk: Talk) -> None:
    talk.say("hello")
    assert woken(Runner()) == {"runs": True, "calls": False, "notices": False}


def test_a_call_that_is_held_wakes_who_expires_it_and_who_tells_of_it(talk: Talk) -> None:
    talk.turn('call buy {"item": "hat"}')
    assert woken(Runner()) == {"runs": False, "calls": True, "notices": True}
