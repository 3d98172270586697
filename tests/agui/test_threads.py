"""Thread names: one's own conversations by their ids, names of one's own choice, and nothing of anybody else's."""

from __future__ import annotations

from uuid import UUID as Uuid

import pytest

from agents.catalogue import save_agent, save_model
from conversations import actions
from conversations.models import Conversation, Message, Participant
from platform_site.access import Actor, actor_for_session
from platform_site.ids import new_id
from platform_site.models import Role, Tenant, User
from platform_site.tenancy import acting_for
from tests.agui.conftest import Program, program_of
from tests.conftest import person
from tests.conversations.conftest import Talk
from tools.models import ToolCall

UUID = Uuid("2c1b7e6a-94d3-4c1e-9a55-0d3f8b7a6e21")
NAMES = ["thread-1", str(UUID), UUID.hex, "ein Name mit Umlauten: äöü", "../../etc", "x" * 200]


@pytest.mark.parametrize("name", NAMES)
def test_a_client_may_name_its_threads_as_it_likes(name: str, client: Program) -> None:
    client.thread = name
    first = client.say("echo one")
    client.messages.append({"id": "a", "role": "assistant", "content": "one"})
    second = client.say("echo two")
    assert (first.text, second.text) == ("one", "two")
    assert first.events[0]["threadId"] == name
    assert Conversation.objects.count() == 2, "the one of `talk`, and this"


def test_the_same_name_is_another_thread_for_somebody_else(
    client: Program, talk: Talk, tenant: Tenant
) -> None:
    """T33: neither the conversation nor the fact that the name is taken is to be seen."""
    client.thread = "thread-1"
    first = client.say("echo mine")
    cora = actor_for_session(person(tenant, "Cora", Role.MEMBER), tenant.slug)
    assert cora
    hers = program_of(cora, talk=talk, thread="thread-1").say("echo hers")
    assert hers.kinds == first.kinds
    assert hers.events[0]["metadata"]["conversation"] != first.events[0]["metadata"]["conversation"]
    assert Participant.objects.filter(user=cora.user).count() == 1


def test_somebody_elses_conversation_is_like_one_that_never_was(
    client: Program, talk: Talk, tenant: Tenant, charlie: User, other_tenant: Tenant
) -> None:
    """T32, T33: to the byte, for a colleague and for another tenant; and nothing is read or written."""
    client.thread = talk.conversation.pk
    client.say("echo secret")
    with acting_for(other_tenant):
        save_model({"slug": "demo", "provider": "demo", "name": "demo"})
        save_agent({"slug": "helper", "name": "H", "instructions": "", "models": ["demo"], "tools": []}, None)
    cora = actor_for_session(person(tenant, "Cora", Role.MEMBER), tenant.slug)
    outsider = actor_for_session(charlie, other_tenant.slug)
    assert cora and outsider
    for actor in (cora, outsider):
        for resume in ([], [{"interruptId": new_id(), "status": "resolved", "payload": {"approved": True}}]):
            there = program_of(actor, thread=talk.conversation.pk).say("hello", resume=resume)
            nowhere = program_of(actor, thread=new_id()).say("hello", resume=resume)
            assert there.status == nowhere.status == 404
            assert there.body == nowhere.body
    assert Message.objects.filter(role="user").count() == 1
    assert Conversation.objects.across_tenants().count() == 1


def test_another_tenants_address_is_nobodys(client: Program, other_tenant: Tenant) -> None:
    """T35."""
    client.tenant = other_tenant.slug
    there = client.say("hello")
    client.tenant = "nowhere"
    nowhere = client.say("hello")
    assert (there.status, nowhere.status) == (404, 404)
    assert there.body.replace(b"globex", b"*") == nowhere.body.replace(b"nowhere", b"*")


def test_a_name_can_be_used_again_after_its_conversation_was_deleted(client: Program, bobs: Actor) -> None:
    """What was called in the deleted one stays recorded, and is not the new one's."""
    old = client.say('call look {"item": "hat"}').events[0]["metadata"]["conversation"]
    actions.delete(bobs, old)
    client.messages.clear()
    answer = client.say("echo again")
    new = answer.events[0]["metadata"]["conversation"]
    assert answer.text == "again"
    assert new != old
    assert ToolCall.objects.filter(topic=old).exists()
    client.messages.clear()
    assert client.say("echo still").events[0]["metadata"]["conversation"] == new
