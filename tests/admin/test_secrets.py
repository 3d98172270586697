"""API tokens and credentials in the console: shown once, or never."""

from __future__ import annotations

import pytest
from django.test import Client

from platform_site import tokens
from platform_site.models import ApiToken, Credential, User
from platform_site.secrets import key_of
from tests.admin.conftest import HOME, Rows, errors_at

TOKENS = HOME + "platform_site/apitoken/"
CREDENTIALS = HOME + "platform_site/credential/"
KEY = "sk-canary-123456"


def test_a_token_is_shown_once(console: Client, alice: User) -> None:
    """T61: what is stored opens nothing."""
    page = console.post(TOKENS + "add/", {"name": "ci", "scopes": ["read", "chat"]})
    raw = page.context["raw"]
    token = tokens.verify(raw)
    assert token and (token.user, token.scopes) == (alice, ["chat", "read"])
    assert raw in page.content.decode() and "no-store" in page["Cache-Control"]
    for again in (TOKENS, f"{TOKENS}{token.pk}/change/", HOME):
        assert raw not in console.get(again).content.decode()
    assert raw not in str(ApiToken.objects.across_tenants().values().get(pk=token.pk))


def test_a_token_begins_with_a_name_and_a_scope(console: Client) -> None:
    page = console.post(
        TOKENS + "add/", {"scopes": ["everything"], "expires_at_0": "2020-01-01", "expires_at_1": "00:00"}
    )
    assert all(errors_at(page, field) for field in ("name", "scopes", "expires_at"))
    assert not ApiToken.objects.across_tenants().exists()


def test_a_revoked_token_is_dead(as_admin: Client, console: Client) -> None:
    raw = console.post(TOKENS + "add/", {"name": "ci", "scopes": ["read"]}).context["raw"]
    token = tokens.verify(raw)
    assert token
    page = as_admin.post(f"{TOKENS}{token.pk}/revoke/", follow=True)
    assert b"opens nothing any more" in page.content
    assert tokens.verify(raw) is None


def test_a_token_is_not_edited(console: Client, rows: Rows) -> None:
    assert (
        console.post(f"{TOKENS}{rows.token.pk}/change/", {"name": "x", "scopes": ["configure"]}).status_code
        == 403
    )


@pytest.fixture
def credential(console: Client) -> Credential:
    form = {"slug": "openai", "provider": "openai", "base_url": "https://api.example.com", "api_key": KEY}
    assert console.post(CREDENTIALS + "add/", form).status_code == 302
    return Credential.objects.across_tenants().get(slug="openai")


def test_a_key_is_sealed_and_never_shown(console: Client, credential: Credential) -> None:
    """T61, T62."""
    assert key_of(credential) == KEY and KEY not in credential.sealed
    for page in (CREDENTIALS, f"{CREDENTIALS}{credential.pk}/change/", HOME + "configuration/export/"):
        assert KEY not in console.get(page).content.decode()
        assert credential.sealed not in console.get(page).content.decode()


def test_a_key_that_is_not_given_stays(console: Client, credential: Credential) -> None:
    form = {"provider": "openai", "base_url": "https://api.example.com", "api_key": ""}
    assert console.post(f"{CREDENTIALS}{credential.pk}/change/", form).status_code == 302
    credential = Credential.objects.across_tenants().get(pk=credential.pk)
    assert key_of(credential) == KEY


def test_a_stored_key_is_not_sent_elsewhere(console: Client, credential: Credential) -> None:
    """Who may not see a key shall not have it sent to a server of theirs."""
    form = {"provider": "openai", "base_url": "https://evil.example.com", "api_key": ""}
    page = console.post(f"{CREDENTIALS}{credential.pk}/change/", form)
    assert "not sent to another server" in errors_at(page, "api_key")
    console.post(f"{CREDENTIALS}{credential.pk}/change/", form | {"api_key": "sk-other"})
    credential = Credential.objects.across_tenants().get(pk=credential.pk)
    assert (key_of(credential), credential.base_url) == ("sk-other", "https://evil.example.com")


def test_a_taken_name_is_told(console: Client, credential: Credential) -> None:
    page = console.post(CREDENTIALS + "add/", {"slug": "openai", "provider": "http"})
    assert "taken" in errors_at(page, "slug")


def test_a_base_url_is_one(console: Client) -> None:
    page = console.post(
        CREDENTIALS + "add/", {"slug": "x", "provider": "http", "base_url": "javascript:alert(1)"}
    )
    assert errors_at(page, "base_url")
