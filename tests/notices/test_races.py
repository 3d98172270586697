"""Several processes at the same notices, and processes that die: everything is sent, and claimed once at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from platform_site.models import Notice, Tenant, User
from platform_site.notices import outbox
from platform_site.notices.outbox import LEASE, Arrived, Missed
from platform_site.notices.when import MOST_TRIES
from platform_site.tenancy import acting_for
from tests.notices.conftest import later, make_hook
from tests.review.queued import Desk, open_desk
from tests.tools.test_races import at_once
from tools.notices import planning, postman
from tools.notices.postman import ROOM_EACH, Postman

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def waits(tenant: Tenant, bob: User, rita: User, alice: User) -> Desk:
    """Three questions and two reviewers."""
    with acting_for(tenant):
        desk = open_desk(tenant, bob)
        for item in ("hat", "coat", "scarf"):
            desk.hold({"item": item})
    return desk


def claimed(now: Any) -> list[str]:
    parcels = [outbox.claim(one, now, planning.is_wanted) for one in outbox.due(now)]
    return [parcel.notice for parcel in parcels if parcel]


def test_many_planners_make_each_notice_once(waits: Desk) -> None:
    at_once(waits.tenant, [lambda: planning.plan(later(minutes=6))] * 6)
    rows = Notice.objects.across_tenants()
    assert rows.count() == 6 == rows.values("about", "recipient").distinct().count()


def test_many_processes_claim_each_notice_once(waits: Desk) -> None:
    now = later(minutes=6)
    planning.plan(now)
    found = at_once(waits.tenant, [lambda: claimed(now)] * 6)
    assert Counter(pk for some in found for pk in some).most_common(1)[0][1] == 1
    assert sum(map(len, found)) == 6


def only() -> Notice:
    return Notice.objects.across_tenants().get()


@pytest.fixture
def one(waits: Desk) -> Any:
    """One notice, claimed by a process that then died."""
    with acting_for(waits.tenant):
        hook = make_hook()
        outbox.send_test(hook)
    now = timezone.now()
    return outbox.claim(only(), now, planning.is_wanted)


def test_what_a_dead_process_held_is_sent_again_under_the_same_id(one: Any) -> None:
    """kill -9 between claim and answer: the lease ends."""
    now = timezone.now()
    assert outbox.due(now) == []
    again = now + LEASE + timedelta(seconds=1)
    assert claimed(again) == [one.notice]
    row = only()
    assert (row.status, row.attempts, [tried["error"] for tried in row.tries]) == (
        "sending",
        2,
        ["interrupted"],
    )


def test_many_find_a_dead_processs_notice_and_one_takes_it(one: Any, tenant: Tenant) -> None:
    again = timezone.now() + LEASE + timedelta(seconds=1)
    found = at_once(tenant, [lambda: claimed(again)] * 6)
    assert sorted(map(len, found)) == [0, 0, 0, 0, 0, 1]
    assert only().attempts == 2


def test_who_was_taken_for_dead_writes_nothing(one: Any) -> None:
    """It was slow, somebody else has it now: how that one ends counts."""
    again = timezone.now() + LEASE + timedelta(seconds=1)
    claimed(again)
    assert not outbox.settle(one, Missed("timeout"), again)
    assert only().status == "sending"


def test_processes_that_always_die_give_up_in_the_end(one: Any) -> None:
    now = timezone.now()
    for _round in range(MOST_TRIES + 2):
        now += LEASE + timedelta(seconds=1)
        claimed(now)
    assert (only().status, only().attempts) == ("failed", MOST_TRIES)


def test_an_outcome_is_written_once(one: Any) -> None:
    now = timezone.now()
    assert outbox.settle(one, Arrived(1, 200), now)
    assert not outbox.settle(one, Missed("timeout"), now)
    assert only().status == "sent"


def test_a_receiver_that_hangs_leaves_room_for_others(waits: Desk) -> None:
    with acting_for(waits.tenant):
        slow, other = make_hook("slow"), make_hook("other")
        for hook in (*[slow] * 5, other):
            outbox.send_test(hook)
    first = postman.take(8, Counter())
    assert Counter(parcel.webhook for parcel in first) == {slow.pk: ROOM_EACH, other.pk: 1}  # type: ignore[attr-defined]
    assert postman.take(8, Counter({slow.pk: ROOM_EACH})) == []


def test_a_round_of_the_postman_does_not_wait_for_receivers(
    waits: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    let_go = asyncio.Event()

    async def slowly(parcel: Any) -> Arrived:
        await let_go.wait()
        sent.append(parcel.notice)
        return Arrived(1)

    monkeypatch.setattr(postman, "send", slowly)
    Tenant.objects.update(notify_after_s=0)

    async def scenario() -> None:
        worker = Postman()
        await asyncio.wait_for(worker.look(), 5)
        assert sent == []
        let_go.set()
        await worker.rest(5)
        await worker.look()
        assert len(sent) == 6

    asyncio.run(scenario())
    assert set(Notice.objects.across_tenants().values_list("status", flat=True)) == {"sent"}
