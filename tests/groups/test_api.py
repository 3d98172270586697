"""People and invitations over HTTP, from asking somebody in to showing them out."""

from __future__ import annotations

import pytest

from conversations.models import Conversation
from platform_site.models import Role, Tenant, User
from tests.api.conftest import As, guide, program, talk
from tests.conftest import person

__all__ = ["guide", "program", "talk"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(tenant: Tenant) -> User:
    return person(tenant, "Ann", Role.MEMBER)


def test_somebody_is_found_invited_and_accepts(program: As, talk: Conversation, bob: User, ann: User) -> None:
    at = f"conversations/{talk.pk}"
    found = program(bob).get(f"{at}/people/candidates", q="an").json()["results"]
    assert found == [{"id": ann.pk, "name": "Ann", "email": "ann@acme.test"}]
    made = program(bob).post(f"{at}/invitations", {"person": ann.pk})
    assert (made.status_code, made.json()["status"], made.json()["agent"]) == (201, "pending", "Mall guide")
    assert program(ann).get(at).status_code == 404
    (waiting,) = program(ann).get("invitations").json()["results"]
    assert waiting == made.json()
    joined = program(ann).post(f"invitations/{waiting['id']}/accept")
    assert joined.json() == {"conversation": talk.pk}
    here = program(ann).get(f"{at}/people").json()
    assert [(one["name"], one["is_owner"]) for one in here["people"]] == [("Bob", True), ("Ann", False)]
    assert (here["invitations"], here["answers"]) == ([], "always")
    mine = program(ann).get(at).json()
    assert (mine["people"], mine["is_owner"]) == (2, False)


def test_declined_and_withdrawn_are_over(program: As, talk: Conversation, bob: User, ann: User) -> None:
    at = f"conversations/{talk.pk}/invitations"
    first = program(bob).post(at, {"email": "ann@acme.test"}).json()["id"]
    assert program(ann).post(f"invitations/{first}/decline").status_code == 204
    second = program(bob).post(at, {"person": ann.pk}).json()["id"]
    assert program(bob).delete(f"invitations/{second}").status_code == 204
    late = program(ann).post(f"invitations/{second}/accept")
    assert (late.status_code, late.json()["detail"]) == (409, "This invitation was withdrawn.")
    assert program(ann).get("invitations").json()["results"] == []


@pytest.mark.parametrize("body", [{}, {"person": "x", "email": "y"}, {"person": 7}, {"email": "a\x00b"}])
def test_one_person_is_invited_at_a_time(program: As, talk: Conversation, bob: User, body: object) -> None:
    assert program(bob).post(f"conversations/{talk.pk}/invitations", body).status_code == 400


def test_the_same_key_invites_once(program: As, talk: Conversation, bob: User, ann: User) -> None:
    at, body = f"conversations/{talk.pk}/invitations", {"person": ann.pk}
    first = program(bob).post(at, body, Idempotency_Key="k")
    assert program(bob).post(at, body, Idempotency_Key="k").json() == first.json()
    assert program(bob).post(at, body).status_code == 409


def test_the_owner_sets_when_the_agent_answers(program: As, talk: Conversation, bob: User, ann: User) -> None:
    at = f"conversations/{talk.pk}"
    made = program(bob).post(f"{at}/invitations", {"person": ann.pk}).json()["id"]
    program(ann).post(f"invitations/{made}/accept")
    assert program(bob).patch(at, {"answers": "addressed"}).json()["answers"] == "addressed"
    assert program(bob).patch(at, {"answers": "sometimes"}).status_code == 400
    assert program(bob).patch(at, {}).status_code == 400
    said = program(ann).post(f"{at}/messages", {"text": "Between us"})
    assert (said.status_code, said.json()["run"]) == (202, "")
    assert program(ann).post(f"{at}/messages", {"text": "@guide shoes"}).json()["run"]
    row = program(bob).get("conversations").json()["results"][0]
    assert (row["unread"], row["people"]) == (2, 2)
    assert program(bob).post(f"{at}/read", {"seq": 2**30}).json() == {"seq": row["seq"]}
    assert program(bob).get(at).json()["unread"] == 0


def test_a_reader_of_a_token_changes_nothing(program: As, talk: Conversation, bob: User, ann: User) -> None:
    """T39."""
    at = f"conversations/{talk.pk}"
    assert program(bob, "read").get(f"{at}/people").status_code == 200
    assert program(bob, "read").post(f"{at}/invitations", {"person": ann.pk}).status_code == 403


def test_the_export_says_who_took_part_and_who_said_what(
    program: As, talk: Conversation, bob: User, ann: User
) -> None:
    at = f"conversations/{talk.pk}"
    made = program(bob).post(f"{at}/invitations", {"person": ann.pk}).json()["id"]
    program(ann).post(f"invitations/{made}/accept")
    for who in (bob, ann):
        program(who).post(f"{at}/messages", {"text": "Hello"})
    document = program(ann).get(f"{at}/export").json()
    assert [one["name"] for one in document["people"]] == ["Bob", "Ann"]
    assert [one["author"]["name"] for one in document["messages"]] == ["Bob", "Ann"]


def test_the_page_knows_what_waits_and_what_is_new(
    program: As, talk: Conversation, bob: User, ann: User
) -> None:
    from django.test import Client

    program(bob).post(f"conversations/{talk.pk}/invitations", {"person": ann.pk})
    browser = Client()
    browser.force_login(ann)
    page = browser.get("/t/acme/").context["data"]
    assert [one["invited_by"]["name"] for one in page["invitations"]] == ["Bob"]
    assert page["conversations"] == []
    assert "Shoes" not in str(page["invitations"])
