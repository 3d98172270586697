"""Several people and processes at once: one decision, one claim, one receipt. Real threads, a real transaction each.

SLUICE_ROUNDS says how often each race is run (`tests.gate_evidence.rounds`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from platform_site import ledger
from platform_site.audit.verifying import Sound, verify
from platform_site.models import Membership, Tenant, Topic, User
from platform_site.tenancy import acting_for
from tests.gate_evidence.rounds import ROUNDS
from tests.tools.conftest import Answer, Desk, actor
from tests.tools.test_preview import FIVE, hold
from tools import gate
from tools.models import CallStatus, Confirmation, ToolCall, Vote
from tools.outcome import Failed, Succeeded

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 50
S = CallStatus
BOOTS = {"item": "boots", "count": 2}


@pytest.fixture
def shop(tenant: Tenant, bob: User, rita: User) -> Desk:
    with acting_for(tenant):
        desk = Desk(tenant, Topic.objects.create().pk, bob)
        desk.tool("look", read_only=True)
        desk.tool("order", "CONFIRM")
        desk.tool("pay", "CRITICAL", confirmation={"by": "reviewer", "proof": "none"})
        desk.tool("fetch", "CONFIRM", preview={"tool": "look"})
    return desk


def at_once(tenant: Tenant, work: list[Callable[[], Any]]) -> list[Any]:
    """Run all of `work` at the same moment, each in a thread with its own connection."""
    barrier = Barrier(len(work))

    def run(one: Callable[[], Any]) -> Any:
        try:
            with acting_for(tenant):
                barrier.wait(30)
                return one()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(work)) as threads:
        return list(threads.map(run, work))


def test_of_fifty_decisions_one_counts(shop: Desk, bob: User) -> None:
    """T08: approvals and refusals mixed; everybody else is told of the conflict."""
    for _ in range(ROUNDS):
        with acting_for(shop.tenant):
            call = shop.ask("order", {"item": f"shoe {timezone.now().timestamp()}"})
        answers = [Answer("approve" if n % 2 else "reject") for n in range(AT_ONCE)]
        verdicts = at_once(shop.tenant, [partial(shop.decide, call, bob, answer) for answer in answers])
        with acting_for(shop.tenant):
            decided = [verdict for verdict in verdicts if isinstance(verdict, gate.Decided)]
            refused = Counter(verdict.code for verdict in verdicts if isinstance(verdict, gate.Refused))
            assert (len(decided), refused) == (1, {"conflict": AT_ONCE - 1})
            assert Vote.objects.filter(confirmation__call=call).count() == 1
            status = ToolCall.objects.get(pk=call.pk).status
            assert Confirmation.objects.get(call=call).status == status == decided[0].status


# Approvals against something else


def take(shop: Desk, call: str, shown: int = 5) -> Any:
    """Claim it, as whoever takes up an approved call does: shown again what it would do."""
    found = ToolCall.objects.get(pk=call)
    with ledger.writing(shop.topic) as log:
        return gate.claim(log, found, gate.Shown({"total": shown}))


def refuse(shop: Desk, call: ToolCall, who: User) -> None:
    shop.decide(call, who, Answer("reject", reason="No."))


def expire(shop: Desk, call: ToolCall, who: User) -> None:
    gate.expire(timezone.now() + timedelta(days=30))


def change_the_tool(shop: Desk, call: ToolCall, who: User) -> None:
    shop.tool(
        "order", "CONFIRM", executor={"kind": "http", "method": "POST", "url": f"http://{call.pk}.test/"}
    )


def remove_the_reviewer(shop: Desk, call: ToolCall, who: User) -> None:
    Membership.objects.filter(user=who).update(is_active=False)


def stop(shop: Desk, call: ToolCall, who: User) -> None:
    shop.withdraw(ToolCall.objects.get(pk=call.pk))


def edit(shop: Desk, call: ToolCall, who: User) -> None:
    shop.decide(call, who, Answer(arguments=BOOTS))


def see_another_price(shop: Desk, call: ToolCall, who: User) -> None:
    take(shop, call.pk, shown=6)


RIVALS: dict[str, tuple[str, Callable[[Desk, ToolCall, User], None], set[str]]] = {
    "a refusal": ("order", refuse, {S.CLAIMED, S.DENIED}),
    "a reviewer's refusal": ("pay", refuse, {S.CLAIMED, S.DENIED}),
    "the time": ("order", expire, {S.CLAIMED, S.EXPIRED, S.LAPSED, S.UNKNOWN}),
    "a change of the tool": ("order", change_the_tool, {S.CLAIMED, S.LAPSED}),
    "the reviewer's removal": ("pay", remove_the_reviewer, {S.HELD, S.CLAIMED, S.LAPSED}),
    "a stop": ("order", stop, {S.CLAIMED, S.WITHDRAWN}),
    "an edit": ("order", edit, {S.CLAIMED}),
    "another price": ("fetch", see_another_price, {S.CLAIMED, S.HELD}),
}  # fmt: skip


@pytest.mark.parametrize("rival", RIVALS)
def test_against_anything_else_there_is_one_decision_and_one_claim_at_most(
    shop: Desk, bob: User, rita: User, rival: str
) -> None:
    """T08, T03, T10, T12: and what was claimed is what was shown to who said yes."""
    name, against, ends = RIVALS[rival]
    who = rita if name == "pay" else bob
    for number in range(ROUNDS):
        shop = another_talk(shop)
        call = held(shop, name, number)
        decide = [partial(shop.decide, call, who, Answer(digest=call.digest))] * 6
        work: list[Callable[[], Any]] = [*decide, *[partial(take, shop, call.pk)] * 4]
        work += [partial(against, shop, call, who)] * (1 if rival == "the time" else 3)
        claims = [one for one in at_once(shop.tenant, work) if isinstance(one, gate.Claimed)]
        claims += [
            one
            for one in at_once(shop.tenant, [partial(take, shop, call.pk)] * 3)
            if isinstance(one, gate.Claimed)
        ]
        with acting_for(shop.tenant):
            judge(shop, call, claims, ends)
            stop(shop, call, who)  # only so many may wait
            Membership.objects.filter(user=rita).update(is_active=True)
    with acting_for(shop.tenant):
        assert isinstance(verify(), Sound)


def another_talk(shop: Desk) -> Desk:
    with acting_for(shop.tenant):
        return Desk(shop.tenant, Topic.objects.create().pk, shop.user)


def held(shop: Desk, name: str, number: int) -> ToolCall:
    with acting_for(shop.tenant):
        call = shop.ask(name, {"item": f"shoe {number}"})
        call = hold(shop, call, Succeeded(FIVE)) if call.status == S.PROPOSED else call
        assert call.status == S.HELD
        return call


def judge(shop: Desk, call: ToolCall, claims: list[gate.Claimed], ends: set[str]) -> None:
    call.refresh_from_db()
    question = Confirmation.objects.get(call=call)
    told = [event["status"] for event in shop.events("tool_call.status") if event["toolCallId"] == call.pk]
    assert call.status in ends
    assert len(claims) == told.count("claimed") <= 1
    final = told.count("approved") + told.count("denied") + told.count("expired")
    assert final <= 1 + told.count("held")
    if not claims:
        return
    assert question.status == "approved"
    vote = Vote.objects.get(confirmation=question, digest=question.digest)
    assert (vote.decision, vote.digest) == ("approve", call.digest)
    shown = [one for one in shop.events("tool_call.checked") if one["toolCallId"] == call.pk]
    (seen,) = [one for one in shown if (one["confirmation"] or {}).get("digest") == vote.digest]
    assert seen["arguments"] == claims[0].call.arguments


# Claims and receipts


def test_of_many_claimers_one_claims(shop: Desk, bob: User) -> None:
    """T08: at most one execution."""
    for number in range(ROUNDS):
        call = held(shop, "order", number)
        with acting_for(shop.tenant):
            shop.decide(call, bob)
        claims = at_once(shop.tenant, [partial(take, shop, call.pk)] * 20)
        assert Counter(type(claim) for claim in claims) == {gate.Claimed: 1, gate.Lost: 19}


def test_of_two_last_uses_of_a_standing_yes_one_counts(shop: Desk, bob: User) -> None:
    for number in range(ROUNDS):
        item = {"item": f"shoe {number}"}
        with acting_for(shop.tenant):
            call = shop.ask("order", item)
            with ledger.writing(shop.topic) as log:
                answer, wanted = Answer(digest=call.digest), gate.Wanted(["item"], 1, 60)
                gate.decide(log, call.confirmation.pk, actor(shop.tenant, bob), answer, wanted)
            desks = [Desk(shop.tenant, Topic.objects.create().pk, bob) for _ in range(6)]
        asked = at_once(shop.tenant, [partial(desk.ask, "order", item) for desk in desks])
        assert Counter(call.status for call in asked) == {S.CLEARED: 1, S.HELD: 5}


def test_one_receipt_stands(shop: Desk, bob: User) -> None:
    with acting_for(shop.tenant):
        call = shop.ask("order")
        shop.decide(call, bob)
        shop.claim(call)
    outcomes = [Succeeded(f'"{n}"') if n % 2 else Failed("no", str(n)) for n in range(10)]
    work = [lambda o=o: shop.settle(ToolCall.objects.get(pk=call.pk), o) for o in outcomes]
    assert sum(at_once(shop.tenant, work)) == 1
    with acting_for(shop.tenant):
        assert ToolCall.objects.get().status in (S.SUCCEEDED, S.FAILED)
        numbers = [seq for seq, _ in ledger.since(shop.topic, 0)]
    assert numbers == list(range(1, len(numbers) + 1))
