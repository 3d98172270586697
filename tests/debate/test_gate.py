"""Personas' tools in a debate: one gate, one memory of what was read, one budget."""

from __future__ import annotations

from typing import Any

import pytest

from agents.catalogue import save_agent, save_model
from agents.messages import ImagePart
from agents.stream import TextDelta
from conversations import actions, saying, uploads
from conversations.models import Participant, Run
from conversations.saying import Words
from conversations.uploads_models import Upload
from conversations.uploads_picture import Kept, made_anew
from platform_site.access import actor_for_session
from platform_site.errors import Problem
from platform_site.models import User
from tests.debate import folding
from tests.debate.conftest import (
    HAPPENED,
    PASSWORD,
    Debated,
    by_turn,
    definition,
    note,
    persona,
    place,
    says,
    text_of,
)
from tests.uploads.pictures import picture
from tests.usage.made import set_limit
from tools import gate
from tools.catalogue import save_tool
from tools.models import Confirmation, Job, ToolCall
from tools.registry import find

WHOLE = [("cognito", 1), ("muse", 2), ("cognito", 3), ("muse", 4), ("", 0)]


def first_call(turn: int, *calls: tuple[str, dict[str, Any]]) -> Any:
    """These calls in the first reply of a turn."""
    made: list[int] = []

    def play(request: Any) -> Any:
        if place(request)["turn"] == turn and not made:
            made.append(1)
            return says("I use a tool.", *calls)
        return by_turn(request)

    return play


def test_both_personas_use_tools_each_in_its_own_turn(debate: Debated) -> None:
    debate.plays(
        says("I look.", ("look", {"item": "tea"}), note("Tea costs 5.")), says("It costs 5."),
        says("I look, too.", ("look", {"item": "coffee"}), ("look", {"item": "milk"})), says("They cost 5."),
    )  # fmt: skip
    debate.turn("Tea?")
    assert debate.turns() == [("cognito", 1), ("cognito", 1), ("muse", 2), ("muse", 2), *WHOLE[2:]]
    assert debate.statuses() == ["succeeded"] * 4
    assert sorted(HAPPENED) == [("look", "coffee"), ("look", "milk"), ("look", "tea")]
    second = debate.stage.requests[1]
    assert [message.role for message in second.messages][-2:] == ["assistant", "tool"]
    third = text_of(debate.stage.requests[2])
    assert "(Cognito used: look.)" in third and "notepad_update" not in third.split("The shared notepad")[0]
    folding.check(debate.conversation.pk)


@pytest.mark.parametrize("turn", [1, 2])
def test_a_critical_call_waits_and_then_the_same_persona_goes_on(debate: Debated, turn: int) -> None:
    debate.stage.then = first_call(turn, ("sell", {"item": "house"}))
    run = debate.turn("Tea?")
    assert (run.outcome, HAPPENED, debate.debate().status) == ("interrupt", [], "active")
    folding.check(debate.conversation.pk)
    assert isinstance(debate.decide(), gate.Refused)
    debate.decide(proof={"password": PASSWORD})
    assert debate.move().outcome == "success"
    assert HAPPENED == [("sell", "house")]
    assert debate.turns() == [*WHOLE[:turn], *WHOLE[turn - 1 :]]
    assert debate.debate().status == "done"
    folding.check(debate.conversation.pk)


def test_a_no_is_told_to_the_persona_that_asked(debate: Debated) -> None:
    debate.stage.then = first_call(2, ("buy", {"item": "hat"}))
    debate.turn("Tea?")
    debate.decide("reject", reason="too dear")
    debate.move()
    asked = debate.stage.requests[2]
    assert place(asked)["speaker"] == "muse"
    assert any(
        "too dear" in getattr(part, "content", "") for message in asked.messages for part in message.parts
    )
    assert debate.turns() == [*WHOLE[:2], *WHOLE[1:]]


def test_words_instead_of_an_answer_withdraw_the_question_and_the_persona_hears_both(debate: Debated) -> None:
    debate.stage.then = first_call(1, ("buy", {"item": "hat"}))
    debate.turn("Tea?")
    debate.turn("No shopping, please.")
    assert (debate.statuses(), HAPPENED) == (["withdrawn"], [])
    assert place(debate.stage.requests[1])["turn"] == 1
    assert "No shopping" in text_of(debate.stage.requests[1])
    assert debate.debate().status == "done"
    folding.check(debate.conversation.pk)


def test_a_call_that_a_reviewer_decides_later_does_not_hold_the_debate_up(debate: Debated) -> None:
    debate.stage.then = first_call(1, ("wipe", {"item": "disk"}))
    debate.turn("Tea?")
    debate.decide(proof={"password": PASSWORD})
    assert debate.statuses() == ["held"]
    debate.turn("Go on.")
    assert (debate.debate().status, debate.statuses()) == ("done", ["held"])
    call = ToolCall.objects.get()
    with_run = Run.objects.count()
    ToolCall.objects.filter(pk=call.pk).update(status="approved")
    actions.run_on(debate.conversation, "decision", call)
    assert Run.objects.count() == with_run + 1
    assert debate.move().outcome == "success"
    assert debate.turns()[-1] == ("", 0) and debate.turns().count(("", 0)) == 1
    folding.check(debate.conversation.pk)


def test_what_one_persona_read_outside_counts_for_the_other(debate: Debated) -> None:
    """T29: the same conversation, the same run. The notepad goes on without being asked about."""
    handler = find("tests.look")
    assert handler
    save_tool(handler.definition() | {"untrusted": True}, None)
    save_tool(handler.definition() | {"name": "jot", "read_only": False}, None)
    save_agent(persona("muse", tools=["jot"]), None)
    made = first_call(1, ("look", {"item": "page"}))

    def play(request: Any) -> Any:
        where = place(request)
        if where["turn"] == 2 and "jot" not in text_of(request):
            return says("I jot.", ("jot", {"item": "milk"}), note("The page says so."))
        return made(request)

    debate.stage.then = play
    assert debate.turn("Tea?").outcome == "interrupt"
    found = {call.name: call for call in debate.calls()}
    assert (found["jot"].status, found["jot"].risk) == ("held", "CONFIRM")
    assert "after_untrusted" in [flag["name"] for flag in found["jot"].flags]
    assert found["notepad_update"].status == "succeeded"
    assert HAPPENED == [("look", "page")]


def test_each_persona_has_its_own_patience_in_each_turn(debate: Debated) -> None:
    """The same look in every turn is no endless calling; three times in one turn is (T23)."""
    looked: set[int] = set()

    def play(request: Any) -> Any:
        turn = place(request)["turn"]
        if turn and turn not in looked:
            looked.add(turn)
            return says("I look.", ("look", {"item": "tea"}))
        return by_turn(request)

    debate.stage.then = play
    assert debate.turn("Tea?").outcome == "success"
    assert len(HAPPENED) == 4
    debate.stage.then = lambda request: says("Again.", ("look", {"item": "tea"}))
    run = debate.turn("Coffee?")
    assert (run.status, run.error_code) == ("failed", "repeated_call")


def test_a_persona_that_only_uses_tools_is_stopped_after_its_own_rounds(debate: Debated) -> None:
    items = iter(range(100))
    debate.stage.then = lambda request: says("I look.", ("look", {"item": str(next(items))}))
    run = debate.turn("Tea?")
    assert (run.status, run.error_code, len(HAPPENED)) == ("failed", "max_rounds", 4)
    assert debate.turns() == [("cognito", 1)] * 4
    debate.stage.then = by_turn
    assert debate.move(actions.retry_run(debate.actor, run.pk)).outcome == "success"
    assert debate.turns()[-1] == ("", 0)


def test_the_whole_debate_spends_from_one_budget(debate: Debated) -> None:
    """A limit on the debate agent counts every voice, and ends the debate where it stands; it can go on later."""
    from agents.usage.models import UsageEntry, UsageLimit

    set_limit("monthly_tokens", 100_000, "agent", "debate")
    debate.plays(by_turn, lambda request: [lambda: UsageLimit.objects.update(amount=1), *by_turn(request)])
    run = debate.turn("Tea?")
    assert (run.status, run.error_code) == ("failed", "budget")
    assert set(UsageEntry.objects.values_list("agent", flat=True)) == {"debate"}
    assert debate.turns() == WHOLE[:2]
    UsageLimit.objects.update(amount=1_000_000)
    assert debate.move(actions.retry_run(debate.actor, run.pk)).outcome == "success"
    assert debate.turns() == WHOLE


def test_a_background_job_of_a_persona(debate: Debated) -> None:
    """It is told that the work goes on; the debate does not wait, and the outcome moves nothing that is over."""
    handler = find("tests.look")
    assert handler
    save_tool(handler.definition() | {"name": "study", "run": "background"}, None)
    save_agent(persona("cognito", tools=["study"]), None)
    debate.stage.then = first_call(1, ("study", {"item": "tea"}))
    assert debate.turn("Tea?").outcome == "success"
    assert debate.turns() == [WHOLE[0], *WHOLE]
    told = debate.stage.requests[1].messages[-1].parts[0]
    assert "WORKING" in getattr(told, "content", "")
    job = Job.objects.get()
    actions.run_on(debate.conversation, "job", job.call)
    assert debate.move().outcome == "success"
    assert len(debate.turns()) == 6


@pytest.fixture
def sent(debate: Debated) -> Upload:
    made = made_anew(picture())
    assert isinstance(made, Kept)
    return uploads.keep(debate.actor, made, "tea.png")


def test_everybody_sees_the_picture(debate: Debated, sent: Upload) -> None:
    """D3: in each of their turns, and when it is summed up."""
    save_model({"slug": "demo", "provider": "demo", "name": "demo", "images": True})
    debate.move(debate.say("What is this?", attachments=(sent.pk,)))
    assert debate.turns() == WHOLE
    assert debate.stage.pictures() == [1] * 5
    assert all(sent.pk in request.images for request in debate.stage.requests)


def test_a_model_that_sees_takes_the_place_of_one_that_does_not_in_every_turn(
    debate: Debated, sent: Upload
) -> None:
    save_model({"slug": "seeing", "provider": "demo", "name": "seeing", "images": True})
    for entry in (persona("cognito"), persona("muse"), definition()):
        save_agent({**entry, "models": ["demo", "seeing"]}, None)
    debate.move(debate.say("What is this?", attachments=(sent.pk,)))
    assert [model.name for model in debate.stage.models] == ["seeing"] * 5


def test_where_a_persona_sees_nothing_a_picture_is_not_taken(debate: Debated, sent: Upload) -> None:
    save_model({"slug": "seeing", "provider": "demo", "name": "seeing", "images": True})
    save_agent(persona("cognito", models=["seeing"]), None)
    with pytest.raises(Problem) as refused:
        debate.say("What is this?", attachments=(sent.pk,))
    assert refused.value.code == "no_vision"


def test_a_summary_by_a_model_that_sees_nothing_is_written_all_the_same(
    debate: Debated, sent: Upload
) -> None:
    save_model({"slug": "seeing", "provider": "demo", "name": "seeing", "images": True})
    for slug in ("cognito", "muse"):
        save_agent(persona(slug, models=["seeing"]), None)
    assert debate.move(debate.say("What is this?", attachments=(sent.pk,))).outcome == "success"
    last = debate.stage.requests[-1]
    assert not any(isinstance(part, ImagePart) for message in last.messages for part in message.parts)
    assert "which you cannot see" in text_of(last)


@pytest.mark.parametrize("steps_in", [False, True])
def test_a_standing_yes_counts_while_only_its_owner_is_answered(
    debate: Debated, rita: User, steps_in: bool
) -> None:
    """Somebody else's words must not spend what a person agreed to for their own."""
    Participant.objects.create(conversation=debate.conversation, user=rita, is_owner=False)
    ritas = actor_for_session(rita, "acme")
    assert ritas
    words = Words("Buy the hat again!", addressed=True)

    def step_in() -> object:
        return saying.post_message(ritas, debate.conversation.pk, words)

    def play(request: Any) -> Any:
        turn = place(request)["turn"]
        asked = sum(place(one)["turn"] == turn for one in debate.stage.requests)
        if steps_in and turn == 2:
            return [
                TextDelta("So: "),
                lambda: saying.post_message(ritas, debate.conversation.pk, words),
                *by_turn(request),
            ]
        return says("", ("buy", {"item": "hat"})) if turn in (1, 3) and asked == 1 else by_turn(request)

    debate.stage.then = play
    debate.turn("Tea?")
    question = Confirmation.objects.get()
    yes = actions.Answer("approve", question.digest, wanted=gate.Wanted(["item"], 5, 60))
    actions.decide(debate.actor, question.pk, yes)
    run = debate.move()
    assert run.outcome == ("interrupt" if steps_in else "success")
    assert debate.statuses() == ["succeeded", "held" if steps_in else "succeeded"]
