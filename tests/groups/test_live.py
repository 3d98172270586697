"""What people in one conversation hear live: who writes, who has read; and that who is removed hears nothing more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from conversations import actions, consumers, hall, saying
from conversations.groups import inviting, people
from conversations.models import Conversation, Participant
from conversations.saying import Words
from platform_site import ledger, tokens
from platform_site.access import Actor, actor_for_session
from platform_site.db import db
from platform_site.models import Tenant, User
from tests.api.made import make_agent, make_conversation
from tests.groups.conftest import member

pytestmark = pytest.mark.django_db(transaction=True)
Frame = dict[str, Any]


class Socket:
    """One open connection to the consumer, without a server between."""

    def __init__(self, who: Actor) -> None:
        _, bearer = tokens.make(who.user, "live", ["chat"])
        headers = [(b"authorization", f"Bearer {bearer}".encode())]
        self.scope = {"type": "websocket", "headers": headers, "url_route": {"kwargs": {"slug": "acme"}}}
        self.incoming: asyncio.Queue[Frame] = asyncio.Queue()
        self.frames: asyncio.Queue[Frame] = asyncio.Queue()

    async def open(self) -> None:
        self.incoming.put_nowait({"type": "websocket.connect"})
        self.running = asyncio.create_task(consumers.socket(self.scope, self.incoming.get, self._send))
        await self.ask("ping")

    async def _send(self, message: Frame) -> None:
        if "text" in message:
            self.frames.put_nowait(json.loads(message["text"]))

    async def ask(self, kind: str, **fields: Any) -> Frame:
        self.incoming.put_nowait(
            {"type": "websocket.receive", "text": json.dumps({"type": kind, "id": kind, **fields})}
        )
        return await self.hears(lambda frame: frame.get("id") == kind)

    async def hears(self, wanted: Callable[[Frame], bool]) -> Frame:
        """The next such frame; others before it are dropped."""
        while True:
            frame = await asyncio.wait_for(self.frames.get(), 10)
            if wanted(frame):
                return frame

    async def notice(self, kind: str) -> Frame:
        return dict((await self.hears(lambda frame: frame.get("kind") == kind))["data"])

    async def close(self) -> None:
        self.incoming.put_nowait({"type": "websocket.disconnect"})
        await self.running


class Room:
    """Bob and Ann in one conversation, each with an open page; Cora is a colleague outside."""

    def __init__(self, tenant: Tenant, bob: User) -> None:
        owner = actor_for_session(bob, tenant.slug)
        assert owner
        self.bob, self.ann, self.cora = owner, member(tenant, "Ann"), member(tenant, "Cora")
        self.talk: Conversation = make_conversation(make_agent(), bob)
        Participant.objects.create(conversation=self.talk, user=self.ann.user, is_owner=False)

    def play(self, scene: Callable[[Socket, Socket, Socket], Awaitable[None]]) -> None:
        """`scene` gets the open sockets of Bob, Ann and Cora."""
        sockets = [Socket(who) for who in (self.bob, self.ann, self.cora)]

        async def scenario() -> None:
            for one in sockets:
                await one.open()
            try:
                await scene(*sockets)
            finally:
                for one in sockets:
                    await one.close()
                await hall.close_doors()

        asyncio.run(scenario())

    def say(self, who: Actor, text: str) -> None:
        saying.post_message(who, self.talk.pk, Words(text))


@pytest.fixture
def room(tenant: Tenant, bob: User, inside: Tenant) -> Room:
    return Room(tenant, bob)


def test_who_writes_is_told_to_the_others_and_kept_nowhere(room: Room) -> None:
    async def scene(bob: Socket, ann: Socket, cora: Socket) -> None:
        assert (await ann.ask("typing", conversation=room.talk.pk))["type"] == "ack"
        assert (await bob.notice("typing"))["person"]["name"] == "Ann"
        assert (await cora.ask("typing", conversation=room.talk.pk))["code"] == "not_found"
        await ann.ask("typing", conversation=room.talk.pk)  # too soon: taken, and not passed on
        await ann.ask("read.mark", conversation=room.talk.pk, seq=0)
        await bob.ask("ping")
        assert bob.frames.empty()

    room.play(scene)
    assert ledger.since(room.talk.pk, 0) == []


def test_reading_is_told_to_the_others(room: Room) -> None:
    async def scene(bob: Socket, ann: Socket, cora: Socket) -> None:
        await db(room.say, room.bob, "Hello @Ann")
        assert (await ann.notice("mention"))["by"]["name"] == "Bob"
        marked = await ann.ask("read.mark", conversation=room.talk.pk, seq=99)
        told = await bob.notice("read")
        assert (told["person"]["name"], told["seq"]) == ("Ann", marked["seq"])

    room.play(scene)


def test_who_is_removed_hears_nothing_more(room: Room) -> None:
    """T38: at once where the notice is heard."""

    async def scene(bob: Socket, ann: Socket, cora: Socket) -> None:
        for one in (bob, ann):
            await one.ask("subscribe", conversation=room.talk.pk, after=0)
        await db(room.say, room.bob, "one")
        await ann.hears(lambda frame: frame["type"] == "event")
        await db(people.remove, room.bob, room.talk.pk, room.ann.user.pk)
        assert await ann.notice("removed") == {"conversation": room.talk.pk, "why": "removed"}
        await db(room.say, room.bob, "two")
        await bob.hears(lambda frame: frame.get("event", {}).get("value", {}).get("text") == "two")
        await ann.ask("ping")
        assert ann.frames.empty()
        assert (await ann.ask("subscribe", conversation=room.talk.pk, after=0))["code"] == "not_found"

    room.play(scene)


def test_also_where_the_notice_was_lost(room: Room) -> None:
    """T38: within `LOOK_S` seconds; who takes part goes on hearing."""

    async def scene(bob: Socket, ann: Socket, cora: Socket) -> None:
        for one in (bob, ann):
            await one.ask("subscribe", conversation=room.talk.pk, after=0)
        await db(lambda: Participant.objects.filter(user=room.ann.user).delete())
        await hall._look()
        assert (await ann.notice("removed"))["conversation"] == room.talk.pk
        await db(room.say, room.bob, "two")
        await bob.hears(lambda frame: frame["type"] == "event")
        await ann.ask("ping")
        assert ann.frames.empty()

    assert hall.LOOK_S < 5
    room.play(scene)


def test_an_invitation_is_heard_live_and_nothing_else(room: Room) -> None:
    async def scene(bob: Socket, ann: Socket, cora: Socket) -> None:
        await db(room.say, room.bob, "the secret plan")
        made = await db(lambda: inviting.invite(room.bob, room.talk.pk, person=room.cora.user.pk).pk)
        assert await cora.notice("invitation") == {
            "invitation": made, "status": "pending", "by": {"id": room.bob.user.pk, "name": "Bob"}
        }  # fmt: skip
        assert (await cora.ask("subscribe", conversation=room.talk.pk, after=0))["code"] == "not_found"
        await db(inviting.accept, room.cora, made)
        assert (await cora.ask("subscribe", conversation=room.talk.pk, after=0))["type"] == "ack"

    room.play(scene)


def test_a_deleted_conversation_is_left_by_everybody(room: Room) -> None:
    async def scene(bob: Socket, ann: Socket, cora: Socket) -> None:
        await ann.ask("subscribe", conversation=room.talk.pk, after=0)
        await db(actions.delete, room.bob, room.talk.pk)
        assert (await ann.notice("removed"))["why"] == "deleted"

    room.play(scene)
