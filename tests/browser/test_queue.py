"""A member asks in one browser, a reviewer decides in another: live on both sides, by mouse, by keys and on a phone."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.served.up import Up

REVIEW = "/t/studio/review/"
PHONE = {"viewport": {"width": 375, "height": 740}}
BY_REVIEWER = """
from platform_site.models import Tenant
from platform_site.tenancy import acting_for
from tools.catalogue import save_tool
from tools.models import Tool
with acting_for(Tenant.objects.get(slug="studio")):
    tool = Tool.objects.get(name="add_character").current.definition
    save_tool(tool | {"risk": "CONFIRM", "confirmation": {"by": "reviewer"}}, None)
"""


@pytest.fixture(scope="module", autouse=True)
def _reviewers_decide(shop: Up) -> None:
    shop.shell(BY_REVIEWER)


def asks(member: Person, name: str, description: str = "Repairs old radios.") -> None:
    """The agent wants to add somebody to the story; reviewers have to agree."""
    given = json.dumps({"name": name, "role": "friend", "description": description})
    member.say(f"call add_character {given}")
    expect(member.page.get_by_text("Waiting for a reviewer").last).to_be_visible()


def at_the_queue(enter: Enter, **options: object) -> Page:
    page = enter("reviewer@studio.test", **options).page
    page.goto(REVIEW)
    expect(page.get_by_role("heading", name="Queue")).to_be_visible()
    return page


def look_at(page: Page, name: str) -> None:
    """Open the line, and wait until its page listens: its clock runs."""
    page.locator(".ask", has_text=name).click()
    expect(page.locator(".q-head time")).to_have_text(re.compile(r"^\d+:\d\d$"))


def test_asked_here_decided_there_seen_by_both(enter: Enter) -> None:
    """The line comes by itself; a yes by keys; the outcome stands in the chat, on the page and in the history."""
    page = at_the_queue(enter)
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    asks(member, "Ada Stern")
    row = page.locator(".ask", has_text="Ada Stern")
    expect(row).to_contain_text("0 of 1 reviewers")
    expect(page.locator(".review-nav [data-number]")).not_to_have_text("0")
    while not row.evaluate("(row) => row === document.activeElement"):
        page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator(".q-head time")).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(page.locator(".q-main")).to_contain_text("Repairs old radios.")
    expect(page.locator(".q-talk")).to_contain_text("call add_character")
    page.keyboard.press("a")
    sure = page.locator("#sure")
    expect(sure).to_contain_text("Add the character Ada Stern")
    sure.get_by_role("button", name="Approve").click()
    expect(page.locator("#q-decide")).to_have_text("Done")
    expect(member.page.locator(".call.is-good").last).to_contain_text("Add character")
    page.goto(REVIEW + "?show=history")
    expect(page.locator(".ask", has_text="Ada Stern")).to_contain_text("Done")
    expect(page.locator(".ask", has_text="Ada Stern")).to_contain_text("Approved by")


def test_a_no_says_why(enter: Enter) -> None:
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    asks(member, "Ben Gray")
    page = at_the_queue(enter)
    look_at(page, "Ben Gray")
    page.keyboard.press("r")
    expect(page.locator("[name=reason]")).to_be_focused()
    page.get_by_role("button", name="Reject").click()
    expect(page.locator("[name=reason]")).to_be_focused()
    page.locator("[name=reason]").fill("There is a Ben already.")
    page.get_by_role("button", name="Reject").click()
    expect(page.locator("#q-decide")).to_have_text("Rejected")
    expect(member.page.locator("#transcript")).to_contain_text("There is a Ben already.")


def test_what_somebody_else_decides_is_seen_at_once(enter: Enter) -> None:
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    asks(member, "Cleo Marsh")
    page = at_the_queue(enter)
    look_at(page, "Cleo Marsh")
    other = enter("admin@studio.test").page
    other.goto(page.url)
    page.locator("[name=reason]").fill("I was just about to")
    other.get_by_role("button", name="Approve").click()
    expect(other.locator("#q-decide")).to_have_text("Done")
    expect(page.get_by_text("This is not how things stand any more.")).to_be_visible()
    page.get_by_role("link", name="Look again").click()
    expect(page.locator("#q-decide")).to_have_text("Done")


def test_the_buttons_stay_in_sight_whatever_is_to_be_read(enter: Enter) -> None:
    """T04: a text as long as it may be, hidden characters and blank lines, on a desk and on a phone."""
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    asks(member, "Dora Lind", "Tall." + "\n" * 40 + "\u202ethgir eht morF " + "and so on " * 300)
    page = at_the_queue(enter)
    look_at(page, "Dora Lind")
    in_sight(page)
    expect(page.locator(".q-main")).to_contain_text("↵ × 40")
    expect(page.locator(".q-main")).to_contain_text("RLO")
    phone = enter("reviewer@studio.test", **PHONE).page
    phone.goto(page.url)
    assert phone.evaluate("document.documentElement.scrollWidth") == 375
    in_sight(phone)
    phone.get_by_role("button", name="Reject").click()
    phone.locator("[name=reason]").fill("Too long.")
    phone.get_by_role("button", name="Reject").click()
    expect(phone.locator("#q-decide")).to_have_text("Rejected")
    expect(page.locator("#q-decide")).to_have_text("Rejected")


def in_sight(page: Page) -> None:
    """Scrolled to the top, to the bottom, and in between."""
    for part in (0, 0.5, 1):
        page.evaluate("(part) => scrollTo(0, part * document.documentElement.scrollHeight)", part)
        for name in ("Approve", "Reject"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def test_without_scripts_it_works_by_its_form(enter: Enter) -> None:
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    asks(member, "Emil Voss")
    reviewer = enter("reviewer@studio.test", java_script_enabled=False)
    reviewer.watch.expect("status 400", "status of 400")
    page = reviewer.page
    page.goto(REVIEW)
    page.locator(".ask", has_text="Emil Voss").click()
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("alert").filter(has_text="Say why")).to_be_visible()
    page.get_by_role("button", name="Approve").click()
    expect(page.locator(".q-standing")).to_contain_text("Approved by")


def test_a_phone_shows_the_queue_in_one_column(enter: Enter) -> None:
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    asks(member, "Fay Root")
    page = at_the_queue(enter, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    row = page.locator(".ask", has_text="Fay Root")
    expect(row).to_be_visible()
    asked = row.locator(".ask-when small")
    assert asked.evaluate("one => one.getClientRects().length") == 1, (
        "its age is squeezed into a narrow column"
    )
    expect(page.locator(".account-menu > summary [data-number]")).to_be_visible()


def test_a_reviewer_changes_and_approves(enter: Enter) -> None:
    """The form of the chat on the review page; what is wrong is told beside its field, and nothing typed is lost."""
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    asks(member, "Gil Moss")
    reviewer = enter("reviewer@studio.test")
    reviewer.watch.expect("status 422", "status of 422")
    page = reviewer.page
    page.goto(REVIEW)
    look_at(page, "Gil Moss")
    page.keyboard.press("e")
    form = page.locator("#q-editing")
    expect(form.get_by_label("Name")).to_have_value("Gil Moss")
    expect(page.locator(".q-arguments")).to_be_hidden()
    form.get_by_label("Name").fill("G" * 200)
    page.get_by_role("button", name="Approve with these changes").click()
    expect(form.locator("[aria-invalid=true]")).to_have_value("G" * 200)
    expect(page.locator("#q-problem")).to_be_visible()
    form.locator("[aria-invalid=true]").fill("Gil Mossman")
    page.get_by_role("button", name="Approve with these changes").click()
    expect(page.locator("#q-decide")).to_have_text("Done")
    expect(page.locator(".q-main")).to_contain_text("Asked for, and changed since")
    expect(member.page.locator("#transcript")).to_contain_text("Gil Mossman")


def test_a_reviewer_thinks_better_of_changing_it(enter: Enter) -> None:
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    asks(member, "Hal Reed")
    page = at_the_queue(enter)
    look_at(page, "Hal Reed")
    page.get_by_role("button", name="Change the arguments").click()
    page.locator("#q-editing").get_by_label("Name").fill("Somebody else")
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".q-arguments")).to_be_visible()
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("#q-decide")).to_have_text("Done")
    expect(page.locator(".q-arguments")).to_contain_text("Hal Reed")


def test_what_waits_is_counted_in_the_chat_and_in_the_console(enter: Enter) -> None:
    """Live, by a notice, and right after a reload; who reviews nothing has no number."""
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    expect(member.page.locator("[data-waiting]")).to_have_count(0)
    chat = enter("reviewer@studio.test").go_to_chat("/t/studio/").page
    console = enter("admin@studio.test").page
    console.goto("/t/studio/admin/")
    numbers = [
        chat.locator(".bar .has-badge [data-number]").first,
        console.locator(".console-waiting [data-number]"),
    ]
    before = int(numbers[0].text_content() or 0)
    asks(member, "Ida Frost")
    for number in numbers:
        expect(number).to_have_text(str(before + 1))
        expect(number).to_be_visible()
    chat.reload()
    expect(numbers[0]).to_have_text(str(before + 1))
    page = at_the_queue(enter)
    look_at(page, "Ida Frost")
    page.get_by_role("button", name="Approve").click()
    for number in numbers:
        expect(number).to_have_text(str(before))
