"""What was done to a call's arguments, and what is off about answers and results, is shown (A3, A9, A14)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person


def opened(person: Person) -> Locator:
    """The newest call, with its details."""
    call = person.page.locator(".call").last
    call.locator("summary").click()
    return call


def test_a_mend_and_a_coercion_are_shown_with_before_and_after(member: Person) -> None:
    member.ask("""call search_products {'keyword': 'Nike', "max_price": "500",}""")
    expect(member.page.locator(".call .call-marks").last).to_contain_text("Mended")
    details = opened(member)
    expect(details.get_by_role("heading", name="Mended before checking")).to_be_visible()
    expect(details.locator(".is-mends")).to_contain_text("Commas were put right.")
    coercion = details.locator(".is-mends li", has_text="$.max_price")
    expect(coercion.locator(".is-before")).to_have_text('"500"')
    expect(coercion.locator(".change code").last).to_have_text("500")


def test_a_call_that_was_right_has_no_marks(member: Person) -> None:
    member.ask('call search_products {"keyword": "Nike"}')
    expect(member.page.locator(".call")).to_contain_text("Done")
    expect(member.page.locator(".call-marks")).to_have_count(0)


def test_a_call_written_as_text_asks_first_and_says_so(member: Person) -> None:
    """A14: what would run by itself asks when it was only written."""
    member.ask('echo <tool_call>{"name": "search_products", "arguments": {"keyword": "Nike"}}</tool_call>')
    expect(member.gate).to_contain_text("wrote this call into its text")
    member.approve()
    expect(member.page.locator(".call-marks").last).to_contain_text("Written as text")


def test_a_written_call_of_a_tool_that_is_not_there_is_a_warning(member: Person) -> None:
    member.ask('echo <tool_call>{"name": "drop_everything", "arguments": {}}</tool_call>')
    expect(member.page.locator(".is-reply .warning")).to_contain_text("drop_everything")
    expect(member.page.locator(".call")).to_have_count(0)


def test_the_scenario_goes_along_and_stays(enter: Enter) -> None:
    writer = enter("member@studio.test").go_to_chat("/t/studio/")
    choice = writer.page.get_by_label("Scenario")
    name = choice.locator("option").nth(1).inner_text()
    choice.select_option(label=name)
    with writer.page.expect_websocket() as socket:
        writer.page.reload()
    expect(choice.locator("option:checked")).to_have_text(name)
    with socket.value.expect_event("framesent", lambda frame: '"message.send"' in str(frame)) as sent:
        writer.say("echo Begin")
    assert '"scenario"' in str(sent.value)
    writer.rest().page.reload()
    expect(choice.locator("option:checked")).to_have_text(name)


def test_an_agent_without_scenarios_offers_none(member: Person) -> None:
    expect(member.page.locator("#scenario")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_and_warnings_can_be_read(enter: Enter, scheme: str) -> None:
    person = enter("member", color_scheme=scheme).go_to_chat()
    person.ask("""call search_products {'keyword': 'Nike', "max_price": "500",}""")
    opened(person)
    person.ask('echo <tool_call>{"name": "drop_everything", "arguments": {}}</tool_call>')
    assert person.measure("pale") == []
