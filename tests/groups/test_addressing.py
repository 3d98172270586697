"""When the agent answers, who is mentioned, and who hears of it (R8)."""

from __future__ import annotations

import pytest

from conversations import actions, glance
from conversations.models import Answers
from tests.api.made import hold
from tests.groups.conftest import Company
from tests.groups.test_inviting import refused


@pytest.fixture
def quiet(us: Company) -> Company:
    """Ann and Bob talk; the agent answers who addresses it."""
    us.join(us.ann)
    us.talk = actions.set_answers(us.bob, us.talk.pk, Answers.ADDRESSED)
    return us


def test_always_is_the_usual(us: Company) -> None:
    us.join(us.ann)
    assert us.say(us.ann, "Shoes?").run


@pytest.mark.parametrize("text", ["@guide shoes?", "@Mall guide shoes?", "what do you say, @MALL GUIDE?"])
def test_addressed_by_its_name_or_slug_it_answers(quiet: Company, text: str) -> None:
    assert quiet.say(quiet.ann, text).run
    assert "quiet" not in quiet.said_last()


@pytest.mark.parametrize("text", ["Shoes?", "@Bob shoes?", "mail guide@acme.test", "guide"])
def test_not_addressed_it_does_not(quiet: Company, text: str) -> None:
    posted = quiet.say(quiet.ann, text)
    assert (posted.run, quiet.said_last()["quiet"]) == ("", True)


def test_a_reply_to_it_addresses_it(quiet: Company) -> None:
    asked = quiet.say(quiet.ann, "@guide shoes?")
    reply = quiet.answer(quiet.ann)
    actions.stop_run(quiet.ann, asked.run)
    assert quiet.say(quiet.bob, "In red?", reply_to=reply.pk).run
    assert quiet.said_last()["replyTo"] == reply.pk
    assert not quiet.say(quiet.bob, "Hm", reply_to=asked.message).run


def test_one_replies_to_what_was_said_here(quiet: Company) -> None:
    """T34."""
    refused(404, quiet.say, quiet.ann, "Hm", reply_to="0" * 32)


def test_alone_it_always_answers(quiet: Company) -> None:
    from conversations.groups import people

    people.leave(quiet.ann, quiet.talk.pk)
    assert quiet.say(quiet.bob, "Shoes?").run


def test_a_program_that_talks_to_the_agent_is_answered(quiet: Company) -> None:
    assert quiet.say(quiet.ann, "Shoes?", addressed=True).run


def test_what_was_said_meanwhile_stands_before_what_was_said_later(quiet: Company) -> None:
    from conversations.models import Message, Run
    from conversations.steps import _start
    from platform_site import ledger

    first = quiet.say(quiet.ann, "@guide one")
    Run.objects.filter(pk=first.run).update(status="running")
    aside = quiet.say(quiet.bob, "between us")
    asked = quiet.say(quiet.bob, "@guide two")
    after = quiet.say(quiet.ann, "and this later")
    Run.objects.filter(pk=first.run).update(status="finished")
    with ledger.writing(quiet.talk.pk) as log:
        assert _start(log, quiet.run(asked), {}, glance.at(log.topic))
    parents = dict(Message.objects.values_list("pk", "parent_id"))
    assert parents[aside.message] == first.message
    assert parents[asked.message] == aside.message
    assert Message.objects.get(pk=after.message).waiting


def test_a_word_among_people_leaves_ones_own_question_open(quiet: Company) -> None:
    waiting = hold(quiet.talk, quiet.ann.user)
    quiet.say(quiet.ann, "@Bob what do you think?")
    waiting.call.refresh_from_db()
    assert waiting.call.status == "held"
    quiet.say(quiet.ann, "@guide never mind")
    waiting.call.refresh_from_db()
    assert waiting.call.status == "withdrawn"


def test_who_is_mentioned_hears_it(us: Company) -> None:
    us.join(us.ann, us.cora)
    posted = us.say(us.bob, "@Ann and @Bob: look, @Charlie")
    assert us.said_last()["mentions"] == {us.ann.user.pk: "Ann"}
    by = {"id": us.bob.user.pk, "name": "Bob"}
    told = {"conversation": us.talk.pk, "message": posted.message, "by": by}
    assert us.notices("mention") == [("Ann", told)]
    assert [who for who, _ in us.notices("said")] == ["Ann", "Cora"]


def test_only_who_takes_part_can_be_mentioned(us: Company) -> None:
    us.join(us.ann)
    us.say(us.bob, "@Cora, come")
    assert "mentions" not in us.said_last()
    assert us.notices("mention") == []


def test_alone_nothing_is_told_besides(us: Company) -> None:
    us.say(us.bob, "@guide shoes")
    assert us.said_last().keys() == {"messageId", "text", "author", "attachments", "parent"}
    assert us.heard == []
