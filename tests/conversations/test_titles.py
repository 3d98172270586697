"""Titles: the first words at once, a model's title after the first answer, a person's for ever."""

from __future__ import annotations

import asyncio

import pytest

from agents.providers.base import ProviderError
from agents.usage import limits
from agents.usage.models import LimitKind, LimitOf, UsageEntry, UsageLimit
from conversations import actions, titles
from conversations.models import Conversation
from tests.conversations.conftest import Talk


def title(talk: Talk) -> str:
    return Conversation.objects.get(pk=talk.conversation.pk).title


def make(talk: Talk) -> None:
    """What the runner does beside everything else when a run has ended."""
    assert talk.moving
    asyncio.run(titles.make(talk.moving.turn))


def told(talk: Talk) -> list[str]:
    return [event["value"]["title"] for event in talk.log() if event.get("name") == "conversation.changed"]


def test_a_conversation_is_called_by_its_first_words_until_it_was_answered(talk: Talk) -> None:
    talk.say("  Find me   running shoes\nunder 500 ")
    assert title(talk) == "Find me running shoes under 500"


def test_after_the_first_answer_the_model_names_it_once(talk: Talk) -> None:
    talk.turn("find me good red running shoes under five hundred. Soon!")
    make(talk)
    assert title(talk) == "Find me good red running shoes"
    talk.turn("echo something else")
    make(talk)
    assert told(talk) == ["Find me good red running shoes"]


def test_the_run_has_ended_before_a_title_is_asked_for(talk: Talk) -> None:
    """It neither slows a turn nor holds it open: nothing of it stands in the run."""
    talk.turn("hello")
    assert talk.kinds()[-1] == "RUN_FINISHED"
    make(talk)
    assert talk.kinds()[-2:] == ["RUN_FINISHED", "conversation.changed"]


def test_a_title_is_one_line_of_what_can_be_seen(talk: Talk) -> None:
    """Everybody who takes part is shown it."""
    hidden = "My \u202eshoes\n\x07\u200b of   2026 "
    assert actions.create_conversation(talk.actor, "helper", hidden).title == "My shoes of 2026"
    assert actions.rename(talk.actor, talk.conversation.pk, hidden).title == "My shoes of 2026"
    long = actions.rename(talk.actor, talk.conversation.pk, "跑鞋" * 100).title
    assert len(long) == 120 and long.endswith("…")


def test_a_title_a_person_gave_is_never_changed(talk: Talk) -> None:
    talk.turn("hello")
    actions.rename(talk.actor, talk.conversation.pk, "My shoes")
    make(talk)
    assert title(talk) == "My shoes"
    named = actions.create_conversation(talk.actor, "helper", "Mine")
    talk.conversation = named
    talk.turn("hello")
    make(talk)
    assert title(talk) == "Mine"


def test_a_person_who_renames_while_the_model_thinks_wins(talk: Talk) -> None:
    talk.turn("hello")
    assert talk.moving
    assert titles.claim(talk.moving.turn)
    actions.rename(talk.actor, talk.conversation.pk, "My shoes")
    titles.keep(talk.conversation.pk, "The model's")
    assert title(talk) == "My shoes"


def test_only_one_of_two_asks(talk: Talk) -> None:
    talk.turn("hello")
    assert talk.moving
    assert titles.claim(talk.moving.turn)
    assert titles.claim(talk.moving.turn) is None


def test_when_the_model_fails_the_first_words_stay(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise ProviderError("blocked", "no")

    talk.turn("hello there")
    monkeypatch.setattr("agents.asides.ask", fail)
    make(talk)
    assert title(talk) == "hello there"
    assert told(talk) == []


def test_a_run_that_failed_or_was_stopped_names_nothing(talk: Talk) -> None:
    run = talk.say("hello")
    actions.stop_run(talk.actor, run.pk)
    talk.turn('call buy {"item": "hat"}')
    make(talk)
    assert told(talk) == []


@pytest.mark.parametrize(("answer", "expected"), [
    ('"Red shoes."', "Red shoes"),
    ("**Red shoes**\n\nThis title says…", "Red shoes"),
    ("\n\n  “红色跑鞋”  ", "红色跑鞋"),
    ("Red\u202e shoes\x00 and\tmore", "Red shoes and more"),
    ("w" * 200, "w" * 59 + "…"),
    ("***", ""),
])  # fmt: skip
def test_a_title_is_one_short_line_of_what_can_be_seen(answer: str, expected: str) -> None:
    """T04: no hidden characters, no breaks, no decoration."""
    assert titles.title_in(answer) == expected


def test_what_a_title_costs_is_booked_like_everything_else(talk: Talk) -> None:
    """One entry for the answer, one for the title, of the same run and person."""
    talk.turn("hello")
    make(talk)
    entries = UsageEntry.objects.filter(run=talk.moving.turn.run.pk)  # type: ignore[union-attr]
    assert [entry.input_tokens > 0 for entry in entries] == [True, True]
    assert {entry.user_id for entry in entries} == {talk.actor.user.pk}
    assert not entries.filter(is_reserved=True).exists()


def test_where_the_budget_is_used_up_the_first_words_stay(talk: Talk) -> None:
    """And the model is not asked."""
    talk.turn("hello there")
    assert talk.moving
    UsageLimit.objects.create(kind=LimitKind.TOKENS, of=LimitOf.TENANT, amount=1)
    talk.moving.turn.spending.limits = limits.read()
    make(talk)
    assert title(talk) == "hello there"
    assert UsageEntry.objects.count() == 1


def test_a_title_that_was_given_up_half_way_was_paid_for(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """T68: also where a stop or the time limit ends it, the model has read what it was sent."""

    async def never(*_asked: object, **_more: object) -> None:
        await asyncio.sleep(10)

    talk.turn("hello")
    before = UsageEntry.objects.count()
    monkeypatch.setattr("agents.asides.ask", never)
    monkeypatch.setattr(titles, "WITHIN_S", 1.0)
    make(talk)
    assert UsageEntry.objects.count() == before + 1
    paid = UsageEntry.objects.order_by("created_at").last()
    assert paid is not None
    assert (paid.input_tokens > 10, paid.output_tokens, paid.is_estimate) == (True, 0, True)
