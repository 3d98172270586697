"""A turn from the message to the answer, and everything that can stand between."""

from __future__ import annotations

from conversations.models import Message
from tests.conversations.conftest import HAPPENED, PASSWORD, Talk
from tools import gate
from tools.models import ToolCall


def test_a_plain_answer(talk: Talk) -> None:
    run = talk.turn("hello")
    assert (run.status, run.outcome) == ("finished", "success")
    assert talk.kinds() == [
        "message.user",
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    answer = Message.objects.get(role="assistant")
    assert answer.parts == [{"kind": "text", "text": talk.texts()[0]}]
    assert answer.model == "demo"
    end = next(event for event in talk.log() if event["type"] == "TEXT_MESSAGE_END")
    assert end["metadata"]["length"] == len(talk.texts()[0])
    assert end["metadata"]["demo"] is True


def test_a_safe_call_runs_at_once_and_the_model_hears_of_it(talk: Talk) -> None:
    run = talk.turn('call look {"item": "hat"}')
    assert run.outcome == "success"
    assert HAPPENED == [("look", "hat")]
    assert talk.statuses() == ["succeeded"]
    assert "5" in talk.texts()[-1]
    middle = talk.kinds()
    start = middle.index("TOOL_CALL_START")
    assert middle[start : start + 6] == [
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "tool_call.checked",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START",
    ]


def test_a_confirm_call_ends_the_run_and_runs_after_the_yes(talk: Talk) -> None:
    run = talk.turn('call buy {"item": "hat"}')
    assert run.outcome == "interrupt"
    assert HAPPENED == []
    finished = talk.log()[-1]
    (interrupt,) = finished["outcome"]["interrupts"]
    assert interrupt["metadata"]["arguments"] == {"item": "hat"}
    assert interrupt["metadata"]["ceremony"] == "simple"
    assert talk.decide() == gate.Decided("approved", ready=True)
    assert talk.move().outcome == "success"
    assert HAPPENED == [("buy", "hat")]


def test_a_no_is_told_to_the_model_and_nothing_happens(talk: Talk) -> None:
    talk.turn('call buy {"item": "hat"}')
    talk.decide("reject", reason="too dear")
    talk.move()
    assert HAPPENED == []
    assert talk.statuses() == ["denied"]
    result = next(event for event in talk.log() if event["type"] == "TOOL_CALL_RESULT")
    assert "too dear" in result["content"]


def test_a_critical_call_needs_the_password(talk: Talk) -> None:
    talk.turn('call sell {"item": "house"}')
    refused = talk.decide()
    assert isinstance(refused, gate.Refused)
    assert refused.code == "proof_needed"
    refused = talk.decide(proof={"password": "guess"})
    assert isinstance(refused, gate.Refused)
    assert refused.code == "proof_wrong"
    assert talk.decide(proof={"password": PASSWORD}) == gate.Decided("approved", ready=True)
    talk.move()
    assert HAPPENED == [("sell", "house")]


def test_wrong_passwords_are_counted_over_all_questions(talk: Talk) -> None:
    """T67: a new question is only a message away."""
    for number in range(3):
        talk.turn(f'call sell {{"item": "house {number}"}}')
        for _ in range(4):
            talk.decide(proof={"password": "guess"})
        talk.decide("reject")
        talk.move()
    talk.turn('call sell {"item": "house"}')
    refused = talk.decide(proof={"password": PASSWORD})
    assert isinstance(refused, gate.Refused)
    assert refused.code == "locked_out"
    assert HAPPENED == []


def test_a_call_that_a_reviewer_must_see_waits_and_the_talk_goes_on(talk: Talk) -> None:
    talk.turn('call wipe {"item": "disk"}')
    decided = talk.decide(proof={"password": PASSWORD})
    assert decided == gate.Decided("pending", ready=False)
    assert talk.statuses() == ["held"]
    run = talk.turn("hello")
    assert run.outcome == "success"
    assert talk.statuses() == ["held"]
    assert HAPPENED == []


def test_parallel_calls_answer_in_order_and_one_failure_hurts_no_other(talk: Talk) -> None:
    run = talk.turn('call look {"item": "a"}\ncall crash {"item": "b"}\ncall look {"item": "c"}')
    assert run.outcome == "success"
    assert sorted(HAPPENED) == [("look", "a"), ("look", "c")]
    assert [(call.name, call.position) for call in talk.calls()] == [("look", 0), ("crash", 1), ("look", 2)]
    assert talk.statuses() == ["succeeded", "unknown", "succeeded"]


def test_approving_one_of_two_releases_only_that_one(talk: Talk) -> None:
    """T11."""
    talk.turn('call buy {"item": "hat"}\ncall buy {"item": "coat"}')
    talk.decide()
    run = talk.move()
    assert run.outcome == "interrupt"
    assert HAPPENED == [("buy", "hat")]
    talk.decide("reject")
    assert talk.move().outcome == "success"
    assert HAPPENED == [("buy", "hat")]
    assert talk.statuses() == ["succeeded", "denied"]


def test_a_new_message_withdraws_what_waited_for_its_writer(talk: Talk) -> None:
    talk.turn('call buy {"item": "hat"}')
    run = talk.turn("never mind, hello")
    assert run.outcome == "success"
    assert talk.statuses() == ["withdrawn"]
    assert HAPPENED == []


def test_a_tool_that_does_not_exist_is_answered_and_the_turn_goes_on(talk: Talk) -> None:
    """T22."""
    run = talk.turn('call lok {"item": "hat"}')
    assert run.outcome == "success"
    assert talk.statuses() == ["refused"]
    result = next(event for event in talk.log() if event["type"] == "TOOL_CALL_RESULT")
    assert "look" in result["content"]


def test_bad_arguments_are_told_with_their_path(talk: Talk) -> None:
    talk.turn('call look {"itm": "hat"}')
    (call,) = talk.calls()
    assert call.status == "rejected"
    assert HAPPENED == []
    checked = next(event for event in talk.log() if event.get("name") == "tool_call.checked")
    assert checked["value"]["verdict"] == "rejected"
    assert {error["keyword"] for error in checked["value"]["errors"]} >= {"required"}


def test_no_more_rounds_than_the_agent_has(talk: Talk, monkeypatch: object) -> None:
    """M7, G4."""
    replies = (f'{{"item": "{number}"}}' for number in range(100))
    _always_call(monkeypatch, lambda: ("look", next(replies)))
    run = talk.turn("go on")
    assert (run.status, run.error_code) == ("failed", "max_rounds")
    assert len(HAPPENED) == 4
    assert talk.kinds()[-1] == "RUN_ERROR"


def test_the_same_call_again_and_again_is_stopped(talk: Talk, monkeypatch: object) -> None:
    """T23, M7."""
    _always_call(monkeypatch, lambda: ("look", '{"item": "hat"}'))
    run = talk.turn("go on")
    assert (run.status, run.error_code) == ("failed", "repeated_call")
    assert len(HAPPENED) == 2
    assert not ToolCall.objects.filter(status__in=["cleared", "claimed", "held"]).exists()


def _always_call(monkeypatch: object, what: object) -> None:
    """A model that answers with one call, whatever it is told."""
    from collections.abc import AsyncIterator

    from agents import providers
    from agents.messages import Request
    from agents.spec import ModelSpec
    from agents.stream import CallDelta, Finish, StreamEvent

    class Stubborn:
        name, is_demo = "demo", True

        async def stream(self, request: Request, model: ModelSpec) -> AsyncIterator[StreamEvent]:
            name, arguments = what()  # type: ignore[operator]
            yield CallDelta(0, "x", name, arguments)
            yield Finish("stop", "stubborn")

    monkeypatch.setattr(providers, "get", lambda _: Stubborn())  # type: ignore[attr-defined]


def test_a_message_that_waits_is_answered_in_its_own_turn(talk: Talk) -> None:
    first, second = talk.say("echo one"), talk.say("echo two")
    talk.move(first)
    talk.move(second)
    assert [text.strip() for text in talk.texts()] == ["one", "two"]


def test_the_log_is_numbered_without_gaps(talk: Talk) -> None:
    from platform_site import ledger

    talk.turn('call look {"item": "hat"}')
    talk.turn('call buy {"item": "hat"}')
    seqs = [seq for seq, _ in ledger.since(talk.conversation.pk, 0)]
    assert seqs == list(range(1, len(seqs) + 1))
