"""Signing in with a browser: by e-mail address, with nobody signing up, and what a new password ends."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import NoReverseMatch, reverse

from platform_site import tokens
from platform_site.access import actor_for_token
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"


def sign_in(client: Client, login: str = "bob@acme.test", password: str = PASSWORD, **more: Any) -> Any:
    return client.post(LOGIN, {"login": login, "password": password, **more})


@pytest.mark.parametrize("login", ["bob@acme.test", "BOB@Acme.TEST"])
def test_the_right_password_signs_in_and_stays_signed_in(client: Client, bob: User, login: str) -> None:
    answer = sign_in(client, login)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["max-age"] == settings.SESSION_COOKIE_AGE
    assert cookie["httponly"] and cookie["samesite"] == "Lax"


def test_one_comes_back_to_where_one_wanted_to_go_but_not_elsewhere(client: Client, bob: User) -> None:
    assert sign_in(client, next="/t/acme/")["Location"] == "/t/acme/"
    for evil in ("https://evil.test/", "//evil.test/", "javascript:alert(1)"):
        assert sign_in(Client(), next=evil).headers.get("Location", "/") == "/"


def test_unknown_and_wrong_look_alike(client: Client, bob: User) -> None:
    """T67"""
    pages = [
        sign_in(Client(), *pair).content.decode()
        for pair in (("bob@acme.test", "wrong"), ("no@acme.test", "wrong"))
    ]
    plain = [
        re.sub(r"(bob|no)@acme.test|nonce-\S+|nonce=\"[^\"]+\"|csrfmiddlewaretoken\" value=\"\w+\"", "", page)
        for page in pages
    ]
    assert plain[0] == plain[1]


def test_who_guesses_is_slowed_down(bob: User) -> None:
    """T67"""
    for _ in range(6):
        answer = sign_in(Client(), password="wrong")
    assert settings.SESSION_COOKIE_NAME not in answer.cookies
    last = sign_in(Client())
    assert last.status_code != 302


def test_nobody_signs_up(client: Client, db: None) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("account_signup")
    for path in ("/accounts/signup/", "/accounts/email/", "/accounts/confirm-email/"):
        assert (
            client.post(path, {"email": "x@y.test", "password1": PASSWORD, "password2": PASSWORD}).status_code
            == 404
        )
    assert not User.objects.exists()


def test_a_deactivated_person_does_not_get_in(client: Client, bob: User) -> None:
    """T38"""
    User.objects.update(is_active=False)
    sign_in(client)
    assert "_auth_user_id" not in client.session


@pytest.fixture
def token(tenant: Tenant, bob: User) -> str:
    with acting_for(tenant):
        return tokens.make(bob, "t", ["read"])[1]


def test_changing_the_password_ends_sessions_and_tokens(bob: User, token: str) -> None:
    """T38"""
    here, elsewhere = Client(), Client()
    for browser in (here, elsewhere):
        sign_in(browser)
    answer = here.post(
        "/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": "something-else-9", "password2": "something-else-9"},
    )
    assert answer.status_code == 302
    assert elsewhere.get("/t/acme/").headers.get("Location", "").startswith(LOGIN)
    assert actor_for_token(token, "acme") is None
    assert sign_in(Client(), password="something-else-9").status_code == 302


def test_a_reset_link_works_once_and_ends_tokens(client: Client, bob: User, token: str) -> None:
    """T41, T38"""
    client.post("/accounts/password/reset/", {"email": bob.email})
    link = re.search(r"/accounts/password/reset/key/\S+", str(mail.outbox[0].body))
    assert link is not None
    form = client.get(link[0])["Location"]  # the key moves into the session, out of the address
    assert link[0].rstrip("/").rpartition("-")[2] not in form
    client.post(form, {"password1": "something-else-9", "password2": "something-else-9"})
    bob.refresh_from_db()
    assert bob.check_password("something-else-9")
    assert actor_for_token(token, "acme") is None
    again = Client().get(link[0])
    assert again.status_code == 200  # the page that says that the link is no good
    bob.refresh_from_db()
    assert bob.check_password("something-else-9")


def test_a_reset_for_nobody_looks_the_same_and_sends_nothing(client: Client, bob: User) -> None:
    answers = [
        client.post("/accounts/password/reset/", {"email": who}) for who in (bob.email, "no@acme.test")
    ]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert [message.to for message in mail.outbox] == [[bob.email]]


@pytest.mark.parametrize("key", ["1-null", "1-", "null-null", "0-x", "1-set-password"])
def test_a_made_up_reset_link_opens_nothing(client: Client, bob: User, key: str) -> None:
    """T41"""
    client.get(f"/accounts/password/reset/key/{key}/")
    client.post(
        f"/accounts/password/reset/key/{key}/", {"password1": "owned-by-me-1", "password2": "owned-by-me-1"}
    )
    bob.refresh_from_db()
    assert bob.check_password(PASSWORD)
