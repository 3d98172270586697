"""A conversation whose calls wait for reviewers, and reviewers with a browser each, at the queue."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from agents.models import Agent
from platform_site import ledger
from platform_site.ids import new_id
from platform_site.models import Tenant, User
from tests.api.made import make_agent, make_conversation
from tests.conftest import PASSWORD
from tests.tools.conftest import definition
from tools import catalogue, gate
from tools.models import Confirmation, ToolCall

HOME = "/t/acme/review/"
BY_REVIEWER = {"by": "reviewer"}

__all__ = ["BY_REVIEWER", "HOME", "PASSWORD", "Desk", "Reviewer", "desk"]


@dataclass
class Desk:
    """Where Bob's agents ask for things. `order` waits for a reviewer."""

    tenant: Tenant
    bob: User

    def talk(self, by: User | None = None) -> str:
        """A new conversation."""
        agent = Agent.objects.first() or make_agent("helper", name="Helper")
        return make_conversation(agent, by or self.bob).pk

    def hold(
        self, arguments: dict[str, Any] | None = None, topic: str = "", by: User | None = None, **more: Any
    ) -> Confirmation:
        """A call that waits for people, in a conversation of its own unless `topic` says which."""
        topic = topic or self.talk(by)
        raw = more.get("raw") or json.dumps(arguments or {"item": "shoes"})
        name = more.get("name", "order")
        asked = gate.Asked(
            new_id(), "m1", name, raw, 0, topic=topic, run=new_id(), message=new_id(), model="demo"
        )
        with ledger.writing(topic) as log:
            call = gate.propose(
                log, asked, catalogue.offered([name]), gate.Requester(by or self.bob, "member")
            )
        assert call.status == "held", call.result
        return Confirmation.objects.select_related("call").get(call=call)


@dataclass
class Reviewer:
    """A person at the queue."""

    user: User
    browser: Client

    @classmethod
    def of(cls, user: User, **more: Any) -> Reviewer:
        browser = Client(**more)
        browser.force_login(user)
        return cls(user, browser)

    def queue(self, **asked: str) -> Any:
        answer = self.browser.get(HOME, asked)
        assert answer.status_code == 200
        return answer

    def lines(self, **asked: str) -> list[str]:
        """The questions on the page, in its order."""
        return [row.question.pk for bundle in self.queue(**asked).context["bundles"] for row in bundle.rows]

    def state(self) -> dict[str, Any]:
        return dict(self.browser.get(f"{HOME}queue.json").json())

    def look(self, question: Confirmation) -> str:
        answer = self.browser.get(f"{HOME}queue/{question.pk}/")
        assert answer.status_code == 200, answer.status_code
        return str(answer.content.decode())

    def decide(self, question: Confirmation, decision: str = "approve", **more: str) -> Any:
        """Press a button of the question's page, as it stood when it was read."""
        body = {"decision": decision, "digest": question.digest, **more}
        return self.browser.post(f"{HOME}queue/{question.pk}/decide/", body)


def status(question: Confirmation) -> tuple[str, str]:
    """Of the question, and of its call."""
    found = Confirmation.objects.select_related("call").get(pk=question.pk)
    return found.status, found.call.status


def call_of(question: Confirmation) -> ToolCall:
    return ToolCall.objects.get(pk=question.call_id)


@pytest.fixture
def desk(inside: Tenant, bob: User) -> Desk:
    return open_desk(inside, bob)


def open_desk(tenant: Tenant, user: User) -> Desk:
    """Acting for the tenant."""
    schema = {
        "type": "object",
        "properties": {
            "item": {"type": "string"},
            "count": {"type": "integer", "default": 1},
            "note": {"type": "string"},
        },
        "required": ["item"],
    }
    labels = {"en": {"title": "Place an order", "summary": "Order {item}"}}
    catalogue.save_tool(
        definition("order", "CONFIRM", schema=schema, labels=labels, confirmation=BY_REVIEWER), None
    )
    return Desk(tenant, user)
