"""Every websocket frame, sent by everybody. A frame without a row here fails; each "cannot" has its "can".

What is not the sender's answers exactly as what does not exist (T32, T33); a token without the right to chat may ask
nothing (T39); who is not signed in or no member is closed before anything is said (T43).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from conversations import consumers, hall
from conversations.frames import CLIENT_FRAMES
from conversations.models import Run
from platform_site import tokens
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.walk.world import ABSENT, World, make_world

pytestmark = pytest.mark.django_db(transaction=True)
Fields = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """A frame: its fields from the ids of a tenant's things, and what each role is answered."""

    fields: Callable[[dict[str, str]], Fields]
    answers: dict[str, str]


NOT_MINE = {"member": "ack", "colleague": "not_found", "reviewer": "not_found", "admin": "not_found"}
ANYBODY = dict.fromkeys(("member", "colleague", "reviewer", "admin"), "ack")
ROWS: dict[str, Row] = {
    "conversation.create": Row(lambda ids: {"agent": "guide"}, ANYBODY),
    "subscribe": Row(lambda ids: {"conversation": ids["conversation"], "after": 0}, NOT_MINE),
    "unsubscribe": Row(lambda ids: {"conversation": ids["conversation"]}, ANYBODY),
    "message.send": Row(lambda ids: {"conversation": ids["conversation"], "text": "hello"}, NOT_MINE),
    "message.edit": Row(
        lambda ids: {"conversation": ids["conversation"], "message": ids["message"], "text": "hello"},
        NOT_MINE,
    ),
    "message.regenerate": Row(
        lambda ids: {"conversation": ids["conversation"], "message": ids["reply"]}, NOT_MINE
    ),
    "branch.switch": Row(
        lambda ids: {"conversation": ids["conversation"], "message": ids["message"]}, NOT_MINE
    ),
    "debate.steer": Row(lambda ids: {"conversation": ids["conversation"], "do": "pause"}, NOT_MINE),
    "run.stop": Row(lambda ids: {"run": ids["run"]}, NOT_MINE),
    "run.retry": Row(lambda ids: {"run": ids["run"]}, NOT_MINE),
    "confirmation.decide": Row(
        lambda ids: {"confirmation": ids["confirmation"], "decision": "reject", "digest": ids["digest"]},
        {"member": "ack", "colleague": "not_found", "reviewer": "forbidden", "admin": "forbidden"},
    ),
    "input.submit": Row(lambda ids: {"interrupt": ids["correction"], "cancel": True}, NOT_MINE),
    "job.cancel": Row(lambda ids: {"call": ids["toolcall"]}, NOT_MINE),
    "typing": Row(lambda ids: {"conversation": ids["conversation"]}, NOT_MINE),
    "read.mark": Row(lambda ids: {"conversation": ids["conversation"], "seq": 1}, NOT_MINE),
    "ping": Row(lambda ids: {}, ANYBODY),
}
FREE_OF_IDS = {"conversation.create", "ping", "unsubscribe"}


def test_every_frame_has_its_row() -> None:
    assert set(ROWS) == set(CLIENT_FRAMES)


class Socket:
    """One connection to the consumer, without a server between."""

    def __init__(self, slug: str, bearer: str) -> None:
        headers = [(b"authorization", f"Bearer {bearer}".encode())] if bearer else []
        self.scope = {"type": "websocket", "headers": headers, "url_route": {"kwargs": {"slug": slug}}}
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def ask(self, frame: Fields) -> str:
        """What the frame is answered: `ack`, an error's code, or `closed:<code>`."""
        self.incoming.put_nowait({"type": "websocket.connect"})
        self.incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})
        running = asyncio.create_task(consumers.socket(self.scope, self.incoming.get, self.outgoing.put))
        try:
            return await asyncio.wait_for(self._answer(), 10)
        finally:
            self.incoming.put_nowait({"type": "websocket.disconnect"})
            await running
            await hall.close_doors()

    async def _answer(self) -> str:
        while True:
            message = await self.outgoing.get()
            if message["type"] == "websocket.close":
                return f"closed:{message['code']}"
            told = json.loads(message.get("text", "{}"))
            if told.get("type") in ("ack", "error"):
                return str(told.get("code", "ack"))


def ask(
    user: User | None, tenant: str, frame: Fields, scopes: tuple[str, ...] = ("chat", "review", "read")
) -> str:
    bearer = ""
    if user:
        home = Tenant.objects.get(slug=user.email.partition("@")[2].removesuffix(".test"))
        with acting_for(home):
            bearer = tokens.make(user, "walk", list(scopes))[1]
    return asyncio.run(Socket(tenant, bearer).ask(frame))


@pytest.fixture
def world() -> World:
    made = make_world()
    for ids in (made.ids, made.foreign):
        with acting_for(Tenant.objects.get(slug=ids["slug"])):
            Run.objects.filter(pk=ids["run"]).update(status="failed")
    return made


@pytest.mark.parametrize("kind", ROWS)
def test_everybody_is_answered_as_the_table_says(kind: str, world: World) -> None:
    row = ROWS[kind]
    frame = {"type": kind, "id": "1", **row.fields(world.ids)}
    assert {
        role: ask(world.people[role], "acme", frame) for role in sorted(row.answers, key=_last(row))
    } == row.answers
    assert ask(None, "acme", frame) == "closed:4401"
    assert ask(world.people["removed"], "acme", frame) == "closed:4401"
    assert ask(world.people["stranger"], "acme", frame) == "closed:4403"


def _last(row: Row) -> Callable[[str], bool]:
    """Those who may go last: what they do changes what the others would find."""
    return lambda role: row.answers[role] == "ack"


@pytest.mark.parametrize("kind", sorted(set(ROWS) - FREE_OF_IDS))
def test_another_tenants_id_is_like_an_absent_one(kind: str, world: World) -> None:
    """T32: asked inside one's own tenant, by everybody."""
    row = ROWS[kind]
    foreign = {"type": kind, "id": "1", **row.fields(world.foreign)}
    absent = {"type": kind, "id": "1", **row.fields(dict.fromkeys(world.ids, ABSENT))}
    for role in row.answers:
        assert (
            ask(world.people[role], "acme", foreign) == ask(world.people[role], "acme", absent) == "not_found"
        )


@pytest.mark.parametrize("kind", sorted(set(ROWS) - {"ping"}))
def test_a_token_that_may_only_read_asks_nothing(kind: str, world: World) -> None:
    """T39. Listening is reading."""
    frame = {"type": kind, "id": "1", **ROWS[kind].fields(world.ids)}
    answer = ask(world.people["member"], "acme", frame, scopes=("read",))
    assert answer == ("ack" if kind in ("subscribe", "unsubscribe") else "forbidden")
