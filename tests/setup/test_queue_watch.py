"""A queue cluster that lives but stands still is killed, so that it is started again."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from platform_site.setup import queue_watch
from platform_site.setup.queue_watch import oldest_waiting, watch_queue


class Cluster:
    """Counts how often it was killed; the first time ends the test's watch."""

    def kill(self) -> None:
        raise asyncio.CancelledError


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


@pytest.mark.parametrize("seen", [[None], [(1, "a"), (2, "a")], [(1, "a"), (1, "b")]])
def test_a_queue_that_moves_or_is_empty_is_left_alone(
    seen: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert watched(seen, monkeypatch) == "left alone"


def test_the_same_task_waiting_for_too_long_kills_the_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched([(1, "a")], monkeypatch) == "killed"


def watched(seen: list[object], monkeypatch: pytest.MonkeyPatch) -> str:
    """What the watch does when it sees these, again and again, and has no patience."""
    looks = 0

    async def look(question: object) -> object:
        nonlocal looks
        looks += 1
        if looks > 20:
            raise TimeoutError
        return seen[looks % len(seen)]

    monkeypatch.setattr(queue_watch, "LOOK_S", 0.0)
    monkeypatch.setattr(queue_watch, "PATIENCE_S", 0.0)
    monkeypatch.setattr(queue_watch, "db", look)
    try:
        asyncio.run(watch_queue(Cluster()))  # type: ignore[arg-type]
    except TimeoutError:
        return "left alone"
    except asyncio.CancelledError:
        return "killed"
    raise AssertionError("the watch ended by itself")
