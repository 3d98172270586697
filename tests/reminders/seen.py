"""Reminders of Bob's, and pages as he and others get them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from conversations.models import Conversation, Participant
from conversations.reminders import verbs
from conversations.reminders.models import Reminder
from conversations.reminders.verbs import Wish
from platform_site.access import Actor, actor_for_session
from platform_site.models import Tenant, User
from tests.api.made import make_agent, make_conversation

HOME = "/t/acme/reminders/"
DAILY = {
    "content": "Water the plants",
    "kind": "daily",
    "time": "18:00",
    "zone": "Europe/Berlin",
    "act": "tell",
}


@pytest.fixture
def bobs(bob: User, tenant: Tenant, inside: Tenant) -> Actor:
    return actor_of(bob, tenant)


@pytest.fixture
def talk(bobs: Actor) -> Conversation:
    return make_conversation(make_agent(), bobs.user, "Plants")


def as_(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def actor_of(user: User, tenant: Tenant) -> Actor:
    actor = actor_for_session(user, tenant.slug)
    assert actor
    return actor


def remind(actor: Actor, talk: str, content: str = "Water the plants", **wish: Any) -> Reminder:
    return verbs.set_(actor, talk, Wish(**{"type": "daily", "time": "18:00", "content": content} | wish))


def join(talk: str, user: User) -> None:
    Participant.objects.create(conversation_id=talk, user=user, is_owner=False)


def text(answer: Any) -> str:
    """What is to be read on a page, its attributes left out."""
    html = re.sub(r"<(template|script|datalist)\b.*?</\1>", " ", answer.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def row(answer: Any, reminder: Reminder) -> str:
    """One reminder's part of the page, as it stands there."""
    found = re.search(
        rf'<li class="reminder[^"]*" id="reminder-{reminder.pk}">.*?\n</li>', answer.content.decode(), re.S
    )
    assert found, "it is not on the page"
    return found[0]
