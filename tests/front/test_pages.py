"""The pages as a browser gets them: who sees what, and what the chat's script starts from."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from agents.models import Agent, AgentVersion, LanguageModel
from conversations.models import Conversation, Participant
from platform_site.models import Membership, Tenant, Topic, User
from platform_site.tenancy import acting_for


@pytest.fixture
def guide(tenant: Tenant) -> Agent:
    """An agent on the demo model."""
    definition = {"slug": "guide", "name": "Guide", "models": ["demo"], "suggestions": ["Where is the café?"]}
    with acting_for(tenant):
        LanguageModel.objects.create(slug="demo", provider="demo", name="demo")
        agent = Agent.objects.create(slug="guide")
        agent.current = AgentVersion.objects.create(
            agent=agent, number=1, definition=definition, sha256="0" * 64
        )
        agent.save(update_fields=["current"])
    return agent


def talk(tenant: Tenant, agent: Agent, user: User, title: str) -> Conversation:
    with acting_for(tenant):
        conversation = Conversation.objects.create(topic=Topic.objects.create(), agent=agent, title=title)
        Participant.objects.create(conversation=conversation, user=user)
    return conversation


def page_data(response: HttpResponse) -> dict[str, Any]:
    found = re.search(r'<script id="page-data"[^>]*>(.*?)</script>', response.content.decode(), re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_member_gets_the_chat_with_its_agents(tenant: Tenant, bob: User, guide: Agent) -> None:
    data = page_data(signed_in(bob).get("/t/acme/"))
    card = {
        "slug": "guide",
        "name": "Guide",
        "suggestions": ["Where is the café?"],
        "scenarios": [],
        "isDemo": True,
        "seesImages": False,
        "models": [],
        "presets": [],
        "debate": None,
    }
    assert data["agents"] == [card]
    assert data["user"] == {"id": bob.pk, "name": "Bob"}
    assert data["conversation"] is None


def test_the_list_holds_ones_own_conversations_alone(
    tenant: Tenant, bob: User, rita: User, guide: Agent
) -> None:
    """T33: another person's conversation in the same tenant is not listed."""
    mine = talk(tenant, guide, bob, "Mine")
    talk(tenant, guide, rita, "Hers")
    data = page_data(signed_in(bob).get("/t/acme/"))
    assert [item["id"] for item in data["conversations"]] == [mine.pk]


def test_a_conversation_has_its_own_address(tenant: Tenant, bob: User, guide: Agent) -> None:
    conversation = talk(tenant, guide, bob, "Shoes <b>")
    response = signed_in(bob).get(f"/t/acme/c/{conversation.pk}/")
    assert page_data(response)["conversation"]["title"] == "Shoes <b>"
    assert "Shoes &lt;b&gt;" in response.content.decode()


def test_anothers_conversation_is_as_absent_as_one_that_never_was(
    tenant: Tenant, bob: User, rita: User, guide: Agent
) -> None:
    """T33."""
    hers = talk(tenant, guide, rita, "Hers")
    answers = [signed_in(bob).get(f"/t/acme/c/{id_}/") for id_ in (hers.pk, "0" * 32)]
    assert [answer.status_code for answer in answers] == [404, 404]


def test_another_tenants_chat_is_absent(tenant: Tenant, charlie: User) -> None:
    """T32."""
    assert signed_in(charlie).get("/t/acme/").status_code == 404


def test_who_is_not_signed_in_is_sent_to_sign_in(tenant: Tenant) -> None:
    response = Client().get("/t/acme/")
    assert response.status_code == 302
    assert response["Location"] == "/accounts/login/?next=/t/acme/"


@pytest.mark.parametrize(("who", "there"), [("alice", True), ("bob", False)])
def test_the_console_is_linked_for_who_may_configure(
    tenant: Tenant, alice: User, bob: User, who: str, there: bool
) -> None:
    html = signed_in({"alice": alice, "bob": bob}[who]).get("/t/acme/").content.decode()
    assert ('href="/t/acme/admin/"' in html) is there


def test_the_policy_allows_what_the_page_has_and_no_more(tenant: Tenant, bob: User) -> None:
    """T69: the import map is the one inline script, and it carries the policy's nonce."""
    response = signed_in(bob).get("/t/acme/")
    nonce = re.search(r"'nonce-([^']+)'", response["Content-Security-Policy"])
    assert nonce
    assert f'type="importmap" nonce="{nonce[1]}"' in response.content.decode()
    assert "unsafe" not in response["Content-Security-Policy"]


def test_the_start_goes_straight_on_for_who_belongs_to_one_place(tenant: Tenant, bob: User) -> None:
    assert signed_in(bob).get("/")["Location"] == "/t/acme/"


def test_the_start_asks_who_belongs_to_several(tenant: Tenant, other_tenant: Tenant, bob: User) -> None:
    with acting_for(other_tenant):
        Membership.objects.create(user=bob)
    html = signed_in(bob).get("/").content.decode()
    assert 'href="/t/acme/"' in html and 'href="/t/globex/"' in html


def test_a_place_one_was_removed_from_is_not_offered(tenant: Tenant, bob: User) -> None:
    Membership.objects.across_tenants().filter(user=bob).update(is_active=False)
    assert "/t/acme/" not in signed_in(bob).get("/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/password/reset/", "/nowhere/"])
def test_pages_for_strangers_are_ours(path: str) -> None:
    html = Client().get(path).content.decode()
    assert "css/account.css" in html and "entrance-card" in html


@pytest.mark.django_db
def test_a_field_says_its_name_once() -> None:
    html = Client().get("/accounts/login/").content.decode()
    assert "Password</label>" in html and "placeholder" not in html


@pytest.mark.parametrize("path", ["/accounts/password/change/", "/accounts/2fa/"])
def test_account_pages_are_ours(tenant: Tenant, bob: User, path: str) -> None:
    html = signed_in(bob).get(path).content.decode()
    assert "page-card" in html and 'aria-current="page"' in html


def test_a_wrong_password_is_said_where_it_was_typed(tenant: Tenant, bob: User) -> None:
    html = Client().post("/accounts/login/", {"login": "bob@acme.test", "password": "wrong"}).content.decode()
    assert 'role="alert"' in html and "errorlist" in html
