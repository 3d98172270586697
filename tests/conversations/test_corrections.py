"""A model that cannot get a call right: the person is asked, answers, and the turn goes on (A11, T23)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from agents import providers
from agents.messages import Request
from agents.models import Agent
from agents.spec import ModelSpec
from agents.stream import CallDelta, Finish, Reply, StreamEvent, TextDelta
from conversations import actions, ending, steps
from conversations.models import Run
from platform_site.errors import Problem
from tests.conversations.conftest import HAPPENED, Talk
from tools import gate
from tools.models import CallAttempt, Correction, ToolCall

BAD = '{"wrong": 1}'


class Scripted:
    """A model that gives these replies one after another; a reply is text, or (tool, raw arguments) pairs."""

    name, is_demo = "demo", True

    def __init__(self, *replies: str | list[tuple[str, str]]) -> None:
        self.replies: Iterator[str | list[tuple[str, str]]] = iter(replies)
        self.asked: list[Request] = []

    async def stream(self, request: Request, model: ModelSpec) -> AsyncIterator[StreamEvent]:
        self.asked.append(request)
        reply = next(self.replies)
        if isinstance(reply, str):
            yield TextDelta(reply)
        else:
            for index, (name, raw) in enumerate(reply):
                yield CallDelta(index, f"x{index}", name, raw)
        yield Finish("stop", "scripted")

    def told(self) -> list[str]:
        """What the last request's last message answers."""
        return [part.content for part in self.asked[-1].messages[-1].parts]  # type: ignore[union-attr]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Any:
    def use(*replies: str | list[tuple[str, str]]) -> Scripted:
        scripted = Scripted(*replies)
        monkeypatch.setattr(providers, "get", lambda _: scripted)
        return scripted

    return use


def submit(talk: Talk, given: dict[str, Any] | None) -> Any:
    form = Correction.objects.filter(status="pending").order_by("created_at").first()
    assert form, "nobody is asked for anything"
    return actions.submit(talk.actor, form.pk, given)


def test_the_run_ends_with_a_form_and_goes_on_with_the_answer(talk: Talk, model: Any) -> None:
    scripted = model([("look", BAD)], [("look", BAD)], "There it is.")
    run = talk.turn("look at a hat")
    assert (run.status, run.outcome) == ("finished", "interrupt")
    (question,) = talk.log()[-1]["outcome"]["interrupts"]
    assert (question["reason"], question["responseSchema"]["required"]) == ("input_required", ["item"])
    assert question["metadata"]["errors"][0]["path"].startswith("$.")

    verdict = submit(talk, {"item": "hat"})
    assert isinstance(verdict, actions.Submitted)
    second = talk.move(Run.objects.get(pk=verdict.run))
    assert (second.cause, second.outcome, HAPPENED) == ("correction", "success", [("look", "hat")])
    assert 'The person put the arguments right before this ran: {"item": "hat"}' in scripted.told()[0]
    assert talk.statuses() == ["rejected", "succeeded"]


def test_a_confirm_call_asks_twice_for_arguments_and_then_for_a_yes(talk: Talk, model: Any) -> None:
    model([("buy", BAD)], [("buy", BAD)], "Bought.")
    talk.turn("buy a hat")
    assert talk.move(Run.objects.get(pk=submit(talk, {"item": "hat"}).run)).outcome == "interrupt"
    assert HAPPENED == []
    talk.decide()
    assert talk.move().outcome == "success"
    assert HAPPENED == [("buy", "hat")]


def test_dropping_it_goes_back_to_the_model(talk: Talk, model: Any) -> None:
    scripted = model([("look", BAD)], [("look", BAD)], "As you like.")
    talk.turn("look at a hat")
    assert talk.move(Run.objects.get(pk=submit(talk, None).run)).outcome == "success"
    assert "chose to drop it" in scripted.told()[0]
    assert HAPPENED == []


def test_wrong_arguments_of_a_person_start_nothing(talk: Talk, model: Any) -> None:
    model([("look", BAD)], [("look", BAD)])
    talk.turn("look at a hat")
    runs = Run.objects.count()
    assert isinstance(submit(talk, {"item": 7}), gate.StillWrong)
    assert (Run.objects.count(), talk.statuses()[-1]) == (runs, "asking")


def test_a_new_message_instead_of_an_answer_takes_the_question_back(talk: Talk, model: Any) -> None:
    scripted = model([("look", BAD)], [("look", BAD)], "Never mind the hat.")
    talk.turn("look at a hat")
    assert talk.turn("forget it").outcome == "success"
    assert [call.status for call in talk.calls()] == ["rejected", "withdrawn"]
    told = [
        part.content
        for message in scripted.asked[-1].messages
        if message.role == "tool"
        for part in message.parts
    ]  # type: ignore[union-attr]
    assert "wrote a new message" in told[-1]
    assert CallAttempt.objects.get(number=1).chain_result == "gave_up"


def test_a_stop_takes_the_question_back(talk: Talk, model: Any) -> None:
    model([("look", BAD)], [("look", BAD)])
    run = talk.turn("look at a hat")
    actions.stop_run(talk.actor, run.pk)
    assert (talk.statuses()[-1], Correction.objects.get().status) == ("withdrawn", "withdrawn")


def test_the_other_calls_of_the_reply_are_carried_out(talk: Talk, model: Any) -> None:
    """T11: one is asked about, its sibling runs; the answer does not run the sibling again."""
    model([("look", BAD)], [("look", BAD), ("look", '{"item": "coat"}')], "Both seen.")
    talk.turn("look at a hat and a coat")
    assert HAPPENED == [("look", "coat")]
    talk.move(Run.objects.get(pk=submit(talk, {"item": "hat"}).run))
    assert HAPPENED == [("look", "coat"), ("look", "hat")]


def test_a_corrected_call_counts_in_its_turn_only(talk: Talk, model: Any) -> None:
    """A mistake of the last turn is not held against the next."""
    model([("look", BAD)], "I cannot.", [("look", BAD)], "Still not.")
    assert talk.turn("look at a hat").outcome == "success"
    assert talk.turn("look at a hat").outcome == "success"
    results = CallAttempt.objects.order_by("created_at").values_list("number", "chain_result")
    assert list(results) == [(1, "gave_up"), (1, "gave_up")]


def test_a_tool_that_does_not_exist_ends_the_turn_at_last(talk: Talk, model: Any) -> None:
    """T22, T23."""
    model(*[[("lok", '{"item": "hat"}')]] * 5)
    run = talk.turn("look at a hat")
    assert (run.status, run.error_code) == ("failed", "repeated_call")
    assert talk.statuses() == ["refused", "refused"]


def test_a_call_written_as_text_is_held_whatever_its_risk(talk: Talk, model: Any) -> None:
    """A14: recognised as a call, and never run without a yes."""
    scripted = model('I will look.\n```json\n{"name": "look", "arguments": {"item": "hat"}}\n```', "Seen.")
    assert talk.turn("look at a hat").outcome == "interrupt"
    (call,) = talk.calls()
    assert (call.status, call.risk, call.attempts.get().source) == ("held", "CONFIRM", "text")
    assert {"name": "written_as_text"} in call.flags
    assert HAPPENED == []
    talk.decide()
    assert talk.move().outcome == "success"
    assert HAPPENED == [("look", "hat")]
    assert '"price": 5' in scripted.told()[0]


def test_a_written_call_of_an_unknown_tool_warns_the_person(talk: Talk, model: Any) -> None:
    """A14."""
    model('<tool_call>{"name": "teleport", "arguments": {"to": "Mars"}}</tool_call>')
    assert talk.turn("go").outcome == "success"
    assert not ToolCall.objects.exists()
    (end,) = [event for event in talk.log() if event["type"] == "TEXT_MESSAGE_END"]
    (warning,) = end["metadata"]["warnings"]
    assert (warning["code"], warning["name"]) == ("written_call", "teleport")
    assert "teleport" in warning["message"]


def test_talk_about_a_tool_is_no_call(talk: Talk, model: Any) -> None:
    model("I could look at a hat for you, or call look if you like.")
    talk.turn("go")
    assert not ToolCall.objects.exists()
    (end,) = [event for event in talk.log() if event["type"] == "TEXT_MESSAGE_END"]
    assert "warnings" not in end["metadata"]


def test_somebody_else_cannot_answer(talk: Talk, model: Any, rita: Any) -> None:
    from dataclasses import replace

    from platform_site.models import Role

    model([("look", BAD)], [("look", BAD)])
    talk.turn("look at a hat")
    other = replace(talk.actor, user=rita, role=Role.REVIEWER)
    with pytest.raises(Problem) as refused:
        actions.submit(other, Correction.objects.get().pk, {"item": "hat"})
    assert refused.value.code == "not_found"


def test_what_was_put_right_does_not_happen_after_a_stop(talk: Talk, model: Any) -> None:
    """Stop means that what was not sent does not happen: not in this turn, and not in the next."""
    model([("look", BAD)], [("look", BAD)], "Hello.")
    talk.turn("look at a hat")
    run = Run.objects.get(pk=submit(talk, {"item": "hat"}).run)
    Run.objects.filter(pk=run.pk).update(stop_requested=True)
    turn = steps.claim(run.pk, "tests")
    assert turn
    ending.cancel(turn, Reply())
    assert talk.turn("hello").outcome == "success"
    assert (HAPPENED, talk.statuses()) == ([], ["rejected", "withdrawn"])


def test_what_was_put_right_does_not_happen_after_a_failure(talk: Talk, model: Any) -> None:
    model([("look", BAD)], [("look", BAD)], "Hello.")
    talk.turn("look at a hat")
    ending.give_up(submit(talk, {"item": "hat"}).run)
    talk.turn("hello")
    assert (HAPPENED, talk.statuses()) == ([], ["rejected", "withdrawn"])


def test_an_agent_switched_off_meanwhile_does_nothing_later(talk: Talk, model: Any) -> None:
    model([("look", BAD)], [("look", BAD)], "Hello.")
    talk.turn("look at a hat")
    run = Run.objects.get(pk=submit(talk, {"item": "hat"}).run)
    Agent.objects.update(is_enabled=False)
    assert talk.move(run).status == "failed"
    Agent.objects.update(is_enabled=True)
    talk.turn("hello")
    assert HAPPENED == []


def test_another_members_message_does_not_close_the_form(talk: Talk, model: Any, adam: Any) -> None:
    """A group: Bob is asked; Adam writes; what Bob fills in still counts as his correction."""
    model([("look", BAD)], [("look", BAD)], "Seen.")
    talk.turn("look at a hat")
    assert gate.read_tries("", talk.conversation.pk, adam.pk).open_chains == set()
    assert gate.read_tries("", talk.conversation.pk, talk.actor.user.pk).open_chains == set(), (
        "it waits for Bob"
    )
