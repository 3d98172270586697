"""Who decides may put the arguments right: all is checked again, and a yes counts for what it was said to (T12)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from platform_site import ledger
from platform_site.ids import new_id
from platform_site.models import AuditEntry, User
from tests.tools.conftest import YES, Answer, Desk
from tools import catalogue, gate
from tools.models import AttemptSource, CallStatus, Confirmation, ToolCall

OTHER = {"item": "boots", "count": 2}


@pytest.fixture
def held(desk: Desk) -> ToolCall:
    desk.tool("order", "CONFIRM")
    return desk.ask("order")


@pytest.fixture
def both(desk: Desk, rita: User) -> ToolCall:
    """A call that Bob and a reviewer have to agree to."""
    desk.tool("pay", "CRITICAL")
    return desk.ask("pay")


def test_what_is_carried_out_is_what_the_editor_wrote(desk: Desk, held: ToolCall) -> None:
    assert isinstance(desk.decide(held, desk.user, Answer(arguments=OTHER)), gate.Decided)
    claimed = desk.claim(held)
    assert isinstance(claimed, gate.Claimed)
    assert (claimed.call.arguments, claimed.call.proposed_arguments) == (OTHER, {"item": "shoes", "count": 1})
    assert {"name": "edited", "detail": "Bob"} in claimed.call.flags


def test_the_digest_is_of_the_edited_text_and_the_audit_keeps_both(desk: Desk, held: ToolCall) -> None:
    before = held.digest
    desk.decide(held, desk.user, Answer(arguments=OTHER))
    held.refresh_from_db()
    assert held.digest == Confirmation.objects.get().digest != before
    entry = AuditEntry.objects.get(verb="call.edited")
    assert (entry.before, entry.after) == (before, held.digest)


def test_a_wrong_edit_is_told_and_nothing_changes(desk: Desk, held: ToolCall) -> None:
    verdict = desk.decide(held, desk.user, Answer(arguments={"item": "boots", "count": 90}))
    assert isinstance(verdict, gate.Refused)
    assert (verdict.code, verdict.errors[0]["path"]) == ("invalid_arguments", "$.count")
    held.refresh_from_db()
    assert (held.status, held.arguments) == (CallStatus.HELD, {"item": "shoes", "count": 1})


def test_the_same_arguments_are_no_edit(desk: Desk, held: ToolCall) -> None:
    desk.decide(held, desk.user, Answer(arguments={"count": 1, "item": "shoes"}))
    held.refresh_from_db()
    assert (held.status, held.proposed_arguments) == (CallStatus.APPROVED, None)


def test_an_edit_needs_the_proof_too(desk: Desk) -> None:
    desk.tool("pay", "CRITICAL", confirmation={"by": "user", "proof": "password"})
    call = desk.ask("pay")
    verdict = desk.decide(call, desk.user, Answer(arguments=OTHER))
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "proof_needed"
    call.refresh_from_db()
    assert call.arguments == {"item": "shoes", "count": 1}


def test_after_a_reviewers_edit_who_asked_has_to_agree_again(desk: Desk, both: ToolCall, rita: User) -> None:
    """Nobody alone decides what happens in somebody else's name."""
    desk.decide(both, desk.user, Answer(proof=YES))
    assert isinstance(desk.decide(both, rita, Answer(arguments=OTHER, proof=YES)), gate.Decided)
    told = desk.events("tool_call.status")[-1]
    assert (told["status"], "needsReviewer" in told) == ("held", False), "their page offers the buttons again"
    both.refresh_from_db()
    assert both.status == CallStatus.HELD
    assert isinstance(desk.claim(both), gate.Lost)

    assert isinstance(desk.decide(both, desk.user, Answer(proof=YES)), gate.Decided)
    claimed = desk.claim(both)
    assert isinstance(claimed, gate.Claimed)
    assert claimed.call.arguments == OTHER


def test_an_edit_never_lowers_the_risk(desk: Desk) -> None:
    dear = {"name": "dear", "check": "args.count < 5", "severity": "critical", "message": "That is a lot."}
    desk.tool("order", "CONFIRM", rules=[dear])
    call = desk.ask("order", {"item": "shoes", "count": 9})
    assert (call.risk, call.confirmation.by) == ("CRITICAL", "user+reviewer")
    desk.decide(call, desk.user, Answer(arguments=OTHER, proof=YES))
    call.refresh_from_db()
    assert (call.risk, call.status) == ("CRITICAL", CallStatus.HELD)


def test_an_edit_that_raises_the_risk_asks_for_what_that_takes(desk: Desk, rita: User) -> None:
    dear = {"name": "dear", "check": "args.count < 5", "severity": "critical", "message": "That is a lot."}
    desk.tool("order", "CONFIRM", rules=[dear])
    call = desk.ask("order")
    assert isinstance(
        desk.decide(call, desk.user, Answer(arguments={"item": "shoes", "count": 9})), gate.Decided
    )
    call.refresh_from_db()
    question = Confirmation.objects.get()
    assert (call.status, call.risk) == (CallStatus.HELD, "CRITICAL")
    assert (question.by, question.proof, question.user_approved) == ("user+reviewer", "any", False)
    assert call.why == ["This tool asks before it acts.", "That is a lot."], "none of them twice"


def test_an_edit_that_raises_the_risk_gives_the_time_that_such_a_question_has(desk: Desk) -> None:
    """And says so if nobody could say yes to it: there is no reviewer here."""
    dear = {"name": "dear", "check": "args.count < 5", "severity": "critical", "message": "That is a lot."}
    desk.tool("order", "CONFIRM", rules=[dear])
    call = desk.ask("order")
    desk.decide(call, desk.user, Answer(arguments={"item": "shoes", "count": 9}))
    call.refresh_from_db()
    assert {"name": "nobody_can_approve"} in call.flags
    assert Confirmation.objects.get().decide_by > timezone.now() + timedelta(hours=71)


def test_the_reasons_of_an_older_call_are_not_told_twice(desk: Desk) -> None:
    """They are plain texts, in the language of who asked."""
    dear = {"name": "dear", "check": "args.count < 5", "severity": "confirm", "message": "That is a lot."}
    desk.tool("order", "CONFIRM", rules=[dear])
    call = desk.ask("order")
    ToolCall.objects.filter(pk=call.pk).update(reasons=["This tool asks before it acts."])
    desk.decide(call, desk.user, Answer(arguments={"item": "shoes", "count": 9}))
    call.refresh_from_db()
    assert call.why == ["This tool asks before it acts.", "That is a lot."]


def test_that_the_model_wrote_it_into_its_text_stays_known(desk: Desk, rita: User) -> None:
    desk.tool("order", "CONFIRM", confirmation={"by": "reviewer", "proof": "none"})
    written = gate.Asked(
        new_id(), "", "order", '{"item": "shoes"}', 0, desk.topic, "r", "m", "demo", source=AttemptSource.TEXT
    )
    with ledger.writing(desk.topic) as log:
        call = gate.propose(log, written, catalogue.offered(["order"]), gate.Requester(desk.user, "member"))
    desk.decide(call, rita, Answer(arguments=OTHER))
    call.refresh_from_db()
    assert (call.status, {"name": "written_as_text"} in call.flags) == (CallStatus.APPROVED, True)


def test_a_reviewers_no_needs_a_reason(desk: Desk, both: ToolCall, rita: User) -> None:
    desk.decide(both, desk.user, Answer(proof=YES))
    verdict = desk.decide(both, rita, Answer("reject", reason="  "))
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "reason_needed"
    assert isinstance(desk.decide(both, rita, Answer("reject", reason="Too dear.")), gate.Decided)
