"""Setting and changing a reminder on its page: plain forms, and what is wrong beside the field it is about."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conversations.models import Conversation
from conversations.reminders import verbs
from conversations.reminders.models import Reminder
from platform_site.access import Actor
from platform_site.models import User
from tests.api.made import make_conversation
from tests.reminders.seen import DAILY, HOME, as_, bobs, join, remind, talk, text

__all__ = ["bobs", "talk"]

NEW = f"{HOME}new/"


def errors(answer: Any) -> dict[str, str]:
    """What stands beside which field."""
    html = answer.content.decode()
    return {
        name: re.sub(r"<[^>]+>", "", said)
        for name, said in re.findall(r'id="(\w+)-error">(.*?)</ul>', html, re.S)
    }


def test_a_new_one_begins_in_the_persons_zone_and_conversation(bobs: Actor, talk: Conversation) -> None:
    bobs.user.timezone = "Asia/Kolkata"
    bobs.user.save(update_fields=["timezone"])
    other = make_conversation(talk.agent, bobs.user, "Work")
    html = as_(bobs.user).get(f"{NEW}?conversation={talk.pk}").content.decode()
    assert (
        'name="zone" list="zones" maxlength="64" autocomplete="off" spellcheck="false" value="Asia/Kolkata"'
        in html
    )
    assert f'<option value="{talk.pk}" selected>' in html and f'<option value="{other.pk}">' in html


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ({}, ("daily", None, None)),
        ({"kind": "weekly", "weekday": "6"}, ("weekly", 6, None)),
        ({"kind": "once", "date": "2035-01-31", "weekday": "3"}, ("once", None, "2035-01-31")),
    ],
)
def test_it_is_set_as_it_was_filled_in(
    bobs: Actor, talk: Conversation, given: dict[str, str], stored: tuple[str, int | None, str | None]
) -> None:
    answer = as_(bobs.user).post(NEW, DAILY | {"conversation": talk.pk} | given)
    row = Reminder.objects.get()
    assert answer["Location"] == f"../#reminder-{row.pk}"
    assert (row.kind, row.weekday, row.date and row.date.isoformat()) == stored
    assert (f"{row.time:%H:%M}", row.zone, row.act, row.mail) == ("18:00", "Europe/Berlin", "tell", False)


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"content": " "}, "content", "Say what it is about."),
        ({"content": "x" * 2001}, "content", "at most 2000 characters"),
        ({"kind": "once"}, "date", "On which day?"),
        ({"kind": "once", "date": "31.1."}, "date", "This is not a date."),
        ({"kind": "once", "date": "2020-01-31"}, "time", "is in the past"),
        ({"kind": "once", "date": "2099-01-31"}, "time", "more than ten years ahead"),
        ({"kind": "weekly"}, "weekday", "On which day of the week?"),
        ({"time": ""}, "time", "At what time?"),
        ({"time": "25:00"}, "time", "Give hours and minutes"),
        ({"zone": "Europe/Berlim"}, "zone", "Did you mean Europe/Berlin?"),
        ({"zone": "Atlantis"}, "zone", "There is no time zone of this name."),
        ({"conversation": "0" * 32}, "conversation", "Choose one of your conversations."),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    bobs: Actor, talk: Conversation, given: dict[str, str], field: str, words: str
) -> None:
    answer = as_(bobs.user).post(NEW, DAILY | {"conversation": talk.pk} | given)
    assert answer.status_code == 400
    assert words in errors(answer).get(field, "")
    assert not Reminder.objects.exists()


def test_a_limit_that_is_reached_is_said_above_the_form(
    bobs: Actor, talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbs, "MOST_ACTIVE", 1)
    remind(bobs, talk.pk)
    answer = as_(bobs.user).post(NEW, DAILY | {"conversation": talk.pk})
    assert "There are 1 reminders already, which is as many as one person may have" in text(answer)


def test_a_zone_may_be_named_by_its_city(bobs: Actor, talk: Conversation) -> None:
    as_(bobs.user).post(NEW, DAILY | {"conversation": talk.pk, "zone": "new york"})
    assert Reminder.objects.get().zone == "America/New_York"


def test_somebody_elses_conversation_cannot_be_chosen(bobs: Actor, talk: Conversation, rita: User) -> None:
    make_conversation(talk.agent, rita, "Hers")
    answer = as_(rita).post(NEW, DAILY | {"conversation": talk.pk})
    assert "Choose one of your conversations" in errors(answer)["conversation"]


def test_who_has_no_conversation_is_led_to_one(bobs: Actor) -> None:
    assert "A reminder comes into a conversation" in text(as_(bobs.user).get(NEW))


def test_a_change_is_filled_in_with_what_holds(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk, type="weekly", weekday=2, action="run", zone="Asia/Tokyo")
    html = as_(bobs.user).get(f"{HOME}{one.pk}/").content.decode()
    for chosen in ('name="kind" value="weekly" checked', 'value="2" aria-label="Wednesday" checked'):
        assert chosen in html
    assert (
        'name="act" value="run" checked' in html and 'value="Asia/Tokyo"' in html and 'value="18:00"' in html
    )
    assert 'name="conversation"' not in html


def test_it_is_changed(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk)
    as_(bobs.user).post(f"{HOME}{one.pk}/", DAILY | {"content": "Feed the cat", "time": "07:15"})
    one.refresh_from_db()
    assert (one.content, f"{one.time:%H:%M}", one.status) == ("Feed the cat", "07:15", "active")


def test_a_finished_one_is_set_again(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk, type="once", time="2035-01-31 18:00")
    Reminder.objects.filter(pk=one.pk).update(status="done", next_due=None)
    as_(bobs.user).post(f"{HOME}{one.pk}/", DAILY | {"kind": "once", "date": "2035-02-28"})
    one.refresh_from_db()
    assert one.status == "active" and one.next_due


def test_only_who_set_it_gets_the_form(bobs: Actor, talk: Conversation, rita: User) -> None:
    one = remind(bobs, talk.pk)
    join(talk.pk, rita)
    client = as_(rita)
    assert (
        client.get(f"{HOME}{one.pk}/").status_code
        == client.post(f"{HOME}{one.pk}/", DAILY).status_code
        == 403
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kind": "daily", "time": "18:00", "zone": "UTC"}, "18:00"),
        ({"kind": "daily", "time": "18:00", "zone": "UTC", "date": "2020-01-31", "weekday": "3"}, "18:00"),
        ({"kind": "once", "date": "2020-01-31", "time": "18:00", "zone": "UTC"}, "This time is in the past."),
        ({"kind": "once", "time": "18:00", "zone": "UTC"}, "as soon as a time is filled in"),
        (
            {"kind": "weekly", "weekday": "9", "time": "18:00", "zone": "UTC"},
            "as soon as a time is filled in",
        ),
        ({"kind": "daily", "time": "18:00", "zone": "Nowhere"}, "as soon as a time is filled in"),
        (
            {"kind": "once", "date": "9999-12-31", "time": "23:59", "zone": "America/New_York"},
            "as soon as a time",
        ),
        (
            {"kind": "once", "date": "0001-01-01", "time": "00:00", "zone": "Asia/Shanghai"},
            "as soon as a time",
        ),
        ({}, "as soon as a time is filled in"),
    ],
)
def test_what_a_half_filled_form_means(bobs: Actor, given: dict[str, str], words: str) -> None:
    answer = as_(bobs.user).get(f"{HOME}preview/", given)
    assert answer.status_code == 200 and words in text(answer)
