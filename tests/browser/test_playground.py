"""The playground in Chromium: what would come of a text as one types, and a try from the form to its receipt."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.served.up import PASSWORD

HOME = "/t/mall/review/playground/"


def at_the_bench(person: Person, tool: str) -> Page:
    """The playground with this tool chosen, once it has been looked at."""
    person.page.goto(HOME)
    person.page.get_by_label("Tool").select_option(tool)
    expect(verdict(person.page)).not_to_have_count(0)
    expect(person.page.locator("#pg-version option:checked")).to_have_text("#1 (current)")
    return person.page


def verdict(page: Page) -> Locator:
    return page.locator(".pg-verdict h2")


def write(page: Page, text: str) -> None:
    """Emptied by the editor's own command: Chromium keeps the colours of text it replaces itself, as inline styles."""
    page.locator(".cm-content").press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def test_it_answers_as_one_types(enter: Enter) -> None:
    page = at_the_bench(enter("reviewer"), "search_products")
    write(page, "{keyword: 'shoes',}")
    expect(verdict(page)).to_have_text("It would run at once")
    expect(page.locator(".pg-step", has_text="Repair")).to_contain_text("Changed")
    write(page, '{"keyword": "shoes", "max_price": "cheap"}')
    expect(verdict(page)).to_have_text("It would be rejected")
    expect(page.locator(".cm-lintRange-error")).to_have_text('"cheap"')
    page.get_by_label("the model’s answer was cut off").check()
    expect(page.locator(".pg-step", has_text="Whole")).to_contain_text("Stopped here")
    expect(page.get_by_role("button", name="Run it")).to_have_count(0)


def test_a_safe_tool_is_run_once_however_often_one_clicks(enter: Enter) -> None:
    page = at_the_bench(enter("admin"), "search_products")
    write(page, '{"keyword": "shoes"}')
    page.get_by_role("button", name="Run it").dblclick()
    expect(page.locator("#try-status")).to_have_text("Done")
    page.goto(HOME)
    expect(page.locator(".pg-list li")).to_have_count(1)


def test_a_reviewer_agrees_elsewhere_and_the_page_follows(enter: Enter) -> None:
    admin, reviewer = enter("admin"), enter("reviewer")
    page = at_the_bench(admin, "delete_account")
    expect(verdict(page)).to_have_text("It would wait for people")
    page.get_by_role("button", name="Run it").click()
    approve(page)
    expect(page.locator(".gate-said").last).to_contain_text("A reviewer has to agree as well")
    reviewer.page.goto(HOME)
    reviewer.page.get_by_role("link", name="delete_account").click()
    approve(reviewer.page)
    expect(reviewer.page.locator("#try-status")).to_have_text("Done")
    expect(page.locator("#try-status")).to_have_text("Done")


def approve(page: Page) -> None:
    """With the password; Enter in its field only goes on to the button."""
    page.wait_for_load_state()
    proof = page.get_by_label("Your password")
    proof.fill(PASSWORD)
    proof.press("Enter")
    expect(page.get_by_role("button", name="Approve")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your password")).to_have_count(0)


def test_without_scripts_it_works_by_its_form(enter: Enter) -> None:
    page = enter("admin", java_script_enabled=False).page
    page.goto(f"{HOME}?tool=add_to_cart")
    page.get_by_label("Arguments").fill('{"product_id": "nike-air-zoom-pegasus", "quantity": "2"}')
    page.get_by_role("button", name="Check").click()
    expect(verdict(page)).to_have_text("It would wait for people")
    expect(page.locator(".pg-step", has_text="Types")).to_contain_text("Changed")
    page.get_by_role("button", name="Run it").click()
    page.get_by_text("Give a reason").click()
    page.get_by_label("Why not?").press("Enter")
    page.reload()
    expect(page.locator("#try-status")).to_have_text("This waits for your decision")
    page.get_by_role("button", name="Reject").click()
    expect(page.locator("#try-status")).to_have_text("Rejected")


def test_an_answer_to_an_earlier_text_says_that_it_is_one(enter: Enter) -> None:
    """Without a connection nothing new is known, so nothing can be run either."""
    person = enter("admin")
    page = at_the_bench(person, "search_products")
    run = page.get_by_role("button", name="Run it")
    expect(run).to_be_enabled()
    person.watch.expect("ERR_INTERNET_DISCONNECTED")
    person.context.set_offline(True)
    write(page, '{"keyword": "boots"}')
    expect(page.locator("#pg-short")).to_contain_text("no connection. This is the answer to an earlier text.")
    expect(run).to_be_disabled()
    person.context.set_offline(False)
    expect(run).to_be_enabled()
    expect(page.locator("#pg-short")).not_to_contain_text("earlier text")


def test_it_fits_a_phone(enter: Enter) -> None:
    page = at_the_bench(enter("admin", viewport={"width": 375, "height": 720}), "create_order")
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    expect(page.locator("#pg-short")).to_be_visible()
