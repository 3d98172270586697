"""Three people at once in one conversation, each with a browser of their own: asked in, talking, shown out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person

PHONE = {"width": 390, "height": 844}


@dataclass
class Three:
    """Olivia began it; Max and Rhea (on a phone) were asked in."""

    olivia: Person
    max: Person
    rhea: Person

    def all(self) -> tuple[Person, ...]:
        return self.olivia, self.max, self.rhea


def invite(owner: Person, name: str) -> None:
    owner.page.get_by_label("Find somebody to invite").fill(name)
    row = owner.page.locator(".picker-list li").filter(has_text=name)
    row.get_by_role("button").click()
    expect(owner.page.locator(".is-invited").filter(has_text=name)).to_be_visible()


def people(who: Person) -> Locator:
    """The dialogue about people, open."""
    dialogue = who.page.locator(".people-dialog")
    if not dialogue.is_visible():
        who.page.locator("#people").click()
    expect(dialogue).to_be_visible()
    return dialogue


def others(who: Person) -> Locator:
    return who.page.locator(".said.is-theirs .bubble")


def accept(who: Person) -> None:
    who.page.locator(".invitation").get_by_role("button", name="Accept").click()
    expect(who.page.locator(".is-reply").first).to_be_visible()


@pytest.fixture
def three(enter: Enter) -> Iterator[Three]:
    olivia, max_, rhea = enter("owner"), enter("member"), enter("reviewer", viewport=PHONE)
    us = Three(olivia, max_, rhea)
    for one in us.all():
        one.go_to_chat()
    olivia.ask("Nike running shoes under 500")
    people(olivia)
    invite(olivia, "Max")
    invite(olivia, "Rhea")
    expect(max_.page.locator(".invitation")).to_be_visible()
    max_.page.reload()
    accept(max_)
    rhea.page.locator(".drawer-toggle").click()
    accept(rhea)
    expect(olivia.page.locator(".people-list li")).to_have_count(3)
    olivia.page.get_by_role("button", name="Close").click()
    yield us
    olivia.page.goto("about:blank")


def test_an_invitation_is_declined_or_withdrawn(enter: Enter) -> None:
    """Live and after a reload; before it is accepted nothing of the conversation is there."""
    olivia, max_ = enter("owner").go_to_chat(), enter("member").go_to_chat()
    olivia.ask("echo a secret plan")
    people(olivia)
    invite(olivia, "Max")
    card = max_.page.locator(".invitation")
    expect(card).to_contain_text("Olivia Owner")
    expect(max_.page.locator("body")).not_to_contain_text("secret plan")
    max_.watch.expect("404")
    max_.page.goto(olivia.page.url)
    expect(max_.page.locator("body")).not_to_contain_text("secret plan")
    max_.go_to_chat()
    card.get_by_role("button", name="Decline").click()
    expect(card).to_have_count(0)
    expect(olivia.page.locator(".is-invited")).to_have_count(0)
    invite(olivia, "Max")
    expect(card).to_have_count(1)
    olivia.page.locator(".is-invited").get_by_role("button", name="Withdraw").click()
    expect(card).to_have_count(0)


def test_three_talk_and_one_decides(three: Three) -> None:
    olivia, max_, rhea = three.all()
    max_.composer.press_sequentially("Hello @Oliv")
    expect(max_.page.locator(".mention-list [aria-selected=true]")).to_contain_text("Olivia Owner")
    expect(olivia.page.locator("#typing")).to_contain_text("Max Member")
    max_.composer.press("Enter")
    max_.composer.press("Enter")
    expect(olivia.page.locator(".mention.is-me")).to_have_text("@Olivia Owner")
    expect(olivia.page.locator("#typing")).to_be_empty()
    expect(max_.page.locator("#seen")).to_contain_text("Rhea Reviewer")
    for one in three.all():
        one.rest()
    rhea.ask("Nike running shoes under 500").say("EU 42").rest()
    expect(rhea.gate.get_by_role("button", name="Approve", exact=True)).to_be_enabled()
    expect(max_.gate).to_contain_text("Waits for Rhea Reviewer")

    max_.page.reload()
    expect(max_.gate).to_contain_text("Waits for Rhea Reviewer")
    expect(max_.gate.locator(".gate-buttons:visible")).to_have_count(0)
    rhea.approve()
    expect(max_.gate).to_have_count(0)
    told = [one.transcript()[-1] for one in three.all()]
    assert told[0] == told[1] == told[2]


def test_the_agent_answers_who_addresses_it(three: Three) -> None:
    olivia, max_, _ = three.all()
    people(olivia).get_by_text("When it is addressed").click()
    olivia.page.get_by_role("button", name="Close").click()
    expect(max_.composer).to_have_attribute("placeholder", "Ask with @Mall Guide")
    replies = olivia.page.locator(".is-reply").count()
    max_.say("just between us")
    expect(others(olivia).last).to_have_text("just between us")
    max_.page.wait_for_function("() => document.querySelector('#composer .is-stop').hidden")
    assert olivia.page.locator(".is-reply").count() == replies
    max_.page.locator(".is-reply .icon-button.is-reply").last.click()
    max_.ask("hello")
    expect(olivia.page.locator(".bubble-reply:visible")).to_contain_text("Reply to Mall Guide")
    expect(max_.page.locator(".is-reply").nth(replies)).to_be_visible()


def test_what_is_new_is_counted_where_nobody_looks(three: Three) -> None:
    olivia, max_, _ = three.all()
    at = max_.page.url
    max_.go_to_chat()
    olivia.say("@Max Member look")
    news = max_.page.locator(".list-item").first.locator(".list-news")
    expect(news).to_contain_text("@")
    expect(max_.page.locator(".toast")).to_contain_text("Olivia Owner mentioned you")
    max_.page.reload()
    expect(news).to_contain_text("@")
    max_.page.goto(at)
    expect(max_.page.locator(".mention.is-me")).to_be_visible()
    expect(olivia.page.locator("#seen")).to_contain_text("Max Member")
    max_.go_to_chat()
    expect(news).to_have_count(0)


def test_who_is_removed_is_shown_out(three: Three) -> None:
    olivia, max_, rhea = three.all()
    listed = max_.page.locator(f"[data-id='{max_.page.url.split('/')[-2]}']")
    expect(listed).to_have_count(1)
    row = people(olivia).locator(".people-list li").filter(has_text="Max")
    row.get_by_role("button", name="Remove").click()
    olivia.page.locator("dialog:not(.people-dialog)").get_by_role("button", name="Remove").click()
    expect(max_.page.locator(".toast")).to_contain_text("You were removed")
    expect(max_.page.locator(".entry")).to_have_count(0)
    expect(listed).to_have_count(0)
    expect(rhea.page.locator(".note").last).to_contain_text("Olivia Owner removed Max Member")
    expect(olivia.page.locator(".people-list li")).to_have_count(2)


def test_an_owner_who_leaves_hands_over(three: Three) -> None:
    olivia, max_, _ = three.all()
    people(olivia).get_by_role("button", name="Leave this conversation").click()
    olivia.page.locator("dialog:not(.people-dialog)").get_by_role("button", name="Leave").click()
    expect(olivia.page.locator(".entry")).to_have_count(0)
    expect(max_.page.locator(".note").last).to_contain_text("Max Member is the owner now")
    expect(people(max_).get_by_label("Find somebody to invite")).to_be_visible()
