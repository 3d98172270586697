"""Saying it differently, having it answered anew, and going back: with the mouse, the keyboard and on a phone."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person


def own(person: Person, text: str) -> Locator:
    return person.page.locator(".entry.is-user").filter(has_text=text)


def bar(person: Person, text: str) -> Locator:
    return own(person, text).locator(".turn-bar")


def edit(person: Person, old: str, new: str) -> None:
    """Through the pencil; returns when the answer is there."""
    mine = own(person, old)
    mine.hover()
    mine.get_by_role("button", name="Edit and send again").click()
    area = person.page.locator(".turn-edit textarea")
    area.fill(new)
    area.press("Enter")
    expect(own(person, new)).to_have_count(1)
    expect(person.page.locator(".turn-edit")).to_have_count(0)
    person.rest()


def test_an_edit_keeps_the_old_version_and_arrows_lead_back(member: Person) -> None:
    member.ask("echo one").ask("echo two")
    edit(member, "echo two", "echo three")
    expect(member.answer).to_have_text("three")
    assert "two" not in " ".join(member.transcript())
    expect(bar(member, "echo three").locator(".versions")).to_have_text("2 / 2")

    bar(member, "echo three").get_by_role("button", name="Previous version").click()
    expect(member.answer).to_have_text("two")
    expect(bar(member, "echo two").locator(".versions")).to_have_text("1 / 2")
    member.ask("echo four")
    assert "three" not in " ".join(member.transcript())


def test_a_reload_and_a_second_tab_show_the_same_branch(member: Person) -> None:
    """T46: which version is shown stands in the log, like everything else."""
    member.ask("echo one")
    edit(member, "echo one", "echo two")
    other = member.open_tab()
    expect(other.answer).to_have_text("two")
    bar(member, "echo two").get_by_role("button", name="Previous version").click()
    expect(member.answer).to_have_text("one")
    expect(other.answer).to_have_text("one")
    member.page.reload()
    expect(member.answer).to_have_text("one")
    expect(bar(member, "echo one").locator(".versions")).to_have_text("1 / 2")
    assert member.transcript() == other.transcript()


def test_an_answer_is_written_anew_and_the_old_one_stays(member: Person) -> None:
    member.ask("echo one")
    member.page.get_by_role("button", name="Write this answer again").click()
    versions = member.page.locator(".is-reply .versions")
    expect(versions).to_have_text("2 / 2")
    member.rest()
    versions.get_by_role("button", name="Previous version").click()
    expect(versions).to_have_text("1 / 2")


def test_escape_leaves_a_message_as_it_was_and_the_keyboard_is_enough(member: Person) -> None:
    member.ask("echo one")
    pencil = bar(member, "echo one").get_by_role("button", name="Edit and send again")
    pencil.focus()
    pencil.press("Enter")
    area = member.page.locator(".turn-edit textarea")
    expect(area).to_be_focused()
    area.fill("something else")
    area.press("Escape")
    expect(area).to_have_count(0)
    expect(own(member, "echo one")).to_be_visible()
    expect(pencil).to_be_focused()
    pencil.press("Enter")
    expect(area).to_have_value("echo one")


def test_nothing_can_be_edited_while_the_agent_works(member: Person) -> None:
    member.ask("echo one").say_something_long()
    expect(bar(member, "echo one").get_by_role("button", name="Edit and send again")).to_be_disabled()
    member.stop.click()
    member.rest()
    expect(bar(member, "echo one").get_by_role("button", name="Edit and send again")).to_be_enabled()


def test_it_works_on_a_phone(enter: Enter) -> None:
    """375 px wide: everything is within reach, nothing is wider than the screen."""
    person = enter(
        "member", viewport={"width": 375, "height": 720}, has_touch=True, is_mobile=True
    ).go_to_chat()
    person.ask("echo one")
    bar(person, "echo one").get_by_role("button", name="Edit and send again").tap()
    area = person.page.locator(".turn-edit textarea")
    area.fill("echo " + "wide " * 30)
    person.page.locator(".turn-edit").get_by_role("button", name="Send").tap()
    expect(bar(person, "echo wide").locator(".versions")).to_have_text("2 / 2")
    person.rest()
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 375
    bar(person, "echo wide").get_by_role("button", name="Previous version").tap()
    expect(person.answer).to_have_text("one")


def test_a_conversation_gets_a_title_of_its_own(member: Person) -> None:
    member.ask("echo a very long beginning of a talk about nothing at all. And more.")
    expect(member.page.locator("#talk-title")).to_have_text("Echo a very long beginning of")
    member.page.reload()
    expect(member.page.locator("#talk-title")).to_have_text("Echo a very long beginning of")
