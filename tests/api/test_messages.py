"""Messages and events over HTTP."""

from __future__ import annotations

import pytest

from conversations.models import Conversation, Message, Run
from platform_site import ledger, wire
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.conftest import As, Program


@pytest.fixture
def bobs(program: As, bob: User) -> Program:
    return program(bob)


def test_a_message_is_taken_and_a_run_queued(bobs: Program, tenant: Tenant, talk: Conversation) -> None:
    sent = bobs.post(f"conversations/{talk.pk}/messages", {"text": "Nike shoes under 500"})
    assert sent.status_code == 202
    run = bobs.get(f"runs/{sent.json()['run']}").json()
    assert (run["status"], run["cause"], run["conversation"], run["agent"]) == (
        "queued",
        "message",
        talk.pk,
        "guide",
    )
    (message,) = bobs.get(f"conversations/{talk.pk}/messages").json()["results"]
    assert (message["id"], message["text"], message["role"]) == (
        sent.json()["message"],
        "Nike shoes under 500",
        "user",
    )
    assert message["parts"] == [{"kind": "text", "text": "Nike shoes under 500"}]


def test_the_same_key_sends_once(bobs: Program, talk: Conversation) -> None:
    sent = [bobs.post(f"conversations/{talk.pk}/messages", {"text": "Hello", "key": "k1"}) for _ in range(2)]
    assert sent[0].json() == sent[1].json()
    assert len(bobs.get(f"conversations/{talk.pk}/messages").json()["results"]) == 1


def test_the_same_idempotency_key_sends_once(bobs: Program, talk: Conversation) -> None:
    path = f"conversations/{talk.pk}/messages"
    first, second = [bobs.post(path, {"text": "Hello"}, Idempotency_Key="k1") for _ in range(2)]
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert len(bobs.get(path).json()["results"]) == 1


def test_an_idempotency_key_stands_for_one_request(bobs: Program, talk: Conversation) -> None:
    path = f"conversations/{talk.pk}/messages"
    bobs.post(path, {"text": "Hello"}, Idempotency_Key="k1")
    assert bobs.post(path, {"text": "Something else"}, Idempotency_Key="k1").status_code in (409, 422)


def test_options_go_to_the_run(bobs: Program, tenant: Tenant, talk: Conversation) -> None:
    options = {"scenario": "write", "rounds": 3}
    sent = bobs.post(f"conversations/{talk.pk}/messages", {"text": "Hello", "options": options})
    assert bobs.get(f"runs/{sent.json()['run']}").json()["options"] == options


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "$.text"), ({"text": 5}, "$.text"), ({"text": None}, "$.text"),
        ({"text": "x", "role": "system"}, "$.role"), ({"text": "x", "author": "me"}, "$.author"),
        ({"text": "x", "options": {"rounds": "3"}}, "$.options.rounds"),
        ({"text": "x", "options": {"tools": []}}, "$.options.tools"), ({"text": "x", "key": 1}, "$.key"),
    ],
)  # fmt: skip
def test_a_body_that_is_not_as_it_should_be_is_refused_by_name(
    bobs: Program, talk: Conversation, body: object, path: str
) -> None:
    answer = bobs.post(f"conversations/{talk.pk}/messages", body)
    assert answer.status_code == 400
    assert [fault["path"] for fault in answer.json()["errors"]] == [path]
    assert bobs.get(f"conversations/{talk.pk}/messages").json()["results"] == []


def test_an_empty_message_is_refused(bobs: Program, talk: Conversation) -> None:
    assert bobs.post(f"conversations/{talk.pk}/messages", {"text": " \n"}).status_code == 400


def test_a_message_that_is_too_long_is_refused(bobs: Program, talk: Conversation) -> None:
    answer = bobs.post(f"conversations/{talk.pk}/messages", {"text": "x" * 32_001})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_messages_come_in_parts_oldest_first(
    bobs: Program, tenant: Tenant, bob: User, talk: Conversation
) -> None:
    with acting_for(tenant):
        for position in range(1, 6):
            Message.objects.create(conversation=talk, role="user", author=bob, position=position, parts=[])
    first = bobs.get(f"conversations/{talk.pk}/messages", limit=3).json()
    second = bobs.get(f"conversations/{talk.pk}/messages", limit=3, cursor=first["next"]).json()
    assert [row["position"] for row in first["results"] + second["results"]] == [1, 2, 3, 4, 5]
    assert second["next"] is None


def test_events_are_read_by_number(bobs: Program, tenant: Tenant, talk: Conversation) -> None:
    with acting_for(tenant), ledger.writing(talk.pk) as log:
        log.tell(*(wire.custom("message.user", {"text": str(n)}) for n in range(1, 6)))
    part = bobs.get(f"conversations/{talk.pk}/events", after=1, limit=2).json()
    assert [row["seq"] for row in part["results"]] == [2, 3]
    assert part["results"][0]["event"]["value"] == {"text": "2"}
    assert part["next"] == 3
    rest = bobs.get(f"conversations/{talk.pk}/events", after=part["next"]).json()
    assert ([row["seq"] for row in rest["results"]], rest["next"]) == ([4, 5], None)


@pytest.mark.parametrize("query", [{"after": "-1"}, {"after": "x"}, {"after": str(2**31)}, {"limit": "1000"}])
def test_a_bad_number_is_refused(bobs: Program, talk: Conversation, query: dict[str, str]) -> None:
    assert bobs.get(f"conversations/{talk.pk}/events", **query).status_code == 400


def test_a_token_that_may_only_read_sends_nothing(
    program: As, bob: User, tenant: Tenant, talk: Conversation
) -> None:
    reader = program(bob, "read")
    assert reader.get(f"conversations/{talk.pk}/messages").status_code == 200
    refused = reader.post(f"conversations/{talk.pk}/messages", {"text": "Hello"})
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    with acting_for(tenant):
        assert not Run.objects.exists()
