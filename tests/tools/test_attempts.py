"""Every try at a call's arguments is written down, with its faults, its chain, and what came of it (A12)."""

from __future__ import annotations

import pytest

from platform_site import ledger
from platform_site.ids import new_id
from tests.tools.conftest import Desk
from tools import catalogue, gate
from tools.models import AttemptSource, CallAttempt, CallStatus, Fault, ToolCall

GOOD, WRONG, OTHER = '{"item": "hat"}', '{"item": 7, "colour": "red"}', '{"item": []}'


@pytest.fixture
def tries() -> gate.Tries:
    return gate.Tries()


def propose(
    desk: Desk, raw: str, tries: gate.Tries, name: str = "look", reply: str = "", run: str = "r"
) -> ToolCall:
    asked = gate.Asked(
        new_id(), "", name, raw, 0, desk.topic, run, reply or new_id(), "demo", agent="helper",
        source=AttemptSource.MODEL,
    )  # fmt: skip
    with ledger.writing(desk.topic) as log:
        return gate.propose(
            log, asked, catalogue.offered(["look", "order"]), gate.Requester(desk.user, "member"), tries
        )


def attempts() -> list[tuple[int, str, str]]:
    """(number, outcome, what happened next) in order."""
    rows = CallAttempt.objects.order_by("created_at", "number")
    return list(rows.values_list("number", "outcome", "next_step"))


def chains() -> list[tuple[str, int]]:
    rows = CallAttempt.objects.filter(number=1).order_by("created_at")
    return list(rows.values_list("chain_result", "chain_length"))


def test_a_good_call_is_one_attempt(desk: Desk, tries: gate.Tries) -> None:
    desk.tool()
    call = propose(desk, GOOD, tries)
    row = CallAttempt.objects.get()
    assert (row.call, row.tool, row.agent, row.model, row.raw) == (call, "look", "helper", "demo", GOOD)
    assert (row.version, row.requester, row.outcome, row.next_step) == (
        call.version,
        desk.user,
        "valid",
        "went_on",
    )
    assert chains() == [("first_pass", 1)]
    assert not Fault.objects.exists()


def test_a_bad_call_names_each_fault_by_field_and_kind(desk: Desk, tries: gate.Tries) -> None:
    desk.tool(
        schema={"type": "object", "properties": {"item": {"type": "string"}}, "additionalProperties": False}
    )
    propose(desk, '{"item": {}, "colour": "red"}', tries)
    assert attempts() == [(1, "rejected", "sent_back")]
    faults = Fault.objects.order_by("field").values_list("field", "keyword", "kind")
    assert list(faults) == [
        ("$.colour", "additionalProperties", "unknown_argument"), ("$.item", "type", "type")
    ]  # fmt: skip


def test_a_correction_continues_the_chain(desk: Desk, tries: gate.Tries) -> None:
    desk.tool()
    for raw in (WRONG, OTHER, GOOD):
        propose(desk, raw, tries)
    assert attempts() == [
        (1, "rejected", "corrected"), (2, "rejected", "corrected"), (3, "valid", "went_on")
    ]  # fmt: skip
    assert chains() == [("corrected", 3)]
    assert tries.open_chains == set()


def test_what_the_model_is_told_counts_its_tries(desk: Desk, tries: gate.Tries) -> None:
    """T22, T23."""
    desk.tool()
    first, second = (propose(desk, raw, tries) for raw in (WRONG, OTHER))
    assert first.result and second.result
    assert first.result["content"] != second.result["content"], "never the same wall of text twice"


def test_after_two_corrections_the_person_is_asked(desk: Desk, tries: gate.Tries) -> None:
    """A11: the call stays open with a form; the model is told nothing yet."""
    desk.tool()
    calls = [propose(desk, raw, tries) for raw in (WRONG, OTHER, '{"item": null}')]
    assert [call.status for call in calls] == [CallStatus.REJECTED, CallStatus.REJECTED, CallStatus.ASKING]
    assert attempts()[-1] == (3, "rejected", "asked")
    assert chains() == [("open", 3)]
    asked = calls[-1]
    assert asked.result is None
    assert asked.correction.given == {"item": None}
    checked = desk.events("tool_call.checked")[-1]
    assert checked["verdict"] == "asking"
    assert checked["correction"]["id"] == asked.correction.pk
    assert checked["correction"]["errors"][0]["path"] == "$.item"
    assert checked["correction"]["schema"]["required"] == ["item"]


def test_the_same_bad_call_twice_asks_at_once(desk: Desk, tries: gate.Tries) -> None:
    """T23."""
    desk.tool()
    assert [propose(desk, WRONG, tries).status for _ in range(2)] == ["rejected", "asking"]


def test_a_tool_that_does_not_exist_is_counted_and_given_up(desk: Desk, tries: gate.Tries) -> None:
    """T22."""
    desk.tool()
    assert [propose(desk, "{}", tries, "lok").status for _ in range(2)] == ["refused", "refused"]
    assert attempts() == [(1, "unknown_tool", "sent_back"), (2, "unknown_tool", "gave_up")]
    assert chains() == [("gave_up", 2)]
    assert tries.gave_up
    assert set(Fault.objects.values_list("kind", flat=True)) == {"unknown_tool"}


def test_parallel_calls_are_chains_of_their_own(desk: Desk, tries: gate.Tries) -> None:
    desk.tool()
    for raw in (WRONG, OTHER):
        propose(desk, raw, tries, reply="one")
    for raw in (GOOD, '{"item": "coat"}'):
        propose(desk, raw, tries, reply="two")
    assert chains() == [("corrected", 2), ("corrected", 2)]


def test_the_tries_of_a_run_are_read_back_after_a_crash(desk: Desk, tries: gate.Tries) -> None:
    desk.tool()
    propose(desk, WRONG, tries)
    again = gate.read_tries("r", desk.topic, desk.user.pk)
    assert again.so_far == tries.so_far
    assert propose(desk, WRONG, again).status == CallStatus.ASKING


def test_what_nobody_put_right_is_given_up(desk: Desk, tries: gate.Tries) -> None:
    desk.tool()
    propose(desk, WRONG, tries)
    gate.close_tries(tries.open_chains)
    assert attempts() == [(1, "rejected", "gave_up")]
    assert chains() == [("gave_up", 1)]


def test_where_nobody_can_be_asked_the_call_is_rejected(desk: Desk) -> None:
    desk.tool()
    tries = gate.Tries(may_ask=False)
    assert [propose(desk, WRONG, tries).status for _ in range(2)] == ["rejected", "rejected"]
    assert {then for *_, then in attempts()} == {"gave_up"}
