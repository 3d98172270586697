"""By keyboard, on a phone, in the dark, without motion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.served.up import PASSWORD

PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}


def tabbed(person: Person, start: str, until: str) -> list[str]:
    """What Tab comes by after `start`, up to what is called `until`. Each shows that it has the focus."""
    person.page.locator(start).focus()
    stops: list[str] = []
    while not stops or stops[-1] != until:
        assert len(stops) < 60, f"Tab never came to {until!r}, but to {stops}"
        person.page.keyboard.press("Tab")
        focused = person.measure("focused")
        assert focused["seen"], f"{focused['words'][:60]!r} does not show that it has the focus"
        stops.append(focused["words"])
    return stops


def test_tab_comes_from_the_start_to_suggestions_and_composer(enter: Enter) -> None:
    """The owner has no other conversations in these tests: the way goes by each of them."""
    owner = enter("owner").go_to_chat().ask("Nike running shoes under 500")
    owner.page.reload()
    expect(owner.suggestions.first).to_be_visible()
    stops = tabbed(owner, ".skip", "Message")
    assert stops.index("New conversation") < stops.index("EU 42")
    assert stops[-3:] == ["EU 43", "Add pictures", "Message"]


def test_the_skip_link_leads_to_the_conversation_and_moves_nothing(member: Person) -> None:
    member.ask("Nike running shoes under 500")
    member.page.locator(".skip").focus()
    member.page.keyboard.press("Enter")
    expect(member.page.locator("#scroll")).to_be_focused()
    assert member.page.evaluate("[scrollY, document.scrollingElement.scrollHeight - innerHeight]") == [0, 0]


def test_tab_comes_by_what_waits_for_a_decision(member: Person) -> None:
    member.to_the_gate().approve().ask("order it")
    stops = tabbed(member, "#scroll", "Message")
    assert stops[-6:] == [
        "",
        "Approve and run",
        "Reject",
        "Change and approve",
        "Add pictures",
        "Message",
    ]  # the password field has a label of its own


def test_the_whole_purchase_by_keyboard(member: Person) -> None:
    keyboard = member.page.keyboard
    member.ask("Nike running shoes under 500")
    keyboard.press("Shift+Tab")  # the pictures' button
    keyboard.press("Shift+Tab")
    expect(member.suggestions.last).to_be_focused()
    keyboard.press("Enter")
    expect(member.gate).to_have_count(1)
    member.rest()
    expect(member.composer).to_be_focused()

    for _ in ("to add pictures", "to allow the next calls as well", "to change it", "to reject it"):
        keyboard.press("Shift+Tab")
    expect(member.gate.get_by_role("button", name="Reject").first).to_be_focused()
    keyboard.press("Shift+Tab")
    approve = member.gate.get_by_role("button", name="Approve", exact=True)
    expect(approve).to_be_focused()
    while member.measure("untouchedGate"):
        keyboard.press("Enter")
    expect(member.gate).to_have_count(0)
    member.rest()

    member.composer.focus()
    keyboard.type("order it")
    keyboard.press("Enter")
    expect(member.gate).to_have_count(1)


def test_enter_does_not_approve_by_accident(member: Person) -> None:
    member.to_the_gate()
    member.composer.focus()
    for _ in range(3):
        member.page.keyboard.press("Enter")
    expect(member.gate).to_have_count(1)
    member.approve().ask("order it")
    field = member.gate.locator("input[type=password]")
    field.fill(PASSWORD)
    field.press("Enter")
    expect(member.gate.get_by_role("button", name="Approve and run")).to_be_focused()
    expect(member.gate).to_have_count(1)
    assert member.gate.get_attribute("aria-busy") is None


def test_a_click_meant_for_something_else_does_not_decide(member: Person) -> None:
    """The card takes no decision in its first moment, wherever the pointer was when it came."""
    pressed = """() => new MutationObserver(() => {
        const button = document.querySelector('.gate .is-primary');
        if (button && !window.pressed) { window.pressed = true; button.click(); }
    }).observe(document.body, { childList: true, subtree: true })"""
    member.ask("Nike running shoes under 500")
    member.page.evaluate(pressed)
    member.press(member.suggestions.get_by_text("EU 42", exact=True))
    member.page.wait_for_function("() => window.pressed")
    expect(member.gate).to_have_count(1)
    assert member.gate.get_attribute("aria-busy") is None


def test_nothing_is_wider_than_a_phone(enter: Enter) -> None:
    person = enter("member", **PHONE).go_to_chat()
    assert person.measure("tooWide") == []
    person.to_the_gate()
    assert person.measure("tooWide") == []
    person.approve().ask("order it")
    assert person.measure("tooWide") == []
    person.ask("where is the Nike store?")
    person.ask(
        "echo "
        + "wide" * 200
        + "\n```\n"
        + "code " * 100
        + "\n```\n\n|a|b|c|\n|-|-|-|\n|"
        + "cell" * 60
        + "|b|c|"
    )
    assert person.measure("tooWide") == []


def test_the_list_is_a_drawer_on_a_phone(enter: Enter) -> None:
    person = enter("member", **PHONE).go_to_chat()
    person.ask("echo In the drawer")
    toggle = person.page.locator(".drawer-toggle")
    drawer = person.page.locator("#sidebar")
    expect(drawer).to_be_hidden()
    toggle.click()
    expect(drawer).to_be_visible()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    assert person.page.evaluate("document.activeElement.closest('#sidebar') !== null")
    person.page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(toggle).to_be_focused()
    toggle.click()
    drawer.get_by_role("link", name="New conversation").click()
    expect(drawer).to_be_hidden()
    expect(person.page.locator(".openers")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(enter: Enter, scheme: str) -> None:
    """Every text has a contrast of 4.5 to its background (WCAG AA), 3 if it is large."""
    person = enter("member", color_scheme=scheme).go_to_chat()
    person.to_the_gate().approve()
    person.say("order it").rest()
    person.ask("echo Some `code`, a [link](https://example.com/) and\n\n> a quotation")
    assert person.measure("pale") == []


def test_the_chosen_theme_stays(enter: Enter) -> None:
    person = enter("member", color_scheme="light").go_to_chat()
    toggle = person.page.locator(".bar > [data-theme-toggle]")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    person.page.reload()
    expect(person.page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = person.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", dark)[:3])) < 64


def test_nothing_moves_for_who_asked_for_less_motion(enter: Enter) -> None:
    person = enter("member", reduced_motion="reduce").go_to_chat()
    person.say_something_long()
    assert person.measure("moving") == []
    person.rest().ask("where is the Nike store?")
    assert person.measure("moving") == []
