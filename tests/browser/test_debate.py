"""Whole debates on the running product, as a person sees them: with a picture, stepping in, resting, stopping."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person
from tests.browser.test_images import BLUE, choose, is_drawn, sent
from tests.browser.test_reach import PHONE

LOOKS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "phone": PHONE,
    "dark": {"color_scheme": "dark"},
}


@pytest.fixture
def shots() -> Path | None:
    """`SLUICE_SHOTS` names a folder: the debates are photographed there."""
    folder = os.environ.get("SLUICE_SHOTS")
    return Path(folder) if folder else None


def photograph(person: Person, name: str, folder: Path | None) -> None:
    if folder:
        person.photograph(folder / f"debate-{name}.png")


def to_the_debate(person: Person, rounds: int = 1) -> Page:
    """Before the first question, with so many rounds to come."""
    page = person.go_to_chat("/t/desk/").page
    page.get_by_role("radio", name=re.compile("^Debate")).check()
    page.locator(".debate-settings-open").click()
    page.get_by_label("Rounds", exact=True).fill(str(rounds))
    page.get_by_role("button", name="Done").click()
    return page


def strip(page: Page) -> Locator:
    return page.locator("#debate-head")


def control(page: Page, name: str) -> Locator:
    return page.locator(".debate-controls").get_by_role("button", name=name)


def picture_of(person: Person) -> tuple[list[str], list[str], str]:
    """What a person sees: the talk, the notepad, the strip. What only the moment of looking changes is left out."""
    page = person.page
    return (
        person.transcript(),
        page.locator(".notepad-entry").all_text_contents(),
        page.locator(".debate-where").inner_text(),
    )


@pytest.fixture
def member(enter: Enter) -> Person:
    return enter("member@desk.test")


@pytest.mark.parametrize("look", LOOKS if "SLUICE_SHOTS" in os.environ else ["desktop"])
def test_a_whole_debate_with_a_picture(enter: Enter, look: str, shots: Path | None) -> None:
    """Both see the picture, both speak, both note, and the answer's links lead to what it cites."""
    person = enter("member@desk.test", **LOOKS[look])
    page = to_the_debate(person, rounds=2 if shots else 1)
    photograph(person, f"{look}-before", shots)
    choose(person, blue_png=BLUE)
    person.ask("Is this a good picture for our front page?")
    photograph(person, f"{look}-done", shots)

    expect(sent(person)).to_have_count(1)
    is_drawn(sent(person))
    expect(strip(page)).to_contain_text("1 picture")
    for turn, name in enumerate(("Cognito", "Muse"), start=1):
        spoken = page.locator(f".is-reply[data-turn='{turn}'] .md:visible")
        expect(page.locator(f".entry[data-turn='{turn}'] h3").first).to_have_text(name)
        expect(spoken.first).not_to_be_empty()
    expect(page.get_by_role("heading", name="Round 1")).to_have_count(1)
    expect(page.locator("#transcript")).to_contain_text("blue")

    answer = page.locator(".is-reply.is-summary")
    expect(answer.locator(".confidence")).to_have_text(re.compile("Confidence: (low|medium|high)"))
    note = answer.locator(".cite", has_text=re.compile("^N")).first
    number = (note.text_content() or "").removeprefix("N")
    note.click()
    expect(page.locator(f".notepad-entry[data-note='{number}']")).to_be_focused()
    turn_link = answer.locator(".cite", has_text=re.compile("^T")).first
    number = (turn_link.text_content() or "").removeprefix("T")
    turn_link.click()
    expect(page.locator(f".entry[data-turn='{number}']").first).to_be_focused()
    assert person.measure("tooWide") == []
    assert person.measure("pale") == []


def test_afterwards_the_notepad_can_be_wound_back_and_all_of_it_kept_as_text(member: Person) -> None:
    page = to_the_debate(member)
    member.ask("Tabs or spaces?")
    slider = page.get_by_role("slider", name="Version of the notepad")
    entries = page.locator(".notepad-entry")
    newest = entries.all_text_contents()
    slider.fill("1")
    expect(entries).to_have_count(1)
    expect(page.locator(".notepad-said")).to_contain_text("Version 1 of")
    page.get_by_role("button", name="Back to now").click()
    assert entries.all_text_contents() == newest

    with page.expect_download() as kept:
        page.get_by_role("link", name="Save as text").click()
    text = Path(kept.value.path()).read_text()
    for part in ("Tabs or spaces?", "Cognito", "Muse", "N1"):
        assert part in text


def test_a_reload_in_the_middle_shows_the_same_and_goes_on(member: Person) -> None:
    page = to_the_debate(member)
    member.say("Should we rewrite the backend in Rust?")
    expect(page.locator(".is-reply.is-right .md:visible")).not_to_be_empty()
    page.reload()
    expect(strip(page)).to_contain_text("Round 1 of 1")
    member.rest()
    expect(strip(page)).to_contain_text("Finished")
    seen = picture_of(member)
    page.reload()
    expect(strip(page)).to_contain_text("Finished")
    member.rest()
    assert picture_of(member) == seen
    other = member.open_tab().rest()
    expect(strip(other.page)).to_contain_text("Finished")
    assert picture_of(other) == seen


def test_who_steps_in_is_heard_in_the_next_turn(member: Person) -> None:
    page = to_the_debate(member)
    member.say("Is a four-day week a good idea?")
    expect(page.locator(".is-reply.is-left .md:visible").first).not_to_be_empty()
    member.say("Please think of the nurses on night duty")
    step = page.locator(".is-step")
    expect(step).to_contain_text("You stepped in")
    member.rest()
    expect(page.locator(".is-user")).to_have_count(2)
    after = page.locator(".is-step ~ .is-reply")
    assert any("nurses on night duty" in words for words in after.all_text_contents())
    expect(step.get_by_text("Both hear it")).to_be_hidden()


def test_it_rests_between_two_turns_and_goes_on(member: Person) -> None:
    page = to_the_debate(member)
    member.say("Should schools ban telephones?")
    control(page, "Pause").click()
    expect(strip(page).locator(".debate-stage")).to_have_text("Paused")
    expect(member.stop).to_be_hidden()
    expect(page.locator(".is-reply.is-right")).to_have_count(0)
    seen = picture_of(member)
    page.reload()
    expect(control(page, "Resume")).to_be_visible()
    assert picture_of(member.rest()) == seen
    control(page, "Resume").click()
    expect(page.locator(".entry[data-turn='2'] h3").first).to_have_text("Muse")
    control(page, "Stop").click()


def test_it_is_summed_up_when_somebody_says_so(member: Person) -> None:
    page = to_the_debate(member, rounds=6)
    member.say("Should we rent or buy?")
    control(page, "Summarise now").click()
    expect(strip(page)).to_contain_text("Finished")
    expect(page.locator(".is-reply.is-summary")).to_have_count(1)
    expect(page.locator(".entry[data-turn='3']")).to_have_count(0)


def test_what_was_said_before_a_stop_stays_and_it_can_go_on(member: Person) -> None:
    page = to_the_debate(member)
    member.say("Is it better to work at home?")
    expect(page.locator(".is-reply.is-left.is-draft .md:visible")).not_to_be_empty()
    control(page, "Stop").click()
    expect(strip(page).locator(".debate-stage")).to_have_text("Stopped")
    for name in ("Pause", "Stop"):
        expect(control(page, name)).to_have_count(0)
    seen = picture_of(member)
    page.reload()
    expect(strip(page).locator(".debate-stage")).to_have_text("Stopped")
    assert picture_of(member.rest()) == seen
    control(page, "Resume").click()
    expect(control(page, "Pause")).to_be_visible()
    control(page, "Stop").click()


def test_a_change_of_settings_is_for_the_next_debate(member: Person) -> None:
    """D5: the one that goes on keeps what it began with."""
    page = to_the_debate(member)
    member.say("Cats or dogs?")
    expect(strip(page)).to_contain_text("Round 1 of 1")
    page.locator(".debate-settings-open").click()
    page.get_by_label("Rounds", exact=True).fill("2")
    page.get_by_role("button", name="Done").click()
    expect(strip(page)).to_contain_text("Round 1 of 1")
    control(page, "Stop").click()
    expect(strip(page).locator(".debate-stage")).to_have_text("Stopped")
    member.say("Tea or coffee?")
    expect(strip(page)).to_contain_text("Round 1 of 2")
    expect(strip(page).locator(".debate-words")).to_have_text("Tea or coffee?")
    control(page, "Stop").click()
