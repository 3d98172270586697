"""Confirmations over HTTP: who sees them, who decides, and that nothing but the decision is taken from the caller."""

from __future__ import annotations

from typing import Any

import pytest

from conversations.models import Conversation, Run
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.conftest import As, same_as_absent
from tests.api.made import hold, make_conversation
from tests.conftest import PASSWORD
from tools.models import CallStatus, Confirmation, ToolCall


@pytest.fixture
def held(tenant: Tenant, bob: User, talk: Conversation) -> Confirmation:
    with acting_for(tenant):
        return hold(talk, bob)


def yes(confirmation: Confirmation, **more: Any) -> dict[str, Any]:
    return {"decision": "approve", "digest": confirmation.digest, **more}


def status_of(call: ToolCall) -> str:
    return ToolCall.objects.across_tenants().get(pk=call.pk).status


def test_what_waits_for_me_is_shown_as_it_will_be_carried_out(
    program: As, bob: User, held: Confirmation
) -> None:
    (told,) = program(bob).get("confirmations", status="pending").json()["results"]
    assert told == program(bob).get(f"confirmations/{held.pk}").json()
    assert (told["digest"], told["ceremony"], told["by"], told["needs_reviewer"]) == (
        held.digest,
        "simple",
        "user",
        False,
    )
    assert (told["call"]["arguments"], told["call"]["name"]) == ({"query": "shoes"}, "create_order")
    assert program(bob).get("confirmations", status="approved").json()["results"] == []


def test_a_reviewer_sees_what_waits_in_the_whole_tenant(program: As, rita: User, held: Confirmation) -> None:
    assert [row["id"] for row in program(rita).get("confirmations").json()["results"]] == [held.pk]


def test_without_the_scope_a_reviewer_sees_their_own(program: As, rita: User, held: Confirmation) -> None:
    assert program(rita, "chat").get("confirmations").json()["results"] == []


def test_an_approval_queues_the_run_that_acts_on_it(
    program: As, tenant: Tenant, bob: User, held: Confirmation
) -> None:
    answer = program(bob).post(f"confirmations/{held.pk}/decide", yes(held))
    assert (answer.status_code, answer.json()) == (200, {"status": "approved"})
    assert status_of(held.call) == CallStatus.APPROVED
    with acting_for(tenant):
        assert Run.objects.get(status="queued").cause == "decision"


def test_a_rejection_is_told(program: As, bob: User, held: Confirmation) -> None:
    body = {"decision": "reject", "digest": held.digest, "reason": "Too dear"}
    assert program(bob).post(f"confirmations/{held.pk}/decide", body).json() == {"status": "denied"}
    assert status_of(held.call) == CallStatus.DENIED


def test_a_second_decision_is_a_conflict(program: As, tenant: Tenant, bob: User, held: Confirmation) -> None:
    """T08."""
    program(bob).post(f"confirmations/{held.pk}/decide", yes(held))
    again = program(bob).post(
        f"confirmations/{held.pk}/decide", {"decision": "reject", "digest": held.digest}
    )
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert status_of(held.call) == CallStatus.APPROVED
    with acting_for(tenant):
        assert Run.objects.filter(status="queued").count() == 1


def test_the_same_decision_sent_again_under_its_key_has_its_first_answer(
    program: As, bob: User, held: Confirmation
) -> None:
    path = f"confirmations/{held.pk}/decide"
    first, second = [program(bob).post(path, yes(held), Idempotency_Key="d1") for _ in range(2)]
    assert (
        (first.status_code, first.json())
        == (second.status_code, second.json())
        == (200, {"status": "approved"})
    )


def test_a_digest_of_something_else_is_refused(program: As, bob: User, held: Confirmation) -> None:
    """T01."""
    answer = program(bob).post(f"confirmations/{held.pk}/decide", {"decision": "approve", "digest": "0" * 64})
    assert (answer.status_code, answer.json()["code"]) == (409, "digest_mismatch")
    assert status_of(held.call) == CallStatus.HELD


@pytest.mark.parametrize(
    "forged",
    [
        {"name": "delete_account"}, {"tool": "delete_account"}, {"tool_id": "1"}, {"version": 2}, {"risk": "SAFE"},
        {"call": {"arguments": {}}}, {"status": "approved"}, {"requester": "me"}, {"tenant": "globex"},
        {"confirmed": True}, {"proof": {"token": "x"}},
    ],
)  # fmt: skip
def test_nothing_but_the_decision_is_taken_from_the_caller(
    program: As, bob: User, held: Confirmation, forged: dict[str, Any]
) -> None:
    """T02: whatever else an approval carries is refused, and what is stored stays what it was."""
    answer = program(bob).post(f"confirmations/{held.pk}/decide", yes(held, **forged))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    call = ToolCall.objects.across_tenants().get(pk=held.call_id)
    assert (call.status, call.arguments) == (CallStatus.HELD, {"query": "shoes"})


@pytest.mark.parametrize(
    "body",
    [
        {}, {"decision": "approve"}, {"decision": "maybe", "digest": ""}, {"decision": True, "digest": ""},
        {"decision": "approve", "digest": None}, {"decision": "approve", "digest": "0" * 65},
        {"decision": "approve", "digest": "", "proof": "password"},
    ],
)  # fmt: skip
def test_a_decision_that_is_not_one_is_refused(
    program: As, bob: User, held: Confirmation, body: dict[str, Any]
) -> None:
    assert program(bob).post(f"confirmations/{held.pk}/decide", body).status_code == 400
    assert status_of(held.call) == CallStatus.HELD


@pytest.fixture
def critical(tenant: Tenant, bob: User, rita: User, talk: Conversation) -> Confirmation:
    with acting_for(tenant):
        return hold(talk, bob, risk="CRITICAL", confirmation={"by": "user", "proof": "password"})


def test_a_critical_call_asks_for_proof(program: As, bob: User, critical: Confirmation) -> None:
    path = f"confirmations/{critical.pk}/decide"
    answers = [
        program(bob).post(path, yes(critical)),
        program(bob).post(path, yes(critical, proof={"password": "wrong"})),
        program(bob).post(path, yes(critical, proof={"password": PASSWORD})),
    ]
    told = [(answer.status_code, answer.json().get("code")) for answer in answers]
    assert told == [(403, "proof_needed"), (403, "proof_wrong"), (200, None)]


def test_guessing_a_password_locks_the_question(program: As, bob: User, critical: Confirmation) -> None:
    guess = lambda word: program(bob).post(  # noqa: E731
        f"confirmations/{critical.pk}/decide", yes(critical, proof={"password": word})
    )
    for _ in range(5):
        last = guess("wrong")
    assert (last.status_code, last.json()["code"]) == (429, "locked_out")
    assert guess(PASSWORD).status_code == 429
    assert status_of(critical.call) == CallStatus.HELD


def test_with_a_reviewer_the_requesters_yes_is_half(
    program: As, tenant: Tenant, bob: User, rita: User, talk: Conversation
) -> None:
    with acting_for(tenant):
        both = hold(talk, bob, risk="CRITICAL", confirmation={"by": "user+reviewer", "proof": "none"})
    path = f"confirmations/{both.pk}/decide"
    assert program(bob).post(path, yes(both)).json() == {"status": "pending"}
    assert program(rita).post(path, yes(both)).json() == {"status": "approved"}


def test_a_reviewer_does_not_decide_for_the_person(program: As, rita: User, held: Confirmation) -> None:
    """T09: what Bob is asked, Bob alone answers."""
    answer = program(rita).post(f"confirmations/{held.pk}/decide", yes(held))
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert status_of(held.call) == CallStatus.HELD


def test_a_token_that_may_only_read_decides_nothing(program: As, bob: User, held: Confirmation) -> None:
    answer = program(bob, "read").post(f"confirmations/{held.pk}/decide", yes(held))
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert status_of(held.call) == CallStatus.HELD


@pytest.mark.parametrize(("method", "path"), [("get", ""), ("post", "/decide")])
def test_a_colleagues_question_is_as_if_it_were_not_there(
    program: As, tenant: Tenant, bob: User, rita: User, talk: Conversation, method: str, path: str
) -> None:
    """T33: Rita's own conversation asks Rita; Bob, a member, learns nothing of it."""
    with acting_for(tenant):
        hers = hold(make_conversation(talk.agent, rita), rita)
    body = {"body": yes(hers)} if method == "post" else {}
    same_as_absent(program(bob), method, "confirmations/{id}" + path, hers.pk, **body)
    assert status_of(hers.call) == CallStatus.HELD


@pytest.mark.parametrize(("method", "path"), [("get", ""), ("post", "/decide")])
def test_another_tenants_question_is_as_if_it_were_not_there(
    program: As,
    rita: User,
    other_tenant: Tenant,
    charlie: User,
    elsewhere: Conversation,
    method: str,
    path: str,
) -> None:
    """T32: not even for a reviewer."""
    with acting_for(other_tenant):
        theirs = hold(elsewhere, charlie)
    body = {"body": yes(theirs)} if method == "post" else {}
    same_as_absent(program(rita), method, "confirmations/{id}" + path, theirs.pk, **body)
    assert status_of(theirs.call) == CallStatus.HELD


def test_with_its_conversation_a_question_is_withdrawn(
    program: As, bob: User, rita: User, talk: Conversation, held: Confirmation
) -> None:
    """T10: nobody can approve what was asked in a conversation that is gone."""
    program(bob).delete(f"conversations/{talk.pk}")
    assert program(rita).get(f"confirmations/{held.pk}").json()["status"] == "withdrawn"
    answer = program(rita).post(f"confirmations/{held.pk}/decide", yes(held))
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
