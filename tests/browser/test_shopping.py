"""From the first question to the order, in both languages."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.served.up import PASSWORD


def test_a_member_signs_in_and_lands_in_the_chat(enter: Enter) -> None:
    visitor = enter()
    visitor.page.goto("/t/mall/")
    expect(visitor.page).to_have_url(re.compile(r"/accounts/login/\?next=/t/mall/"))
    visitor.page.get_by_label("Email").fill("member@mall.test")
    visitor.page.get_by_label("Password").fill("not-the-password")
    visitor.page.get_by_role("button", name="Sign in").click()
    expect(visitor.page.locator("[role=alert], .errorlist").first).to_be_visible()
    visitor.page.get_by_label("Password").fill(PASSWORD)
    visitor.page.get_by_role("button", name="Sign in").click()
    expect(visitor.page).to_have_url(re.compile(r"/t/mall/$"))
    expect(visitor.composer).to_be_focused()


def test_shoes_are_found_chosen_confirmed_and_ordered(member: Person) -> None:
    page = member.page
    member.ask("Nike running shoes under 500")
    products = page.locator(".product")
    expect(products.first).to_contain_text("Nike")
    prices = [float(text.strip("¥")) for text in page.locator(".product-price").all_inner_texts()]
    assert prices and max(prices) <= 500
    assert "EU 42" in member.suggestions.all_inner_texts()
    expect(page).to_have_url(re.compile(r"/t/mall/c/\w+/$"))
    expect(page.locator(".list-item.is-current")).to_contain_text("Nike running shoes under 500")

    member.press(member.suggestions.get_by_text("EU 42", exact=True))
    expect(member.gate).to_contain_text("size_42")
    expect(member.gate.locator(".gate-clock")).to_have_text(re.compile(r"1[45]:\d\d left"))
    expect(page.locator(".slip")).to_have_count(0)
    member.approve()
    expect(page.locator(".slip")).to_contain_text("EU 42")

    member.ask("order it")
    expect(member.gate).to_have_class(re.compile("is-critical"))
    member.try_to_approve("not-the-password")
    beside = member.gate.locator("[role=alert]")
    expect(beside).to_have_text(re.compile("4 attempts"))
    field = member.gate.locator("input[type=password]")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_attribute("aria-describedby", str(beside.get_attribute("id")))
    expect(field).to_be_focused()
    expect(field).to_have_value("")

    member.approve(PASSWORD)
    order = page.locator(".slip").last
    expect(order).to_contain_text("Order")
    expect(order).to_contain_text("Nike")
    expect(member.answer).to_contain_text("is placed")
    expect(page.locator(".trouble")).to_have_count(0)


def test_without_a_password_nothing_is_sent(member: Person) -> None:
    member.to_the_gate().approve().ask("order it")
    member.try_to_approve()
    expect(member.gate.locator("[role=alert]")).not_to_be_empty()
    expect(member.gate.locator("input[type=password]")).to_be_focused()


def test_the_same_in_chinese(enter: Enter) -> None:
    """Who switches the language keeps it on every page: the reviewer is nobody else's in these tests."""
    person = enter("reviewer").go_to_chat()
    page = person.page
    page.get_by_label("Language").first.click()
    page.get_by_role("button", name="简体中文").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")

    person.ask("帮我买一双 Nike 跑鞋，500 以内的")
    expect(page.locator(".product").first.locator("h3")).to_have_text(re.compile("[一-鿿]"))
    expect(person.answer).to_have_text(re.compile("推荐|尺码"))
    person.ask("42码")
    expect(person.gate.get_by_text(person.words("This waits for your decision"))).to_be_visible()
    expect(person.gate).to_contain_text("加入购物车")
    person.approve()
    expect(page.locator(".slip")).to_contain_text("跑鞋")
    person.ask("立即下单")
    person.approve(PASSWORD)
    expect(page.locator(".slip").last).to_contain_text("¥")
    expect(person.answer).to_have_text(re.compile("订单"))

    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(person.answer).to_have_text(re.compile("订单"))


def test_a_rejected_question_does_nothing_and_the_reason_is_told(member: Person) -> None:
    member.to_the_gate()
    member.gate.get_by_role("button", name="Reject").click()
    member.gate.get_by_label("Why not?").fill("Too dear <b>for me</b>")
    member.decide(member.gate.get_by_role("button", name="Reject"))
    expect(member.gate).to_have_count(0)
    member.rest()
    expect(member.page.locator(".call-says").last).to_contain_text("Too dear <b>for me</b>")
    expect(member.page.locator(".slip")).to_have_count(0)


def test_a_shop_that_is_down_is_told_in_words(member: Person, shop_is_down: None) -> None:
    member.ask("Nike running shoes under 500")
    expect(member.page.locator(".call").first).to_contain_text("Failed")
    expect(member.answer).to_contain_text("did not work")
    expect(member.suggestions.get_by_text("Try again")).to_be_visible()
    expect(member.page.locator(".trouble")).to_have_count(0)
