"""Every claimed call ends in one receipt; a call that has not started can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from platform_site.models import Topic, User
from tests.tools.conftest import Desk
from tools import gate
from tools.models import CallStatus, Confirmation, ToolCall
from tools.outcome import Failed, Outcome, Succeeded, Unknown

Make = Callable[[], ToolCall]


@pytest.fixture
def claimed(desk: Desk) -> ToolCall:
    desk.tool()
    call = desk.ask()
    desk.claim(call)
    return call


def test_success_is_stored_and_told(desk: Desk, claimed: ToolCall) -> None:
    ui = [{"kind": "suggestions", "options": ["Yes"]}]
    assert desk.settle(claimed, Succeeded('{"a": 1}', ui=ui, final=True, display={"a": 1}))
    result = desk.events()[-1]
    assert (result["type"], result["content"]) == ("TOOL_CALL_RESULT", '{"a": 1}')
    assert result["metadata"]["ui"] == ui
    assert result["metadata"]["result"] == {"a": 1}
    assert result["metadata"]["durationMs"] >= 0


def test_failure_reaches_the_model_in_usable_form(desk: Desk, claimed: ToolCall) -> None:
    """M6."""
    desk.settle(claimed, Failed("out_of_stock", "Sold out.", ["Try size 43"], {"sizes": [43]}))
    told = desk.told_the_model(claimed)
    assert told == {
        "status": "FAILED",
        "error": {
            "code": "out_of_stock", "message": "Sold out.", "suggestions": ["Try size 43"], "details": {"sizes": [43]},
        },
    }  # fmt: skip
    assert desk.events()[-1]["metadata"]["error"]["code"] == "out_of_stock"


def test_unknown_says_not_to_call_again(desk: Desk, claimed: ToolCall) -> None:
    """T74."""
    desk.settle(claimed, Unknown("the connection broke."))
    assert "Do not call it again" in desk.told_the_model(claimed)["message"]


@pytest.mark.parametrize("late", [Succeeded("{}"), Failed("x", "y"), Unknown("z")])
def test_the_first_receipt_stands(desk: Desk, claimed: ToolCall, late: Outcome) -> None:
    desk.settle(claimed, Succeeded('"first"'))
    count = len(desk.events())
    assert not desk.settle(claimed, late)
    assert (desk.told_the_model(claimed), len(desk.events())) == ("first", count)


def test_what_no_database_stores_is_shown_as_replaced(desk: Desk, claimed: ToolCall) -> None:
    """T17."""
    assert desk.settle(claimed, Succeeded("a\x00b\ud800", display={"k\x00": ["\udfff"]}))
    claimed.refresh_from_db()
    assert claimed.result["content"] == "a\ufffdb\ufffd"


def test_withdrawing_answers_the_model_and_closes_the_question(desk: Desk, ordered: Make, bob: User) -> None:
    call = ordered()
    assert desk.withdraw(call, "They changed their mind.")
    assert Confirmation.objects.get(call=call).status == "withdrawn"
    assert "changed their mind" in desk.told_the_model(call)["message"]
    refused = desk.decide(call, bob)
    assert isinstance(refused, gate.Refused)
    assert refused.code == "conflict"
    assert not desk.withdraw(call)


def test_a_claimed_call_is_not_withdrawn(desk: Desk, claimed: ToolCall) -> None:
    assert not desk.withdraw(claimed)
    assert claimed.status == CallStatus.CLAIMED


def later(**after: float) -> object:
    return timezone.now() + timedelta(**after)


def test_what_nobody_decided_expires(desk: Desk, ordered: Make) -> None:
    call = ordered()
    assert gate.expire(timezone.now()) == []
    assert gate.expire(later(minutes=16)) == [desk.topic]
    call.refresh_from_db()
    assert (call.status, call.confirmation.status) == (CallStatus.EXPIRED, "expired")
    assert desk.told_the_model(call)["status"] == "EXPIRED"
    assert gate.expire(later(minutes=16)) == []


def test_what_was_approved_and_not_carried_out_lapses(desk: Desk, ordered: Make, bob: User) -> None:
    call = ordered()
    desk.decide(call, bob)
    gate.expire(later(minutes=14))
    assert ToolCall.objects.get().status == CallStatus.APPROVED
    gate.expire(later(minutes=16))
    assert ToolCall.objects.get().status == CallStatus.LAPSED
    assert isinstance(desk.claim(call), gate.Lost)


def test_what_nobody_settled_becomes_unknown(desk: Desk, claimed: ToolCall) -> None:
    gate.expire(later(seconds=60))
    assert ToolCall.objects.get().status == CallStatus.CLAIMED
    gate.expire(later(seconds=91))
    claimed.refresh_from_db()
    assert claimed.status == CallStatus.UNKNOWN
    assert not desk.settle(claimed, Succeeded("{}")), "too late"


def test_the_sweep_reaches_calls_of_deleted_conversations(desk: Desk, claimed: ToolCall) -> None:
    Topic.objects.get(pk=desk.topic).delete()
    gate.expire(later(seconds=91))
    assert ToolCall.objects.get().status == CallStatus.UNKNOWN
