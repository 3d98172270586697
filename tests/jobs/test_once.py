"""At most once: several tasks with one call, a lost worker, a lost row, a queue that stands still (T73)."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from django_q.models import OrmQ

from platform_site.models import Membership
from platform_site.tenancy import acting_for
from tests.conversations.conftest import Talk
from tests.jobs.conftest import Stage, activities, ask, job_of, queued, work
from tools.catalogue import save_tool, switch_tool
from tools.jobs import sweeping, tasks
from tools.jobs.beginning import LEASE, begin
from tools.models import Job, Tool, ToolCall
from tools.registry import find


def beside(function: Callable[[], Any]) -> Thread:
    """Start it in a thread, as another process would."""

    def run() -> None:
        try:
            function()
        finally:
            connections.close_all()

    thread = Thread(target=run)
    thread.start()
    return thread


def test_of_many_tasks_with_one_call_one_does_something(jobs: Talk, stage: Stage) -> None:
    call = ask(jobs, "build")
    threads = [beside(lambda: tasks.work(call.tenant_id or "", call.pk)) for _ in range(5)]
    for thread in threads:
        thread.join()
    assert stage.effects == [("build", "hat")]
    assert job_of(call).attempts == 1


def test_a_task_of_a_call_that_is_no_job_or_another_tenants_does_nothing(
    jobs: Talk, other_tenant: Any
) -> None:
    """T59, T36: what is in a queue row is believed only as far as the rows agree."""
    call = ask(jobs, "build")
    tasks.work(other_tenant.pk, call.pk)
    tasks.work(call.tenant_id or "", "0" * 32)
    plain = jobs.calls()[0]
    jobs.turn('call look {"item": "hat"}')
    inline = ToolCall.objects.get(name="look")
    ToolCall.objects.filter(pk=inline.pk).update(status="claimed")
    assert work(inline).status == "claimed"
    plain.refresh_from_db()
    assert plain.status == "claimed", "still waiting for its own worker"


def lose(call: ToolCall) -> datetime:
    """A worker begins the call and dies; the moment at which that is noticed."""
    assert begin(call.pk, "dead")
    return timezone.now() + LEASE + timedelta(seconds=1)


@pytest.mark.parametrize(("name", "ends"), [("study", "succeeded"), ("file_away", "succeeded")])
def test_what_may_be_done_twice_is_begun_again_by_another_worker(
    name: str, ends: str, jobs: Talk, stage: Stage
) -> None:
    call = ask(jobs, name)
    seen = lose(call)
    assert sweeping.look_after(seen) == [call.pk]
    assert len(queued()) == 2
    assert [one["status"] for one in activities(jobs, call)] == ["queued", "working", "queued"]
    assert work(call).status == ends
    assert job_of(call).attempts == 2
    assert stage.effects == [(name, "hat")]


def test_what_may_not_is_unknown_and_a_person_looks(jobs: Talk, stage: Stage) -> None:
    call = ask(jobs, "build")
    seen = lose(call)
    assert sweeping.look_after(seen - LEASE) == [], "its lease still runs"
    assert sweeping.look_after(seen) == [call.pk]
    call.refresh_from_db()
    assert (call.status, stage.effects) == ("unknown", [])
    assert activities(jobs, call)[-1]["status"] == "unknown"
    assert work(call).status == "unknown", "a late row finds nothing to do"


def test_cancelled_just_when_its_loss_is_noticed_it_does_not_begin_again(
    jobs: Talk, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = ask(jobs, "file_away")
    seen, writing = lose(call), sweeping.writing

    def after_a_cancel(call: ToolCall) -> Any:
        Job.objects.filter(pk=call.pk).update(cancel_requested=True)
        return writing(call)

    monkeypatch.setattr(sweeping, "writing", after_a_cancel)
    assert sweeping.look_after(seen) == [call.pk]
    assert (work(call).status, stage.effects) == ("unknown", [])


def test_after_three_workers_were_lost_a_read_is_given_up(jobs: Talk) -> None:
    call = ask(jobs, "study")
    for _attempt in range(3):
        sweeping.look_after(lose(call))
        call.refresh_from_db()
    assert (call.status, call.result["error"]["code"]) == ("failed", "interrupted")


def test_an_outcome_that_comes_after_the_lease_was_lost_is_not_recorded_twice(
    jobs: Talk, stage: Stage
) -> None:
    """A worker that was stopped and wakes up: what was said of the call in the meantime stands."""
    call = ask(jobs, "build")
    late, swept = timezone.now() + timedelta(minutes=1), list[str]()
    stage.on_the_way = lambda context: swept.extend(sweeping.look_after(late))
    assert work(call).status == "unknown"
    assert stage.effects == [("build", "hat")]
    assert [kind for kind in jobs.kinds() if kind == "TOOL_CALL_RESULT"] == ["TOOL_CALL_RESULT"]


def test_a_row_that_the_queue_lost_is_written_again(jobs: Talk) -> None:
    call = ask(jobs, "build")
    later = timezone.now() + sweeping.ROW_GONE + timedelta(seconds=1)
    assert sweeping.look_after(later) == [], "its row waits"
    OrmQ.objects.all().delete()
    assert sweeping.look_after(timezone.now()) == [], "it may be on its way"
    assert sweeping.look_after(later) == [call.pk]
    assert [task["args"] for task in queued()] == [(call.tenant_id, call.pk)]


def test_what_no_worker_begins_within_an_hour_ends_undone(jobs: Talk, stage: Stage) -> None:
    call = ask(jobs, "build")
    sweeping.look_after(timezone.now() + timedelta(hours=1, seconds=1))
    call.refresh_from_db()
    assert (call.status, call.result["error"]["code"]) == ("failed", "not_begun")
    assert work(call).status == "failed"
    assert stage.effects == []


def _switch_off(talk: Talk) -> None:
    switch_tool(Tool.objects.get(name="build"), False, None)


def _change(talk: Talk) -> None:
    handler = find("tests.build")
    assert handler
    save_tool(handler.definition() | {"description": "Build it otherwise."}, None)


def _remove(talk: Talk) -> None:
    Membership.objects.filter(user=talk.actor.user).update(is_active=False)


@pytest.mark.parametrize("change", [_switch_off, _change, _remove])
def test_what_allowed_it_must_still_hold_when_it_begins(
    change: Callable[[Talk], None], jobs: Talk, stage: Stage
) -> None:
    """It may have waited long in the queue."""
    call = ask(jobs, "build")
    change(jobs)
    assert work(call).status == "failed"
    assert call.result["error"]["code"] == "lapsed"
    assert stage.effects == []


def test_a_long_job_keeps_its_lease_and_reports_meanwhile(
    jobs: Talk, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.jobs.pulse.LOOK_S", 0.01)
    monkeypatch.setattr("tools.jobs.pulse.HEARTBEAT_S", 0.0)
    call = ask(jobs, "build")
    stage.may_end.clear()
    stage.on_the_way = lambda context: context.report(percent=10, words="begun")
    worker = beside(lambda: tasks.work(call.tenant_id or "", call.pk))
    assert stage.began.wait(5)
    seen = eventually(lambda: job_of(call).percent == 10 and job_of(call).lease_until)
    eventually(lambda: job_of(call).lease_until > seen)
    stage.may_end.set()
    worker.join()
    call.refresh_from_db()
    assert call.status == "succeeded"
    assert [one["percent"] for one in activities(jobs, call)] == [None, None, 10, 10]


def eventually(question: Callable[[], Any]) -> Any:
    """Ask until there is an answer."""
    until = time.monotonic() + 10
    while not (answer := question()):
        assert time.monotonic() < until, "never"
        time.sleep(0.01)
    return answer


def test_a_clean_table_needs_no_care(jobs: Talk) -> None:
    call = work(ask(jobs, "study"))
    assert sweeping.look_after(timezone.now() + timedelta(days=1)) == []
    with acting_for(call.tenant_id or ""):
        assert Job.objects.count() == 1
