"""Read marks move forward only, and say what is new to whom."""

from __future__ import annotations

from conversations.groups import reading
from conversations.groups.reading import Standing
from conversations.models import Participant
from platform_site import ledger
from platform_site.access import Actor
from tests.groups.conftest import Company
from tests.groups.test_inviting import refused


def standing(us: Company, actor: Actor) -> Standing:
    return reading.standings(actor.user, [us.talk.pk])[us.talk.pk]


def test_what_others_said_is_new_until_it_is_read(us: Company) -> None:
    us.join(us.ann, us.cora)
    us.say(us.bob, "Shoes?")
    us.say(us.bob, "@Ann which?")
    us.answer(us.bob)
    us.answer(us.bob)  # one turn in two steps is one answer
    assert standing(us, us.ann) == Standing(people=3, is_owner=False, unread=3, mentioned=True)
    assert standing(us, us.cora) == Standing(people=3, is_owner=False, unread=3)
    assert standing(us, us.bob).unread == 1
    Participant.objects.filter(user=us.ann.user).update(read_seq=ledger.newest(us.talk.pk) + 9)
    assert standing(us, us.ann) == Standing(people=3, is_owner=False)


def test_alone_nothing_is_ever_new(us: Company) -> None:
    us.say(us.bob, "Shoes?")
    us.answer(us.bob)
    assert standing(us, us.bob) == Standing()


def test_a_mark_never_moves_back_nor_beyond_what_there_is(us: Company) -> None:
    us.join(us.ann)
    us.say(us.bob, "Shoes?")
    newest = ledger.newest(us.talk.pk)
    assert reading.mark(us.ann, us.talk.pk, 2**30) == newest
    assert reading.mark(us.ann, us.talk.pk, 0) == newest


def test_the_others_hear_how_far_one_has_read(us: Company) -> None:
    us.join(us.ann)
    us.say(us.bob, "Shoes?")
    us.heard.clear()
    seq = reading.mark(us.ann, us.talk.pk, 2**30)
    told = {"conversation": us.talk.pk, "person": {"id": us.ann.user.pk, "name": "Ann"}, "seq": seq}
    assert sorted(us.notices("read"), key=lambda one: one[0]) == [("Ann", told), ("Bob", told)]
    reading.mark(us.ann, us.talk.pk, seq)
    assert len(us.notices("read")) == 2


def test_nobody_else_leaves_a_mark(us: Company) -> None:
    refused(404, reading.mark, us.cora, us.talk.pk, 1)
    us.join(us.cora)
    assert reading.mark(us.cora, us.talk.pk, 1) == 1


def test_what_one_said_to_the_agent_alone_is_not_new_when_others_come(us: Company) -> None:
    us.say(us.bob, "Shoes?")
    us.answer(us.bob)
    us.join(us.ann)
    assert standing(us, us.bob).unread <= 1
    assert standing(us, us.ann).unread == 2
