"""Many at once: numbers without gaps, a sound chain, and nobody waits for another's whole transaction."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.db import connection

from platform_site import audit, ledger
from platform_site.audit.verifying import Sound, verify
from platform_site.models import AuditHead, Tenant, Topic
from platform_site.tenancy import acting_for
from tests.audit.conftest import log_of

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS, EACH = 20, 5


def test_twenty_writers_at_once_leave_no_gap(tenant: Tenant, other_tenant: Tenant) -> None:
    """Each in a conversation of its own, with several notes a transaction, some in both tenants."""
    barrier = Barrier(WRITERS)
    with acting_for(tenant):
        topics = [Topic.objects.create().pk for _ in range(WRITERS)]

    def write(number: int) -> None:
        try:
            barrier.wait(30)
            for turn in range(EACH):
                with acting_for(tenant), ledger.writing(topics[number]):
                    audit.note("call.claimed", by=None, writer=number, turn=turn)
                    if number % 4 == 0:
                        with acting_for(other_tenant):
                            audit.note("call.claimed", by=None, writer=number, turn=turn)
                    audit.note("call.succeeded", by=None, writer=number, turn=turn)
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(write, range(WRITERS)))
    for one, count in ((tenant, WRITERS * EACH * 2), (other_tenant, WRITERS // 4 * EACH)):
        assert [entry.number for entry in log_of(one)] == list(range(1, count + 1))
        with acting_for(one):
            assert verify() == Sound(count)
            assert AuditHead.objects.count() == 1


def test_a_long_transaction_holds_nobody_up(tenant: Tenant) -> None:
    """On PostgreSQL: who has noted something and is not done yet keeps no other conversation waiting."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time, whatever is noted")
    with acting_for(tenant):
        slow, quick = Topic.objects.create().pk, Topic.objects.create().pk
    noted, done = Event(), Event()

    def write_slowly() -> None:
        try:
            with acting_for(tenant), ledger.writing(slow):
                audit.note("call.claimed", by=None, who="slow")
                noted.set()
                assert done.wait(20)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(write_slowly)
        assert noted.wait(20)
        with acting_for(tenant), ledger.writing(quick):
            audit.note("call.claimed", by=None, who="quick")
        done.set()
        writing.result(20)
    assert ["quick" in entry.details for entry in log_of(tenant)] == [True, False]
    with acting_for(tenant):
        assert verify() == Sound(2)
