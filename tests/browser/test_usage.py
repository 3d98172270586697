"""Usage in a browser: a month in numbers, limits, and the choice of what answers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.served.up import Up

MONTH = """
from datetime import timedelta
from django.utils import timezone
from agents.catalogue import save_agent, save_model
from agents.models import Agent, UsageEntry
from platform_site.ids import new_id
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
with acting_for(Tenant.objects.get(slug="desk")):
    price = {"input": 2.5, "output": 10}
    save_model({"slug": "demo-large", "provider": "demo", "name": "demo", "price": price})
    agent = Agent.objects.get(slug="assistant")
    save_agent(agent.current.definition | {"presets": {"premium": {"models": ["demo-large"]}}}, None)
    person, today = User.objects.get(email="member@desk.test"), timezone.now().date()
    for back in range(30):
        UsageEntry.objects.create(
            id=new_id(), day=today - timedelta(days=back), agent="assistant", model="demo-large", user=person,
            run="", input_tokens=90_000, output_tokens=9_000, cost=315_000_000,
        )
"""
USAGE = "/t/desk/usage/"
PHONE = {"viewport": {"width": 375, "height": 800}}


@pytest.fixture(scope="module", autouse=True)
def _a_month_of_requests(shop: Up) -> None:
    shop.shell(MONTH)


def test_a_filter_is_applied_when_it_is_chosen(enter: Enter) -> None:
    page = enter("admin@desk.test").page
    page.goto(USAGE)
    page.get_by_role("combobox", name="Time", exact=True).select_option("30")
    expect(page.locator(".bars g")).to_have_count(30)
    page.get_by_role("combobox", name="Shown", exact=True).select_option("tokens")
    expect(page.locator(".axis span").first).to_have_text(re.compile(r"^[1-9]00,000$"))
    page.get_by_role("combobox", name="Time", exact=True).select_option("own")
    expect(page.get_by_label("From", exact=True)).to_be_focused()


def test_a_limit_is_set_changed_and_lifted(enter: Enter) -> None:
    page = enter("admin@desk.test").page
    page.goto(USAGE)
    limits = page.get_by_role("region", name="Limits")
    limits.get_by_role("combobox", name="What is limited").select_option("monthly_tokens")
    limits.get_by_role("combobox", name="For", exact=True).select_option("agent:assistant")
    limits.get_by_role("textbox", name="At most", exact=True).fill("5000000")
    limits.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("The limit was set.")
    row = limits.locator(".limit").filter(has_text="One agent: assistant")
    row.get_by_label("Tokens a month: at most").fill("1000")
    row.get_by_role("button", name="Change").click()
    expect(limits.locator(".limit").filter(has_text="One agent: assistant")).to_contain_text("Reached")
    row.get_by_role("button", name="Lift").click()
    expect(page.get_by_text("There is no limit yet")).to_be_visible()


def test_it_fits_a_phone(enter: Enter) -> None:
    page = enter("admin@desk.test", **PHONE).page
    page.goto(USAGE)
    expect(page.get_by_role("heading", name="Usage", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_to_answer_goes_along_and_is_remembered(enter: Enter) -> None:
    person = enter("member@desk.test")
    page = person.page
    page.goto("/t/desk/")
    page.get_by_label("Answered by").select_option(label="Premium")
    person.composer.fill("Hello")
    person.composer.press("Enter")
    page.wait_for_url("**/c/*/")
    page.reload()
    expect(page.get_by_label("Answered by")).to_have_value("budget:premium")
    page.goto("/t/desk/")
    expect(page.get_by_label("Answered by")).to_have_value("")


def test_where_there_is_no_choice_none_is_shown(enter: Enter) -> None:
    page = enter("member").page
    page.goto("/t/mall/")
    expect(page.get_by_label("Message", exact=True)).to_be_visible()
    expect(page.locator("#answering")).to_be_hidden()
