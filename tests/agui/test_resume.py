"""Interrupts over AG-UI, by the eight rules of their contract; what is carried out is what the gate has (T02, T14)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conversations import actions
from conversations.actions import Answer
from conversations.models import Run
from platform_site.access import actor_for_session
from platform_site.ids import new_id
from platform_site.models import Tenant, User
from tests.agui.conftest import Event, Program, Stream, program_of
from tests.conftest import PASSWORD
from tests.conversations.conftest import HAPPENED, Talk
from tools.catalogue import save_tool
from tools.models import CallStatus, Confirmation, Correction, ToolCall
from tools.registry import find

BUY = 'call buy {"item": "hat"}'
SELL = 'call sell {"item": "house"}'
WRONG = 'call buy {"wrong": 1}\nthen\ncall buy {"wrong": 1}'


def yes(interrupt: Event, **more: Any) -> Event:
    payload = {"approved": True, "digest": interrupt["metadata"].get("digest", "")} | more
    return {"interruptId": interrupt["id"], "status": "resolved", "payload": payload}


def no(interrupt: Event, **more: Any) -> Event:
    return {"interruptId": interrupt["id"], "status": "resolved", "payload": {"approved": False} | more}


def gives_up(interrupt: Event) -> Event:
    return {"interruptId": interrupt["id"], "status": "cancelled"}


def statuses() -> list[str]:
    return [call.status for call in ToolCall.objects.order_by("proposed_at", "position")]


def results(answer: Stream) -> list[str]:
    return [event["metadata"]["status"] for event in answer.events if event["type"] == "TOOL_CALL_RESULT"]


def refused(answer: Stream) -> str:
    """The code of a stream that is one RUN_ERROR."""
    assert answer.status == 200
    (error,) = answer.events
    assert error["type"] == "RUN_ERROR"
    return str(error["code"])


def asked(client: Program, text: str) -> list[Event]:
    return client.say(text).interrupts


def test_an_interrupt_says_what_is_asked_and_what_an_answer_is(client: Program) -> None:
    (interrupt,) = asked(client, BUY)
    confirmation = Confirmation.objects.get()
    assert (interrupt["id"], interrupt["reason"]) == (confirmation.pk, "tool_call")
    assert interrupt["toolCallId"] == confirmation.call.pk
    assert interrupt["metadata"]["arguments"] == {"item": "hat"}
    assert interrupt["responseSchema"]["properties"]["digest"]["const"] == confirmation.digest
    assert interrupt["expiresAt"].endswith("Z")
    assert HAPPENED == []


def test_a_yes_is_carried_out_and_told_in_the_run_that_resumes(client: Program) -> None:
    (interrupt,) = asked(client, BUY)
    answer = client.resume(yes(interrupt), runId="second")
    assert (answer.kinds[0], answer.last["type"], answer.last["runId"]) == (
        "RUN_STARTED",
        "RUN_FINISHED",
        "second",
    )
    (result,) = (event for event in answer.events if event["type"] == "TOOL_CALL_RESULT")
    assert result["toolCallId"] == interrupt["toolCallId"]
    assert "TOOL_CALL_START" not in answer.kinds
    assert answer.last["outcome"] == {"type": "success"}
    assert HAPPENED == [("buy", "hat")]


def test_a_no_is_told_to_the_client_and_to_the_model(client: Program) -> None:
    (interrupt,) = asked(client, BUY)
    answer = client.resume(no(interrupt, reason="too dear"))
    assert answer.kinds[0] == "RUN_STARTED"
    assert results(answer) == ["denied"]
    assert "too dear" in ToolCall.objects.get().result["content"]
    assert answer.last["outcome"] == {"type": "success"}
    assert HAPPENED == []


def test_who_gives_up_says_no(client: Program) -> None:
    (interrupt,) = asked(client, BUY)
    assert results(client.resume(gives_up(interrupt))) == ["denied"]
    assert HAPPENED == []


def test_a_change_that_asks_for_more_is_told_as_a_question(client: Program) -> None:
    """The yes did not count, and nothing runs: a client that was told of success would wait for ever."""
    handler = find("tests.buy")
    assert handler
    dear = {
        "name": "dear",
        "check": "args.item != 'ring'",
        "severity": "critical",
        "message": "That is dear.",
    }
    save_tool(handler.definition() | {"rules": [dear]}, None)
    (interrupt,) = asked(client, BUY)
    answer = client.resume(yes(interrupt, editedArgs={"item": "ring"}))
    (raised,) = answer.interrupts
    assert (raised["id"], raised["metadata"]["risk"]) == (interrupt["id"], "CRITICAL")
    assert raised["responseSchema"]["properties"]["digest"]["const"] == Confirmation.objects.get().digest
    assert client.resume(yes(raised, proof={"password": PASSWORD})).last["outcome"] == {"type": "success"}
    assert Confirmation.objects.get().user_approved, "a reviewer is waited for now"


def test_all_open_questions_are_answered_at_once_or_none(client: Program) -> None:
    """Rule 3: a partial resume does nothing; the questions are told once more."""
    first, second = asked(client, f"{BUY}\n{BUY.replace('hat', 'tie')}")
    partial = client.resume(yes(first))
    assert refused(partial) == "interrupt_open"
    assert [one["id"] for one in partial.last["metadata"]["interrupts"]] == [first["id"], second["id"]]
    assert statuses() == ["held", "held"]
    whole = client.resume(yes(second), no(first))
    assert sorted(results(whole)) == ["denied", "succeeded"]
    assert HAPPENED == [("buy", "tie")]


def test_one_answer_that_is_refused_undoes_the_others(client: Program) -> None:
    first, second = asked(client, f"{BUY}\n{SELL}")
    assert refused(client.resume(yes(first), yes(second))) == "proof_needed"
    assert statuses() == ["held", "held"]
    assert not Run.objects.filter(status="queued").exists()
    whole = client.resume(yes(first), yes(second, proof={"password": PASSWORD}))
    assert results(whole) == ["succeeded", "succeeded"]
    assert sorted(HAPPENED) == [("buy", "hat"), ("sell", "house")]


def test_a_wrong_proof_counts_although_nothing_else_of_its_request_does(client: Program) -> None:
    """T10: AG-UI is no way to try passwords for ever."""
    first, second = asked(client, f"{BUY}\n{SELL}")
    wrong = [yes(first), yes(second, proof={"password": "wrong"})]
    left = []
    for _ in range(5):
        answer = client.resume(*wrong)
        left.append(answer.last["metadata"].get("triesLeft", refused(answer)))
    assert left == [4, 3, 2, 1, "locked_out"]
    assert refused(client.resume(yes(first), yes(second, proof={"password": PASSWORD}))) == "locked_out"
    assert statuses() == ["held", "held"]


def test_open_questions_come_before_new_words(client: Program) -> None:
    """Rule 4."""
    (interrupt,) = asked(client, BUY)
    client.messages.append({"id": "a", "role": "assistant", "content": "…"})
    blocked = client.say("echo something else")
    assert refused(blocked) == "interrupt_open"
    assert blocked.last["metadata"]["interrupts"][0]["id"] == interrupt["id"]
    assert statuses() == ["held"]
    given_up = client.run(resume=[gives_up(interrupt)])
    assert given_up.text == "something else"
    assert results(given_up) == ["withdrawn"]
    assert Run.objects.count() == 2


def test_a_yes_and_new_words_do_not_go_together(client: Program) -> None:
    (interrupt,) = asked(client, BUY)
    client.messages.append({"id": "a", "role": "assistant", "content": "…"})
    assert refused(client.say("echo and", resume=[yes(interrupt)])) == "bad_request"
    assert statuses() == ["held"]


def test_the_same_resume_again_is_the_same_run(client: Program) -> None:
    """Rule 5: sent again it does nothing again; under another run's name it is stale."""
    (interrupt,) = asked(client, BUY)
    first = client.resume(yes(interrupt), runId="r")
    again = client.run(resume=[yes(interrupt)], runId="r")
    assert set(again.kinds) == set(first.kinds)
    assert again.text == first.text
    assert refused(client.run(resume=[yes(interrupt)])) == "conflict"
    assert refused(client.run(resume=[no(interrupt)])) == "conflict"
    assert HAPPENED == [("buy", "hat")]


def test_an_answer_to_a_question_nobody_asked_is_an_error(client: Program) -> None:
    """Rule 2."""
    (interrupt,) = asked(client, BUY)
    assert refused(client.resume(yes(interrupt), yes(interrupt | {"id": new_id()}))) == "unknown_interrupt"
    assert refused(client.resume(gives_up({"id": "no such"}))) == "unknown_interrupt"
    assert refused(client.resume(yes(interrupt), no(interrupt))) == "bad_request"
    assert statuses() == ["held"]


def test_an_answer_comes_on_the_thread_that_asked(client: Program) -> None:
    """Rule 1."""
    (interrupt,) = asked(client, BUY)
    thread, client.thread = client.thread, "another"
    assert refused(client.resume(yes(interrupt))) == "unknown_interrupt"
    client.thread = thread
    assert results(client.resume(yes(interrupt))) == ["succeeded"]


@pytest.mark.parametrize("swept", [False, True])
def test_a_question_that_is_over_can_only_be_given_up(swept: bool, client: Program) -> None:
    """Rule 7."""
    from tools import gate

    (interrupt,) = asked(client, BUY)
    Confirmation.objects.update(decide_by=timezone.now() - timedelta(seconds=1))
    if swept:
        gate.expire(timezone.now())
    assert refused(client.resume(yes(interrupt))) == "expired"
    answer = client.resume(gives_up(interrupt))
    assert answer.last["outcome"] == {"type": "success"}
    assert HAPPENED == []


PAYLOADS: dict[str, Any] = {
    "none": None,
    "a plain yes": True,
    "an empty object": {},
    "a text for a yes": {"approved": "true"},
    "another tool": {"approved": True, "name": "wipe"},
    "other arguments": {"approved": True, "arguments": {"item": "yacht"}},
    "another call": {"approved": True, "toolCallId": "x"},
}


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=list(PAYLOADS))
def test_a_payload_has_to_be_an_answer(payload: Any, client: Program) -> None:
    """Rules 6 and 8; T02: nothing beside the answer is taken from a client."""
    (interrupt,) = asked(client, BUY)
    assert refused(client.resume(yes(interrupt) | {"payload": payload})) == "bad_request"
    assert statuses() == ["held"]
    assert results(client.resume(yes(interrupt))) == ["succeeded"]
    assert HAPPENED == [("buy", "hat")]


def test_a_yes_is_to_what_was_shown(client: Program) -> None:
    """T12: another digest is refused; a yes without one counts only while nothing else was ever shown."""
    (interrupt,) = asked(client, BUY)
    assert refused(client.resume(yes(interrupt, digest="0" * 64))) == "digest_mismatch"
    Confirmation.objects.update(digest="1" * 64)
    assert refused(client.resume(yes(interrupt, digest=""))) == "digest_mismatch"
    Confirmation.objects.update(digest=interrupt["metadata"]["digest"])
    entry = yes(interrupt)
    del entry["payload"]["digest"]
    assert results(client.resume(entry)) == ["succeeded"]


def test_a_yes_may_put_other_arguments_in_the_place_of_those_shown(client: Program) -> None:
    """Approve with edits: checked like all arguments, and a wrong one leaves the question open."""
    (interrupt,) = asked(client, BUY)
    wrong = client.resume(yes(interrupt, editedArgs={"item": 7}))
    assert refused(wrong) == "invalid_arguments"
    assert wrong.last["metadata"]["errors"][0]["path"] == "$.item"
    assert statuses() == ["held"]
    assert results(client.resume(yes(interrupt, editedArgs={"item": "tie"}))) == ["succeeded"]
    assert HAPPENED == [("buy", "tie")]


def test_what_was_decided_elsewhere_meanwhile_is_stale(client: Program, talk: Talk) -> None:
    (interrupt,) = asked(client, BUY)
    actions.decide(talk.actor, interrupt["id"], Answer("reject", interrupt["metadata"]["digest"]))
    assert refused(client.resume(yes(interrupt))) == "conflict"
    assert HAPPENED == []


def test_a_reviewers_yes_is_waited_for_without_a_run(client: Program, rita: User, tenant: Tenant) -> None:
    (interrupt,) = asked(client, 'call wipe {"item": "disk"}')
    answer = client.resume(yes(interrupt, proof={"password": PASSWORD}))
    assert answer.kinds == ["RUN_STARTED", "tool_call.status", "RUN_FINISHED"]
    assert statuses() == ["held"]
    assert HAPPENED == []
    actor = actor_for_session(rita, tenant.slug)
    assert actor
    question = Confirmation.objects.get()
    proven = Answer("approve", question.digest, {"password": PASSWORD})
    actions.decide(actor, question.pk, proven)
    assert client.talk and client.talk.move().cause == "decision"
    assert HAPPENED == [("wipe", "disk")]


def test_only_who_asked_answers(client: Program, rita: User, tenant: Tenant) -> None:
    """T03, T33: not even a reviewer, on a conversation that is not theirs."""
    (interrupt,) = asked(client, BUY)
    actor = actor_for_session(rita, tenant.slug)
    assert actor
    for thread, status in ((client.thread, 200), (Confirmation.objects.get().call.topic, 404)):
        hers = program_of(actor, "chat", "review", thread=thread)
        answer = hers.run(resume=[yes(interrupt)])
        assert answer.status == status
        assert status == 404 or refused(answer) == "unknown_interrupt"
    assert statuses() == ["held"]


def test_arguments_are_asked_for_and_put_right(client: Program) -> None:
    """`input_required`: the tool's own schema is the answer's."""
    (interrupt,) = asked(client, WRONG)
    assert (interrupt["reason"], interrupt["id"]) == ("input_required", Correction.objects.get().pk)
    assert "item" in interrupt["responseSchema"]["properties"]
    entry = {"interruptId": interrupt["id"], "status": "resolved"}
    wrong = client.resume(entry | {"payload": {"item": 7}})
    assert refused(wrong) == "invalid_arguments"
    assert wrong.last["metadata"]["errors"][0]["path"] == "$.item"
    assert refused(client.resume(entry | {"payload": "hat"})) == "bad_request"
    again = client.resume(entry | {"payload": {"item": "hat"}})
    (question,) = again.interrupts
    assert question["metadata"]["arguments"] == {"item": "hat"}
    assert HAPPENED == []
    assert results(client.resume(yes(question))) == ["succeeded"]
    assert HAPPENED == [("buy", "hat")]


def test_arguments_that_are_asked_for_can_be_refused(client: Program) -> None:
    (interrupt,) = asked(client, WRONG)
    assert "withdrawn" in results(client.resume(gives_up(interrupt)))
    assert CallStatus.ASKING not in statuses()
    assert HAPPENED == []


def test_a_token_that_may_not_chat_answers_nothing(client: Program, talk: Talk) -> None:
    """T39."""
    (interrupt,) = asked(client, BUY)
    reader = program_of(talk.actor, "read", thread=client.thread)
    assert reader.run(resume=[yes(interrupt)]).status == 403
    assert statuses() == ["held"]
