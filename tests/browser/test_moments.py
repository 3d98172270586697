"""Moments in the middle of something: reload, a second tab, stop, a queued message, retry."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from platform_site.env import BASE_DIR
from tests.browser.conftest import Enter
from tests.browser.person import COUNTED, Person
from tests.served.up import Up


def test_a_reload_in_mid_answer_changes_nothing(member: Person) -> None:
    """T46."""
    member.say_something_long().page.reload()
    expect(member.draft).to_contain_text("1 2 3")
    member.rest()
    expect(member.answer).to_have_text(COUNTED)
    before = member.transcript()
    member.page.reload()
    expect(member.answer).to_have_text(COUNTED)
    assert member.transcript() == before


def test_a_reload_in_mid_confirmation_finds_the_same_question(member: Person) -> None:
    member.to_the_gate()
    before, until = member.transcript(), deadline(member)
    member.page.reload()
    expect(member.gate).to_have_count(1)
    assert member.transcript() == before
    assert deadline(member) == until
    member.approve()
    expect(member.page.locator(".slip")).to_contain_text("EU 42")


def deadline(person: Person) -> str | None:
    return person.gate.locator("time").get_attribute("datetime")


def test_two_tabs_show_the_same_and_decide_together(member: Person) -> None:
    """T46: whichever tab says it, both show it."""
    member.to_the_gate()
    other = member.open_tab()
    expect(other.gate).to_have_count(1)
    assert other.transcript() == member.transcript()
    assert deadline(other) == deadline(member)
    other.approve()
    expect(member.gate).to_have_count(0)
    member.rest()
    expect(member.page.locator(".slip")).to_have_count(1)
    expect(member.suggestions).to_have_text(other.suggestions.all_inner_texts())
    assert other.transcript() == member.transcript()

    member.say_something_long()
    expect(other.draft).to_contain_text("1 2 3")
    other.rest()
    member.rest()
    expect(other.answer).to_have_text(COUNTED)
    assert other.transcript() == member.transcript()


def test_stop_keeps_what_was_said_and_the_next_message_works(member: Person) -> None:
    member.say_something_long().stop.click()
    expect(member.page.locator(".note")).to_have_text("The answer was stopped")
    member.rest()
    kept = member.answer.inner_text()
    assert kept.startswith("1 2 3")
    assert COUNTED.startswith(kept)
    assert kept != COUNTED
    member.page.reload()
    expect(member.answer).to_have_text(kept)
    member.ask("echo Hello again")
    expect(member.answer).to_have_text("Hello again")


def test_a_message_written_in_mid_answer_waits_its_turn(member: Person) -> None:
    member.say_something_long().say("echo Second")
    queued = member.page.get_by_text("Queued: answered after the current reply").last
    expect(queued).to_be_visible()
    member.rest()
    expect(member.page.locator(".is-reply .md")).to_have_text([COUNTED, "Second"])
    expect(queued).to_be_hidden()


def test_a_failed_answer_can_be_asked_for_again(enter: Enter, shop: Up, tmp_path: Path) -> None:
    """The model's provider is not there; the administrator names another; Retry answers."""
    configure(shop, tmp_path, "openai")
    member = enter("member@studio.test").go_to_chat("/t/studio/")
    member.page.get_by_label("Far away").check()
    member.ask("echo Here I am")
    trouble = member.page.locator(".trouble")
    expect(trouble).to_be_visible()
    member.page.reload()
    expect(trouble).to_be_visible()
    configure(shop, tmp_path, "demo")
    trouble.get_by_role("button", name="Retry").click()
    expect(member.answer).to_have_text("Here I am")
    member.rest()
    expect(trouble.get_by_role("button", name="Retry")).to_have_count(0)


def configure(shop: Up, folder: Path, provider: str) -> None:
    """An agent whose model this provider has, as `manage.py apply` reads it."""
    definition = {
        "tenant": {"slug": "studio", "name": "Studio"},
        "models": [{"slug": "far", "provider": provider, "name": "far"}],
        "agents": [
            {"slug": "far", "name": "Far away", "instructions": "Answer.", "models": ["far"], "tools": []}
        ],
    }
    file = folder / "agent.json"
    file.write_text(json.dumps(definition))
    command = [sys.executable, "manage.py", "apply", str(file)]
    subprocess.run(command, cwd=BASE_DIR, env=shop.environment, check=True, capture_output=True)
