"""The server dies under an open page and comes back: the page goes on by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import PACE_MS, Enter
from tests.browser.person import COUNTED, Person
from tests.served.up import Up

AWAY = (r"WebSocket connection to '.*' failed", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET")


@pytest.fixture(scope="module")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A server that these tests kill."""
    up = Up(tmp_path_factory.mktemp("fragile") / "var", DEMO_PACE_MS=PACE_MS)
    try:
        yield up.start()
    finally:
        up.discard()


@pytest.fixture
def member(enter: Enter, fragile: Up) -> Person:
    person = enter("member", fragile).go_to_chat()
    person.watch.expect(*AWAY)
    return person


def line_state(person: Person) -> Locator:
    return person.page.locator("#line-state")


def test_an_answer_cut_off_by_a_crash_is_finished_when_the_server_is_back(
    member: Person, fragile: Up
) -> None:
    """T46, T73: nobody touches the page, and what is being written stays."""
    member.say_something_long()
    member.composer.fill("half a sentence")
    fragile.kill()
    expect(line_state(member)).to_have_text(re.compile("Reconnecting"))
    fragile.start()
    expect(line_state(member)).to_be_hidden()
    member.rest()
    expect(member.page.locator(".is-reply .md")).to_have_text([COUNTED])
    expect(member.composer).to_have_value("half a sentence")


def test_what_is_said_while_the_server_is_away_is_sent_when_it_is_back(member: Person, fragile: Up) -> None:
    member.ask("echo First")
    fragile.kill()
    expect(line_state(member)).to_have_text(re.compile("Reconnecting"))
    member.composer.fill("echo Second")
    member.composer.press("Enter")
    sending = member.page.locator(".is-sending")
    expect(sending).to_contain_text("Will be sent when the connection is back")
    fragile.start()
    expect(member.page.locator(".is-reply .md")).to_have_text(["First", "Second"])
    expect(sending).to_have_count(0)
