"""Every address and frame of a conversation, as somebody who takes part in it and as somebody who did once.

Who left is answered like any colleague (T33, T38); who takes part sees it, and changes only what is everybody's (T40).
The same tables as the walk of everybody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, override_settings

from conversations.access import Actor
from conversations.groups import people
from conversations.models import Participant
from platform_site.access import actor_for_session
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.conftest import person
from tests.walk.http_table import API, ROWS
from tests.walk.test_http_walk import ask
from tests.walk.world import World, make_world

pytestmark = pytest.mark.django_db
WITHIN = ("conversation", "message", "reply", "run", "confirmation", "correction", "upload", "invitation")
OF_A_CONVERSATION = sorted(
    pattern for pattern, row in ROWS.items() if any(f"{{{thing}}}" in row.url for thing in WITHIN)
)
TALK = API + "conversations/<id:conversation>"
GUEST: dict[str, dict[str, int]] = {
    "t/<slug:slug>/c/<str:conversation>/": {"GET": 200},
    TALK: {"GET": 200, "PATCH": 403, "DELETE": 403},
    TALK + "/messages": {"GET": 200, "POST": 202},
    TALK + "/events": {"GET": 200},
    TALK + "/export": {"GET": 200},
    TALK + "/branch": {"POST": 409},
    TALK + "/debate": {"GET": 200, "POST": 200},
    TALK + "/people": {"GET": 200},
    TALK + "/people/candidates": {"GET": 403},
    TALK + "/people/remove": {"POST": 403},
    TALK + "/people/owner": {"POST": 403},
    TALK + "/leave": {"POST": 204},
    TALK + "/read": {"POST": 200},
    TALK + "/invitations": {"POST": 403},
    API + "invitations/<id:invitation>": {"DELETE": 403},
    API + "invitations/<id:invitation>/accept": {"POST": 404},
    API + "invitations/<id:invitation>/decline": {"POST": 404},
    API + "messages/<id:message>/edit": {"POST": 403},
    API + "messages/<id:message>/regenerate": {"POST": 409},
    API + "runs/<id:run>": {"GET": 200},
    API + "runs/<id:run>/stop": {"POST": 403},
    API + "runs/<id:run>/retry": {"POST": 403},
    API + "confirmations/<id:confirmation>": {"GET": 200},
    API + "confirmations/<id:confirmation>/decide": {"POST": 403},
    API + "corrections/<id:correction>": {"GET": 404},
    API + "corrections/<id:correction>/submit": {"POST": 404},
    API + "uploads/<id:upload>": {"GET": 404, "DELETE": 404},
    API + "uploads/<id:upload>/content": {"GET": 404},
}
"""What somebody who takes part, and did not begin it, is answered. The picture was not sent there."""


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with django_db_blocker.unblock(), override_settings(PASSWORD_HASHERS=hashers), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def browsers(world: World) -> dict[str, Client]:
    """`guest` takes part, `former` did, `colleague` never was there and is not invited either."""
    acme = Tenant.objects.get(slug="acme")
    guest = User.objects.get(pk=world.ids["guest"])
    former, colleague = (person(acme, name, "member") for name in ("Frida", "Cleo"))  # type: ignore[arg-type]
    _took_part(acme, former, world.ids["conversation"])
    clients = {"guest": Client(), "former": Client(), "colleague": Client()}
    for client, user in zip(clients.values(), (guest, former, colleague), strict=True):
        client.raise_request_exception = False
        client.force_login(user)
    return clients


def _took_part(tenant: Tenant, user: User, conversation: str) -> None:
    with acting_for(tenant):
        Participant.objects.create(conversation_id=conversation, user=user, is_owner=False)
        actor = actor_for_session(user, tenant.slug)
        assert isinstance(actor, Actor)
        people.leave(actor, conversation)


@pytest.mark.parametrize("pattern", OF_A_CONVERSATION)
def test_who_left_is_answered_like_who_never_was_there(
    world: World, browsers: dict[str, Client], pattern: str
) -> None:
    row = ROWS[pattern]
    for method in row.methods:
        gone, never = (ask(browsers[who], method, row, world.ids) for who in ("former", "colleague"))
        assert (gone.status, gone.wrote) == (never.status, []), f"{method} {row.url}"
        assert gone.status in (403, 404), f"{method} {row.url}"


@pytest.mark.parametrize("pattern", sorted(GUEST))
def test_who_takes_part_may_what_the_table_says(
    world: World, browsers: dict[str, Client], pattern: str
) -> None:
    row = ROWS[pattern]
    got = {method: ask(browsers["guest"], method, row, world.ids).status for method in row.methods}
    assert got == GUEST[pattern]


def test_every_address_of_a_conversation_says_who_may_what() -> None:
    ours = {pattern for pattern in OF_A_CONVERSATION if pattern.startswith((API, "t/<slug:slug>/c/"))}
    assert ours - GUEST.keys() == {API + "confirmations/<id:confirmation>/form"}
