"""An admin points their tenant at a model server of its own, by the console alone, and talks to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.model_server import ANSWER, ModelServer, serving

KEY = "canary-browser-key-77"
DESK = "/t/desk/admin/"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(KEY) as running:
        yield running


def saved(page: Page, button: str = "Save") -> None:
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_text(re.compile("successfully")).first).to_be_visible()


def add_credential(admin: Person, server: ModelServer) -> None:
    page = admin.page
    page.goto(DESK + "platform_site/credential/add/")
    page.get_by_label("Short name").fill("harbour")
    page.get_by_label("Base URL").fill(server.base_url + "/")
    page.get_by_label("Key", exact=True).fill(KEY)
    saved(page, "Save and continue editing")
    expect(page.get_by_label("Base URL")).to_have_value(server.base_url)
    expect(page.get_by_label("Key", exact=True)).to_have_value("")


def add_model(page: Page, server: ModelServer) -> None:
    """From the list of what the server offers."""
    page.get_by_role("button", name="See the server's models").click()
    row = page.locator(".console-offered li", has_text="tiny-llama:1b")
    expect(row).to_contain_text("8192 tokens")
    row.get_by_role("button").click()
    expect(page.locator("#id_try_name")).to_have_value("tiny-llama:1b")
    page.get_by_role("button", name="Send a test request").click()
    expect(page.locator("#try-result")).to_contain_text(ANSWER)
    page.get_by_role("button", name="See the server's models").click()
    row.get_by_role("link", name="Add as a model").click()
    expect(page.get_by_label("Name at the provider")).to_have_value("tiny-llama:1b")
    page.get_by_label("Temperature").fill("3")
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.locator(".errorlist")).to_contain_text("2")
    page.get_by_label("Temperature").fill("0.3")
    saved(page, "Save and continue editing")


def make_agent(page: Page) -> None:
    """One of its own, with the model before the demo's: other tests talk to the desk's assistant."""
    page.goto(DESK + "agents/agent/add/")
    page.get_by_label("Short name").fill("pilot")
    page.locator("#id_name").fill("Harbour pilot")
    page.get_by_label("Instructions").fill("You know the harbour.")
    page.locator("input[name=models][value=demo]").check()
    model = page.locator("li", has=page.get_by_label(re.compile("tiny-llama-1b")))
    model.get_by_role("checkbox").check()
    chosen = page.locator("input[name=models]")
    while chosen.first.get_attribute("value") != "tiny-llama-1b":
        model.locator("[data-move=up]").click()
    saved(page)


def test_a_tenant_is_pointed_at_a_server_of_its_own(enter: Enter, server: ModelServer) -> None:
    """T61: and the key goes to that server alone."""
    admin = enter("admin@desk.test")
    page = admin.page
    add_credential(admin, server)
    add_model(page, server)
    page.get_by_role("button", name="Send a test request").click()
    expect(page.locator("#try-result")).to_contain_text("It answers")
    assert server.chats[-1]["temperature"] == 0.3
    server.failing = (429, {"code": "insufficient_quota", "message": "You exceeded your current quota."})
    page.get_by_role("button", name="Send a test request").click()
    expect(page.locator("#try-result")).to_contain_text("quota_exhausted")
    expect(page.locator("#try-result")).to_contain_text("billing")
    server.failing = None
    make_agent(page)

    admin.go_to_chat("/t/desk/")
    page.get_by_role("radio", name="Harbour pilot").check()
    admin.ask("Is the harbour busy?")
    expect(admin.answer).to_have_text(ANSWER)
    questions = [chat["messages"][-1]["content"] for chat in server.chats]
    assert any(question.endswith("Is the harbour busy?") for question in questions)
    assert {key for _what, key, _body in server.seen} == {KEY}
    assert KEY not in page.content()
