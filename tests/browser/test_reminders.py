"""Reminders in a browser: set, seen coming live in two tabs, paused, edited, deleted; a phone, dark, Chinese."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.served.up import Up

HOME = "/t/desk/reminders/"
WHO = "member@desk.test"
SHOTS = os.environ.get("SLUICE_SHOTS", "")
PHONE = {"viewport": {"width": 375, "height": 800}}
MADE = """
from datetime import timedelta
from django.utils import timezone
from agents.models import Agent
from conversations.models import Conversation, Participant
from conversations.reminders import verbs
from conversations.reminders.models import Reminder
from conversations.reminders.verbs import Wish
from platform_site.access import actor_for_session
from platform_site.models import Tenant, Topic, User
from platform_site.tenancy import acting_for
me = User.objects.get(email={who!r})
with acting_for(Tenant.objects.get(slug="desk")):
    talk = Conversation.objects.filter(title="Garden", participants__user=me).first()
    if talk is None:
        agent = Agent.objects.get(slug="assistant")
        talk = Conversation.objects.create(topic=Topic.objects.create(), agent=agent, title="Garden", titled="person")
        Participant.objects.create(conversation=talk, user=me)
    row = verbs.set_(actor_for_session(me, "desk"), talk.pk, Wish("daily", "18:00", {content!r}))
    due = timezone.now() + timedelta(seconds={seconds})
    Reminder.objects.filter(pk=row.pk).update(next_due=due)
"""


def made(content: str, seconds: float, who: str = WHO) -> str:
    """A reminder of somebody's that is due in so many seconds."""
    return MADE.format(content=content, seconds=seconds, who=who)


@pytest.fixture(scope="module", autouse=True)
def _a_conversation(shop: Up) -> None:
    shop.shell(made("Turn the compost", seconds=90_000))


@pytest.fixture
def me(enter: Enter) -> Person:
    return enter(WHO)


@pytest.fixture
def page(me: Person) -> Page:
    me.page.goto(HOME)
    return me.page


def row(page: Page, content: str) -> Locator:
    return page.locator(".reminder").filter(has_text=content)


def set_one(page: Page, content: str) -> Locator:
    """Every Monday at 09:00."""
    page.get_by_role("link", name="New reminder").click()
    page.get_by_label("What is it about?").fill(content)
    page.get_by_text("Every week").click()
    page.get_by_text("Mon", exact=True).click()
    page.get_by_label("Time", exact=True).fill("09:00")
    page.get_by_role("button", name="Set the reminder").click()
    return row(page, content)


def test_it_is_set_paused_edited_and_deleted(page: Page) -> None:
    one = set_one(page, "Order seeds")
    expect(one).to_contain_text("Every Monday at 09:00")
    one.get_by_text("Next dates").click()
    expect(one.locator(".dates li")).to_have_count(5)
    one.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("region", name="Paused")).to_contain_text("Order seeds")
    one.get_by_role("button", name="Resume").click()
    expect(one.get_by_role("button", name="Pause")).to_be_visible()
    one.get_by_role("link", name="Edit").click()
    page.get_by_label("What is it about?").fill("Order more seeds")
    page.get_by_role("button", name="Save").click()
    one = row(page, "Order more seeds")
    one.locator("summary", has_text="Delete").click()
    one.get_by_role("button", name="Delete it").click()
    expect(one).to_have_count(0)
    expect(page.get_by_text("Deleted.")).to_be_visible()


def test_a_button_leaves_the_page_the_one_it_was(shop: Up, page: Page) -> None:
    """Narrowed to a conversation, or that of the past: what else there is does not come in its place."""
    for content in ("Over one", "Over two"):
        over = "    Reminder.objects.filter(pk=row.pk).update(status='done', next_due=None)"
        shop.shell(made(content, seconds=90_000) + over)
    page.goto(f"{HOME}over/")
    row = page.locator(".reminder").filter(has_text="Over one")
    row.locator(".reminder-delete summary").click()
    row.get_by_role("button", name="Delete it").click()
    expect(page.get_by_text("Deleted.", exact=True)).to_be_visible()
    expect(page.locator(".reminder").filter(has_text="Over two")).to_be_visible()
    expect(row).to_have_count(0)
    expect(page.locator(".reminder.is-active")).to_have_count(0)


def test_everything_works_without_a_script(enter: Enter, page: Page) -> None:
    plain = enter(WHO, java_script_enabled=False).page
    plain.goto(HOME)
    one = set_one(plain, "Rake the leaves")
    one.get_by_role("button", name="Pause").click()
    expect(plain.get_by_role("region", name="Paused")).to_contain_text("Rake the leaves")
    one.locator("summary", has_text="Delete").click()
    one.get_by_role("button", name="Delete it").click()
    expect(one).to_have_count(0)


def test_a_form_says_what_it_means_and_what_is_wrong(me: Person, page: Page) -> None:
    page.get_by_role("link", name="New reminder").click()
    preview = page.locator(".reminder-preview")
    expect(preview.locator("li")).to_have_count(1)
    page.get_by_text("Every day", exact=True).click()
    expect(preview.locator("li")).to_have_count(5)
    page.get_by_text("Once", exact=True).click()
    page.get_by_role("button", name="Tomorrow morning").click()
    expect(page.get_by_label("Time", exact=True)).to_have_value("09:00")
    expect(preview).to_contain_text("09:00")
    page.get_by_label("Time zone").fill("Europe/Berlim")
    me.watch.expect("400")
    page.get_by_role("button", name="Set the reminder").click()
    expect(page.locator("#content-error")).to_have_text("Say what it is about.")
    expect(page.locator("#zone-error")).to_contain_text("Did you mean Europe/Berlin?")
    expect(page.get_by_label("What is it about?")).to_be_focused()


def test_it_comes_live_wherever_one_looks(shop: Up, me: Person) -> None:
    """In its conversation as a card; in every other tab as a note, until it is put away in one of them."""
    here, list_, review = me.page, me.open_tab().page, me.open_tab().page
    me.go_to_chat("/t/desk/")
    here.get_by_role("link", name="Garden").click()
    expect(here.locator("#talk-title")).to_have_text("Garden")
    list_.goto(HOME)
    review.goto("/t/desk/notices/")
    shop.shell(made("Close the greenhouse", seconds=3))
    card = here.locator(".reminder-card").filter(has_text="Close the greenhouse")
    expect(card).to_be_visible()
    notes = [tab.locator(".reminder-note").filter(has_text="Close the greenhouse") for tab in (list_, review)]
    for note in notes:
        expect(note).to_be_visible()
    expect(here.locator(".reminder-note").filter(has_text="Close the greenhouse")).to_have_count(0)
    notes[0].get_by_role("button", name="Put away").click()
    for note in notes:
        expect(note).to_have_count(0)


@pytest.mark.parametrize("how", [{}, {"color_scheme": "dark"}], ids=["light", "dark"])
def test_it_comes_live_in_the_console_too(how: dict[str, Any], shop: Up, enter: Enter) -> None:
    who = "admin@desk.test"
    person = enter(who, **how)
    person.page.goto("/t/desk/admin/")
    shop.shell(made("Renew the licence", seconds=2, who=who))
    note = person.page.locator(".reminder-note").filter(has_text="Renew the licence").first
    expect(note).to_be_visible()
    if SHOTS:
        person.photograph(Path(SHOTS) / f"reminder-console-{len(how)}.png")
    note.get_by_role("button", name="Put away").click()
    expect(note).to_have_count(0)


def test_it_is_put_off(shop: Up, page: Page) -> None:
    shop.shell(made("Check the oven", seconds=1))
    note = page.locator(".reminder-note").filter(has_text="Check the oven")
    note.get_by_role("button", name="Snooze 10 min").click()
    expect(note).to_contain_text(re.compile(r"It comes again at \d\d:\d\d\."))
    page.reload()
    expect(row(page, "Check the oven").filter(has_text="Once, on")).to_be_visible()


def test_what_came_while_the_page_was_shut_is_shown_when_it_opens(shop: Up, me: Person, page: Page) -> None:
    expect(page.locator("#reminder-notes")).to_be_attached()
    page.wait_for_function("() => Object.keys(localStorage).some((key) => key.endsWith('.reminders'))")
    page.goto("about:blank")
    shop.shell(made("Lock the shed", seconds=-7200))
    page.goto("/t/desk/grants/")
    note = page.locator(".reminder-note").filter(has_text="Lock the shed")
    expect(note).to_contain_text("comes late")
    note.get_by_role("link", name="Open").click()
    card = page.locator(".reminder-card").filter(has_text="Lock the shed")
    expect(card).to_contain_text("Late")
    expect(card).to_contain_text("It was due on")


def test_the_browsers_time_zone_is_offered(enter: Enter) -> None:
    page = enter(WHO, timezone_id="Asia/Tokyo").page
    page.goto(HOME)
    page.get_by_role("button", name="Use Asia/Tokyo").click()
    expect(page.get_by_text("Times are those of Asia/Tokyo")).to_be_visible()
    expect(page.locator(".zone-offer")).to_be_hidden()
    page.goto("/accounts/time-zone/")
    page.get_by_label("Zone").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Saved.")


@pytest.mark.parametrize("how", [PHONE, PHONE | {"color_scheme": "dark"}], ids=["light", "dark"])
def test_it_fits_a_phone(enter: Enter, how: dict[str, Any]) -> None:
    page = enter(WHO, has_touch=True, **how).page
    for path in (HOME, f"{HOME}new/", "/accounts/time-zone/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(HOME)
    expect(row(page, "Turn the compost").get_by_role("button", name="Pause")).to_be_visible()


def test_the_page_speaks_the_persons_language(enter: Enter) -> None:
    page = enter("owner@desk.test").page
    page.goto(HOME)
    page.evaluate("document.querySelector('form[action=\"/i18n/setlang/\"] [value=zh-hans]').click()")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Reminders")
    page.evaluate("document.querySelector('form[action=\"/i18n/setlang/\"] [value=en]').click()")
    expect(page.locator("html")).to_have_attribute("lang", "en")
