"""A reminder that asks the agent: nobody is there, so nothing is approved by itself and nothing piles up (T14, T29)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from conversations import actions, branches
from conversations.models import Message, Participant, Run
from conversations.reminders import verbs
from conversations.reminders.models import Occurrence, Reminder
from conversations.reminders.verbs import Origin, Wish
from platform_site.models import Membership, User
from tests.conversations.conftest import HAPPENED
from tests.reminders.conftest import MONDAY, Wall
from tools.models import Confirmation, Correction, Grant, ToolCall

NINE = MONDAY.replace(hour=9)
BUY = 'call buy {"item": "milk"}'
DAY = timedelta(days=1)


def every_day(wall: Wall, content: str) -> Reminder:
    return wall.remind(content=content, action="run")


def ask(wall: Wall, content: str) -> Run:
    """It is nine, and the agent does what it was to be asked."""
    every_day(wall, content)
    wall.until(NINE)
    return wall.talk.move()


def test_the_agent_answers_in_the_persons_name(wall: Wall) -> None:
    run = ask(wall, "echo the week was fine")
    said = Message.objects.get(role="user")
    assert (run.cause, run.requester, run.outcome) == ("reminder", wall.talk.actor.user, "success")
    assert (said.author, said.reminder) == (wall.talk.actor.user, Reminder.objects.get())
    assert wall.told("message.user")[0]["reminder"] == said.reminder_id
    assert wall.talk.texts()[-1] == "the week was fine"
    assert Occurrence.objects.get().run == run.pk
    assert wall.told("reminder.fired") == [], "the message is to be seen, not a card besides"


def test_who_is_not_there_has_read_nothing_by_it(wall: Wall, rita: User) -> None:
    """What others said in the meantime stays new to the owner, and nobody sees that they have seen it."""
    talk = wall.talk.conversation
    Participant.objects.create(conversation=talk, user=rita, is_owner=False)
    mine = Participant.objects.filter(conversation=talk, user=wall.talk.actor.user)
    before = mine.get().read_seq
    ask(wall, "echo the week was fine")
    assert mine.get().read_seq == before


def test_what_needs_nobody_happens(wall: Wall) -> None:
    assert ask(wall, 'call look {"item": "shelf"}').outcome == "success"
    assert HAPPENED == [("look", "shelf")]


def test_what_needs_a_yes_is_parked_and_its_person_told(wall: Wall) -> None:
    """The run ends; the question stays, longer than usual, and the conversation goes on beside it."""
    run = ask(wall, BUY)
    question = Confirmation.objects.get()
    assert (run.outcome, HAPPENED, question.call.status) == ("success", [], "held")
    assert question.decide_by >= wall.clock.now + timedelta(hours=23)
    told = [notice for notice in wall.notices if notice.kind == "confirmation"]
    assert [(notice.user, notice.data["confirmations"]) for notice in told] == [
        (wall.talk.actor.user.pk, [question.pk])
    ]
    wall.talk.turn("echo hello")
    assert Confirmation.objects.get().status == "pending", "writing something else takes nothing back"
    wall.talk.decide()
    wall.talk.move()
    assert HAPPENED == [("buy", "milk")]


def test_a_standing_yes_does_not_count(wall: Wall) -> None:
    """It was given by somebody who watched; for the same call in their own words it holds on."""
    wall.talk.turn(BUY)
    question = Confirmation.objects.get()
    grant = actions.Answer("approve", question.digest, wanted=actions.gate.Wanted(["item"], 5, 60 * 24))
    actions.decide(wall.talk.actor, question.pk, grant)
    wall.talk.move()
    every_day(wall, BUY)
    wall.until(NINE)
    wall.talk.move()
    assert (HAPPENED, Grant.objects.get().uses_left) == ([("buy", "milk")], 5)
    assert wall.talk.statuses()[-1] == "held"
    wall.talk.turn(BUY)
    assert HAPPENED == [("buy", "milk")] * 2


def test_what_follows_a_late_yes_is_unattended_too(wall: Wall) -> None:
    """The run that carries it out may ask for more: that is parked as well."""
    ask(wall, BUY)
    wall.talk.decide()
    run = wall.talk.move()
    assert (run.cause, run.options["reminder"]) == ("decision", Reminder.objects.get().pk)


def test_no_form_is_put_to_nobody(wall: Wall) -> None:
    run = ask(wall, 'call buy {"item": 7}\nthen\ncall buy {"item": 7}\nthen\ncall buy {"item": 7}')
    assert not Correction.objects.exists()
    assert (run.status, HAPPENED) == ("failed", [])


def test_nothing_piles_up_behind_a_question(wall: Wall) -> None:
    ask(wall, BUY)
    wall.until(NINE + timedelta(hours=20))
    Confirmation.objects.update(decide_by=NINE + 9 * DAY)
    wall.until(NINE + DAY)
    wall.until(NINE + 2 * DAY)
    assert wall.outcomes() == [
        "11-23 09:00 delivered", "11-24 09:00 skipped parked", "11-25 09:00 skipped parked"
    ]  # fmt: skip
    assert [told["why"] for told in wall.told("reminder.skipped")] == ["parked", "parked"]
    wall.talk.decide("reject")
    wall.talk.move()
    wall.until(NINE + 3 * DAY)
    assert wall.outcomes()[-1] == "11-26 09:00 delivered"


def test_nothing_piles_up_behind_a_run_that_still_works(wall: Wall) -> None:
    every_day(wall, "echo slow")
    wall.until(NINE)
    wall.until(NINE + DAY)
    assert wall.outcomes()[-1] == "11-24 09:00 skipped busy"
    wall.talk.move()
    wall.until(NINE + 2 * DAY)
    assert wall.outcomes()[-1] == "11-25 09:00 delivered"


def test_a_question_to_the_person_is_not_taken_away_by_it(wall: Wall) -> None:
    """What they are asked in their own turn comes first."""
    every_day(wall, "echo hello")
    wall.talk.turn(BUY)
    Confirmation.objects.update(decide_by=NINE + DAY)
    wall.until(NINE)
    assert wall.outcomes() == ["11-23 09:00 skipped parked"]
    assert Confirmation.objects.get().status == "pending"


def test_what_is_being_prepared_for_the_person_goes_on(wall: Wall) -> None:
    """A reminder is no new message of theirs: nothing is taken back because of it."""
    every_day(wall, "echo hello")
    wall.talk.turn(BUY)
    ToolCall.objects.update(status="proposed")
    wall.until(NINE)
    assert wall.outcomes() == ["11-23 09:00 delivered"]
    assert ToolCall.objects.get().status == "proposed"


def test_while_the_agent_works_for_somebody_it_waits_its_turn(wall: Wall) -> None:
    every_day(wall, "echo the reminder")
    wall.talk.say("echo the person")
    wall.until(NINE)
    wall.talk.move()
    wall.talk.move()
    assert wall.talk.texts()[-2:] == ["the person", "the reminder"]


@pytest.mark.parametrize("how", ["deactivated", "left", "agent off"])
def test_whoever_may_not_do_this_any_more_is_skipped(wall: Wall, how: str) -> None:
    every_day(wall, "echo hello")
    match how:
        case "deactivated":
            Membership.objects.filter(user=wall.talk.actor.user).update(is_active=False)
        case "left":
            wall.talk.conversation.participants.all().delete()
        case "agent off":
            agent = wall.talk.conversation.agent
            type(agent).objects.filter(pk=agent.pk).update(is_enabled=False)
    wall.until(NINE)
    assert wall.outcomes() == ["11-23 09:00 skipped gone"]
    assert not Run.objects.exists()
    assert wall.told("reminder.skipped")[0]["why"] == "gone"
    rests = Reminder.objects.get().status == "paused"
    assert rests == (how != "agent off"), "it is not said again every day that somebody has gone"


def test_one_deleted_or_paused_after_the_claim_does_not_come(wall: Wall) -> None:
    for stop in (verbs.pause, verbs.delete):
        reminder = wall.remind()
        wall.clock.now = Reminder.objects.get(pk=reminder.pk).next_due or NINE
        wall.look()
        stop(wall.talk.actor, reminder.pk)
        wall.pass_by()
    assert [outcome.split(" ", 2)[2] for outcome in wall.outcomes()] == ["skipped gone"] * 2
    assert wall.told("reminder.fired") == wall.told("reminder.skipped") == []


def test_what_was_set_after_outside_text_counts_as_outside_text(wall: Wall) -> None:
    """T29: the conversation it comes in has read nothing by itself. A SAFE tool that writes is asked about."""
    wish = Wish("daily", "09:00", 'call crash {"item": "milk"}', action="run")
    verbs.set_(wall.talk.actor, wall.talk.conversation.pk, wish, Origin("c" * 32, ("look",)))
    wall.until(NINE)
    wall.talk.move()
    (call,) = ToolCall.objects.all()
    flags = {flag["name"]: flag.get("detail") for flag in call.flags}
    assert (call.status, call.risk, flags["after_untrusted"]) == ("held", "CONFIRM", "look")
    assert wall.told("message.user")[0]["reminder"]


def test_without_outside_text_the_same_needs_nobody(wall: Wall) -> None:
    ask(wall, 'call crash {"item": "milk"}')
    assert ToolCall.objects.get().status == "unknown", "it ran, and broke as it does"


def test_a_person_who_has_it_answered_anew_washes_nothing(wall: Wall) -> None:
    """They are there, so a standing yes counts again; what was read still counts."""
    wish = Wish("daily", "09:00", 'call crash {"item": "milk"}', action="run")
    verbs.set_(wall.talk.actor, wall.talk.conversation.pk, wish, Origin("c" * 32, ("look",)))
    wall.until(NINE)
    wall.talk.move()
    reply = Message.objects.filter(role="assistant").earliest("position")
    wall.clock.go(seconds=1)
    branches.regenerate(wall.talk.actor, wall.talk.conversation.pk, reply.pk)
    assert wall.talk.move().outcome == "interrupt"
    call = ToolCall.objects.latest("proposed_at")
    assert [flag["name"] for flag in call.flags] == ["after_untrusted"]


def test_a_card_tells_where_it_came_from_and_the_model_hears_of_it(wall: Wall) -> None:
    wish = Wish("daily", "09:00", "Send\n\n5 coins")
    verbs.set_(wall.talk.actor, wall.talk.conversation.pk, wish, Origin("c" * 32, ("look",)))
    wall.until(NINE)
    assert wall.told("reminder.fired")[0]["after"] == ["look"]
    wall.talk.turn('call crash {"item": "milk"}')
    assert ToolCall.objects.get().status == "held"
    moving = wall.talk.moving
    assert moving
    notes = [part.text for message in moving.turn.messages for part in message.parts if hasattr(part, "text")]
    assert any("“Send 5 coins”" in text for text in notes)
