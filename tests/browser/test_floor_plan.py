"""The way to a shop, drawn and told."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.person import Person


def test_the_way_is_drawn_and_told_in_words(member: Person) -> None:
    member.ask("where is the Nike store?")
    plan = member.page.locator("figure.plan")
    expect(plan.locator("svg path.route")).to_be_visible()
    assert str(plan.locator("svg path.route").get_attribute("d")).startswith("M")
    expect(plan.locator(".is-target")).to_contain_text("Nike")
    picture = plan.get_by_role("img")
    expect(picture).to_have_attribute("aria-label", "The way to Nike. Floor 2.")
    expect(plan.locator("figcaption")).to_contain_text("Floors on the way: Floor 1 → Floor 2.")


def test_floors_are_tabs_that_arrows_move(member: Person) -> None:
    member.ask("where is the Nike store?")
    floors = member.page.get_by_role("tab")
    expect(floors).to_have_text(["Floor 1", "Floor 2"])
    expect(floors.nth(1)).to_have_attribute("aria-selected", "true")
    floors.nth(1).focus()
    member.page.keyboard.press("ArrowLeft")
    expect(floors.nth(0)).to_be_focused()
    expect(floors.nth(0)).to_have_attribute("aria-selected", "true")
    expect(member.page.get_by_role("img")).to_have_attribute("aria-label", "The way to Nike. Floor 1.")
    expect(member.page.locator("svg path.route")).to_have_count(1)
