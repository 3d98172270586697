"""A debate from the question to the final answer, moved by one run: who is asked what, and what is told of it."""

from __future__ import annotations

from typing import Any

from conversations.models import Message, Run
from tests.debate import folding
from tests.debate.conftest import Debated, note, nothing, place, says, text_of

WHOLE = [("cognito", 1), ("muse", 2), ("cognito", 3), ("muse", 4), ("", 0)]


def test_both_speak_in_turn_and_the_debate_agent_sums_up(debate: Debated) -> None:
    """D1."""
    run = debate.turn("Is tea better than coffee?")
    assert (run.status, run.outcome) == ("finished", "success")
    assert debate.turns() == WHOLE
    assert debate.debate().status == "done"
    assert Run.objects.count() == 1
    folding.check(debate.conversation.pk)


def test_the_log_tells_who_speaks_in_which_round(debate: Debated) -> None:
    run = debate.turn("Tea?")
    (started,) = debate.events("debate.started")
    assert (started["mode"], started["rounds"], started["most_rounds"], started["budget"]) == (
        "fixed",
        2,
        4,
        "",
    )
    assert started["question"] == Message.objects.get(role="user").pk
    assert started["personas"][0] == {
        "slug": "cognito", "name": "Cognito", "avatar": "C", "colour": "", "model": "demo",
    }  # fmt: skip
    starts = [event["metadata"] for event in debate.log() if event["type"] == "TEXT_MESSAGE_START"]
    shown = [(one["speaker"], one["turn"], one["round"], one["stage"]) for one in starts]
    assert shown == [
        ("cognito", 1, 1, "turn"), ("muse", 2, 1, "turn"), ("cognito", 3, 2, "turn"), ("muse", 4, 2, "turn"),
        ("", 0, 0, "summary"),
    ]  # fmt: skip
    assert {one["run"] for one in starts} == {run.pk}
    assert debate.events("debate.ended") == [{"debate": started["debate"], "status": "done"}]


def test_each_persona_has_its_own_instructions_and_knows_the_other(debate: Debated) -> None:
    debate.turn("Tea?")
    first, second, *_others, last = debate.stage.requests
    assert first.instructions.startswith("You are cognito.") and "debate with Muse" in first.instructions
    assert second.instructions.startswith("You are muse.") and "debate with Cognito" in second.instructions
    assert last.instructions.startswith("Sum up.")
    assert {spec.name for spec in first.tools} >= {"look", "buy", "notepad_update"}
    assert "nothing_to_add" not in {spec.name for spec in first.tools}
    assert last.tools == ()


def test_ones_own_turns_are_an_assistants_and_the_others_words_come_with_their_name(debate: Debated) -> None:
    debate.turn("Is tea better?")
    third = debate.stage.requests[2]
    said = [message for message in third.messages if "[Note" not in getattr(message.parts[0], "text", "")]
    assert [message.role for message in said] == ["user", "assistant", "user"]
    opening, own, then = (message.parts for message in said)
    assert any("Is tea better?" in getattr(part, "text", "") for part in opening)
    assert own[0].text == "Cognito in turn 1."  # type: ignore[union-attr]
    assert then[0].text.startswith("Muse [T2]:\nMuse in turn 2.")  # type: ignore[union-attr]
    assert "turn 3 [T3], round 2 of 2" in then[-1].text  # type: ignore[union-attr]


def test_a_script_that_plays_the_model_is_told_where_it_is(debate: Debated) -> None:
    debate.plays(says("First.", note("Tea has caffeine.")))
    debate.turn("Tea?")
    told = place(debate.stage.requests[1])
    assert told | {"notepad": []} == {
        "stage": "turn", "speaker": "muse", "name": "Muse", "opponent": "Cognito", "turn": 2, "round": 1,
        "rounds": 2, "mode": "fixed", "question": "Tea?", "notepad": [],
        "personas": [{"slug": "cognito", "name": "Cognito"}, {"slug": "muse", "name": "Muse"}],
    }  # fmt: skip
    assert [entry["text"] for entry in told["notepad"]] == ["Tea has caffeine."]
    assert place(debate.stage.requests[-1])["stage"] == "summary"


def test_the_summary_is_asked_for_agreement_dissent_and_confidence_with_citations(debate: Debated) -> None:
    debate.plays(says("First.", note("Tea has caffeine.")))
    debate.turn("Tea?")
    told = text_of(debate.stage.requests[-1])
    for wanted in (
        "Cognito [T1]",
        "Muse [T4]",
        "[N1] Tea has caffeine.",
        "agree",
        "open between",
        "confident",
    ):
        assert wanted in told


def settling(*turns: int) -> Any:
    def play(request: Any) -> Any:
        where = place(request)
        if where["stage"] == "summary":
            return says("The answer.")
        calls = [nothing()] if where["turn"] in turns else []
        return says(f"Turn {where['turn']}.", *calls)

    return play


def test_where_they_decide_themselves_it_ends_when_both_have_nothing_to_add(debate: Debated) -> None:
    """D5."""
    debate.stage.then = settling(2, 3)
    debate.turn_with("Tea?", mode="ai")
    assert debate.turns() == [("cognito", 1), ("muse", 2), ("cognito", 3), ("", 0)]
    assert "nothing_to_add" in {spec.name for spec in debate.stage.requests[0].tools}


def test_models_that_settle_at_once_speak_once_each(debate: Debated) -> None:
    debate.stage.then = settling(*range(1, 9))
    debate.turn_with("Tea?", mode="ai")
    assert debate.turns() == [("cognito", 1), ("muse", 2), ("", 0)]


def test_models_that_never_settle_are_bounded(debate: Debated) -> None:
    debate.turn_with("Tea?", mode="ai")
    assert debate.turns() == [("cognito" if turn % 2 else "muse", turn) for turn in range(1, 9)] + [("", 0)]


def test_one_who_settles_alone_is_asked_again(debate: Debated) -> None:
    debate.stage.then = settling(1, 3, 5, 7)
    debate.turn_with("Tea?", mode="ai")
    assert len(debate.turns()) == 9
    assert debate.statuses() == ["succeeded"] * 4


def test_nothing_to_add_without_words_is_a_turn_as_well(debate: Debated) -> None:
    debate.plays(says("", nothing()), says("", nothing()))
    debate.turn_with("Tea?", mode="ai")
    assert debate.turns() == [("cognito", 1), ("muse", 2), ("", 0)]


def test_a_new_question_is_a_new_debate_that_is_told_the_earlier_ones_result(debate: Debated) -> None:
    debate.plays(says("First.", note("Tea has caffeine.")))
    debate.turn("Tea?")
    debate.turn("And milk?")
    assert [one["question"] for one in debate.events("debate.started")] == list(
        Message.objects.filter(role="user").order_by("position").values_list("pk", flat=True)
    )
    again = text_of(debate.stage.requests[5])
    assert "Tea?" in again and "Both agree [T1], [T2]." in again and "And milk?" in again
    assert "caffeine" not in again and "Cognito in turn 3" not in again
    assert debate.pad().entries == ()
    folding.check(debate.conversation.pk)


def test_two_messages_before_it_begins_are_one_question_and_a_word_that_is_heard(debate: Debated) -> None:
    run = debate.say("Tea?")
    assert debate.say("Think of the cost.").pk == run.pk
    debate.move(run)
    assert debate.turns() == WHOLE
    assert "Bob steps in and says:\nThink of the cost." in text_of(debate.stage.requests[0])
    assert Run.objects.count() == 1


def test_the_question_said_differently_is_debated_anew(debate: Debated) -> None:
    from conversations import branches

    debate.plays(says("First.", note("Tea has caffeine.")))
    debate.turn("Tea?")
    asked = Message.objects.get(role="user")
    posted = branches.edit_message(
        debate.actor, debate.conversation.pk, asked.pk, branches.Rewording("Coffee?")
    )
    debate.move(Run.objects.get(pk=posted.run))
    assert "Tea?" not in text_of(debate.stage.requests[5])
    assert debate.pad().entries == ()
    folding.check(debate.conversation.pk)
    branches.switch(debate.actor, debate.conversation.pk, asked.pk)
    folding.check(debate.conversation.pk)


def test_a_long_debate_is_summarised_for_its_models_and_keeps_its_question(debate: Debated) -> None:
    from agents.catalogue import save_model
    from conversations.kept_models import Summary
    from conversations.models import Message as Row

    save_model({"slug": "demo", "provider": "demo", "name": "demo", "context": 4_000})
    long = "Much was said. " * 400

    def play(request: Any) -> Any:
        return says("In short." if "debate" not in request.settings else f"{place(request)['turn']}: {long}")

    debate.stage.then = play
    run = debate.turn("Is tea better than coffee?")
    assert run.outcome == "success", run.error_message
    assert Summary.objects.exists() and Row.objects.filter(role="assistant").count() == 5
    assert "Is tea better than coffee?" in text_of(debate.stage.requests[-1])
