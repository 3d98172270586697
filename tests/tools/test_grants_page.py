"""The page of standing grants: what one allowed, to the last value, and a button that takes it back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from platform_site import ledger
from platform_site.models import User
from tests.tools.conftest import Answer, Desk, actor
from tools import gate
from tools.models import CallStatus, Confirmation, Grant

PAGE = "/t/acme/grants/"
SHOES = {"item": "shoes", "count": 1}


@pytest.fixture
def grant(desk: Desk) -> Grant:
    """Bob's yes to the next two orders of the item; the count is free."""
    return allow(desk, SHOES)


def allow(desk: Desk, arguments: dict[str, object]) -> Grant:
    desk.tool("order", "CONFIRM")
    call = desk.ask("order", arguments)
    answer = Answer()
    answer.digest = Confirmation.objects.get(call=call).digest
    with ledger.writing(desk.topic) as log:
        gate.decide(
            log, call.confirmation.pk, actor(desk.tenant, desk.user), answer, gate.Wanted(["item"], 2, 60)
        )
    return Grant.objects.latest("created_at")


def seen_by(user: User) -> str:
    browser = Client()
    browser.force_login(user)
    return browser.get(PAGE).content.decode()


def test_it_shows_what_is_pinned_what_is_free_and_how_much_is_left(desk: Desk, grant: Grant) -> None:
    html = seen_by(desk.user)
    assert "shoes" in html and "may be anything" in html
    assert "2 of 2 calls left" in html
    assert f"/t/acme/grants/{grant.pk}/revoke/" in html
    assert f"/t/acme/c/{desk.topic}/" in html, "the conversation it was given in"


def test_who_configures_sees_everybodys_with_the_name_but_not_the_way_into_the_conversation(
    desk: Desk, grant: Grant, adam: User, rita: User
) -> None:
    html = seen_by(adam)
    assert grant.pk in html and "Bob" in html
    assert f"/t/acme/c/{desk.topic}/" not in html
    assert grant.pk not in seen_by(rita)


def test_taking_it_back_takes_a_post_and_then_the_person_is_asked_again(desk: Desk, grant: Grant) -> None:
    browser = Client()
    browser.force_login(desk.user)
    assert browser.get(f"{PAGE}{grant.pk}/revoke/").status_code == 405
    assert desk.ask("order", SHOES).status == CallStatus.CLEARED
    answer = browser.post(f"{PAGE}{grant.pk}/revoke/", follow=True)
    assert "Taken back. From now on you are asked again." in answer.content.decode()
    assert desk.ask("order", SHOES).status == CallStatus.HELD
    again = browser.post(f"{PAGE}{grant.pk}/revoke/", follow=True)
    assert "does not hold any more" in again.content.decode()


def test_another_site_cannot_take_it_back(desk: Desk, grant: Grant) -> None:
    """T65."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(desk.user)
    assert browser.post(f"{PAGE}{grant.pk}/revoke/").status_code == 403
    grant.refresh_from_db()
    assert grant.revoked_at is None


def test_what_holds_no_longer_says_why_and_has_no_button(desk: Desk, grant: Grant) -> None:
    Grant.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    html = seen_by(desk.user)
    assert "No longer" in html and "Expired" in html
    assert "/revoke/" not in html
    desk.tool("order", "CONFIRM", description="Something else.")
    Grant.objects.update(expires_at=timezone.now() + timedelta(hours=1))
    assert "The tool has changed" in seen_by(desk.user)


def test_hidden_characters_are_shown_and_nothing_becomes_markup(desk: Desk) -> None:
    """T04, T69."""
    allow(desk, {"item": "<b>sho\u200bes</b>"})
    html = seen_by(desk.user)
    assert "&lt;b&gt;sho" in html and "ZWSP" in html
