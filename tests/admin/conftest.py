"""The console as its people see it, and a neighbour whose rows nobody here may ever see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agents.catalogue import save_agent, save_model
from agents.models import Agent, LanguageModel
from conversations.models import Conversation, Run
from platform_site import tokens
from platform_site.models import ApiToken, Credential, Membership, Tenant, Topic, User
from platform_site.tenancy import acting_for
from tools.catalogue import save_tool
from tools.models import Confirmation, ReviewerGroup, Tool, ToolCall

HOME = "/t/acme/admin/"
SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string", "minLength": 2}},
    "required": ["query"],
}


@pytest.fixture(autouse=True)
def _own_keys(tmp_path: Any, settings: Any) -> None:
    """Sealing keys of this test alone; mail stays in memory."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def tool_definition(name: str = "find_products", **changes: Any) -> dict[str, Any]:
    executor = {"kind": "http", "method": "GET", "url": "https://shop.example.com/find"}
    return {"name": name, "description": "Finds.", "domain": "shop", "schema": SCHEMA, "risk": "SAFE",
            "executor": executor, **changes}  # fmt: skip


def agent_definition(slug: str = "guide", **changes: Any) -> dict[str, Any]:
    return {"slug": slug, "name": "Guide", "instructions": "Help.\nBe kind.", "models": ["demo"],
            "tools": ["find_products"], **changes}  # fmt: skip


@dataclass
class Rows:
    """One of everything a tenant has."""

    tool: Tool
    agent: Agent
    model: LanguageModel
    credential: Credential
    membership: Membership
    token: ApiToken
    run: Run
    call: ToolCall
    confirmation: Confirmation
    group: ReviewerGroup


def furnish(tenant: Tenant, person: User, mark: str = "") -> Rows:
    """Fill a tenant. `mark` stands in every name, so that a leak is seen."""
    with acting_for(tenant):
        model, _ = save_model({"slug": f"demo{mark}", "provider": "demo", "name": "demo"})
        tool, _ = save_tool(tool_definition(f"find_products{mark}"), person)
        agent, _ = save_agent(
            agent_definition(f"guide{mark}", models=[model.slug], tools=[tool.name]), person
        )
        credential = Credential.objects.create(slug=f"shop{mark}", provider="http")
        token, _raw = tokens.make(person, f"robot{mark}", ["read"])
        topic = Topic.objects.create()
        conversation = Conversation.objects.create(topic=topic, agent=agent)
        run = Run.objects.create(
            conversation=conversation, requester=person, agent_version=agent.current, cause="message"
        )
        call = ToolCall.objects.create(
            topic=topic.pk,
            run=run.pk,
            name=tool.name,
            version=tool.current,
            requester=person,
            raw="{}",
            risk="SAFE",
        )
        confirmation = Confirmation.objects.create(
            call=call, digest="0" * 64, by="user", proof="none", decide_by=timezone.now() + timedelta(hours=1),
            execute_within=60,
        )  # fmt: skip
        membership = Membership.objects.get(user=person)
        group = ReviewerGroup.objects.create(
            slug=f"lawyers{mark}", name=f"Lawyers{mark}", members=[person.pk]
        )
    return Rows(tool, agent, model, credential, membership, token, run, call, confirmation, group)


@pytest.fixture
def rows(tenant: Tenant, alice: User) -> Rows:
    """Acme's own."""
    return furnish(tenant, alice)


@pytest.fixture
def foreign(other_tenant: Tenant, charlie: User) -> Rows:
    """Globex's; each name holds the word zzforeign."""
    return furnish(other_tenant, charlie, "_zzforeign")


@pytest.fixture
def signed_in() -> Callable[[User], Client]:
    """A browser of this person."""

    def open_browser(person: User) -> Client:
        browser = Client()
        browser.force_login(person)
        return browser

    return open_browser


@pytest.fixture
def console(alice: User, signed_in: Callable[[User], Client]) -> Client:
    """Alice, who owns Acme, at the console."""
    return signed_in(alice)


@pytest.fixture
def as_admin(adam: User, signed_in: Callable[[User], Client]) -> Client:
    """Adam, who configures Acme but owns nothing."""
    return signed_in(adam)


def fields_of(page: Any) -> dict[str, Any]:
    """What a browser would send if nothing were changed: the values of the form on the page."""
    form = page.context["adminform"].form
    return {name: value for name, field in form.fields.items() for value in _sent(form, name, field)}


def _sent(form: Any, name: str, field: Any) -> list[Any]:
    value = field.prepare_value(form.get_initial_for_field(field, name))
    if isinstance(value, bool):
        return ["on"] if value else []
    if isinstance(value, str):
        return [value.replace("\n", "\r\n")]
    return [] if value is None else [value]


def errors_at(page: Any, field: str) -> str:
    """What the page says is wrong at a field."""
    return " ".join(page.context["adminform"].form.errors.get(field, []))
