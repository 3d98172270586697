"""`POST /api/v1/auth/token`: a program signs in; who guesses learns nothing and is slowed down."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client
from django.utils.dateparse import parse_datetime

from platform_site import token_view
from platform_site.models import ApiToken, Tenant, User
from platform_site.throttle import Limit
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
WHERE = "/api/v1/auth/token"


def ask(**body: Any) -> Any:
    return Client().post(WHERE, body, content_type="application/json")


def signs_in(**changes: Any) -> Any:
    return ask(**{"email": "bob@acme.test", "password": PASSWORD, "tenant": "acme", **changes})


def test_the_right_password_gets_a_token_that_works(bob: User, client: Client) -> None:
    answer = signs_in(email=" BOB@acme.test ")
    assert answer.status_code == 200
    told = answer.json()
    assert parse_datetime(told["expires_at"])
    assert told["scopes"] == ["chat", "read"]
    assert answer["Cache-Control"] == "no-store"
    assert told["token"] not in str(ApiToken.objects.across_tenants().values().get())
    from platform_site import access

    actor = access.actor_for_token(told["token"], "acme")
    assert actor is not None
    assert actor.user == bob


def test_an_owner_may_ask_for_less_and_nobody_gets_more(alice: User, bob: User) -> None:
    assert signs_in(email="alice@acme.test").json()["scopes"] == ["chat", "configure", "read", "review"]
    assert signs_in(email="alice@acme.test", scopes=["read"]).json()["scopes"] == ["read"]
    assert signs_in(scopes=["configure", "chat"]).json()["scopes"] == ["chat"]


@pytest.mark.parametrize(
    "changes",
    [
        {"email": "nobody@acme.test"},
        {"password": "wrong"},
        {"tenant": "globex"},
        {"tenant": "nowhere"},
        {"tenant": "ACME"},
        {"tenant": ""},
        {"email": "charlie@globex.test"},
    ],
)
def test_whatever_is_wrong_the_answer_is_the_same(changes: dict[str, str], bob: User, charlie: User) -> None:
    answer, other = signs_in(**changes), signs_in(password="wrong too")
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.json() == other.json()
    assert not ApiToken.objects.across_tenants().exists()


@pytest.mark.parametrize("who", ["person", "tenant"])
def test_who_is_deactivated_gets_none(who: str, bob: User, tenant: Tenant) -> None:
    (User if who == "person" else Tenant).objects.update(is_active=False)
    assert signs_in().status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"email": "bob@acme.test", "password": PASSWORD},
        {"email": None, "password": PASSWORD, "tenant": "acme"},
        {"email": ["bob@acme.test"], "password": PASSWORD, "tenant": "acme"},
        {"email": "bob@acme.test", "password": PASSWORD, "tenant": "acme", "role": "owner"},
        {"email": "bob@acme.test\0", "password": PASSWORD, "tenant": "acme"},
        {"email": "bob@acme.test", "password": PASSWORD, "tenant": "acme", "scopes": ["everything"]},
    ],
)
def test_a_body_of_another_shape_is_refused(body: dict[str, Any], bob: User) -> None:
    answer = ask(**body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert answer.json()["errors"]
    assert PASSWORD not in answer.content.decode()


def test_it_keeps_no_answer_for_an_idempotency_key(bob: User) -> None:
    """A stored answer would be a stored token."""
    headers = {"Idempotency-Key": "k"}
    body = {"email": "bob@acme.test", "password": PASSWORD, "tenant": "acme"}
    tokens = {
        Client().post(WHERE, body, content_type="application/json", headers=headers).json()["token"]
        for _ in range(2)
    }
    assert len(tokens) == 2


# Two-factor


@pytest.fixture
def totp(bob: User) -> str:
    secret = generate_totp_secret()
    TOTP.activate(bob, secret)
    return secret


def code_now(secret: str) -> str:
    from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time

    counters = list(yield_hotp_counters_from_time())
    return format_hotp_value(hotp_value(secret, counters[len(counters) // 2]))


def test_with_two_factors_the_code_is_needed_and_works_once(totp: str) -> None:
    assert signs_in().json()["code"] == "proof_needed"
    assert signs_in(code="000000x").json()["code"] == "proof_wrong"
    code = code_now(totp)
    assert signs_in(code=code).status_code == 200
    assert signs_in(code=code).json()["code"] == "proof_wrong"


def test_a_recovery_code_will_do(totp: str, bob: User) -> None:
    codes = RecoveryCodes.activate(bob).get_unused_codes()
    assert signs_in(code=codes[0]).status_code == 200
    assert signs_in(code=codes[0]).json()["code"] == "proof_wrong"


def test_that_a_code_is_needed_is_told_only_with_the_right_password(totp: str) -> None:
    assert signs_in(password="wrong").json()["code"] == "unauthenticated"


# Guessing


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_view, "PER_ACCOUNT", Limit("account", 3, 300))
    monkeypatch.setattr(token_view, "PER_ADDRESS", Limit("address", 5, 300))


def test_an_account_is_closed_for_a_while_after_wrong_tries(bob: User, rita: User, strict: None) -> None:
    """T67: also for the right password, or the answer would tell it."""
    assert [signs_in(password="wrong").status_code for _ in range(4)] == [401, 401, 429, 429]
    answer = signs_in()
    assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
    assert int(answer["Retry-After"]) > 0
    assert signs_in(email="rita@acme.test").status_code == 200


def test_an_address_is_closed_for_a_while_whatever_accounts_it_tries(bob: User, strict: None) -> None:
    """T67"""
    answers = [signs_in(email=f"person{n}@acme.test").status_code for n in range(6)]
    assert answers == [401, 401, 401, 401, 429, 429]
    assert signs_in().status_code == 429


def test_wrong_codes_count_too(totp: str, strict: None) -> None:
    """T67"""
    assert [signs_in(code="1").status_code for _ in range(3)] == [401, 401, 429]
    assert signs_in(code=code_now(totp)).status_code == 429


def test_right_sign_ins_are_not_counted(bob: User, strict: None) -> None:
    assert {signs_in().status_code for _ in range(8)} == {200}


@pytest.mark.django_db(transaction=True)
def test_the_count_holds_across_workers(bob: User) -> None:
    """T67: counted in the cache that all processes share, and no try is lost when they come at once."""
    from tests.platform_site.test_ledger import side_by_side

    limit = Limit("together", 24, 300)
    side_by_side(*[lambda: [limit.count("x") for _ in range(3)]] * 7)
    assert not limit.reached("x")
    side_by_side(*[lambda: limit.count("x")] * 3)
    assert limit.reached("x")
    assert not limit.reached("y")
