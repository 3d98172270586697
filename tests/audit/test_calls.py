"""Each state a call reaches has one entry in the audit log, in the same transaction (T64)."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from platform_site.audit.verifying import Sound, verify
from platform_site.models import AuditEntry, Tenant, Topic, User
from tests.tools.conftest import Answer, Desk
from tools import gate
from tools.models import Confirmation, ToolCall
from tools.outcome import Failed, Succeeded

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop(inside: Tenant, bob: User) -> Desk:
    desk = Desk(inside, Topic.objects.create().pk, bob)
    desk.tool("order", "CONFIRM")
    desk.tool("find", "SAFE")
    return desk


def told(call: ToolCall) -> list[str]:
    found = AuditEntry.objects.filter(object_id=call.pk).order_by("number")
    return [entry.verb.removeprefix("call.") for entry in found]


def test_an_approved_call_from_the_wish_to_the_receipt(shop: Desk, bob: User) -> None:
    call = shop.ask("order")
    shop.decide(call, bob)
    shop.claim(call)
    shop.settle(call, Succeeded("done"))
    assert told(call) == ["held", "approved", "claimed", "succeeded"]
    decided = AuditEntry.objects.get(verb="call.approved")
    assert (decided.actor, decided.behalf, decided.after) == (bob.pk, bob.pk, call.digest)
    assert isinstance(verify(), Sound)


def test_every_other_end(shop: Desk, bob: User) -> None:
    denied, gone, late, bad = shop.ask("order"), shop.ask("order"), shop.ask("order"), shop.ask("nothing")
    shop.decide(denied, bob, Answer("reject"))
    shop.withdraw(gone)
    Confirmation.objects.filter(call=late).update(decide_by=timezone.now())
    gate.expire(timezone.now())
    assert [told(call)[-1] for call in (denied, gone, late, bad)] == [
        "denied",
        "withdrawn",
        "expired",
        "refused",
    ]


def test_whoever_loses_the_race_notes_nothing(shop: Desk, bob: User) -> None:
    call = shop.ask("order")
    shop.decide(call, bob)
    shop.decide(call, bob)
    shop.claim(call)
    shop.claim(call)
    shop.settle(call, Failed("x", "y"))
    shop.settle(call, Succeeded("z"))
    assert told(call) == ["held", "approved", "claimed", "failed"]


def test_it_costs_three_statements_a_transaction(shop: Desk, bob: User) -> None:
    call = shop.ask("order")
    shop.decide(call, bob)
    with CaptureQueriesContext(connection) as queries:
        shop.claim(call)
    about = [query["sql"] for query in queries if "platform_site_audit" in query["sql"]]
    assert len(about) == 3
