"""Bob's conversation with the guide, and colleagues who may be asked in. Notices are heard without waiting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from conversations import saying
from conversations.access import conversation_for
from conversations.groups import inviting
from conversations.models import Conversation, Message, Participant, Run
from conversations.saying import Posted, Words
from platform_site import ledger, wire
from platform_site.access import Actor, actor_for_session
from platform_site.models import Role, Tenant, User
from platform_site.wire import Event
from tests.api.made import make_agent, make_conversation
from tests.conftest import person

Heard = list[tuple[str, str, dict[str, Any]]]
"""(who, kind, data) of every notice, in order."""


@dataclass
class Company:
    """`bob` owns `talk`; the others are members of the tenant and not in it yet."""

    talk: Conversation
    bob: Actor
    ann: Actor
    cora: Actor
    heard: Heard

    def join(self, *actors: Actor) -> Company:
        for actor in actors:
            made = inviting.invite(self.bob, self.talk.pk, person=actor.user.pk)
            inviting.accept(actor, made.pk)
        self.heard.clear()
        return self

    def say(self, actor: Actor, text: str, **more: Any) -> Posted:
        return saying.post_message(actor, self.talk.pk, Words(text, **more))

    def run(self, posted: Posted) -> Run:
        return Run.objects.get(pk=posted.run)

    def here(self) -> list[str]:
        rows = Participant.objects.filter(conversation=self.talk).order_by("created_at", "pk")
        return [str(row.user) for row in rows.select_related("user")]

    def owner(self) -> str:
        return str(Participant.objects.select_related("user").get(conversation=self.talk, is_owner=True).user)

    def log(self) -> list[Event]:
        return [event for _, event in ledger.since(self.talk.pk, 0, limit=100_000)]

    def said_last(self) -> dict[str, Any]:
        told = [event["value"] for event in self.log() if event.get("name") == "message.user"]
        return dict(told[-1])

    def sees(self, actor: Actor) -> bool:
        from platform_site.errors import Problem

        try:
            return conversation_for(actor, self.talk.pk) is not None
        except Problem as problem:
            assert problem.status == 404
            return False

    def notices(self, kind: str) -> list[tuple[str, dict[str, Any]]]:
        return [(who, data) for who, what, data in self.heard if what == kind]

    def answer(self, author: Actor, text: str = "Here you are.") -> Message:
        """What the agent says to this person's last message."""
        asked = Run.objects.filter(conversation=self.talk, requester=author.user).latest("created_at")
        before = Message.objects.filter(conversation=self.talk).latest("position")
        reply = Message(
            conversation=self.talk, role="assistant", run=asked, parts=[{"kind": "text", "text": text}],
            parent=before,
        )  # fmt: skip
        with ledger.writing(self.talk.pk) as log:
            reply.position = log.tell(wire.text_end(reply.pk, length=len(text), model="demo", usage={}))
            reply.save(force_insert=True)
        return reply


def member(tenant: Tenant, name: str, role: Role = Role.MEMBER) -> Actor:
    actor = actor_for_session(person(tenant, name, role), tenant.slug)
    assert actor
    return actor


def company(tenant: Tenant, bob: User, heard: Heard) -> Company:
    talk = make_conversation(make_agent(), bob)
    owner = actor_for_session(bob, tenant.slug)
    assert owner
    return Company(talk, owner, member(tenant, "Ann"), member(tenant, "Cora"), heard)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """What people hear live, without a commit to wait for."""
    found: Heard = []

    def notify(people: Any, kind: str, data: dict[str, Any]) -> None:
        names = dict(User.objects.values_list("pk", "name"))
        found.extend((names[one], kind, data) for one in people)

    monkeypatch.setattr("conversations.groups.telling.notify", notify)
    return found


@pytest.fixture
def us(db: None, tenant: Tenant, bob: User, inside: Tenant, heard: Heard) -> Company:
    return company(tenant, bob, heard)
