"""A debate on a model server of one's own that fails for good in every phase: Retry goes on exactly there."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import groupby
from threading import Thread

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Enter
from tests.model_server import Handler, ModelServer

MODEL = "regatta/7b"
NOWHERE = "what nobody is asked"
CONSOLE = "/t/desk/admin/"
FAULT = (400, {"message": "This model does not take what it was asked.", "code": "invalid_value"})
PHASES = (
    ("It is your turn, Bow: turn 1", "Bow", "Bow could not speak"),
    ("It is your turn, Stern: turn 2", "Stern", "Stern could not speak"),
    ("The debate is over. Write the final answer", "What came of it", "The summary could not be written"),
)
"""What the requests of each phase end with, who stands over what it says, and how the page says that it failed."""


class Keeping(Handler):
    """Keeps what it is asked in a debate, byte for byte, and fails where it is told to."""

    server: Regatta

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.rfile = io.BytesIO(body)
        if b"The shared notepad now" in body:
            self.server.bodies.append(body)
        self.server.failing = FAULT if self.server.fails_at.encode() in body else None
        super().do_POST()


class Regatta(ModelServer):
    """A server of one model. `fails_at`: whatever has these words in its body is refused."""

    def __init__(self) -> None:
        super().__init__(models=(MODEL,))
        self.RequestHandlerClass = Keeping
        self.bodies: list[bytes] = []
        self.fails_at = NOWHERE


@pytest.fixture
def server() -> Iterator[Regatta]:
    running = Regatta()
    thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield running
    running.shutdown()
    running.server_close()
    thread.join(5)


def saved(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(re.compile("successfully")).first).to_be_visible()


def add_model(page: Page, server: Regatta) -> None:
    page.goto(CONSOLE + "platform_site/credential/add/")
    page.get_by_label("Short name").fill("regatta")
    page.get_by_label("Base URL").fill(server.base_url)
    page.get_by_role("button", name="Save and continue editing").click()
    page.get_by_role("button", name="See the server's models").click()
    page.locator(".console-offered").get_by_role("link", name="Add as a model").click()
    expect(page.get_by_label("Name at the provider")).to_have_value(MODEL)
    saved(page)


def add_agent(page: Page, slug: str, name: str, kind: str = "chat") -> None:
    """One that only the server's model speaks for; of kind `debate`, between Bow and Stern in one round."""
    page.goto(CONSOLE + "agents/agent/add/")
    page.get_by_label("Short name").fill(slug)
    page.locator("#id_name").fill(name)
    page.get_by_label("Instructions").fill(f"You are {name}.")
    page.locator("input[name=models][value='regatta-7b']").check()
    page.locator("#id_kind").select_option(kind)
    if kind == "debate":
        for persona in ("bow", "stern"):
            page.locator(f"input[name=personas][value={persona}]").check()
        page.locator("#id_debate_rounds").fill("1")
    saved(page)


def strip(page: Page) -> Locator:
    return page.locator("#debate-head")


def sees_failure(page: Page, at: int) -> Locator:
    """The page says who failed, under the one who failed, and offers Retry there alone."""
    _asked, _speaker, said = PHASES[at]
    failed = page.locator(".entry.is-error:not([data-tried])")
    expect(failed).to_contain_text("exactly what it was given")
    expect(strip(page)).to_contain_text(said)
    expect(page.locator(".speaker h3")).to_have_text([speaker for _, speaker, _ in PHASES[: at + 1]])
    expect(page.get_by_role("button", name="Retry")).to_have_count(1)
    return failed


def retry(failed: Locator) -> None:
    """Press it; this failure is known now, and no other is taken for it."""
    failed.evaluate("(one) => (one.dataset.tried = 'yes')")
    failed.page.locator("[data-tried]").get_by_role("button", name="Retry").click()


def test_every_phase_fails_twice_and_goes_on_exactly_there(enter: Enter, server: Regatta) -> None:
    """The first Retry fails as well; the second is pressed after the page was loaded anew."""
    admin = enter("admin@desk.test")
    page = admin.page
    add_model(page, server)
    for slug, name, kind in (("bow", "Bow", "chat"), ("stern", "Stern", "chat"), ("boat", "Boat", "debate")):
        add_agent(page, slug, name, kind)
    admin.go_to_chat("/t/desk/")
    page.get_by_role("radio", name="Boat").check()
    server.fails_at = PHASES[0][0]
    admin.say("Should the harbour close at night?")
    for at in range(len(PHASES)):
        retry(sees_failure(page, at))
        sees_failure(page, at)
        page.reload()
        failed = sees_failure(page, at)
        server.fails_at = PHASES[at + 1][0] if at + 1 < len(PHASES) else NOWHERE
        retry(failed)
    expect(strip(page)).to_contain_text("Finished")
    asked_for = [list(same) for _, same in groupby(server.bodies)]
    assert [len(same) for same in asked_for] == [3, 3, 3]
    for (asked, *_), (body, *_) in zip(PHASES, asked_for, strict=True):
        assert asked.encode() in body

    admin.rest()
    expect(page.get_by_role("button", name="Retry")).to_have_count(0)
    expect(page.locator(".speaker h3")).to_have_text([speaker for _, speaker, _ in PHASES])
    said = admin.transcript()
    page.reload()
    expect(strip(page)).to_contain_text("Finished")
    assert admin.rest().transcript() == said
