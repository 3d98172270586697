"""The question's card: what would be done, changed before it is approved, and a yes to the next calls as well."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import httpx2
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.browser.test_reach import PHONE
from tests.served.up import PASSWORD, Up

PEGASUS = "nike-air-zoom-pegasus"
SetPrice = Callable[[float], float]


def call(tool: str, **arguments: object) -> str:
    return f"call {tool} {json.dumps(arguments)}"


def add(quantity: int = 1, size: str = "size_42") -> str:
    return call("add_to_cart", product_id=PEGASUS, quantity=quantity, sku_id=size)


def button(person: Person, name: str) -> Locator:
    return person.gate.get_by_role("button", name=name, exact=True)


def field(person: Person, label: str) -> Locator:
    return person.gate.locator(".gate-edit").get_by_label(label)


def errors(person: Person, label: str) -> Locator:
    """What stands beside a field: its control names it as its description."""
    ids = str(field(person, label).get_attribute("aria-describedby")).split()
    return person.page.locator(f"#{ids[-1]}")


def preview(person: Person) -> Locator:
    return person.gate.locator(".preview-box")


@pytest.fixture
def set_price(shop: Up) -> Iterator[SetPrice]:
    """What the shoes cost from now on; as before when the test is over."""
    with httpx2.Client(
        base_url=shop.mall_url, headers={"X-Admin-Key": shop.mall_admin_key}, trust_env=False
    ) as mall:

        def ask(**fields: object) -> float:
            answer = mall.post("/admin/price", json={"product_id": PEGASUS, **fields})
            return float(answer.raise_for_status().json()["price"])

        usual = ask()
        yield lambda price: ask(price=price)
        ask(price=usual)


@pytest.fixture
def asked(member: Person) -> Person:
    """Somebody who is asked whether a pair of shoes may go into the cart."""
    member.ask(add())
    expect(member.gate).to_have_count(1)
    return member


@pytest.fixture
def ordering(asked: Person) -> Person:
    """Somebody who is asked whether the order may be placed, and sees what it would be."""
    asked.approve().ask("order it")
    expect(preview(asked)).to_have_count(1)
    return asked


# What would be done


def test_an_order_shows_its_lines_and_its_total_before_anybody_agrees(ordering: Person) -> None:
    shown = preview(ordering)
    expect(shown).to_contain_text("Nike Air Zoom Pegasus")
    for words in ("Quantity", "Price", "Total", "Address"):
        expect(shown).to_contain_text(words)
    expect(offer(ordering)).to_have_count(
        0
    )  # what takes a proof or shows a preview is never granted beforehand
    exact = ordering.gate.locator(".preview-exact")
    exact.locator("summary").click()
    assert "lines" in json.loads(exact.locator("pre").inner_text())


def test_a_price_that_changed_after_the_yes_is_asked_about_again_with_both_shown(
    ordering: Person, set_price: SetPrice
) -> None:
    """T12."""
    before = preview(ordering).locator(".is-sum dd").last.inner_text()
    set_price(649)
    ordering.try_to_approve(PASSWORD)
    again = ordering.gate.locator(".preview-again")
    expect(again).to_contain_text("This changed since you approved")
    expect(again).to_contain_text("→ 649")
    expect(again).to_contain_text("Please decide again.")
    then, now = preview(ordering).all()
    expect(then).to_contain_text("When it was approved")
    assert before in then.inner_text()
    expect(now.locator(".is-changed").first).to_contain_text("649")
    expect(now.locator(".is-changed", has_text="Lane")).to_have_count(0)
    expect(ordering.page.locator(".call", has_text="Place order")).to_have_count(0)


def test_what_is_agreed_to_the_second_time_is_done(ordering: Person, set_price: SetPrice) -> None:
    set_price(651)
    ordering.try_to_approve(PASSWORD)
    expect(ordering.gate.locator(".preview-again")).to_be_visible()
    ordering.approve(PASSWORD)
    done = ordering.page.locator(".call").last
    done.locator("summary").first.click()
    expect(done).to_contain_text("changed after it had been approved, so it was asked again")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_values_fit_a_phone_and_can_be_read(enter: Enter, set_price: SetPrice, scheme: str) -> None:
    person = enter("member", **PHONE, color_scheme=scheme).go_to_chat()
    person.ask(add(size="size_43")).approve().ask("order it")
    set_price(653 if scheme == "light" else 655)
    person.try_to_approve(PASSWORD)
    expect(person.gate.locator(".preview-again")).to_be_visible()
    assert person.measure("tooWide") == []
    assert person.measure("pale") == []


# Change and approve


def test_what_is_changed_is_what_runs_and_the_card_tells_both(asked: Person) -> None:
    button(asked, "Change and approve").click()
    expect(field(asked, "quantity")).to_have_value("1")
    field(asked, "quantity").fill("2")
    button(asked, "Approve with these changes").click()
    expect(asked.gate).to_have_count(0)
    asked.rest()
    done = asked.page.locator(".call", has_text="Changed before approval")
    expect(done).to_contain_text("Done")
    done.locator("summary").click()
    expect(done.locator("pre").first).to_contain_text('"quantity": 2')
    changed = done.locator("section", has_text="Changed from what the agent proposed")
    expect(changed.locator("code.is-before")).to_have_text("1")
    expect(asked.page.locator(".toast")).to_have_count(0)
    expect(done).to_contain_text("changed the arguments before they were approved")


def test_what_is_wrong_with_a_change_stands_beside_its_field(asked: Person) -> None:
    button(asked, "Change and approve").click()
    field(asked, "quantity").fill("0")
    button(asked, "Approve with these changes").click()
    expect(errors(asked, "quantity")).to_contain_text("at least 1")
    expect(field(asked, "quantity")).to_be_focused()
    expect(field(asked, "Product")).to_have_value(PEGASUS)
    field(asked, "quantity").fill("3")
    button(asked, "Approve with these changes").click()
    expect(asked.gate).to_have_count(0)


def test_who_thinks_better_of_it_sees_the_question_as_it_was(asked: Person) -> None:
    button(asked, "Change and approve").click()
    field(asked, "quantity").fill("9")
    button(asked, "Back").click()
    expect(asked.gate.locator("table.arguments")).to_be_visible()
    expect(button(asked, "Change and approve")).to_be_focused()
    asked.approve()
    done = asked.page.locator(".call").last
    done.locator("summary").click()
    expect(done.locator("pre").first).to_contain_text('"quantity": 1')


def test_what_was_typed_outlives_a_look_at_another_conversation(asked: Person) -> None:
    button(asked, "Change and approve").click()
    field(asked, "quantity").fill("7")
    asked.page.get_by_role("link", name="New conversation").first.click()
    expect(asked.gate).to_have_count(0)
    asked.page.go_back()
    expect(field(asked, "quantity")).to_have_value("7")


def test_a_change_of_what_is_previewed_is_shown_anew_before_it_is_approved(ordering: Person) -> None:
    """Another cart than one's own cannot be put in its place: it is looked up before anybody is asked again."""
    button(ordering, "Change and approve").click()
    field(ordering, "Cart").fill("cart_0000")
    ordering.gate.locator("input[type=password]").fill(PASSWORD)
    button(ordering, "Approve with these changes").click()
    expect(ordering.gate).to_have_count(0)
    ordering.rest()
    refused = ordering.page.locator(".call", has_text="Place order")
    expect(refused).to_contain_text("could not be shown beforehand")
    expect(refused).to_contain_text("no cart with the id")


def test_an_edit_that_was_overtaken_in_another_tab_is_told(asked: Person) -> None:
    button(asked, "Change and approve").click()
    field(asked, "quantity").fill("7")
    other = asked.open_tab()
    other.approve()
    expect(asked.gate).to_have_count(0)
    expect(asked.page.locator(".toast")).to_contain_text("moved on elsewhere")


# A yes to the next calls


def offer(person: Person) -> Locator:
    return person.gate.locator(".grant-offer")


def grants(person: Person) -> Locator:
    """Those on the page that hold."""
    return person.page.locator(".grants:not(.is-over) .grant")


def allow(person: Person, *, free: str = "") -> None:
    offer(person).locator("summary").click()
    if free:
        offer(person).get_by_label(re.compile(free)).uncheck()
    offer(person).get_by_role("button", name="Approve, and allow the next calls").click()
    expect(person.gate).to_have_count(0)
    person.rest()


def test_after_a_yes_to_the_next_calls_they_run_unasked_until_it_is_taken_back(enter: Enter) -> None:
    person = enter("owner").go_to_chat().ask(add())
    allow(person, free="quantity")
    person.ask(add(2))
    expect(person.gate).to_have_count(0)
    granted = person.page.locator(".call", has_text="Allowed beforehand").last
    expect(granted).to_contain_text("Done")
    person.ask(add(1, "size_43"))
    expect(person.gate).to_have_count(1)
    granted.get_by_role("link", name="What I allowed beforehand").click()
    expect(grants(person)).to_have_count(1)
    expect(grants(person)).to_contain_text("may be anything")
    expect(grants(person)).to_contain_text("4 of 5 calls left")
    person.page.get_by_role("button", name="Take it back").click()
    expect(person.page.get_by_role("status")).to_contain_text("you are asked again")
    person.go_to_chat().ask(add())
    expect(person.gate).to_have_count(1)


def test_what_a_rule_raises_is_asked_also_then(enter: Enter) -> None:
    """A standing yes counts at the tool's own level, whatever else was left free."""
    person = enter("owner").go_to_chat().ask(add())
    allow(person, free="quantity")
    person.ask(add(6))
    expect(person.gate).to_have_count(1)
    expect(person.gate).to_contain_text("bulk purchase")
    expect(offer(person)).to_have_count(0)
    person.page.goto("/t/mall/grants/")
    expect(grants(person)).to_contain_text("5 of 5 calls left")
    person.page.get_by_role("button", name="Take it back").click()


def test_what_is_left_free_is_named(asked: Person) -> None:
    """Nothing is wider than what was shown: also what this call does not name."""
    asked.approve().ask(call("add_to_cart", product_id=PEGASUS, quantity=1))
    offer(asked).locator("summary").click()
    free = offer(asked).locator(".grant-free")
    expect(free).to_have_text("May be anything: sku_id.")
    offer(asked).get_by_label(re.compile("quantity")).uncheck()
    expect(free).to_have_text("May be anything: quantity, sku_id.")


def test_opening_the_offer_grants_nothing(asked: Person) -> None:
    offer(asked).locator("summary").click()
    asked.approve()
    asked.page.goto("/t/mall/grants/")
    expect(grants(asked)).to_have_count(0)


def test_so_many_calls_and_no_more_can_be_asked_for(asked: Person) -> None:
    offer(asked).locator("summary").click()
    uses = offer(asked).get_by_label("Number of calls, at most")
    uses.fill("51")
    offer(asked).get_by_role("button").click()
    expect(uses).to_have_attribute("aria-invalid", "true")
    expect(asked.gate).to_have_count(1)


def test_what_somebody_typed_never_becomes_markup(asked: Person) -> None:
    """T04, T69: hidden characters are shown, in the form and beside what is wrong with it."""
    nasty = "<img src=x onerror=window.__xss=1>\u200b"
    button(asked, "Change and approve").click()
    field(asked, "Product").fill(nasty)
    expect(asked.gate).to_contain_text("ZWSP")
    button(asked, "Approve with these changes").click()
    expect(field(asked, "Product")).to_have_attribute("aria-invalid", "true")
    expect(field(asked, "Product")).to_have_value(nasty)
    assert asked.gate.locator("img").count() == 0
    asked.ran_nothing()
