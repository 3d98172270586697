"""Conversations over HTTP."""

from __future__ import annotations

import json

import pytest

from conversations.models import Conversation, Message
from platform_site import ledger, wire
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.conftest import As, same_as_absent
from tests.api.made import make_conversation, make_run


def say(talk: Conversation, user: User, text: str, position: int = 1) -> Message:
    parts = [{"kind": "text", "text": text}]
    return Message.objects.create(conversation=talk, role="user", author=user, position=position, parts=parts)


def test_a_conversation_is_begun_with_an_agent(program: As, bob: User, guide: object) -> None:
    made = program(bob).post("conversations", {"agent": "guide", "title": "Shoes"})
    assert made.status_code == 201
    assert made.json() | {"id": "", "created_at": "", "updated_at": ""} == {
        "id": "", "title": "Shoes", "agent": "guide", "created_at": "", "updated_at": "", "seq": 0, "head": None,
        "answers": "always", "people": 1, "is_owner": True, "unread": 0, "mentioned": False,
    }  # fmt: skip
    assert program(bob).get(f"conversations/{made.json()['id']}").json() == made.json()


def test_an_unknown_agent_is_not_found(program: As, bob: User) -> None:
    answer = program(bob).post("conversations", {"agent": "nobody"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_the_list_has_mine_and_nobody_elses(program: As, bob: User, alice: User, talk: Conversation) -> None:
    """T33: not even the owner sees a colleague's conversation."""
    assert [row["id"] for row in program(bob).get("conversations").json()["results"]] == [talk.pk]
    assert program(alice).get("conversations").json() == {"results": [], "next": None}


def test_the_list_comes_in_parts(program: As, bob: User, tenant: Tenant, talk: Conversation) -> None:
    with acting_for(tenant):
        all_of_them = [talk.pk] + [make_conversation(talk.agent, bob).pk for _ in range(4)]
    seen, cursor = [], {}
    for _ in range(3):
        part = program(bob).get("conversations", limit=2, **cursor).json()
        seen += [row["id"] for row in part["results"]]
        cursor = {"cursor": part["next"]}
    assert seen == all_of_them[::-1]
    assert part["next"] is None


def test_what_comes_meanwhile_does_not_shift_the_next_part(
    program: As, bob: User, tenant: Tenant, talk: Conversation
) -> None:
    with acting_for(tenant):
        newer = make_conversation(talk.agent, bob)
        first = program(bob).get("conversations", limit=1).json()
        make_conversation(talk.agent, bob)
    second = program(bob).get("conversations", limit=1, cursor=first["next"]).json()
    assert [part["results"][0]["id"] for part in (first, second)] == [newer.pk, talk.pk]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "0"}, {"limit": "101"}, {"limit": "many"}, {"limt": "5"}, {"cursor": "abc"}, {"q": "x" * 201},
        {"q": "\0"},
    ],
)  # fmt: skip
def test_a_bad_query_is_refused(program: As, bob: User, query: dict[str, str]) -> None:
    answer = program(bob).get("conversations", **query)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_a_cursor_of_another_list_is_refused(
    program: As, alice: User, bob: User, search_tool: object
) -> None:
    from django.core import signing

    cursor = signing.dumps(["search_products"], salt="tools.Tool:name")
    assert program(alice).get("tools", cursor=cursor).status_code == 200
    assert program(alice).get("conversations", cursor=cursor).status_code == 400


def test_a_search_looks_into_titles_and_messages(
    program: As, bob: User, alice: User, tenant: Tenant, talk: Conversation
) -> None:
    with acting_for(tenant):
        said = make_conversation(talk.agent, bob)
        say(said, bob, "帮我买一双 100% 的跑鞋")
        say(make_conversation(talk.agent, alice), alice, "跑鞋")

    def found(text: str) -> list[str]:
        return [row["id"] for row in program(bob).get("conversations", q=text).json()["results"]]

    assert found("shoe") == [talk.pk]
    assert found("跑鞋") == [said.pk]
    assert found("100%") == [said.pk]
    assert found("1%0") == []


def test_a_conversation_is_renamed(program: As, bob: User, tenant: Tenant, talk: Conversation) -> None:
    renamed = program(bob).patch(f"conversations/{talk.pk}", {"title": " Running shoes "})
    assert (renamed.status_code, renamed.json()["title"], renamed.json()["seq"]) == (200, "Running shoes", 1)
    with acting_for(tenant):
        assert ledger.since(talk.pk, 0)[0][1]["name"] == "conversation.changed"


def test_a_conversation_is_deleted_with_all_it_holds(
    program: As, bob: User, tenant: Tenant, talk: Conversation
) -> None:
    assert program(bob).delete(f"conversations/{talk.pk}").status_code == 204
    assert program(bob).get(f"conversations/{talk.pk}").status_code == 404
    with acting_for(tenant):
        assert not Conversation.objects.exists()


def test_a_conversation_that_still_moves_is_not_deleted(
    program: As, bob: User, tenant: Tenant, talk: Conversation
) -> None:
    with acting_for(tenant):
        make_run(talk, bob, status="running")
    answer = program(bob).delete(f"conversations/{talk.pk}")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


def test_an_export_is_the_whole_conversation(
    program: As, bob: User, tenant: Tenant, talk: Conversation
) -> None:
    with acting_for(tenant):
        with ledger.writing(talk.pk) as log:
            log.tell(wire.custom("message.user", {"text": "Hello"}))
        say(talk, bob, "Hello")
    export = program(bob).get(f"conversations/{talk.pk}/export")
    assert export["Content-Disposition"] == f'attachment; filename="conversation-{talk.pk}.json"'
    document = json.loads(export.content)
    assert document["conversation"]["id"] == talk.pk
    assert document["messages"][0]["text"] == "Hello"
    assert document["messages"][0]["author"] == {"id": bob.pk, "name": "Bob"}
    assert document["calls"] == []
    assert document["events"][0]["seq"] == 1


PATHS = [
    ("get", "conversations/{id}"), ("patch", "conversations/{id}"), ("delete", "conversations/{id}"),
    ("get", "conversations/{id}/messages"), ("post", "conversations/{id}/messages"),
    ("get", "conversations/{id}/events"), ("get", "conversations/{id}/export"),
]  # fmt: skip
BODIES = {"patch": {"body": {"title": "Mine now"}}, "post": {"body": {"text": "Hello"}}}


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_a_colleagues_conversation_is_as_if_it_were_not_there(
    program: As, alice: User, talk: Conversation, method: str, path: str
) -> None:
    """T33: the owner of the tenant is a stranger in Bob's conversation."""
    same_as_absent(program(alice), method, path, talk.pk, **BODIES.get(method, {}))


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_another_tenants_conversation_is_as_if_it_were_not_there(
    program: As, bob: User, elsewhere: Conversation, method: str, path: str
) -> None:
    """T32."""
    same_as_absent(program(bob), method, path, elsewhere.pk, **BODIES.get(method, {}))


def test_a_token_opens_only_its_own_tenant(program: As, charlie: User, talk: Conversation) -> None:
    """T32, T35: Charlie's token at Bob's door gets what it would get at no door at all."""
    stranger = program(charlie)
    stranger.tenant = "acme"
    there = stranger.get("conversations")
    stranger.tenant = "nowhere"
    nowhere = stranger.get("conversations")
    assert there.status_code == nowhere.status_code == 404
    assert there.content.replace(b"acme", b"nowhere") == nowhere.content
