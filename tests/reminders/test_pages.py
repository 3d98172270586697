"""The page of reminders: who sees what there, what it says, and what its buttons do without a script."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from conversations.models import Conversation, Participant
from conversations.reminders.models import Occurrence, Reminder, ReminderStatus
from platform_site.access import Actor
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.made import make_conversation
from tests.reminders.seen import HOME, actor_of, as_, join, remind, row, talk, text

__all__ = ["talk"]

LAST_YEAR = datetime(2025, 11, 3, 17, tzinfo=UTC)


@pytest.fixture
def bobs(bob: User, tenant: Tenant, inside: Tenant) -> Actor:
    """Bob, who lives in Berlin."""
    bob.timezone = "Europe/Berlin"
    bob.save(update_fields=["timezone"])
    return actor_of(bob, tenant)


def came(reminder: Reminder, **how: Any) -> Occurrence:
    values = {"due_at": LAST_YEAR, "status": "delivered", "dealt_at": LAST_YEAR} | how
    return Occurrence.objects.create(reminder=reminder, **values)


def test_a_reminder_in_plain_words(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk, type="weekly", time="09:00", weekday=0, mail=True)
    said = text(as_(bobs.user).get(HOME))
    for words in ("Water the plants", "Every Monday at 09:00", "Also by e-mail", "Set by you", "Plants"):
        assert words in said
    dates = row(as_(bobs.user).get(HOME), one).count("<b>")
    assert dates == 5


def test_a_time_of_another_zone_is_told_in_both(bobs: Actor, talk: Conversation) -> None:
    remind(bobs, talk.pk, type="weekly", time="20:30", weekday=0, zone="Asia/Kolkata")
    said = text(as_(bobs.user).get(HOME))
    assert "Every Monday at 16:00" in said or "Every Monday at 17:00" in said
    assert "Monday 20:30 in Asia/Kolkata" in said


def test_somebody_elsewhere_reads_their_own_day(bobs: Actor, talk: Conversation) -> None:
    """Monday evening in New York is Tuesday in Berlin."""
    remind(bobs, talk.pk, type="weekly", time="20:30", weekday=0, zone="America/New_York")
    assert "Every Tuesday at 02:30" in text(as_(bobs.user).get(HOME)).replace("01:30", "02:30")


def test_one_that_asks_the_agent_says_so(bobs: Actor, talk: Conversation) -> None:
    remind(bobs, talk.pk, action="run")
    assert "Asks the agent" in text(as_(bobs.user).get(HOME))


def test_what_became_of_its_last_times(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk)
    came(one, status="skipped", why="missed")
    came(
        one,
        due_at=LAST_YEAR + timedelta(days=1),
        is_late=True,
        dealt_at=LAST_YEAR + timedelta(days=1, minutes=7),
    )
    said = text(as_(bobs.user).get(HOME))
    assert "Mon 3 Nov 2025 18:00 Skipped: a later one was due as well" in said
    assert "Tue 4 Nov 2025 18:00 Came late, at 18:07" in said


def test_a_skipped_or_late_time_is_seen_without_opening_anything(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk)
    came(one, status="skipped", why="busy")
    assert "reminder-trouble" in row(as_(bobs.user).get(HOME), one)
    came(one, due_at=LAST_YEAR + timedelta(days=1))
    assert "reminder-trouble" not in row(as_(bobs.user).get(HOME), one)


def test_hidden_characters_of_a_reminder_are_shown(bobs: Actor, talk: Conversation) -> None:
    """T04: a model may have written it."""
    remind(bobs, talk.pk, "Pay\u202e Bob")
    assert "Pay\u202e" not in as_(bobs.user).get(HOME).content.decode()


def test_everybody_in_the_conversation_sees_it_and_nobody_else(
    bobs: Actor, talk: Conversation, rita: User, adam: User
) -> None:
    """T04: not even who configures the tenant."""
    remind(bobs, talk.pk)
    join(talk.pk, rita)
    assert "Set by Bob" in text(as_(rita).get(HOME))
    assert "Water the plants" not in text(as_(adam).get(HOME))


def test_others_may_stop_it_and_only_who_set_it_may_change_it(
    bobs: Actor, talk: Conversation, rita: User
) -> None:
    one = remind(bobs, talk.pk)
    join(talk.pk, rita)
    theirs, mine = row(as_(rita).get(HOME), one), row(as_(bobs.user).get(HOME), one)
    assert f"{one.pk}/pause/" in theirs and f"{one.pk}/delete/" in theirs
    assert f'reminders/{one.pk}/"' in mine and f'reminders/{one.pk}/"' not in theirs


def test_one_who_left_sees_their_own_and_that_it_is_elsewhere(bobs: Actor, talk: Conversation) -> None:
    remind(bobs, talk.pk)
    Participant.objects.filter(conversation=talk, user=bobs.user).delete()
    said = text(as_(bobs.user).get(HOME))
    assert "You are not in its conversation any more" in said and "Plants" not in said


def test_pause_resume_and_delete_without_a_script(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk)
    client = as_(bobs.user)
    for verb, status in (("pause", "paused"), ("resume", "active"), ("delete", "deleted")):
        answer = client.post(f"{HOME}{one.pk}/{verb}/")
        assert (answer.status_code, answer["Location"]) == (302, f"../../#reminder-{one.pk}")
        one.refresh_from_db()
        assert one.status == status
    assert "Water the plants" not in text(client.get(HOME))


def test_what_cannot_be_done_any_more_is_said(bobs: Actor, talk: Conversation) -> None:
    one = remind(bobs, talk.pk)
    Reminder.objects.filter(pk=one.pk).update(status=ReminderStatus.DONE, next_due=None)
    client = as_(bobs.user)
    assert client.post(f"{HOME}{one.pk}/pause/").status_code == 302
    assert "This reminder is done" in text(client.get(HOME))


def test_a_stranger_finds_nothing(bobs: Actor, talk: Conversation, adam: User) -> None:
    one = remind(bobs, talk.pk)
    client = as_(adam)
    assert client.get(f"{HOME}{one.pk}/").status_code == 404
    assert {client.post(f"{HOME}{one.pk}/{verb}/").status_code for verb in ("pause", "delete", "snooze")} == {
        404
    }


def test_paused_and_finished_ones_stand_by_themselves(bobs: Actor, talk: Conversation) -> None:
    client = as_(bobs.user)
    one, other = remind(bobs, talk.pk, "Coming"), remind(bobs, talk.pk, "Resting")
    client.post(f"{HOME}{other.pk}/pause/")
    Reminder.objects.filter(pk=remind(bobs, talk.pk, "Finished").pk).update(status="done", next_due=None)
    said = text(client.get(HOME))
    assert said.index(one.content) < said.index("Resting") < said.index("Finished")
    assert "Finished" in text(client.get(f"{HOME}over/"))


def test_the_page_can_be_about_one_conversation(bobs: Actor, talk: Conversation) -> None:
    other = make_conversation(talk.agent, bobs.user, "Work")
    remind(bobs, talk.pk)
    remind(bobs, other.pk, "Call the office")
    said = text(as_(bobs.user).get(f"{HOME}?conversation={other.pk}"))
    assert "Call the office" in said and "Water the plants" not in said
    assert as_(bobs.user).get(f"{HOME}?conversation={'0' * 32}").status_code == 404


def test_the_number_of_queries_does_not_grow(
    bobs: Actor, talk: Conversation, django_assert_max_num_queries: Any
) -> None:
    for at in range(12):
        came(remind(bobs, talk.pk, f"Number {at}"))
    client = as_(bobs.user)
    client.get(HOME)
    with django_assert_max_num_queries(18):
        client.get(HOME)


def test_put_off_it_comes_again_for_who_asks(bobs: Actor, talk: Conversation, rita: User) -> None:
    first = remind(bobs, talk.pk)
    Reminder.objects.filter(pk=first.pk).update(after=["get_news"])
    join(talk.pk, rita)
    answer = as_(rita).post(f"{HOME}{first.pk}/snooze/", {"minutes": "10"})
    made = Reminder.objects.get(pk=answer.json()["reminder"])
    assert (made.kind, made.owner, made.content, made.after) == ("once", rita, first.content, ["get_news"])
    assert made.next_due and timedelta(minutes=9.9) < made.next_due - timezone.now() < timedelta(minutes=11)
    assert as_(rita).post(f"{HOME}{first.pk}/snooze/", {"minutes": "11"}).status_code == 400


def test_what_came_meanwhile_is_asked_for(bobs: Actor, talk: Conversation, rita: User, adam: User) -> None:
    now = timezone.now()
    one = remind(bobs, talk.pk)
    occurrence = came(one, due_at=now - timedelta(minutes=3), dealt_at=now - timedelta(minutes=2))
    join(talk.pk, rita)

    def fired(user: User, ago: timedelta) -> list[str]:
        answer = as_(user).get(f"{HOME}fired.json", {"since": (now - ago).isoformat()})
        return [row["occurrence"] for row in answer.json()["fired"]]

    assert fired(rita, timedelta(minutes=5)) == [occurrence.pk]
    assert fired(rita, timedelta(minutes=1)) == []
    assert fired(adam, timedelta(minutes=5)) == []
    for odd in ("never", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"):
        assert as_(adam).get(f"{HOME}fired.json", {"since": odd}).json()["fired"] == []


def test_another_tenant_has_its_own(
    bobs: Actor, talk: Conversation, charlie: User, other_tenant: Tenant
) -> None:
    remind(bobs, talk.pk)
    with acting_for(other_tenant):
        assert "Water the plants" not in text(as_(charlie).get("/t/globex/reminders/"))
    assert as_(charlie).get(HOME).status_code == 404
