"""Cancelling: what has not begun does not happen, what reads ends, what writes gets its real outcome."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

import pytest
from asgiref.sync import async_to_sync
from django.db import connections

from conversations import jobs as verbs
from conversations.groups import people
from conversations.models import Participant
from platform_site.access import actor_for_session
from platform_site.errors import Problem
from platform_site.models import AuditEntry, User
from tests.conversations.conftest import Talk
from tests.jobs.conftest import Stage, activities, ask, job_of, queued, work
from tests.jobs.test_once import beside
from tools.jobs import tasks
from tools.models import ToolCall
from tools.registry import ToolContext


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.jobs.pulse.LOOK_S", 0.01)


def test_before_it_began_nothing_is_done(jobs: Talk, stage: Stage) -> None:
    call = ask(jobs, "build")
    assert verbs.cancel(jobs.actor, call.pk) == "failed"
    call.refresh_from_db()
    assert (call.result["error"]["code"], queued()) == ("cancelled", [])
    assert "Nothing was done" in call.result["error"]["message"]
    assert work(call).status == "failed"
    assert stage.effects == []
    assert activities(jobs, call)[-1]["status"] == "failed"


def cancelled_on_the_way(talk: Talk, stage: Stage, name: str, *, then: str = "") -> ToolCall:
    """Bob cancels while the handler works; `then`: what the handler does when it has noticed."""
    call = ask(talk, name)
    stage.may_end.clear()

    def on_the_way(context: ToolContext) -> None:
        verbs.cancel(talk.actor, call.pk)
        while then and not context.cancelled:
            pass
        if then == "raise":
            context.check_cancelled()
        if then or name == "build":
            stage.may_end.set()

    stage.on_the_way = on_the_way
    worker = beside(lambda: tasks.work(call.tenant_id or "", call.pk))
    worker.join(10)
    assert not worker.is_alive()
    stage.may_end.set()
    call.refresh_from_db()
    connections.close_all()
    return call


@pytest.mark.parametrize("name", ["study", "muse"])
def test_a_read_ends_where_it_stands(name: str, jobs: Talk, stage: Stage) -> None:
    """In a thread or on the loop; the handler does not even look."""
    if name == "muse":
        call = ask(jobs, name)
        stage.may_end.clear()
        worker = beside(lambda: tasks.work(call.tenant_id or "", call.pk))
        assert stage.began.wait(5)
        assert verbs.cancel(jobs.actor, call.pk) == "working"
        worker.join(10)
        call.refresh_from_db()
    else:
        call = cancelled_on_the_way(jobs, stage, name)
    assert (call.status, call.result["error"]["code"]) == ("failed", "cancelled")
    assert "Nothing was changed" in call.result["error"]["message"]
    assert job_of(call).cancelled_by == jobs.actor.user
    assert "cancelling" in [one["status"] for one in activities(jobs, call)]


def test_a_read_ends_also_while_it_awaits_what_cannot_be_cancelled(jobs: Talk, stage: Stage) -> None:
    """As a message to Redis that has gone out already: the handler, in its thread, awaits it whatever happens."""

    async def goes_on() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(10)

    call = ask(jobs, "study")
    stage.may_end.clear()
    stage.on_the_way = lambda context: async_to_sync(goes_on)()
    worker = beside(lambda: tasks.work(call.tenant_id or "", call.pk))
    assert stage.began.wait(5)
    verbs.cancel(jobs.actor, call.pk)
    until = time.monotonic() + 5
    while not (ended := ToolCall.objects.get(pk=call.pk).status == "failed") and time.monotonic() < until:
        time.sleep(0.01)
    stage.may_end.set()
    worker.join(10)
    assert ended


def test_a_write_under_way_gets_its_real_outcome(jobs: Talk, stage: Stage) -> None:
    call = cancelled_on_the_way(jobs, stage, "build")
    assert (call.status, stage.effects) == ("succeeded", [("build", "hat")])


def test_a_write_that_stops_itself_half_way_is_unknown(jobs: Talk, stage: Stage) -> None:
    """`check_cancelled` says nothing of what was done before it."""
    call = cancelled_on_the_way(jobs, stage, "build", then="raise")
    assert (call.status, stage.effects) == ("unknown", [])


def test_a_read_that_looks_ends_by_itself(jobs: Talk, stage: Stage) -> None:
    assert cancelled_on_the_way(jobs, stage, "study", then="raise").status == "failed"


def test_only_who_asked_cancels_and_an_end_stays(jobs: Talk, rita: User) -> None:
    call = ask(jobs, "study")
    stranger = actor_for_session(rita, "acme")
    assert stranger
    with pytest.raises(Problem) as refused:
        verbs.cancel(stranger, call.pk)
    assert refused.value.status == 404
    assert work(call).status == "succeeded"
    assert verbs.cancel(jobs.actor, call.pk) == "succeeded"


def test_it_is_noted_who_cancelled(jobs: Talk) -> None:
    call = ask(jobs, "build")
    verbs.cancel(jobs.actor, call.pk)
    noted = AuditEntry.objects.filter(object_id=call.pk).order_by("number").values_list("verb", flat=True)
    assert list(noted) == ["call.cleared", "call.claimed", "call.cancelled", "call.failed"]


def test_what_somebody_queued_goes_with_them_when_they_go(jobs: Talk, stage: Stage, rita: User) -> None:
    call = ask(jobs, "build")
    Participant.objects.create(conversation=jobs.conversation, user=rita, is_owner=False)
    people.leave(jobs.actor, jobs.conversation.pk)
    assert (work(call).status, stage.effects) == ("failed", [])
    assert (job_of(call).cancelled_by, queued()) == (jobs.actor.user, [])
