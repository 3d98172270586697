"""The playground as people use it: a browser each, tools that write down what they did, and tries by number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from platform_site.access import Actor, actor_for_session
from platform_site.models import Tenant, User
from tests.conftest import PASSWORD
from tests.conversations.conftest import HAPPENED, NAMES
from tools.catalogue import save_tool
from tools.models import Confirmation, Tool, ToolCall, ToolVersion
from tools.registry import find

HOME = "/t/acme/review/playground/"
HAT = '{"item": "hat"}'

__all__ = ["HAPPENED", "HAT", "HOME", "PASSWORD", "Bench", "bench", "person_at"]


@dataclass
class Bench:
    """One person's browser, at the playground."""

    user: User
    browser: Client

    def open(self, **asked: str) -> Any:
        return self.browser.get(HOME, asked)

    def check(self, tool: str = "look", raw: str = HAT, **more: str) -> dict[str, Any]:
        """What the page's script is answered."""
        answer = self.browser.post(f"{HOME}check/", {"tool": tool, "raw": raw, **more})
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def ask(self, tool: str = "look", raw: str = HAT, key: str = "one", **more: str) -> Any:
        """Press "Run it"."""
        return self.browser.post(f"{HOME}run/", {"tool": tool, "raw": raw, "key": key, **more})

    def run(self, tool: str = "look", raw: str = HAT, key: str = "one", **more: str) -> ToolCall:
        """Press "Run it", and go where it leads."""
        answer = self.ask(tool, raw, key, **more)
        assert answer.status_code == 302, answer.content
        return ToolCall.objects.get(pk=answer["Location"].rstrip("/").rpartition("/")[2])

    def show(self, call: ToolCall) -> Any:
        return self.browser.get(f"{HOME}tries/{call.pk}/")

    def do(self, call: ToolCall, what: str, **more: str) -> str:
        """Press a button of a try's page; returns the status it then has."""
        answer = self.browser.post(f"{HOME}tries/{call.pk}/", {"do": what, "digest": digest(call), **more})
        assert answer.status_code == 302, answer.content
        call.refresh_from_db()
        return call.status


def digest(call: ToolCall) -> str:
    """What the page of a held try shows, and its form sends."""
    question = Confirmation.objects.filter(call=call).first()
    return question.digest if question else ""


def person_at(user: User) -> Bench:
    browser = Client()
    browser.force_login(user)
    return Bench(user, browser)


def actor_of(bench: Bench) -> Actor:
    actor = actor_for_session(bench.user, "acme")
    assert actor
    return actor


def version(name: str, number: int = 1) -> ToolVersion:
    return ToolVersion.objects.get(tool__name=name, number=number)


@pytest.fixture
def bench(transactional_db: None, tenant: Tenant, adam: User, inside: Tenant) -> Iterator[Bench]:
    """Adam, who configures Acme; its tools are switched on and no agent has them."""
    HAPPENED.clear()
    for name in NAMES:
        handler = find(f"tests.{name}")
        assert handler
        save_tool(handler.definition(), None)
    yield person_at(adam)
    HAPPENED.clear()


def switch_off(name: str) -> None:
    Tool.objects.filter(name=name).update(is_enabled=False)
