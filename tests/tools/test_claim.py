"""What was true when a call was cleared or approved must be true when it is claimed; of several claimers one wins."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from platform_site.models import Membership, Tenant, User
from tests.tools.conftest import YES, Answer, Desk
from tools import gate
from tools.models import CallStatus, Confirmation, Tool, ToolCall
from tools.outcome import Succeeded

Make = Callable[[], ToolCall]


@pytest.fixture
def approved(desk: Desk, ordered: Make, bob: User) -> ToolCall:
    call = ordered()
    desk.decide(call, bob)
    return call


def test_a_cleared_call_is_claimed_once(desk: Desk) -> None:
    desk.tool()
    call = desk.ask()
    claimed = desk.claim(call)
    assert isinstance(claimed, gate.Claimed)
    assert claimed.spec.name == "look"
    assert call.status == CallStatus.CLAIMED
    assert call.give_up_at and call.give_up_at > timezone.now() + timedelta(seconds=30)
    assert isinstance(desk.claim(call), gate.Lost)


def test_what_is_held_rejected_or_denied_is_never_claimed(desk: Desk, ordered: Make, bob: User) -> None:
    held, denied, rejected = ordered(), ordered(), desk.ask("order", {})
    desk.decide(denied, bob, Answer("reject"))
    for call in (held, denied, rejected):
        assert isinstance(desk.claim(call), gate.Lost)


def test_an_approved_call_is_claimed_and_told(desk: Desk, approved: ToolCall) -> None:
    assert isinstance(desk.claim(approved), gate.Claimed)
    assert [one["status"] for one in desk.events("tool_call.status")] == ["approved", "claimed"]


def _change(desk: Desk, **more: Any) -> None:
    desk.tool("order", "CONFIRM", **more)


CHANGES: dict[str, Callable[[Desk, ToolCall], object]] = {
    "its URL": lambda desk, call: _change(
        desk, executor={"kind": "http", "method": "POST", "url": "http://evil.test/"}
    ),
    "its description": lambda desk, call: _change(desk, description="Harmless."),
    "its risk": lambda desk, call: desk.tool("order", "SAFE"),
    "switched off": lambda desk, call: Tool.objects.update(is_enabled=False),
    "tenant suspended": lambda desk, call: Tenant.objects.update(is_active=False),
    "requester left": lambda desk, call: Membership.objects.update(is_active=False),
    "requester deactivated": lambda desk, call: User.objects.update(is_active=False),
    "arguments changed": lambda desk, call: ToolCall.objects.update(arguments={"item": "yacht", "count": 1}),
    "digest changed too": lambda desk, call: ToolCall.objects.update(
        arguments={"item": "yacht"}, digest="0" * 64
    ),
    "preview changed": lambda desk, call: Confirmation.objects.update(preview={"total": 1}),
    "too late": lambda desk, call: Confirmation.objects.update(execute_by=timezone.now()),
    "approval gone": lambda desk, call: Confirmation.objects.update(status="denied"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_an_approval_does_not_outlive_what_was_approved(desk: Desk, approved: ToolCall, what: str) -> None:
    """T01, T03, T10: refused each time, the model is told, nothing runs."""
    CHANGES[what](desk, approved)
    assert isinstance(desk.claim(approved), gate.Lapsed)
    approved.refresh_from_db()
    assert approved.status == CallStatus.LAPSED
    assert desk.told_the_model(approved)["status"] == "LAPSED"
    assert isinstance(desk.claim(approved), gate.Lost)


def test_a_changed_tools_lapse_names_both_versions(desk: Desk, approved: ToolCall) -> None:
    """T03."""
    CHANGES["its URL"](desk, approved)
    lapsed = desk.claim(approved)
    assert isinstance(lapsed, gate.Lapsed)
    assert "version 1, now 2" in lapsed.reason


@pytest.mark.parametrize("change", [{"role": "member"}, {"is_active": False}])
def test_a_reviewer_who_may_no_more_unmakes_the_approval(
    desk: Desk, bob: User, rita: User, change: dict[str, Any]
) -> None:
    """T10: demoted or gone between approval and run."""
    desk.tool("pay", "CRITICAL")
    call = desk.ask("pay")
    desk.decide(call, bob, Answer(proof=YES))
    desk.decide(call, rita, Answer(proof=YES))
    Membership.objects.filter(user=rita).update(**change)
    assert isinstance(desk.claim(call), gate.Lapsed)


def test_a_safe_call_lapses_too(desk: Desk) -> None:
    desk.tool()
    call = desk.ask()
    Tool.objects.update(is_enabled=False)
    assert isinstance(desk.claim(call), gate.Lapsed)


def test_the_rate_limit_ends_a_call_as_failed(desk: Desk) -> None:
    desk.tool(rate_limit="2/m")
    calls = [desk.ask() for _ in range(3)]
    assert [type(desk.claim(call)) for call in calls] == [gate.Claimed, gate.Claimed, gate.Lapsed]
    assert calls[2].status == CallStatus.FAILED
    assert desk.told_the_model(calls[2])["error"]["code"] == "rate_limited"
    ToolCall.objects.update(claimed_at=timezone.now() - timedelta(seconds=61))
    assert isinstance(desk.claim(desk.ask()), gate.Claimed)


def test_only_reads_and_idempotent_writes_may_be_repeated(desk: Desk) -> None:
    repeatable = []
    for more in ({}, {"read_only": True}, {"idempotent": True}):
        desk.tool(**more)
        call = desk.ask()
        assert not gate.may_repeat(call), "not claimed yet"
        desk.claim(call)
        repeatable.append(gate.may_repeat(ToolCall.objects.select_related("version").get(pk=call.pk)))
    assert repeatable == [False, True, True]


def test_a_settled_call_is_not_repeated(desk: Desk) -> None:
    desk.tool(idempotent=True)
    call = desk.ask()
    desk.claim(call)
    desk.settle(call, Succeeded("{}"))
    assert not gate.may_repeat(call)
