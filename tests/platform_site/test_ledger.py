"""The ledger: numbers without gaps, events that stand and fall with their change, one writer a topic at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection

from platform_site import bell, ledger, wire
from platform_site.models import Event, Tenant, Topic
from platform_site.tenancy import NoTenant, acting_for

pytestmark = pytest.mark.django_db(transaction=True)


def note(n: int) -> wire.Event:
    return wire.custom("note", n)


def numbers(topic: str) -> list[int]:
    return [seq for seq, _event in ledger.since(topic, 0, limit=10_000)]


def side_by_side(*jobs: Callable[[], None]) -> None:
    """Run each in a thread with a connection of its own; a failure of one is ours."""
    failures: list[BaseException] = []

    def run(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:  # noqa: BLE001  # told to the test below
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_numbers_begin_at_one_and_go_on(inside: Tenant) -> None:
    topic = Topic.objects.create().pk
    with ledger.writing(topic) as log:
        assert log.tell(note(1), note(2)) == 2
    with ledger.writing(topic) as log:
        assert log.tell(note(3)) == 3
    assert ledger.newest(topic) == 3
    assert without_times(ledger.since(topic, 1)) == [(2, note(2)), (3, note(3))]
    assert without_times(ledger.since(topic, 0, limit=1)) == [(1, note(1))]


def without_times(rows: list[tuple[int, wire.Event]]) -> list[tuple[int, wire.Event]]:
    return [
        (seq, {name: value for name, value in event.items() if name != "timestamp"}) for seq, event in rows
    ]


def test_events_say_when(inside: Tenant) -> None:
    """AG-UI's timestamp: milliseconds since 1970."""
    topic = Topic.objects.create().pk
    before = time.time() * 1000 - 1
    with ledger.writing(topic) as log:
        log.tell(note(1))
    ((_, event),) = ledger.since(topic, 0)
    assert before <= event["timestamp"] <= time.time() * 1000


def test_a_transaction_that_tells_nothing_takes_no_number(inside: Tenant) -> None:
    topic = Topic.objects.create().pk
    with ledger.writing(topic):
        pass
    assert ledger.newest(topic) == 0


def test_what_is_rolled_back_was_never_told(inside: Tenant) -> None:
    topic, rung = Topic.objects.create().pk, list[bell.Heard]()
    with pytest.raises(ZeroDivisionError), ledger.writing(topic) as log:
        log.tell(note(1))
        _ = 1 / 0
    assert ledger.newest(topic) == 0
    assert numbers(topic) == []
    assert rung == []


def test_the_bell_rings_after_the_commit_with_what_was_told(
    inside: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[tuple[str, int, int, bool]] = []

    def ring(topic: str, first: int, events: list[wire.Event]) -> None:
        rung.append((topic, first, len(events), connection.in_atomic_block))

    monkeypatch.setattr(bell, "ring", ring)
    topic = Topic.objects.create().pk
    with ledger.writing(topic) as log:
        log.tell(note(1), note(2))
        assert rung == []
    assert rung == [(topic, 1, 2, False)]


def test_another_tenants_topic_is_not_there(tenant: Tenant, other_tenant: Tenant) -> None:
    """T32"""
    with acting_for(other_tenant):
        topic = Topic.objects.create().pk
        with ledger.writing(topic) as log:
            log.tell(note(1))
    with acting_for(tenant):
        with pytest.raises(Topic.DoesNotExist), ledger.writing(topic):
            pass
        with pytest.raises(Topic.DoesNotExist):
            ledger.newest(topic)
        assert ledger.since(topic, 0) == []
    with pytest.raises(NoTenant), ledger.writing(topic):
        pass


def test_eight_writers_on_two_topics_leave_no_gap_and_no_double(tenant: Tenant) -> None:
    writers, rounds = 8, 12
    with acting_for(tenant):
        topics = [Topic.objects.create().pk, Topic.objects.create().pk]

    def write() -> None:
        with acting_for(tenant):
            for n in range(rounds):
                with ledger.writing(topics[n % 2]) as log:
                    log.tell(note(n), note(n))

    side_by_side(*[write] * writers)
    with acting_for(tenant):
        for topic in topics:
            told = numbers(topic)
            assert told == list(range(1, writers * rounds + 1))
            assert ledger.newest(topic) == len(told)
        assert Event.objects.count() == 2 * writers * rounds


def test_a_reader_who_follows_never_skips_a_number(tenant: Tenant) -> None:
    """A number is never seen before all smaller ones: what came after the last seen is all there is to ask for."""
    with acting_for(tenant):
        topic = Topic.objects.create().pk
    total, seen = 60, list[int]()

    def write() -> None:
        with acting_for(tenant):
            for n in range(total // 2):
                with ledger.writing(topic) as log:
                    log.tell(note(n))

    def follow() -> None:
        with acting_for(tenant):
            while len(seen) < total:
                seen.extend(seq for seq, _event in ledger.since(topic, seen[-1] if seen else 0))

    side_by_side(write, write, follow)
    assert seen == list(range(1, total + 1))
