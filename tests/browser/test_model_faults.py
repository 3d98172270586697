"""What a person sees while a model fails: waits that count down, what was said before a break, a way on."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person


def waiting(person: Person) -> Locator:
    return person.page.locator(".flow-words")


def test_a_wait_counts_down_also_after_a_reload_and_is_gone_with_the_answer(member: Person) -> None:
    """D6."""
    member.say("fault 503 wait 4 then echo Here again.")
    expect(waiting(member)).to_contain_text("The model is busy. Trying again in")
    expect(waiting(member)).to_contain_text("(1 of 3)")
    member.page.reload()
    expect(waiting(member)).to_contain_text("The model is busy. Trying again")
    expect(member.answer).to_have_text("Here again.")
    expect(waiting(member)).to_be_hidden()


def test_stop_ends_a_wait_at_once(member: Person) -> None:
    """D4."""
    member.say("fault 429 wait 50 then echo Never said.")
    expect(waiting(member)).to_contain_text("asked too often")
    member.stop.click()
    expect(member.page.locator(".note")).to_have_text("The answer was stopped", timeout=3_000)
    expect(waiting(member)).to_be_hidden()


def test_what_was_said_before_a_break_stays_and_retry_answers(member: Person) -> None:
    """T76."""
    member.say("fault break then echo one two three four")
    trouble = member.page.locator(".trouble")
    expect(trouble).to_contain_text("broke off before its end")
    expect(member.answer).to_have_text("one two t")
    expect(member.page.locator(".reply-foot")).to_contain_text("Interrupted")
    trouble.get_by_role("button", name="Retry").click()
    expect(member.answer.last).to_have_text("one two three four")


def test_thoughts_are_folded_away(member: Person) -> None:
    member.say("fault think then echo Four.")
    expect(member.answer).to_have_text("Four.")
    thoughts = member.page.locator(".thoughts")
    expect(thoughts.locator("div")).to_be_hidden()
    thoughts.locator("summary").click()
    expect(thoughts.locator("div")).to_contain_text("First I look at what was asked.")


def test_a_refused_key_reaches_the_admin_and_not_the_member(member: Person, enter: Enter) -> None:
    admin = enter("admin").go_to_chat()
    member.say("fault 401")
    expect(member.page.locator(".trouble")).to_contain_text("The administrators have been told")
    toast = admin.page.locator(".toast")
    expect(toast).to_contain_text("refuses the installation’s own credential")
    expect(member.page.locator(".toast")).to_have_count(0)
    toast.get_by_role("link").click()
    expect(admin.page.locator(".console-alert")).to_contain_text("does not answer until it is renewed")
