"""Where a question is put late, or again: the same is asked as of every call, and earlier yeses are void."""

from __future__ import annotations

import pytest

from platform_site import ledger
from platform_site.models import User
from tests.tools.conftest import YES, Answer, Desk, actor
from tests.tools.test_preview import FIVE, SIX, claim, hold
from tests.tools.test_submit import GOOD, ask, submit
from tools import gate
from tools.gate.before_asking import MOST_WAITING
from tools.models import CallStatus, Confirmation
from tools.outcome import Succeeded

BOOTS = {"item": "boots", "count": 1}
DEAR = {"name": "dear", "check": "args.count < 5", "severity": "critical", "message": "That is a lot."}


# A call that a person put right is a call like any other


def test_a_corrected_call_is_shown_before_anybody_is_asked(desk: Desk) -> None:
    """M6."""
    desk.tool("look", read_only=True)
    desk.tool("order", "CONFIRM", preview={"tool": "look"})
    call = ask(desk, "order")
    assert isinstance(submit(desk, call, GOOD), gate.Corrected)
    assert call.status == CallStatus.PROPOSED
    hold(desk, call, Succeeded(FIVE))
    assert Confirmation.objects.get().preview == {"total": 5}


def test_a_no_holds_for_a_corrected_call_too(desk: Desk, rita: User) -> None:
    desk.tool("order", "CONFIRM", confirmation={"by": "reviewer", "proof": "none"})
    call = ask(desk, "order")
    submit(desk, call, GOOD)
    desk.decide(call, rita, Answer("reject", reason="No."))
    assert desk.ask("order", GOOD).status == CallStatus.REFUSED
    again = ask(desk, "order")
    submit(desk, again, GOOD)
    assert again.status == CallStatus.REFUSED


def test_corrections_are_no_way_around_the_limit_of_open_questions(desk: Desk, rita: User) -> None:
    """T13."""
    desk.tool("order", "CONFIRM", confirmation={"by": "reviewer", "proof": "none"})
    call = ask(desk, "order")
    for number in range(MOST_WAITING):
        desk.ask("order", {"item": f"shoe {number}"})
    submit(desk, call, GOOD)
    assert call.status == CallStatus.REFUSED


# Edited


def test_an_edit_that_raises_the_risk_of_what_has_to_be_shown_asks_for_what_that_takes(desk: Desk) -> None:
    """T12."""
    desk.tool("look", read_only=True)
    desk.tool("order", "CONFIRM", preview={"tool": "look"}, rules=[DEAR])
    call = hold(desk, desk.ask("order"), Succeeded(FIVE))
    desk.decide(call, desk.user, Answer(arguments={"item": "shoes", "count": 9}))
    hold(desk, call, Succeeded(SIX))
    question = Confirmation.objects.get()
    assert (call.risk, question.by, question.proof) == ("CRITICAL", "user+reviewer", "any")


def test_what_was_edited_back_is_asked_of_everybody_again(desk: Desk, rita: User) -> None:
    """T12: a yes that became void stays void, also when the same arguments come back."""
    desk.tool("pay", "CRITICAL")
    call = desk.ask("pay")
    desk.decide(call, desk.user, Answer(proof=YES))
    assert isinstance(desk.decide(call, rita, Answer(arguments=BOOTS, proof=YES)), gate.Decided)
    back = Answer(arguments={"item": "shoes", "count": 1}, proof=YES)
    assert desk.decide(call, desk.user, back) == gate.Decided("pending", ready=False)
    assert desk.decide(call, rita, Answer(proof=YES)) == gate.Decided("approved", ready=True)
    assert isinstance(desk.claim(call), gate.Claimed)


def test_a_standing_yes_pins_only_what_is_there_after_the_edit(desk: Desk) -> None:
    note = {"type": "string", "description": "For the shop."}
    item = {"type": "string", "description": "What to order."}
    schema = {"type": "object", "properties": {"item": item, "note": note}, "required": ["item"]}
    desk.tool("order", "CONFIRM", schema=schema)
    call = desk.ask("order", {"item": "shoes", "note": "red"})
    question = Confirmation.objects.get(call=call)
    answer = Answer(digest=question.digest, arguments={"item": "boots"})
    with ledger.writing(desk.topic) as log:
        who = actor(desk.tenant, desk.user)
        verdict = gate.decide(log, question.pk, who, answer, gate.Wanted(["note"], 1, 1))
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "bad_request"
    call.refresh_from_db()
    assert (call.status, call.arguments) == (CallStatus.HELD, {"item": "shoes", "note": "red"})


# Shown again


@pytest.mark.parametrize(("by", "who"), [("user", "bob"), ("reviewer", "rita")])
def test_a_price_that_comes_back_is_asked_about_again(desk: Desk, rita: User, by: str, who: str) -> None:
    """M6: five, six, five: each is a question of its own, which the same people can answer."""
    desk.tool("look", read_only=True)
    desk.tool("pay", "CRITICAL", preview={"tool": "look"}, confirmation={"by": by, "proof": "none"})
    person = desk.user if who == "bob" else rita
    call = hold(desk, desk.ask("pay"), Succeeded(FIVE))
    for shown in (6, 5, 6, 5):
        assert isinstance(desk.decide(call, person), gate.Decided)
        assert isinstance(claim(desk, call, {"total": shown}), gate.AskedAgain)
        assert isinstance(claim(desk, call, {"total": shown}), gate.Lost), "no earlier yes counts"
    assert isinstance(desk.decide(call, person), gate.Decided)
    assert isinstance(claim(desk, call, {"total": 5}), gate.Claimed)


def test_nothing_is_no_preview(desk: Desk) -> None:
    """What shows nothing cannot change, so it would never be looked at again."""
    desk.tool("look", read_only=True)
    desk.tool("order", "CONFIRM", preview={"tool": "look"})
    assert hold(desk, desk.ask("order"), Succeeded("null")).status == CallStatus.REFUSED
