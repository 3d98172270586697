"""A model that cannot get a call right: the person is asked with a form, corrects, and the call goes its way (A11)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.browser.test_reach import PHONE

PEGASUS = "nike-air-zoom-pegasus"
LATER = re.compile("waits for your decision")


def insist(person: Person, tool: str, given: Any) -> Person:
    """The scripted model makes the same bad call twice; the second time the person is asked."""
    call = f"call {tool} {given if isinstance(given, str) else json.dumps(given)}"
    person.say(f"{call}\nthen\n{call}").rest()
    expect(form(person)).to_have_count(1)
    return person


def form(person: Person) -> Locator:
    return person.page.locator(".gate.is-correction")


def field(person: Person, label: str) -> Locator:
    return form(person).get_by_label(label)


def errors(person: Person, label: str) -> Locator:
    """What stands beside a field: its control names it as its description."""
    ids = str(field(person, label).get_attribute("aria-describedby")).split()
    return person.page.locator(f"#{ids[-1]}")


def send(person: Person) -> None:
    form(person).get_by_role("button", name="Send corrected arguments").click()


def decision(person: Person) -> Locator:
    return person.page.locator(".gate:not(.is-correction)")


@pytest.fixture
def asked(member: Person) -> Person:
    """Somebody who is asked about a cart with two faults."""
    return insist(member, "add_to_cart", {"product_id": "Nike shoes", "quantity": "ten apples"})


def test_the_form_shows_what_was_given_and_what_is_wrong_beside_it(asked: Person) -> None:
    expect(field(asked, "Product")).to_have_value("Nike shoes")
    expect(field(asked, "quantity")).to_have_value("ten apples")
    expect(errors(asked, "quantity")).to_contain_text("integer")
    expect(errors(asked, "Product")).not_to_be_empty()
    for label in ("Product", "Quantity"):
        expect(field(asked, label)).to_have_attribute("aria-invalid", "true")
    assert field(asked, "Variant").get_attribute("aria-invalid") is None


def test_corrected_arguments_go_on_to_the_usual_question(asked: Person) -> None:
    """A call that needs a yes still needs it, and says that a person changed it."""
    field(asked, "Product").fill(PEGASUS)
    field(asked, "quantity").fill("2")
    field(asked, "Variant").fill("size_42")
    send(asked)
    expect(form(asked)).to_have_count(0)
    expect(decision(asked)).to_contain_text(PEGASUS)
    expect(decision(asked)).to_contain_text("corrected the arguments by hand")
    asked.approve()
    expect(asked.page.locator(".call", has_text="Corrected by hand")).to_contain_text("Done")
    expect(asked.page.locator(".slip")).to_contain_text("EU 42")


def test_a_call_that_needs_no_yes_runs_at_once(member: Person) -> None:
    insist(member, "search_products", {"keyword": "", "max_price": "500 yuan"})
    field(member, "Words to look for").fill("Nike")
    field(member, "Highest price").fill("500")
    send(member)
    expect(member.page.locator(".product").first).to_be_visible()
    member.rest()
    done = member.page.locator(".call", has_text="Corrected by hand")
    expect(done).to_contain_text("Done")
    done.locator("summary").click()
    expect(done.locator("pre").first).to_contain_text('"max_price": 500')


def test_what_is_still_wrong_stays_beside_its_field_which_gets_the_focus(asked: Person) -> None:
    field(asked, "Product").fill(PEGASUS)
    field(asked, "quantity").fill("0")
    expect(errors(asked, "quantity")).to_be_empty()
    send(asked)
    expect(errors(asked, "quantity")).to_contain_text("at least 1")
    expect(field(asked, "quantity")).to_be_focused()
    expect(errors(asked, "Product")).to_be_empty()
    expect(field(asked, "Product")).to_have_value(PEGASUS)
    expect(form(asked).get_by_role("alert")).to_contain_text("1 to correct")


def test_a_fault_that_has_no_field_stands_on_top(member: Person) -> None:
    insist(member, "search_products", {"keyword": "Nike", "colour": "red"})
    expect(form(member).locator(".form-general")).to_contain_text("colour")
    assert field(member, "colour").count() == 0
    send(member)
    expect(member.page.locator(".product").first).to_be_visible()


def test_the_same_as_json(asked: Person) -> None:
    form(asked).get_by_role("button", name="Edit as JSON").click()
    raw = field(asked, "Arguments as JSON")
    assert json.loads(raw.input_value()) == {"product_id": "Nike shoes", "quantity": "ten apples"}
    raw.fill('{"product_id": "x", "product_id": "y"}')
    send(asked)
    expect(form(asked)).to_contain_text("A name stands twice")
    expect(raw).to_be_focused()
    raw.fill(json.dumps({"product_id": PEGASUS, "quantity": 3}))
    form(asked).get_by_role("button", name="Back to the form").click()
    expect(field(asked, "quantity")).to_have_value("3")
    form(asked).get_by_role("button", name="Edit as JSON").click()
    send(asked)
    expect(decision(asked)).to_contain_text(PEGASUS)


def test_the_form_is_there_again_after_a_reload(asked: Person) -> None:
    asked.page.reload()
    expect(field(asked, "quantity")).to_have_value("ten apples")
    expect(errors(asked, "quantity")).to_contain_text("integer")


def test_what_was_typed_outlives_a_look_at_another_conversation(asked: Person) -> None:
    field(asked, "quantity").fill("7")
    asked.page.get_by_role("link", name="New conversation").first.click()
    expect(form(asked)).to_have_count(0)
    asked.page.go_back()
    expect(field(asked, "quantity")).to_have_value("7")


def test_what_was_typed_outlives_a_lost_connection_and_nothing_can_be_sent_meanwhile(asked: Person) -> None:
    asked.watch.expect(r"WebSocket connection to '.*' failed", "ERR_INTERNET_DISCONNECTED")
    button = form(asked).get_by_role("button", name="Send corrected arguments")
    field(asked, "quantity").fill("7")
    asked.context.set_offline(True)
    expect(form(asked)).to_contain_text("There is no connection")
    expect(button).to_be_disabled()
    asked.context.set_offline(False)
    expect(button).to_be_enabled()
    expect(field(asked, "quantity")).to_have_value("7")


def test_a_form_answered_in_another_tab_is_gone_in_this_one(asked: Person) -> None:
    other = asked.open_tab()
    expect(field(other, "quantity")).to_have_value("ten apples")
    field(asked, "Product").fill("half")
    field(other, "Product").fill(PEGASUS)
    field(other, "quantity").fill("1")
    send(other)
    for tab in (other, asked):
        expect(form(tab)).to_have_count(0)
        expect(decision(tab)).to_contain_text(LATER)
    expect(asked.page.locator(".toast")).to_contain_text("corrected elsewhere")
    expect(other.page.locator(".toast")).to_have_count(0)


def test_who_does_not_want_it_says_so_and_nothing_is_done(asked: Person) -> None:
    form(asked).get_by_role("button", name="Do not run this").click()
    expect(form(asked)).to_have_count(0)
    asked.rest()
    expect(asked.page.locator(".call").last).to_contain_text("not corrected, so nothing was done")
    expect(decision(asked)).to_have_count(0)


def test_whoever_writes_on_instead_takes_the_question_back(asked: Person) -> None:
    asked.ask("echo Never mind")
    expect(form(asked)).to_have_count(0)
    expect(asked.page.locator(".call").last).to_contain_text("nothing was done")


def test_a_template_is_one_click_away_and_one_click_back(enter: Enter) -> None:
    """A10."""
    writer = enter("member@studio.test").go_to_chat("/t/studio/")
    insist(writer, "update_storyboard", {"title": 7})
    button = writer.page.locator("button.form-template")
    one = form(writer).locator(".form-field", has=button).first
    filled = one.locator("textarea")
    one.get_by_role("button", name="Use the template").click()
    expect(filled).to_have_value(re.compile("."))
    one.get_by_role("button", name="Undo the template").click()
    expect(filled).to_have_value("")
    one.get_by_role("button", name="Use the template").click()
    filled.press("End")
    filled.type(" Mine.")
    expect(one.get_by_role("button")).to_have_text("Use the template")


def test_the_whole_form_by_keyboard(asked: Person) -> None:
    keyboard = asked.page.keyboard
    asked.page.locator("#scroll").focus()
    tab_to(asked, "Product")
    keyboard.press("Control+a")
    keyboard.type(PEGASUS)
    tab_to(asked, "Quantity")
    keyboard.press("Control+a")
    keyboard.type("1")
    while asked.measure("focused")["words"] != "Send corrected arguments":
        keyboard.press("Tab")
    keyboard.press("Enter")
    expect(decision(asked)).to_contain_text(PEGASUS)
    expect(decision(asked)).to_be_focused()


def tab_to(person: Person, label: str) -> None:
    while not field(person, label).evaluate("(one) => one === document.activeElement"):
        person.page.keyboard.press("Tab")
        assert person.measure("focused")["seen"]


def test_enter_sends_from_a_line(asked: Person) -> None:
    """What is still wrong has the focus then; the question that follows a good answer has it too."""
    field(asked, "Product").fill(PEGASUS)
    expect(form(asked).get_by_role("button", name="Send corrected arguments")).to_be_enabled()
    field(asked, "Product").press("Enter")
    expect(field(asked, "Quantity")).to_be_focused()
    field(asked, "Quantity").fill("1")
    field(asked, "Quantity").press("Enter")
    expect(decision(asked)).to_be_focused()


def test_how_much_is_left_to_correct_stands_beside_the_buttons(asked: Person) -> None:
    left = form(asked).locator(".to-correct")
    expect(left).to_have_text("2 to correct")
    field(asked, "Product").fill(PEGASUS)
    expect(left).to_have_text("1 to correct")
    left.click()
    expect(field(asked, "Quantity")).to_be_focused()
    field(asked, "Quantity").fill("1")
    expect(left).to_be_hidden()


def test_leaving_the_page_is_asked_about_once_something_was_typed(asked: Person) -> None:
    holds = "() => !dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    assert asked.page.evaluate(holds) is False
    field(asked, "Product").fill(PEGASUS)
    assert asked.page.evaluate(holds) is True
    field(asked, "Quantity").fill("1")
    send(asked)
    expect(form(asked)).to_have_count(0)
    assert asked.page.evaluate(holds) is False


def test_what_was_written_for_models_opens_where_something_is_wrong(asked: Person) -> None:
    wrong, fine = (
        field(asked, label).locator("xpath=..").locator("details") for label in ("Product", "Variant")
    )
    expect(wrong).to_have_attribute("open", "")
    expect(fine).to_contain_text("What belongs here")
    assert fine.get_attribute("open") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_can_be_read(enter: Enter, scheme: str) -> None:
    person = enter("member", **PHONE, color_scheme=scheme).go_to_chat()
    insist(person, "add_to_cart", {"product_id": "Nike shoes", "quantity": "ten " * 40, "wide": "w" * 300})
    assert person.measure("tooWide") == []
    assert person.measure("pale") == []


def test_names_a_model_made_up_never_become_markup(member: Person) -> None:
    """T69: in the form's fields, its errors, and its JSON."""
    nasty = "<img src=x onerror=window.__xss=1>"
    insist(member, "add_to_cart", {"product_id": nasty, "quantity": nasty, nasty: {nasty: nasty}})
    expect(field(member, "quantity")).to_have_value(nasty)
    expect(form(member).locator(".form-general")).to_contain_text(nasty)
    form(member).get_by_role("button", name="Edit as JSON").click()
    assert form(member).locator("img").count() == 0
    member.ran_nothing()
