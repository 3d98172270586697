"""Jobs that cannot be dealt with hold up nobody, and end in an outcome that people see."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from conversations import jobs as outcomes
from conversations.models import Run
from platform_site.ids import new_id
from platform_site.models import AuditEntry
from tests.conversations.conftest import Talk
from tests.jobs.conftest import ask, job_of, work
from tools.jobs import sweeping
from tools.jobs.beginning import LEASE, begin
from tools.jobs.setbacks import TRIES, Setbacks
from tools.models import Job, ToolCall

MANY = 150
"""More than one look takes."""
UNREADABLE = f"[{'9' * 5_000}]"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Seconds that pass for who looks."""
    seconds = [0.0]
    for module in (outcomes, sweeping):
        monkeypatch.setattr(module, "SETBACKS", Setbacks(lambda: seconds[0]))
    yield seconds


def copies(call: ToolCall, before: datetime) -> list[str]:
    """Many calls like this one, and their jobs, all older than it."""
    columns = {field.attname: getattr(call, field.attname) for field in ToolCall._meta.concrete_fields}
    older = {"settled_at": before, "claimed_at": before}
    calls = ToolCall.objects.bulk_create(
        ToolCall(**{**columns, **older, "id": new_id()}) for _nth in range(MANY)
    )
    job = job_of(call)
    same = {"queued_at": before, "task": job.task, "worker": job.worker, "lease_until": job.lease_until}
    Job.objects.bulk_create(Job(call=one, **same) for one in calls)
    return [one.pk for one in calls]


@pytest.fixture
def untellable(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    broken = set[str]()
    run_on = outcomes.actions.run_on

    def sometimes(conversation: object, cause: str, call: ToolCall) -> object:
        if call.pk in broken:
            raise ZeroDivisionError
        return run_on(conversation, cause, call)  # type: ignore[arg-type]

    monkeypatch.setattr(outcomes.actions, "run_on", sometimes)
    return broken


def test_150_that_cannot_be_told_hold_up_no_other(
    jobs: Talk, clock: list[float], untellable: set[str]
) -> None:
    good = work(ask(jobs, "study"))
    untellable |= set(copies(good, timezone.now() - timedelta(minutes=1)))
    assert outcomes.tell_outcomes() == []
    assert outcomes.tell_outcomes() == [good.pk]
    assert Run.objects.filter(cause="job").count() == 1


def test_150_that_can_are_told_in_as_many_looks(jobs: Talk, clock: list[float]) -> None:
    good = work(ask(jobs, "study"))
    copies(good, timezone.now() - timedelta(minutes=1))
    assert len(outcomes.tell_outcomes()) == 100
    assert good.pk in outcomes.tell_outcomes()
    assert not Job.objects.filter(is_told=False).exists()


def test_one_whose_columns_cannot_even_be_read_breaks_alone(jobs: Talk, clock: list[float]) -> None:
    """Every row that is read with it in one query would break, too. Databases store this number, Python refuses it."""
    broken, good = work(ask(jobs, "study")), work(ask(jobs, "study", "shoe"))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tools_toolcall SET flags = %s WHERE id = %s", [UNREADABLE, broken.pk])
    assert outcomes.tell_outcomes() == [good.pk]
    for _try in range(TRIES):
        clock[0] += 3_601
        outcomes.tell_outcomes()
    assert job_of(broken).is_told


def test_what_cannot_be_told_for_two_hours_is_given_up_and_admins_see_it(
    jobs: Talk, clock: list[float], untellable: set[str]
) -> None:
    call = work(ask(jobs, "study"))
    untellable.add(call.pk)
    for _minute in range(120):
        assert outcomes.tell_outcomes() == []
        clock[0] += 60
    assert job_of(call).is_told
    noted = AuditEntry.objects.filter(object_id=call.pk).latest("number")
    assert (noted.verb, "could not be told" in noted.details) == ("call.succeeded", True)
    assert not Run.objects.filter(cause="job").exists()


def test_what_can_be_told_after_a_while_is_told(jobs: Talk, clock: list[float], untellable: set[str]) -> None:
    call = work(ask(jobs, "study"))
    untellable.add(call.pk)
    outcomes.tell_outcomes()
    untellable.clear()
    assert outcomes.tell_outcomes() == [], "it rests"
    clock[0] += 2.1
    assert outcomes.tell_outcomes() == [call.pk]


def lost(talk: Talk, name: str, item: str = "hat") -> ToolCall:
    call = ask(talk, name, item)
    assert begin(call.pk, "dead")
    call.refresh_from_db()
    return call


@pytest.mark.parametrize("broken", [True, False])
def test_of_many_lost_ones_those_that_break_hold_up_no_other(
    broken: bool, jobs: Talk, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "BATCH", 100)
    good = lost(jobs, "build")
    poison = set(copies(good, timezone.now() - timedelta(minutes=1)))
    after_loss = sweeping._after_loss

    def sometimes(told: object, call: ToolCall, job: Job) -> bool:
        if broken and call.pk in poison:
            raise ZeroDivisionError
        return after_loss(told, call, job)  # type: ignore[arg-type]

    monkeypatch.setattr(sweeping, "_after_loss", sometimes)
    noticed = timezone.now() + 2 * LEASE
    cared_for = [*sweeping.look_after(noticed), *sweeping.look_after(noticed)]
    assert good.pk in cared_for
    assert len(cared_for) == (1 if broken else MANY + 1)


def test_one_that_cannot_be_looked_after_ends_as_unknown(
    jobs: Talk, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    call = lost(jobs, "build")
    monkeypatch.setattr(sweeping, "_after_loss", lambda *args: 1 / 0)
    for _try in range(TRIES):
        sweeping.look_after(timezone.now() + 2 * LEASE)
        clock[0] += 3_601
    call.refresh_from_db()
    assert call.status == "unknown"


def test_one_that_a_worker_has_just_begun_is_left_to_it(jobs: Talk, clock: list[float]) -> None:
    """Between the reading of ids and of the row itself its worker came, or kept its lease."""
    call = lost(jobs, "build")
    late = timezone.now() + 2 * LEASE
    which = dict(sweeping._steps(late))
    Job.objects.filter(pk=call.pk).update(lease_until=late + LEASE)
    assert not sweeping._do(sweeping._lost, which[sweeping._lost], call.pk, late)
    assert not sweeping._do(sweeping._too_late, which[sweeping._too_late], call.pk, late + timedelta(days=1))
    call.refresh_from_db()
    assert call.status == "working"
