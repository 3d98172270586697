"""Setting, changing and stopping reminders: who may, how many there may be, and what is sent out besides."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core import mail
from django.utils.translation import override

from conversations import actions
from conversations.models import Participant
from conversations.reminders import verbs
from conversations.reminders.models import Reminder
from conversations.reminders.verbs import Wish
from platform_site.access import Actor, actor_for_session
from platform_site.errors import Problem
from platform_site.models import User, Webhook
from platform_site.notices import outbox
from platform_site.notices.models import Notice
from platform_site.notices.wire import body_of
from platform_site.notices.words import mail_about
from tests.reminders.conftest import MONDAY, Wall

NINE = MONDAY.replace(hour=9)


def problem_of(wall: Wall, wish: Wish) -> Problem:
    with pytest.raises(Problem) as problem:
        verbs.set_(wall.talk.actor, wall.talk.conversation.pk, wish)
    return problem.value


@pytest.fixture
def ritas(wall: Wall, rita: User) -> Actor:
    """Rita takes part in Bob's conversation."""
    Participant.objects.create(conversation=wall.talk.conversation, user=rita, is_owner=False)
    actor = actor_for_session(rita, "acme")
    assert actor
    return actor


def test_who_left_is_told_that_they_can_only_stop_it(wall: Wall) -> None:
    row = wall.remind()
    assert verbs.may_now(wall.talk.actor, row) == {"change", "pause", "delete"}
    Participant.objects.filter(conversation=wall.talk.conversation).delete()
    assert verbs.may_now(wall.talk.actor, row) == {"pause", "delete"}


def test_what_is_wrong_names_its_field(wall: Wall) -> None:
    good = Wish("daily", "09:00", "Stretch")
    for change, path in (
        ({"content": "  "}, "$.content"), ({"content": "x" * 2001}, "$.content"), ({"zone": "Mars/North"}, "$.zone"),
        ({"action": "shout"}, "$.action"), ({"time": "9am"}, "$.time"), ({"type": "hourly"}, "$.type"),
        ({"weekday": 3}, "$.weekday"),
    ):  # fmt: skip
        problem = problem_of(wall, replace(good, **change))
        assert (problem.status, problem.extra["errors"][0]["path"]) == (400, path)


def test_what_is_wrong_is_said_in_the_readers_language(wall: Wall) -> None:
    problem = problem_of(wall, Wish("hourly", "09:00", "Stretch"))
    with override("en"):
        assert str(problem.words) == "type must be one of: once, daily, weekly."


def test_times_are_those_of_the_person_else_of_the_tenant(wall: Wall) -> None:
    tenant = wall.talk.actor.tenant
    tenant.timezone = "Asia/Shanghai"
    assert wall.remind().zone == "Asia/Shanghai"
    wall.talk.actor.user.timezone = "America/New_York"
    assert wall.remind().zone == "America/New_York"
    assert wall.remind(zone="Europe/Berlin").zone == "Europe/Berlin"


def test_there_are_only_so_many(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verbs, "MOST_ACTIVE", 3)
    monkeypatch.setattr(verbs, "MOST_RUNS", 1)
    first = wall.remind(action="run")
    told = problem_of(wall, Wish("daily", "09:00", "Stretch", action="run"))
    assert (told.status, "1 reminders that ask" in told.detail) == (409, True)
    wall.remind()
    verbs.pause(wall.talk.actor, wall.remind().pk)
    assert problem_of(wall, Wish("daily", "09:00", "Stretch")).status == 409
    verbs.delete(wall.talk.actor, first.pk)
    wall.remind()


def test_change_makes_it_come_at_the_new_time(wall: Wall) -> None:
    row = wall.remind()
    wish = replace(verbs.wish_of(row), time="10:30", content="Walk")
    changed = verbs.change(wall.talk.actor, row.pk, wish)
    assert (changed.next_due, changed.content) == (NINE + timedelta(hours=1, minutes=30), "Walk")
    wall.until(NINE)
    assert wall.outcomes() == []


def test_one_that_is_done_comes_again_with_a_new_time(wall: Wall) -> None:
    row = wall.remind("once", "2026-11-23 09:00")
    wall.until(NINE)
    with pytest.raises(Problem, match="in the past"):
        verbs.change(wall.talk.actor, row.pk, verbs.wish_of(row))
    verbs.change(wall.talk.actor, row.pk, replace(verbs.wish_of(row), time="2026-11-24 09:00"))
    wall.until(NINE + timedelta(days=1))
    assert wall.outcomes() == ["11-23 09:00 delivered", "11-24 09:00 delivered"]


def test_paused_it_stays_silent_and_nothing_is_made_up_for(wall: Wall) -> None:
    row = wall.remind()
    assert verbs.pause(wall.talk.actor, row.pk).next_due is None
    assert len(verbs.next_five(Reminder.objects.get())) == 5, "what it would be"
    wall.until(NINE + timedelta(days=3))
    assert verbs.resume(wall.talk.actor, row.pk).next_due == NINE + timedelta(days=4)
    wall.until(NINE + timedelta(days=4))
    assert wall.outcomes() == ["11-27 09:00 delivered"]


def test_a_paused_one_whose_time_is_over_wants_a_new_one(wall: Wall) -> None:
    row = wall.remind("once", "2026-11-23 09:00")
    verbs.pause(wall.talk.actor, row.pk)
    wall.clock.now = NINE + timedelta(hours=1)
    with pytest.raises(Problem, match="time has passed"):
        verbs.resume(wall.talk.actor, row.pk)


def test_everybody_there_may_stop_it_and_its_owner_alone_may_change_it(wall: Wall, ritas: Actor) -> None:
    """It speaks, and may act, in the owner's name: nobody puts words into it."""
    row = wall.remind()
    assert verbs.get(ritas, row.pk) == row
    assert verbs.may(ritas, row) == {"pause", "delete"}
    with pytest.raises(Problem, match="Only Bob can do this"):
        verbs.change(ritas, row.pk, verbs.wish_of(row))
    paused = verbs.pause(ritas, wall.remind().pk)
    with pytest.raises(Problem, match="Only Bob can do this"):
        verbs.resume(ritas, paused.pk)
    verbs.delete(ritas, row.pk)
    assert row not in verbs.listing(wall.talk.actor)


def test_for_all_others_it_is_not_there(wall: Wall, rita: User) -> None:
    row = wall.remind()
    stranger = actor_for_session(rita, "acme")
    assert stranger and not verbs.listing(stranger).exists()
    for verb in (verbs.get, verbs.pause, verbs.resume, verbs.delete):
        with pytest.raises(Problem, match="no such reminder"):
            verb(stranger, row.pk)


def test_who_left_still_sees_and_stops_their_own(wall: Wall) -> None:
    row = wall.remind()
    Participant.objects.all().delete()
    assert list(verbs.listing(wall.talk.actor)) == [row]
    verbs.delete(wall.talk.actor, row.pk)
    assert not verbs.listing(wall.talk.actor).exists()


def test_who_left_says_nothing_there_by_a_reminder(wall: Wall) -> None:
    """R8: a changed or resumed one tells its words to everybody there."""
    row, paused = wall.remind(), verbs.pause(wall.talk.actor, wall.remind().pk)
    Participant.objects.all().delete()
    told = len(wall.talk.log())
    with pytest.raises(Problem, match="no such conversation"):
        verbs.change(wall.talk.actor, row.pk, replace(verbs.wish_of(row), content="Hello from outside"))
    with pytest.raises(Problem, match="no such conversation"):
        verbs.resume(wall.talk.actor, paused.pk)
    assert len(wall.talk.log()) == told


def test_with_its_conversation_it_is_gone(wall: Wall) -> None:
    wall.remind()
    actions.delete(wall.talk.actor, wall.talk.conversation.pk)
    wall.until(NINE)
    assert not Reminder.objects.exists()


def test_by_mail_and_webhook_if_it_is_wished(wall: Wall) -> None:
    hook = Webhook.objects.create(name="ops", url="https://hooks.example.com/", kinds=["reminder"])
    Webhook.objects.create(name="other", url="https://hooks.example.com/2", kinds=["confirmation_waiting"])
    outbox.renew_secret(hook, by=None)
    wall.remind(content="Stretch\nboth arms", mail=True, webhook=True)
    wall.remind(content="Silent")
    wall.until(NINE)
    by_mail, by_hook = Notice.objects.order_by("channel")
    letter = mail_about(by_mail.kind, by_mail.data, wall.talk.actor.user, wall.talk.actor.tenant, NINE)
    assert letter.subject == "[Acme] Reminder: Stretch both arms"
    assert "Stretch\nboth arms" in letter.body and "2026-11-23 09:00 (UTC)" in letter.body
    told = json.loads(body_of(by_hook))
    assert (told["kind"], told["data"]["content"], told["data"]["late"]) == (
        "reminder",
        "Stretch\nboth arms",
        False,
    )
    assert told["data"]["url"].endswith(f"/c/{wall.talk.conversation.pk}/")
    assert isinstance(outbox.claim(by_mail, by_mail.due_at, lambda _notice: True), outbox.MailParcel)
    assert mail.outbox == []
