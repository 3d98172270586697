"""The desk in the browser: sources as cards that lead nowhere by themselves, summaries, reminders in natural words."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.person import Person


@pytest.fixture
def clerk(enter: Enter) -> Person:
    return enter("member@desk.test").go_to_chat("/t/desk/")


def test_sources_are_cards_of_text_and_links(clerk: Person) -> None:
    """T28: links say where they lead and tell nobody where from; nothing is fetched from a source's host."""
    fetched: list[str] = []
    clerk.page.on("request", lambda request: fetched.append(request.url))
    clerk.ask("search the web for what moves copper")
    cards = clerk.page.locator(".sources .source")
    expect(cards).to_have_count(1)
    expect(clerk.page.locator(".sources-head")).to_contain_text("Sample data")
    link = cards.first.get_by_role("link")
    href = str(link.get_attribute("href"))
    assert href.endswith("/search/articles/copper") and link.get_attribute("title") == href
    assert (link.get_attribute("rel"), link.get_attribute("target")) == ("noopener noreferrer", "_blank")
    host = href.split("/")[2]
    expect(cards.first.locator(".source-where")).to_contain_text(host)
    assert not clerk.page.locator(".sources img").count() and not [url for url in fetched if host in url]
    expect(clerk.answer).to_contain_text("[1]")
    assert "Sample data" in clerk.context.request.get(href).text()


def test_what_is_not_found_has_no_cards(clerk: Person) -> None:
    clerk.ask("search quantum chromodynamics")
    expect(clerk.answer).to_contain_text("I found nothing")
    expect(clerk.page.locator(".sources")).to_have_count(0)


def test_a_reminder_a_search_and_a_summary_in_chinese(clerk: Person) -> None:
    clerk.ask("每周一 9:00 提醒我交周报")
    expect(clerk.answer).to_contain_text(re.compile("每周一 09:00.*交周报"))
    clerk.ask("搜索夏令时")
    expect(clerk.page.locator(".sources .source a")).to_have_text("夏令时简介")
    clerk.ask("总结一下我们的对话")
    expect(clerk.answer).to_contain_text("搜索夏令时")


def test_on_a_phone_the_cards_stand_below_each_other(enter: Enter) -> None:
    clerk = enter("member@desk.test", viewport={"width": 375, "height": 740}).go_to_chat("/t/desk/")
    clerk.ask("search the web for gold and silver")
    assert clerk.page.evaluate("document.documentElement.scrollWidth") == 375
    one, two = (clerk.page.locator(".source").nth(at).bounding_box() for at in (0, 1))
    assert one and two and one["x"] == two["x"] and two["y"] >= one["y"] + one["height"]
