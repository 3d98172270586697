"""The reviewers' pages in a browser: the inbox, one failure, and insights after a scripted week of traffic."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.served.up import Up

WEEK = """
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.review.week import make_week
with acting_for(Tenant.objects.get(slug="mall")):
    make_week(User.objects.get(email="member@mall.test"), wishes=120)
"""
REVIEW = "/t/mall/review/"
PHONE = {"viewport": {"width": 375, "height": 800}}


@pytest.fixture(scope="module", autouse=True)
def _a_week_of_traffic(shop: Up) -> None:
    shop.shell(WEEK)


def fits(person: Person) -> bool:
    """Nothing sticks out to the right."""
    return bool(person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_number_of_the_insights_leads_to_its_rows(enter: Enter) -> None:
    page = enter("reviewer").page
    page.goto(REVIEW + "insights/?days=30")
    row = (
        page.get_by_role("region", name="By tool", exact=True)
        .get_by_role("row")
        .filter(has_text="put_in_basket")
    )
    number = row.get_by_role("link").nth(1)
    count = number.inner_text()
    number.click()
    expect(page.get_by_role("status").filter(has_text="attempt")).to_have_text(f"{count} attempts")
    expect(page.locator(".attempt").first).to_contain_text("put_in_basket")


def test_a_bar_of_the_chart_leads_to_its_rows(enter: Enter) -> None:
    page = enter("reviewer").page
    page.goto(REVIEW + "insights/?days=30")
    page.locator(".bars a").first.click()
    expect(page.locator(".attempt").first).to_be_visible()
    page.go_back()
    page.get_by_text("As a table").click()
    expect(page.get_by_role("region", name="By day", exact=True).get_by_role("table")).to_be_visible()


def test_a_filter_is_applied_when_it_is_chosen(enter: Enter) -> None:
    page = enter("reviewer").page
    page.goto(REVIEW + "failures/")
    page.get_by_label("Kind").select_option("enum")
    page.wait_for_url("**/failures/?kind=enum")
    expect(page.locator(".attempt").first).to_contain_text("$.items[1].size")
    page.get_by_role("link", name="Kind: Not one of the choices").click()
    page.wait_for_url("**/failures/?")


def test_a_failure_is_marked_as_known_and_put_back(enter: Enter) -> None:
    page = enter("reviewer").page
    page.goto(REVIEW + "failures/?kind=truncated")
    page.locator(".attempt").first.click()
    expect(page.locator(".hidden-mark").first).to_have_text("ZWSP")
    page.get_by_label("Note").fill("The model stops at 4,096 tokens.")
    page.get_by_role("button", name="Mark as known").click()
    expect(page.locator("blockquote")).to_have_text("The model stops at 4,096 tokens.")
    page.get_by_role("button", name="Put it back into the inbox").click()
    expect(page.get_by_role("button", name="Mark as known")).to_be_visible()


def test_an_error_and_its_place_lead_to_each_other(enter: Enter) -> None:
    page = enter("reviewer").page
    page.goto(REVIEW + "failures/?kind=enum")
    page.locator(".attempt").first.click()
    page.get_by_role("link", name="Error 1").click()
    expect(page.locator("#error-1:target")).to_contain_text("$.items[1].size")


@pytest.mark.parametrize("dark", [False, True])
def test_it_all_fits_a_phone(enter: Enter, dark: bool) -> None:
    person = enter("reviewer", **PHONE, color_scheme="dark" if dark else "light")
    page = person.page
    page.goto(REVIEW + "insights/")
    assert fits(person)
    page.goto(REVIEW + "failures/?show=all")
    assert fits(person)
    expect(page.get_by_label("Kind")).to_be_hidden()
    page.get_by_text("Filters", exact=True).click()
    expect(page.get_by_label("Kind")).to_be_visible()
    assert fits(person)
    page.locator(".attempt").first.click()
    expect(page.get_by_role("heading", name="As sent")).to_be_visible()
    assert fits(person)
