"""What a person wishes of a debate: stepping in, pausing, going on, having it summed up, stopping; in every phase."""

from __future__ import annotations

import pytest

from agents.stream import TextDelta
from conversations import actions, branches, saying
from conversations.models import Message, Participant, Run
from conversations.saying import Words
from platform_site.access import actor_for_session
from platform_site.errors import Problem
from platform_site.models import User
from tests.debate import folding
from tests.debate.conftest import HAPPENED, Debated, by_turn, note, place, says, text_of

WHOLE = [("cognito", 1), ("muse", 2), ("cognito", 3), ("muse", 4), ("", 0)]


def meanwhile(debate: Debated, turn: int, act: object) -> None:
    """Do something while this turn is being written; 0 is the summary."""

    def play(request: object) -> object:
        reply = by_turn(request)  # type: ignore[arg-type]
        now = place(request)["turn"] == turn  # type: ignore[arg-type]
        return [TextDelta("So: "), act, *reply] if now else reply

    debate.stage.then = play  # type: ignore[assignment]


def test_what_is_said_while_somebody_speaks_is_heard_before_the_next_turn(debate: Debated) -> None:
    meanwhile(debate, 1, lambda: debate.say("Think of the cost.", key="k"))
    run = debate.turn("Tea?")
    assert debate.turns() == WHOLE
    _first, second, third, *_more, last = map(text_of, debate.stage.requests)
    assert all("Bob steps in and says:\nThink of the cost." in told for told in (second, third, last))
    said = Message.objects.get(key="k")
    assert (said.run_id, said.debate_id, said.waiting) == (run.pk, debate.debate().pk, False)
    path = [event["value"] for event in debate.log() if event.get("name") == "message.placed"]
    assert [one["messageId"] for one in path] == [said.pk]
    assert Run.objects.count() == 1
    folding.check(debate.conversation.pk)


def test_two_of_one_name_who_step_in_are_told_apart(debate: Debated, rita: User) -> None:
    """T26: neither speaks for the other."""
    User.objects.filter(pk=rita.pk).update(name="BOB")
    rita.refresh_from_db()
    Participant.objects.create(conversation=debate.conversation, user=rita, is_owner=False)
    ritas = actor_for_session(rita, "acme")
    assert ritas
    words = Words("Think of the cost.", addressed=True)
    meanwhile(debate, 1, lambda: saying.post_message(ritas, debate.conversation.pk, words))
    debate.turn("Tea?")
    mark = rita.pk[-4:]
    assert f"BOB #{mark} steps in and says:\nThink of the cost." in text_of(debate.stage.requests[1])


def test_somebody_elses_words_do_not_lift_ones_own_no(debate: Debated, rita: User) -> None:
    """What a person refused is not asked of them again because another one stepped in."""
    Participant.objects.create(conversation=debate.conversation, user=rita, is_owner=False)
    ritas = actor_for_session(rita, "acme")
    assert ritas
    words = Words("Think of the cost.", addressed=True)
    meanwhile(debate, 1, lambda: saying.post_message(ritas, debate.conversation.pk, words))
    debate.turn("Tea?")
    assert Message.objects.get(author=rita).debate_id == debate.debate().pk
    assert (
        debate.moving
        and debate.moving.turn.spoke_at == Message.objects.get(author=debate.actor.user).created_at
    )


def test_what_is_said_during_the_summary_is_the_next_question(debate: Debated) -> None:
    meanwhile(debate, 0, lambda: debate.say("And milk?"))
    debate.turn("Tea?")
    assert debate.turns() == WHOLE
    debate.stage.then = by_turn
    debate.move()
    assert debate.turns() == WHOLE * 2
    assert len(debate.events("debate.started")) == 2
    folding.check(debate.conversation.pk)


def test_a_pause_takes_effect_between_two_turns_and_it_goes_on_where_it_was(debate: Debated) -> None:
    meanwhile(debate, 2, lambda: debate.steer("pause"))
    run = debate.turn("Tea?")
    assert (run.outcome, debate.debate().status, debate.turns()) == ("success", "paused", WHOLE[:2])
    folding.check(debate.conversation.pk)
    steered = debate.steer("resume")
    assert (steered.status, steered.steer) == ("active", "")
    assert debate.move(Run.objects.get(pk=steered.run)).cause == "debate"
    assert (debate.turns(), debate.debate().status) == (WHOLE, "done")
    folding.check(debate.conversation.pk)


def test_a_pause_that_is_taken_back_in_time_is_none(debate: Debated) -> None:
    def act() -> None:
        debate.steer("pause")
        assert debate.steer("resume").run == ""

    meanwhile(debate, 2, act)
    debate.turn("Tea?")
    assert debate.turns() == WHOLE


def test_words_to_a_paused_debate_let_it_go_on(debate: Debated) -> None:
    meanwhile(debate, 2, lambda: debate.steer("pause"))
    debate.turn("Tea?")
    debate.turn("Think of the cost.")
    assert debate.turns() == WHOLE
    assert "Think of the cost." in text_of(debate.stage.requests[2])
    assert len(debate.events("debate.started")) == 1
    folding.check(debate.conversation.pk)


@pytest.mark.parametrize("turn", [1, 4])
def test_summarise_now_ends_it_after_this_turn(debate: Debated, turn: int) -> None:
    meanwhile(debate, turn, lambda: debate.steer("summarise"))
    debate.turn("Tea?")
    assert debate.turns() == [*WHOLE[:turn], ("", 0)]
    assert (debate.debate().status, debate.debate().steer) == ("done", "")
    folding.check(debate.conversation.pk)


def test_a_paused_debate_is_summed_up_at_once(debate: Debated) -> None:
    meanwhile(debate, 1, lambda: debate.steer("pause"))
    debate.turn("Tea?")
    debate.move(Run.objects.get(pk=debate.steer("summarise").run))
    assert debate.turns() == [("cognito", 1), ("", 0)]


@pytest.mark.parametrize("turn", [1, 2, 0])
def test_stop_ends_the_request_keeps_what_came_and_the_debate_can_go_on(debate: Debated, turn: int) -> None:
    """D4: also while the answer is summed up."""
    meanwhile(debate, turn, debate.stops)
    run = debate.turn("Tea?")
    said = WHOLE[: turn or 5]
    assert (run.outcome, debate.debate().status) == ("cancelled", "stopped")
    assert debate.spoken()[-1] == (*said[-1], "cancelled")
    assert debate.texts()[-1] == "So: "
    folding.check(debate.conversation.pk)
    debate.stage.then = by_turn
    debate.move(Run.objects.get(pk=debate.steer("resume").run))
    assert debate.turns() == [*said, *WHOLE[(turn or 5) - 1 :]]
    assert "So: " not in text_of(debate.stage.requests[-1])
    folding.check(debate.conversation.pk)


def test_stop_between_tools_withdraws_what_had_not_begun(debate: Debated) -> None:
    debate.plays(says("I buy.", ("buy", {"item": "hat"})))
    run = debate.turn("Tea?")
    assert run.outcome == "interrupt"
    actions.stop_run(debate.actor, run.pk)
    assert (debate.statuses(), debate.debate().status, HAPPENED) == (["withdrawn"], "stopped", [])
    folding.check(debate.conversation.pk)


def test_stop_of_a_debate_that_is_paused_ends_it(debate: Debated) -> None:
    meanwhile(debate, 1, lambda: debate.steer("pause"))
    run = debate.turn("Tea?")
    assert actions.stop_run(debate.actor, run.pk) == "finished"
    assert debate.debate().status == "stopped"
    folding.check(debate.conversation.pk)


def test_stop_of_a_run_that_waits_in_the_queue(debate: Debated) -> None:
    run = debate.say("Tea?")
    actions.stop_run(debate.actor, run.pk)
    run.refresh_from_db()
    assert run.outcome == "cancelled"
    debate.turn("Coffee?")
    assert debate.turns() == WHOLE


def test_words_after_a_stop_begin_a_new_debate(debate: Debated) -> None:
    meanwhile(debate, 2, debate.stops)
    debate.turn("Tea?")
    debate.stage.then = by_turn
    debate.turn("Coffee?")
    assert debate.turns() == [*WHOLE[:2], *WHOLE]
    assert len(debate.events("debate.started")) == 2


def test_words_said_while_it_was_stopped_have_their_place(debate: Debated) -> None:
    def act() -> None:
        debate.say("Wait.", key="k")
        debate.stops()

    meanwhile(debate, 1, act)
    debate.turn("Tea?")
    assert Message.objects.get(key="k").waiting is False
    folding.check(debate.conversation.pk)


def test_what_is_over_or_was_never_begun_cannot_be_steered(debate: Debated) -> None:
    for _ in range(2):
        with pytest.raises(Problem, match="No debate"):
            debate.steer("pause")
        debate.turn("Tea?")


def test_nothing_in_the_midst_of_a_debate_is_said_or_written_differently(debate: Debated) -> None:
    meanwhile(debate, 1, lambda: debate.say("Think of the cost.", key="k"))
    debate.turn("Tea?")
    reply, said = Message.objects.filter(role="assistant").first(), Message.objects.get(key="k")
    assert reply
    with pytest.raises(Problem, match="in a debate"):
        branches.regenerate(debate.actor, debate.conversation.pk, reply.pk)
    with pytest.raises(Problem, match="in a debate"):
        branches.edit_message(debate.actor, debate.conversation.pk, said.pk, branches.Rewording("No."))


def test_the_notepad_stays_through_a_pause(debate: Debated) -> None:
    debate.stage.replies = [
        says("Noted.", note("Tea has caffeine.")),
        [lambda: debate.steer("pause"), *says("Two.")],
    ]
    debate.turn("Tea?")
    debate.move(Run.objects.get(pk=debate.steer("resume").run))
    assert "[N1] Tea has caffeine." in text_of(debate.stage.requests[2])
