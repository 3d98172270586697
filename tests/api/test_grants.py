"""Standing grants over HTTP: who sees them, who takes them back, and what a change before approval is made from."""

from __future__ import annotations

from typing import Any

import pytest

from conversations.models import Conversation
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.conftest import As, same_as_absent
from tests.api.made import ORDER, hold
from tools import catalogue
from tools.models import Confirmation, Grant

OTHER: dict[str, Any] = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "size": {"type": "integer"}},
}

CHECKED = OTHER | {"additionalProperties": False}
"""As it is kept."""


@pytest.fixture
def held(tenant: Tenant, bob: User, talk: Conversation) -> Confirmation:
    with acting_for(tenant):
        return hold(talk, bob, schema=OTHER)


@pytest.fixture
def grant(program: As, tenant: Tenant, bob: User, held: Confirmation) -> Grant:
    """Bob said yes to his next three orders of shoes."""
    allowed = {"pinned": ["query"], "uses": 3, "minutes": 60}
    body = {"decision": "approve", "digest": held.digest, "grant": allowed}
    assert program(bob).post(f"confirmations/{held.pk}/decide", body).status_code == 200
    with acting_for(tenant):
        return Grant.objects.get()


def listed(answer: Any) -> list[str]:
    return [row["id"] for row in answer.json()["results"]]


def test_a_grant_says_what_it_holds_to_and_what_it_leaves_free(program: As, bob: User, grant: Grant) -> None:
    (told,) = program(bob).get("grants").json()["results"]
    assert (told["tool"], told["version"], told["state"]) == ("create_order", 1, "holds")
    assert (told["pinned"], told["free"]) == ({"query": "shoes"}, ["size"])
    assert (told["uses"], told["uses_left"], told["confirmation"]) == (3, 3, grant.confirmation_id)
    assert told["person"]["name"] == "Bob"


def test_everybody_sees_their_own_and_who_configures_sees_all(
    program: As, bob: User, rita: User, adam: User, grant: Grant
) -> None:
    assert listed(program(bob).get("grants")) == [grant.pk]
    assert listed(program(adam).get("grants")) == [grant.pk]
    assert listed(program(rita).get("grants")) == []
    assert listed(program(adam, "chat").get("grants")) == [], "this token does not configure"


def test_it_is_taken_back_once(program: As, bob: User, grant: Grant) -> None:
    first = program(bob).post(f"grants/{grant.pk}/revoke")
    assert (first.status_code, first.json()["state"]) == (200, "revoked")
    again = program(bob).post(f"grants/{grant.pk}/revoke")
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert listed(program(bob).get("grants", holds="true")) == []
    assert listed(program(bob).get("grants")) == [grant.pk]


def test_somebody_elses_is_not_there_to_be_taken_back(program: As, rita: User, grant: Grant) -> None:
    same_as_absent(program(rita), "post", "grants/{id}/revoke", grant.pk)
    assert Grant.objects.across_tenants().get().revoked_at is None


def test_who_configures_takes_back_anybodys(program: As, adam: User, grant: Grant) -> None:
    assert program(adam).post(f"grants/{grant.pk}/revoke").status_code == 200


def test_one_of_an_older_version_holds_no_longer(
    program: As, tenant: Tenant, bob: User, grant: Grant
) -> None:
    with acting_for(tenant):
        catalogue.save_tool(ORDER | {"schema": OTHER, "description": "Order something."}, None)
    (told,) = program(bob).get("grants").json()["results"]
    assert told["state"] == "outdated"
    assert listed(program(bob).get("grants", holds="true")) == []


# What a change is made from


def test_whoever_may_see_a_question_gets_the_form_for_its_arguments(
    program: As, bob: User, rita: User, held: Confirmation
) -> None:
    form = program(bob).get(f"confirmations/{held.pk}/form").json()
    assert form == {
        "digest": held.digest,
        "arguments": {"query": "shoes"},
        "schema": CHECKED,
        "templates": {},
    }
    assert program(rita).get(f"confirmations/{held.pk}/form").json() == form


def test_a_strangers_question_has_no_form(program: As, charlie: User, held: Confirmation) -> None:
    """T32."""
    same_as_absent(program(charlie), "get", "confirmations/{id}/form", held.pk)
