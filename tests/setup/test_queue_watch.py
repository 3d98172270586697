"""A queue cluster that lives but stands still is killed, so that it is started again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from platform_site.setup import queue_watch
from platform_site.setup.queue_watch import Seen, Watch, oldest_waiting, watch_queue, working
from tests.conversations.conftest import Talk
from tests.jobs.conftest import ask, bobs, furnish, job_of, jobs, stage, talk
from tools.models import Job

__all__ = ["bobs", "furnish", "jobs", "stage", "talk"]
ROW, OTHER = (1, datetime(2026, 1, 1, tzinfo=UTC)), (2, datetime(2026, 1, 1, tzinfo=UTC))
EMPTY, WAITS = Seen(7, None, 0, alive=True), Seen(7, ROW, 0, alive=True)
BUSY, ONE_FREE = Seen(7, ROW, 4, alive=True), Seen(7, ROW, 3, alive=True)
SILENT, NEXT = Seen(7, None, 0, alive=False), Seen(8, ROW, 0, alive=True)


def waiting(name: str = "sluice", since: timedelta = timedelta(seconds=1)) -> OrmQ:
    return OrmQ.objects.create(key=name, payload="x", lock=timezone.now() - since)


@pytest.mark.django_db
def test_only_a_task_of_ours_that_a_worker_may_take_counts_as_waiting() -> None:
    waiting(name="another")
    waiting(since=timedelta(seconds=-60))
    assert oldest_waiting() is None
    first = waiting()
    waiting()
    assert oldest_waiting() == (first.pk, first.lock)


def test_a_worker_counts_as_busy_while_it_keeps_its_lease(jobs: Talk) -> None:
    call = ask(jobs, "study")
    assert working() == 0
    Job.objects.filter(pk=call.pk).update(lease_until=timezone.now() + timedelta(seconds=5))
    assert (working(), job_of(call).attempts) == (1, 0)


LOOKS = {
    "empty": ([EMPTY] * 20, False),
    "moves": ([WAITS, replace(WAITS, oldest=OTHER)] * 10, False),
    "all are busy": ([BUSY] * 20, False),
    "stuck": ([WAITS] * 20, True),
    "one is free": ([ONE_FREE] * 20, True),
    "not for long yet": ([BUSY] * 15 + [WAITS] * 5, False),
    "fell silent": ([EMPTY] * 3 + [SILENT] * 11, True),
    "starts slowly": ([SILENT] * 11 + [EMPTY] * 5, False),
    "never starts": ([SILENT] * 30, True),
    "work waits for the start": ([replace(WAITS, alive=False)] * 11 + [WAITS] * 8, False),
    "is being started": ([replace(SILENT, cluster=None, oldest=ROW)] * 40, False),
    "another one was started": (([WAITS] * 8 + [NEXT] * 8) * 3, False),
    "its last word is kept for a while": ([EMPTY, *[SILENT] * 11], False),
}


@pytest.mark.parametrize("case", LOOKS)
def test_what_standing_still_looks_like(case: str) -> None:
    """A look every five seconds, 45 seconds of patience; long jobs are no reason to worry, nor is a start."""
    seen, stands_still = LOOKS[case]
    watch = Watch(workers=4, patience=45.0)
    assert any(watch.stands_still(one, 1000.0 + 5 * nth) for nth, one in enumerate(seen)) == stands_still


def test_it_is_noticed_within_a_minute() -> None:
    watch = Watch(workers=4, patience=45.0)
    noticed = [nth for nth in range(40) if watch.stands_still(WAITS, 1000.0 + 5 * nth)]
    assert 5 * noticed[0] <= 60


class Cluster:
    """Being killed ends the test's watch."""

    pid = 7

    def kill(self) -> None:
        raise asyncio.CancelledError


def test_the_cluster_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(question: object, cluster: int | None) -> Seen:
        return replace(WAITS, cluster=cluster)

    monkeypatch.setattr("platform_site.env.env.queue_patience_s", 0.01)
    monkeypatch.setattr(queue_watch, "WORD_KEPT_S", 0.0)
    monkeypatch.setattr(queue_watch, "db", look)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watch_queue(Cluster()))  # type: ignore[arg-type]
