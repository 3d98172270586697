"""Branches over HTTP: an edit, another answer, another version shown."""

from __future__ import annotations

import pytest

from conversations.models import Conversation, Message, Run
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.conftest import As


@pytest.fixture
def said(talk: Conversation, bob: User, tenant: Tenant) -> Message:
    """What Bob said; the answer is shown."""
    text = [{"kind": "text", "text": "one"}]
    with acting_for(tenant):
        said = Message.objects.create(conversation=talk, position=101, role="user", author=bob, parts=text)
        reply = Message.objects.create(
            conversation=talk, position=102, role="assistant", parts=[], parent=said
        )
        Conversation.objects.filter(pk=talk.pk).update(head=reply)
        talk.head = reply
    return said


def test_an_edit_stands_beside_the_old_message(
    program: As, bob: User, tenant: Tenant, talk: Conversation, said: Message
) -> None:
    answer = program(bob).post(f"messages/{said.pk}/edit", {"text": "two"})
    assert answer.status_code == 202
    with acting_for(tenant):
        new = Message.objects.get(pk=answer.json()["message"])
    assert (new.parent_id, new.parts[0]["text"]) == (said.parent_id, "two")
    assert program(bob).get(f"conversations/{talk.pk}").json()["head"] == new.pk


def test_while_that_is_answered_nothing_else_branches(
    program: As, bob: User, tenant: Tenant, said: Message, talk: Conversation
) -> None:
    assert program(bob).post(f"messages/{talk.head_id}/regenerate").status_code == 202
    with acting_for(tenant):
        assert Run.objects.get().cause == "regenerate"
    refused = program(bob).post(f"messages/{said.pk}/edit", {"text": "two"})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "still working" in refused.json()["detail"]


def test_another_version_is_shown(
    program: As, bob: User, tenant: Tenant, talk: Conversation, said: Message
) -> None:
    with acting_for(tenant):
        other = Message.objects.create(conversation=talk, position=103, role="user", author=bob, parts=[])
    assert program(bob).post(f"conversations/{talk.pk}/branch", {"message": other.pk}).json() == {
        "head": other.pk
    }
    assert program(bob).get(f"conversations/{talk.pk}").json()["head"] == other.pk


def test_messages_say_what_they_follow(program: As, bob: User, talk: Conversation, said: Message) -> None:
    listed = program(bob).get(f"conversations/{talk.pk}/messages").json()["results"]
    assert [(one["id"], one["parent"]) for one in listed] == [(said.pk, None), (talk.head_id, said.pk)]
