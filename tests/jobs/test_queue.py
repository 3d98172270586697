"""What the queue believes of its rows (T59), and what a job's row says of how long it may take."""

from __future__ import annotations

import pickle
from queue import Queue
from threading import Event
from typing import Any

import pytest
from django.conf import settings
from django.core import signing
from django_q.models import OrmQ
from django_q.pusher import pusher
from django_q.signing import SignedPackage

from platform_site import jobs as queue
from tests.conversations.conftest import Talk
from tests.jobs.conftest import ask, queued
from tools.catalogue import save_tool
from tools.registry import find

RAN: list[str] = []


class Trap:
    """Unpacking it runs code."""

    def __reduce__(self) -> Any:
        return RAN.append, ("unpacked",)


def fetched() -> list[Any]:
    """What one look of the cluster at the queue hands to the workers."""
    tasks: Queue[Any] = Queue()
    once = Event()
    once.set()
    pusher(tasks, once)
    return list(tasks.queue)


def forged(key: str) -> str:
    """A row as somebody would write it who has the database and another key."""
    return signing.TimestampSigner(key=key, salt="django_q.core").sign(
        signing.b64_encode(pickle.dumps(Trap())).decode()
    )


@pytest.mark.parametrize("payload", [forged("x" * 50), "", "no signature at all", "a:b:c"])
def test_a_forged_row_runs_nothing_and_goes_away(payload: str, jobs: Talk) -> None:
    """T59: it is not even unpacked."""
    RAN.clear()
    OrmQ.objects.create(key=settings.Q_CLUSTER["name"], payload=payload, lock="2026-01-01T00:00:00Z")
    assert fetched() == []
    assert RAN == []
    assert not OrmQ.objects.exists()


def test_a_row_of_ours_is_handed_to_a_worker(jobs: Talk) -> None:
    """The positive control."""
    call = ask(jobs, "build")
    (task,) = fetched()
    assert task["args"] == (call.tenant_id, call.pk)
    assert not queue.is_waiting(str(OrmQ.objects.get().pk)), "it is taken now"


def test_the_secret_key_is_not_in_the_queue(jobs: Talk) -> None:
    ask(jobs, "build")
    row = OrmQ.objects.get()
    assert settings.SECRET_KEY not in row.payload + repr(SignedPackage.loads(row.payload))


def test_a_row_that_waits_can_be_taken_back(jobs: Talk) -> None:
    row = queue.enqueue("platform_site.tasks.sweep")
    assert queue.is_waiting(row)
    queue.take_back(row)
    assert (queue.is_waiting(row), queued()) == (False, [])


def test_a_worker_is_given_the_time_a_tool_has_twice(jobs: Talk) -> None:
    """And the queue hands nothing out again before that is over, however long a tool may take."""
    handler = find("tests.build")
    assert handler
    for timeout_s, lasts in ((20, 70), (600, 1230)):
        save_tool(handler.definition() | {"timeout_s": timeout_s}, None)
        ask(jobs, "build")
        assert queued()[-1]["timeout"] == lasts
    assert int(str(settings.Q_CLUSTER["retry"])) - 3 > 1230
