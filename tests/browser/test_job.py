"""A background call in the chat: progress, output, Cancel, and the same after a reload; on a phone and in the dark."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.person import Person

ENDS_MS = 60_000
TEN = '["gold", "silver", "copper", "oil", "gas", "corn", "wheat", "soybean", "sugar", "cotton"]'
SHOTS = os.environ.get("SLUICE_SHOTS", "")


def at_the_desk(enter: Enter, **options: object) -> Person:
    return enter("member@desk.test", **options).go_to_chat("/t/desk/")


def shoot(person: Person, name: str) -> None:
    """Kept where somebody wants to look at them."""
    if SHOTS:
        person.photograph(Path(SHOTS) / f"job-{name}.png")


def test_progress_is_shown_and_the_chat_goes_on(enter: Enter) -> None:
    person = at_the_desk(enter)
    page, card = person.page, person.page.locator(".job")
    person.say('call market_report {"symbols": ["gold", "silver", "copper", "oil", "corn"]}')
    expect(card).to_have_count(1)
    expect(card.locator(".job-words")).to_contain_text(re.compile(r"^[2-8]0% · Reading"))
    expect(card.get_by_role("progressbar", name="Market report")).to_have_attribute("max", "100")
    expect(card.locator(".job-output")).to_contain_text("Gold:")
    shoot(person, "light")
    person.say("echo meanwhile")
    expect(page.locator(".is-reply .md").last).to_contain_text("meanwhile")
    expect(card).to_have_count(0, timeout=ENDS_MS)
    expect(page.locator(".call.is-good")).to_contain_text("Done")
    expect(person.answer).to_contain_text("answered")
    person.rest()
    before = person.transcript()
    page.locator(".call.is-good summary").click()
    expect(page.locator(".call-body")).to_contain_text("Gold: ")
    shoot(person, "done")
    page.reload()
    expect(page.locator(".call.is-good")).to_contain_text("Done")
    person.rest()
    assert person.transcript() == before


LOOKS = {
    "phone": {"viewport": {"width": 390, "height": 800}},
    "dark": {"color_scheme": "dark"},
}


@pytest.mark.parametrize("look", LOOKS)
def test_it_is_cancelled_where_it_stands_also_after_a_reload(look: str, enter: Enter) -> None:
    person = at_the_desk(enter, **LOOKS[look])
    page, card = person.page, person.page.locator(".job")
    person.say(f'call market_report {{"symbols": {TEN}}}')
    expect(card.locator(".job-output")).to_contain_text("Gold:")
    page.reload()
    expect(card.locator(".job-output")).to_contain_text("Gold:")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    card.get_by_role("button", name="Cancel").click()
    expect(card).to_have_count(0)
    expect(page.locator(".call .chip").filter(has_text="Cancelled")).to_have_count(1)
    expect(page.locator(".call-says")).to_contain_text("Nothing was changed")
    person.rest()
    shoot(person, f"{look}-cancelled")


def test_in_another_conversation_one_hears_of_the_end(enter: Enter) -> None:
    person = at_the_desk(enter)
    person.say('call market_report {"symbols": ["gold", "copper", "oil", "corn"]}')
    expect(person.page.locator(".job")).to_have_count(1)
    person.page.locator("[data-new-chat]:visible").first.click()
    expect(person.page.get_by_text("A background task has ended.")).to_be_visible(timeout=ENDS_MS)
