"""A reminder that says no time (its zone is not known any more) is listed as such, and can be changed and deleted."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conversations.models import Conversation
from conversations.reminders import handlers, verbs
from conversations.reminders.arguments import ReminderListArgs
from conversations.reminders.models import Reminder
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import User
from tests.reminders.seen import DAILY, HOME, as_, bobs, remind, row, talk, text
from tools.registry import ToolContext

__all__ = ["bobs", "talk"]

BREAKS: list[dict[str, Any]] = [
    {"zone": "Mars/Olympus"}, {"kind": "weekly", "weekday": None}, {"kind": "once", "date": None}, {"kind": "yearly"},
]  # fmt: skip
UNTOLD = "Nobody can tell when this reminder comes"


def break_(reminder: Reminder, **how: Any) -> None:
    Reminder.objects.filter(pk=reminder.pk).update(**how)


@pytest.mark.parametrize("how", BREAKS)
@pytest.mark.parametrize("status", ["active", "paused", "done"])
def test_it_is_listed_with_its_words_among_the_others(
    bobs: Actor, talk: Conversation, how: dict[str, Any], status: str
) -> None:
    one = remind(bobs, talk.pk, "Broken")
    remind(bobs, talk.pk, "Whole")
    break_(one, status=status, **how)
    page = as_(bobs.user).get(HOME)
    assert "Whole" in text(page)
    assert "Broken" in row(page, one) and UNTOLD in row(page, one)


def test_no_page_tells_a_time_of_another_zone_for_it(bobs: Actor, talk: Conversation) -> None:
    """18:00 in UTC is not what was meant by 18:00 on clocks that nobody knows."""
    one = remind(bobs, talk.pk, time="18:00", zone="Asia/Tokyo")
    break_(one, zone="Mars/Olympus")
    said = row(as_(bobs.user).get(HOME), one)
    assert "18:00" not in said and "Mars" not in said and "No time" in said


def test_those_of_no_known_time_stand_together_and_part_no_day(bobs: Actor, talk: Conversation) -> None:
    for nth in range(5):
        one = remind(bobs, talk.pk, f"Number {nth}", time=f"0{nth}:30")
        if nth % 2:
            break_(one, zone="Mars/Olympus")
    page = as_(bobs.user).get(HOME).content.decode()
    names = re.findall(r'<h2 id="day-\d+">(.*?)</h2>', page)
    assert names.count("At no known time") == 1 and len(names) == len(set(names))


def test_its_owner_changes_it(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk)
    break_(one, zone="Mars/Olympus")
    client = as_(bobs.user)
    form = client.get(f"{HOME}{one.pk}/")
    assert form.status_code == 200 and "Water the plants" in form.content.decode()
    assert client.post(f"{HOME}{one.pk}/", {**DAILY, "zone": "Mars/Olympus"}).status_code == 400
    assert client.post(f"{HOME}{one.pk}/", DAILY).status_code == 302
    assert len(verbs.next_five(Reminder.objects.get())) == 5


def test_it_is_deleted(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk)
    break_(one, zone="Mars/Olympus")
    assert as_(bobs.user).post(f"{HOME}{one.pk}/delete/").status_code == 302
    assert Reminder.objects.get().status == "deleted"


def test_it_cannot_be_resumed_and_it_is_said_why(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk)
    verbs.pause(bobs, one.pk)
    break_(one, zone="Mars/Olympus")
    with pytest.raises(Problem, match=UNTOLD):
        verbs.resume(bobs, one.pk)


@pytest.mark.parametrize("how", BREAKS)
def test_a_program_finds_it_without_times(bobs: Actor, talk: Conversation, how: dict[str, Any]) -> None:
    one = remind(bobs, talk.pk)
    break_(one, **how)
    answer = as_(bobs.user).get("/api/v1/t/acme/reminders")
    assert answer.status_code == 200
    assert [(found["id"], found["coming"]) for found in answer.json()["results"]] == [(one.pk, [])]


def test_the_agent_is_told_that_there_is_no_time(bobs: Actor, talk: Conversation) -> None:
    break_(remind(bobs, talk.pk), zone="Mars/Olympus")
    context = ToolContext(bobs.tenant, bobs.user, topic=talk.pk)
    answer = handlers.reminder_list(context, ReminderListArgs())
    assert isinstance(answer, dict)
    [told] = answer["reminders"]
    assert told["next"] is None and "Nobody can tell" in told["broken"]


def test_who_lives_in_a_zone_that_is_gone_still_gets_the_form(bobs: Actor, talk: Conversation) -> None:
    User.objects.filter(pk=bobs.user.pk).update(timezone="Mars/Olympus")
    one = remind(bobs, talk.pk, zone="Europe/Berlin")
    client = as_(bobs.user)
    assert client.get(f"{HOME}new/").status_code == 200
    answer = client.post(f"{HOME}{one.pk}/snooze/", {"minutes": "10"})
    assert answer.status_code == 400 and "There is no time zone Mars/Olympus" in answer.json()["detail"]
