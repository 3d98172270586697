"""A person puts right what the model could not, or drops it; once, in time, and through the same checks (A11)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from platform_site import ledger
from platform_site.ids import new_id
from platform_site.models import User
from tests.tools.conftest import Answer, Desk, actor
from tests.tools.test_attempts import WRONG, attempts, chains, propose
from tools import catalogue, gate
from tools.models import AttemptSource, CallStatus, Correction, ToolCall

GOOD = {"item": "hat", "count": 2}


@pytest.fixture
def asked(desk: Desk) -> ToolCall:
    """A call of a SAFE tool that Bob is asked about."""
    desk.tool()
    return ask(desk)


def ask(desk: Desk, name: str = "look") -> ToolCall:
    tries = gate.Tries()
    propose(desk, WRONG, tries, name)
    call = propose(desk, WRONG, tries, name)
    assert call.status == CallStatus.ASKING
    return call


def submit(desk: Desk, call: ToolCall, given: dict[str, Any] | None, who: User | None = None) -> Any:
    with ledger.writing(desk.topic) as log:
        verdict = gate.submit(log, call.correction.pk, actor(desk.tenant, who or desk.user), given)
    call.refresh_from_db()
    return verdict


def test_good_arguments_let_a_safe_call_go_on(desk: Desk, asked: ToolCall) -> None:
    assert isinstance(submit(desk, asked, GOOD), gate.Corrected)
    assert (asked.status, asked.arguments, asked.errors) == (CallStatus.CLEARED, GOOD, [])
    assert asked.flags[0] == {"name": "corrected_by_person"}
    assert isinstance(desk.claim(asked), gate.Claimed)
    assert attempts()[-1] == (3, "valid", "went_on")
    assert chains() == [("by_person", 2)], "the model tried twice"


def test_a_corrected_confirm_call_still_asks_before_it_acts(desk: Desk) -> None:
    """T14: the form is no way around the gate; what is approved is what was filled in."""
    desk.tool("order", "CONFIRM")
    call = ask(desk, "order")
    assert isinstance(submit(desk, call, GOOD), gate.Corrected)
    assert call.status == CallStatus.HELD
    checked = desk.events("tool_call.checked")[-1]
    assert (checked["toolCallId"], checked["verdict"], checked["arguments"]) == (call.pk, "held", GOOD)
    assert checked["confirmation"]["digest"] == call.digest
    assert isinstance(desk.claim(call), gate.Lost)
    assert isinstance(desk.decide(call, desk.user, Answer()), gate.Decided)
    assert isinstance(desk.claim(call), gate.Claimed)


def test_wrong_again_is_told_field_by_field_and_the_form_stays(desk: Desk, asked: ToolCall) -> None:
    verdict = submit(desk, asked, {"item": "hat", "count": 12})
    assert isinstance(verdict, gate.StillWrong)
    assert [(error.path, error.keyword) for error in verdict.errors] == [("$.count", "maximum")]
    assert asked.status == CallStatus.ASKING
    assert attempts()[-1] == (3, "rejected", "asked")
    assert isinstance(submit(desk, asked, GOOD), gate.Corrected), "the second try counts"


def test_rules_hold_for_people_too(desk: Desk) -> None:
    rule = {"name": "no_bombs", "check": "args.item != 'bomb'", "severity": "error", "message": "Not sold."}
    desk.tool(rules=[rule])
    verdict = submit(desk, ask(desk), {"item": "bomb"})
    assert isinstance(verdict, gate.StillWrong)
    assert [error.keyword for error in verdict.errors] == ["rule:no_bombs"]


def test_dropping_it_is_told_to_the_model(desk: Desk, asked: ToolCall) -> None:
    assert isinstance(submit(desk, asked, None), gate.Corrected)
    assert asked.status == CallStatus.WITHDRAWN
    assert desk.told_the_model(asked)["status"] == "WITHDRAWN"
    assert Correction.objects.get().status == "cancelled"
    assert chains() == [("gave_up", 2)]


def test_an_answer_counts_once(desk: Desk, asked: ToolCall) -> None:
    assert isinstance(submit(desk, asked, GOOD), gate.Corrected)
    for given in (GOOD, None):
        verdict = submit(desk, asked, given)
        assert isinstance(verdict, gate.Refused)
        assert verdict.code == "conflict"


def test_only_who_asked_may_answer(desk: Desk, asked: ToolCall, rita: User) -> None:
    """A reviewer of the same tenant is told what they would be told of an absent one."""
    verdict = submit(desk, asked, GOOD, rita)
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "not_found"


def test_too_late_is_too_late(desk: Desk, asked: ToolCall) -> None:
    Correction.objects.update(answer_by=timezone.now() - timedelta(seconds=1))
    verdict = submit(desk, asked, GOOD)
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "expired"
    assert gate.expire(timezone.now()) == [desk.topic]
    asked.refresh_from_db()
    assert (asked.status, Correction.objects.get().status) == ("expired", "expired")
    assert desk.told_the_model(asked)["status"] == "EXPIRED"


def test_a_question_that_is_taken_back_cannot_be_answered(desk: Desk, asked: ToolCall) -> None:
    assert desk.withdraw(asked)
    assert Correction.objects.get().status == "withdrawn"
    verdict = submit(desk, asked, GOOD)
    assert isinstance(verdict, gate.Refused)
    assert verdict.code == "conflict"


def test_a_tool_changed_meanwhile_does_not_run_as_it_was(desk: Desk, asked: ToolCall) -> None:
    """T03."""
    desk.tool(description="Something else.")
    submit(desk, asked, GOOD)
    assert isinstance(desk.claim(asked), gate.Lapsed)


def test_what_could_not_be_read_gives_an_empty_form(desk: Desk) -> None:
    desk.tool()
    tries = gate.Tries()
    propose(desk, "no json at all", tries)
    call = propose(desk, "no json at all", tries)
    assert call.correction.given == {}


def test_a_call_written_as_text_stays_one(desk: Desk) -> None:
    """A14: the form does not lower what its place in the text raised."""
    desk.tool()
    tries = gate.Tries()
    for _ in range(2):
        asked = gate.Asked(
            new_id(), "", "look", WRONG, 0, desk.topic, "r", new_id(), "demo", source=AttemptSource.TEXT
        )
        with ledger.writing(desk.topic) as log:
            call = gate.propose(
                log, asked, catalogue.offered(["look"]), gate.Requester(desk.user, "member"), tries
            )
    submit(desk, call, GOOD)
    assert (call.status, call.risk) == (CallStatus.HELD, "CONFIRM")
    assert {"name": "written_as_text"} in call.flags


def test_wrong_answers_are_written_down_only_so_often(desk: Desk, asked: ToolCall) -> None:
    for number in range(15):
        assert isinstance(submit(desk, asked, {"item": "x" * 50_000 + str(number)}), gate.StillWrong)
    kept = asked.attempts.filter(source=AttemptSource.PERSON)
    assert kept.count() == 10
    assert max(len(attempt.raw) for attempt in kept) <= 64 * 1024


def test_outside_text_that_came_by_another_way_still_counts(desk: Desk) -> None:
    """T29: a reminder was set after something had been read; the form washes nothing."""
    desk.tool()
    tries = gate.Tries()
    for _ in range(2):
        asked = gate.Asked(
            new_id(), "", "look", WRONG, 0, desk.topic, "r", new_id(), "demo", outside=("fetch",)
        )
        with ledger.writing(desk.topic) as log:
            by = gate.Requester(desk.user, "member")
            call = gate.propose(log, asked, catalogue.offered(["look"]), by, tries)
    submit(desk, call, GOOD)
    assert call.status == CallStatus.HELD
    assert {"name": "after_untrusted", "detail": "fetch"} in call.flags
