"""Leaving, removing, handing over; and who may do what to whose run (R8, T38, T40)."""

from __future__ import annotations

import pytest

from agents.stream import Finish, Reply
from conversations import actions, branches
from conversations.branches import Rewording
from conversations.ending import LostRun, release
from conversations.groups import people
from conversations.models import Answers, Message, Run
from conversations.steps import claim, save_reply
from conversations.turn import read
from platform_site.models import Membership
from tests.api.made import hold
from tests.groups.conftest import Company
from tests.groups.test_inviting import refused
from tools.models import ToolCall


def test_who_leaves_sees_it_no_more(us: Company) -> None:
    us.join(us.ann, us.cora)
    people.leave(us.ann, us.talk.pk)
    assert not us.sees(us.ann)
    assert us.here() == ["Bob", "Cora"]
    assert us.log()[-1]["value"] == {"person": {"id": us.ann.user.pk, "name": "Ann"}, "by": None}
    assert us.notices("removed") == [("Ann", {"conversation": us.talk.pk, "why": "left"})]


def test_an_owner_who_leaves_hands_over_to_who_has_been_here_longest(us: Company) -> None:
    us.join(us.ann, us.cora)
    people.leave(us.bob, us.talk.pk)
    assert us.owner() == "Ann"
    actions.rename(us.ann, us.talk.pk, "Ours")


def test_the_last_one_deletes_instead(us: Company) -> None:
    refused(409, people.leave, us.bob, us.talk.pk)
    assert us.here() == ["Bob"]
    actions.delete(us.bob, us.talk.pk)


def test_the_owner_removes_and_hands_over_and_nobody_else(us: Company) -> None:
    us.join(us.ann, us.cora)
    refused(403, people.remove, us.ann, us.talk.pk, us.cora.user.pk)
    refused(403, people.hand_over, us.ann, us.talk.pk, us.ann.user.pk)
    refused(409, people.remove, us.bob, us.talk.pk, us.bob.user.pk)
    refused(404, people.remove, us.bob, us.talk.pk, "0" * 32)
    people.remove(us.bob, us.talk.pk, us.cora.user.pk)
    people.hand_over(us.bob, us.talk.pk, us.ann.user.pk)
    assert (us.owner(), us.here()) == ("Ann", ["Bob", "Ann"])
    refused(403, people.remove, us.bob, us.talk.pk, us.ann.user.pk)


def test_only_the_owner_renames_deletes_and_says_when_the_agent_answers(us: Company) -> None:
    us.join(us.ann)
    refused(403, actions.rename, us.ann, us.talk.pk, "Mine")
    refused(403, actions.delete, us.ann, us.talk.pk)
    refused(403, actions.set_answers, us.ann, us.talk.pk, Answers.ADDRESSED)
    assert actions.set_answers(us.bob, us.talk.pk, Answers.ADDRESSED).answers == "addressed"


def test_where_the_owner_left_the_tenant_the_longest_standing_stands_in(us: Company) -> None:
    us.join(us.ann, us.cora)
    Membership.objects.filter(user=us.bob.user).update(is_active=False)
    refused(403, actions.rename, us.cora, us.talk.pk, "Mine")
    people.remove(us.ann, us.talk.pk, us.bob.user.pk)
    assert us.owner() == "Ann"


def test_what_was_queued_and_what_waits_goes_with_who_is_removed(us: Company) -> None:
    us.join(us.ann)
    question = hold(us.talk, us.ann.user)
    theirs = us.run(us.say(us.ann, "Shoes?"))
    mine = us.run(us.say(us.bob, "Hats?"))
    kept = hold(us.talk, us.bob.user)
    people.remove(us.bob, us.talk.pk, us.ann.user.pk)
    for row in (theirs, mine, question.call, kept.call):
        row.refresh_from_db()
    assert (theirs.status, theirs.outcome, question.call.status) == ("finished", "cancelled", "withdrawn")
    assert (mine.status, kept.call.status) == ("queued", "held")


def test_a_run_that_moves_is_asked_to_stop(us: Company) -> None:
    us.join(us.ann)
    moving = us.run(us.say(us.ann, "Shoes?"))
    Run.objects.filter(pk=moving.pk).update(status="running")
    people.remove(us.bob, us.talk.pk, us.ann.user.pk)
    moving.refresh_from_db()
    assert moving.stop_requested


def test_nothing_begins_in_the_name_of_who_is_gone(us: Company) -> None:
    """However a run came to be queued."""
    us.join(us.ann)
    people.leave(us.ann, us.talk.pk)
    version = us.talk.agent.current
    late = Run.objects.create(
        conversation=us.talk, requester=us.ann.user, agent_version=version, cause="decision"
    )
    assert read(late) is None


def test_nothing_that_is_still_being_written_begins_in_their_name(us: Company) -> None:
    """Between the commit that removed them and the moment their run hears of it."""
    us.join(us.ann)
    turn = claim(us.run(us.say(us.ann, "Shoes?")).pk, "tests")
    assert turn
    people.remove(us.bob, us.talk.pk, us.ann.user.pk)
    with pytest.raises(LostRun):
        save_reply(turn, Reply(text="Here", finish=Finish("stop", "demo")), demo=True)
    release(turn)
    assert claim(turn.run.pk, "others") is None
    turn.run.refresh_from_db()
    assert (turn.run.status, turn.run.error_code) == ("failed", "auth")


def test_the_author_and_the_owner_stop_a_run(us: Company) -> None:
    us.join(us.ann, us.cora)
    run = us.say(us.ann, "Shoes?").run
    refused(403, actions.stop_run, us.cora, run)
    assert actions.stop_run(us.bob, run) == "finished"
    assert actions.stop_run(us.ann, us.say(us.ann, "Shoes?").run) == "finished"


def test_who_asked_asks_again_and_nobody_else(us: Company) -> None:
    us.join(us.ann)
    run = us.say(us.ann, "Shoes?").run
    Run.objects.filter(pk=run).update(status="failed")
    refused(403, actions.retry_run, us.bob, run)
    assert actions.retry_run(us.ann, run).requester_id == us.ann.user.pk


def test_answers_are_written_anew_and_words_changed_by_whose_they_are(us: Company) -> None:
    us.join(us.ann)
    said = us.say(us.ann, "Shoes?")
    reply = us.answer(us.ann)
    actions.stop_run(us.ann, said.run)
    refused(403, branches.regenerate, us.bob, us.talk.pk, reply.pk)
    refused(403, branches.edit_message, us.bob, us.talk.pk, said.message, Rewording("Hats?"))
    again = branches.regenerate(us.ann, us.talk.pk, reply.pk)
    actions.stop_run(us.ann, again.pk)
    assert branches.edit_message(us.ann, us.talk.pk, said.message, Rewording("Hats?")).run


def test_nobody_takes_away_what_waits_for_somebody_else(us: Company) -> None:
    us.join(us.ann)
    said = us.say(us.bob, "Shoes?")
    actions.stop_run(us.bob, said.run)
    waiting = hold(us.talk, us.ann.user)
    refused(409, branches.edit_message, us.bob, us.talk.pk, said.message, Rewording("Hats?"))
    refused(409, branches.switch, us.bob, us.talk.pk, said.message)
    assert ToolCall.objects.get(pk=waiting.call.pk).status == "held"
    actions.delete(us.bob, us.talk.pk)
    assert ToolCall.objects.get(pk=waiting.call.pk).status == "withdrawn"


def test_the_others_hear_of_a_deletion(us: Company) -> None:
    us.join(us.ann)
    actions.delete(us.bob, us.talk.pk)
    assert us.notices("removed") == [("Ann", {"conversation": us.talk.pk, "why": "deleted"})]
    assert not Message.objects.exists()


def test_who_was_just_removed_says_nothing_more(us: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the check before the transaction still let them in."""
    us.join(us.ann)
    from conversations import saying

    checked = saying.check_words

    def slow(*args: object) -> object:
        found = checked(*args)  # type: ignore[arg-type]
        people.remove(us.bob, us.talk.pk, us.ann.user.pk)
        return found

    monkeypatch.setattr(saying, "check_words", slow)
    refused(404, us.say, us.ann, "One more thing")
    assert not Message.objects.exists()
