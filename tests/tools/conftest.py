"""A topic, a few tools, and the short words in which the gate's tests speak."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from platform_site import ledger
from platform_site.access import Actor
from platform_site.ids import new_id
from platform_site.models import Membership, Tenant, Topic, User
from platform_site.tenancy import acting_for
from tests.conftest import PASSWORD
from tools import catalogue, gate
from tools.models import Confirmation, ToolCall
from tools.outcome import Outcome

SCHEMA = {
    "type": "object",
    "properties": {
        "item": {"type": "string", "maxLength": 40, "description": "What to act on."},
        "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
    },
    "required": ["item"],
}


def definition(name: str = "look", risk: str = "SAFE", **more: Any) -> dict[str, Any]:
    """A tool's entry of the configuration file."""
    executor = {"kind": "http", "method": "POST", "url": "http://shop.test/do"}
    return {
        "name": name,
        "description": f"To {name}.",
        "schema": SCHEMA,
        "risk": risk,
        "executor": executor,
    } | more


@dataclass
class Answer:
    decision: str = "approve"
    digest: str = ""
    proof: dict[str, str] | None = None
    reason: str = ""
    arguments: dict[str, Any] | None = None


@dataclass
class Desk:
    """One conversation of a person, with the gate's verbs in it."""

    tenant: Tenant
    topic: str
    user: User

    def tool(self, name: str = "look", risk: str = "SAFE", **more: Any) -> None:
        catalogue.save_tool(definition(name, risk, **more), None)

    def ask(
        self, name: str = "look", arguments: Any = None, *, raw: str | None = None, truncated: bool = False
    ) -> ToolCall:
        given = (
            raw if raw is not None else json.dumps(arguments if arguments is not None else {"item": "shoes"})
        )
        asked = gate.Asked(
            new_id(), "call_1", name, given, 0, self.topic, new_id(), new_id(), "demo", truncated
        )
        offered = catalogue.offered(["look", "order", "pay", "fetch"])
        with ledger.writing(self.topic) as log:
            return gate.propose(log, asked, offered, gate.Requester(self.user, "member"))

    def decide(self, call: ToolCall, who: User, answer: Answer | None = None) -> gate.Decided | gate.Refused:
        confirmation = Confirmation.objects.get(call=call)
        answer = answer or Answer()
        answer.digest = answer.digest or confirmation.digest
        with ledger.writing(self.topic) as log:
            return gate.decide(log, confirmation.pk, actor(self.tenant, who), answer)

    def claim(self, call: ToolCall) -> gate.Claimed | gate.Lapsed | gate.Lost:
        with ledger.writing(self.topic) as log:
            return gate.claim(log, call)

    def settle(self, call: ToolCall, outcome: Outcome) -> bool:
        with ledger.writing(self.topic) as log:
            return gate.settle(log, call, outcome)

    def withdraw(self, call: ToolCall, reason: str = "Never mind.") -> bool:
        with ledger.writing(self.topic) as log:
            return gate.withdraw(log, call, reason)

    def events(self, name: str = "") -> list[dict[str, Any]]:
        told = [event for _, event in ledger.since(self.topic, 0)]
        return [event["value"] for event in told if event.get("name") == name] if name else told

    def told_the_model(self, call: ToolCall) -> dict[str, Any]:
        call.refresh_from_db()
        content = call.result["content"]
        return json.loads(content[max(0, content.find("\n{")) :])


def actor(tenant: Tenant, user: User) -> Actor:
    with acting_for(tenant):
        role = Membership.objects.get(user=user).role
    return Actor(user, tenant, role, None, "session")


@pytest.fixture
def desk(inside: Tenant, bob: User) -> Desk:
    return Desk(inside, Topic.objects.create().pk, bob)


@pytest.fixture
def ordered(desk: Desk) -> Callable[[], ToolCall]:
    """Makes a held CONFIRM call of Bob's."""
    desk.tool("order", "CONFIRM")
    return lambda: desk.ask("order")


@pytest.fixture
def paid(desk: Desk) -> Callable[[], ToolCall]:
    """Makes a held CRITICAL call of Bob's, decided by him with his password."""
    desk.tool("pay", "CRITICAL", confirmation={"by": "user", "proof": "password"})
    return lambda: desk.ask("pay")


YES = {"password": PASSWORD}
