"""A person at a browser: what they do on the chat page, and what they see there.

Nothing here sleeps: every step waits for a state of the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, StorageState, expect

from tests.browser.watch import Watch
from tests.served.up import PASSWORD, Up

WAIT_MS = 15_000
MEASURES = (Path(__file__).parent / "measures.js").read_text()
NUMBERS = 400
COUNTED = " ".join(map(str, range(1, NUMBERS + 1)))

expect.set_options(timeout=WAIT_MS)


class Person:
    """One browser context and the page in front of it."""

    def __init__(self, browser: Browser, up: Up, **options: Any) -> None:
        self.up = up
        self.context = browser.new_context(
            base_url=up.url,
            locale="en-US",
            viewport=options.pop("viewport", {"width": 1280, "height": 800}),
            # Painting without a GPU takes most of the time.
            reduced_motion=options.pop("reduced_motion", "reduce"),
            **options,
        )
        self.context.set_default_timeout(WAIT_MS)
        self.watch = Watch(self.context)
        self.page: Page = self.context.new_page()

    def sign_in(self, email: str, password: str = PASSWORD) -> StorageState:
        """Through the form; the cookies it left."""
        self.page.goto("/accounts/login/")
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/t/*/")
        return self.context.storage_state()

    def go_to_chat(self, path: str = "/t/mall/") -> Person:
        self.page.goto(path)
        expect(self.composer).to_be_visible()
        return self

    def open_tab(self) -> Person:
        """The same person with a second tab on the same address."""
        other = object.__new__(Person)
        other.__dict__.update(self.__dict__)
        other.page = self.context.new_page()
        other.page.goto(self.page.url)
        return other

    def photograph(self, path: Path) -> str:
        self.page.screenshot(path=path)
        return f"{path} shows {self.page.url}"

    # What they see

    @property
    def composer(self) -> Locator:
        return self.page.locator("#composer textarea")

    @property
    def suggestions(self) -> Locator:
        return self.page.locator("#suggestions button")

    @property
    def gate(self) -> Locator:
        return self.page.locator(".gate")

    @property
    def draft(self) -> Locator:
        """The answer that is being written now."""
        return self.page.locator(".is-reply.is-draft .md")

    @property
    def answer(self) -> Locator:
        """The newest text of the agent."""
        return self.page.locator(".is-reply .md").last

    @property
    def stop(self) -> Locator:
        return self.page.locator("#composer .is-stop")

    def words(self, message: str) -> str:
        """A text of the page's scripts in the language the page is in."""
        return str(self.page.evaluate("(message) => gettext(message)", message))

    def measure(self, what: str) -> Any:
        """What `measures.js` says of the page."""
        return self.page.evaluate(f"{MEASURES}.{what}()")

    def transcript(self) -> list[str]:
        """Everything said and done in the conversation."""
        return list(self.measure("transcript"))

    def ran_nothing(self) -> None:
        """No payload ran: those of the tests set `__xss` or raise a dialog (which Playwright would have reported)."""
        assert self.page.evaluate("typeof window.__xss") == "undefined"

    # What they do

    def say(self, text: str) -> Person:
        """Type it and press Enter; returns when the server has it."""
        said = self.page.locator(".entry.is-user:not(.is-sending)")
        before = said.count()
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(said).to_have_count(before + 1)
        return self

    def say_something_long(self) -> Person:
        """Until an answer of some seconds has begun and not ended; in the end it is `COUNTED`."""
        self.say(f"count to {NUMBERS}")
        expect(self.draft).to_contain_text("1 2 3")
        return self

    def rest(self) -> Person:
        """Until the agent has nothing more to do."""
        self.page.wait_for_function(f"() => {MEASURES}.atRest()")
        return self

    def ask(self, text: str) -> Person:
        return self.say(text).rest()

    def press(self, button: Locator) -> Person:
        """Press a button that says something in the conversation, and wait for the answer."""
        said = self.page.locator(".entry.is-user:not(.is-sending)")
        before = said.count()
        button.click()
        expect(said).to_have_count(before + 1)
        return self.rest()

    def approve(self, password: str = "") -> Person:
        """Agree to what waits, and wait for what comes of it."""
        self.try_to_approve(password)
        expect(self.gate).to_have_count(0)
        return self.rest()

    def try_to_approve(self, password: str = "") -> Person:
        expect(self.gate).to_have_count(1)
        if password:
            self.gate.locator("input[type=password]").fill(password)
        return self.decide(self.gate.locator(".gate-buttons").first.locator("button").first)

    def decide(self, button: Locator) -> Person:
        """Press a button of the gate until it takes it."""
        button.click()
        while self.measure("untouchedGate"):
            button.click()
        return self

    def to_the_gate(self, size: str = "EU 42") -> Person:
        """Ask for shoes and a size, until the cart's question waits."""
        self.ask("Nike running shoes under 500")
        self.press(self.suggestions.get_by_text(size, exact=True))
        expect(self.gate).to_have_count(1)
        return self
