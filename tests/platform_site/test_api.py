"""The API's front door: who may come in, in which order it is asked, and what a repeated POST gets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from platform_site import idempotency, tokens
from platform_site.models import IdempotentReply, Tenant, Topic, User
from platform_site.tenancy import acting_for
from tests.platform_site.test_ledger import side_by_side

pytestmark = [pytest.mark.urls("tests.platform_site.urls"), pytest.mark.django_db]
NOTES = "/api/v1/t/acme/notes"
JSON = "application/json"


def bearer(tenant: Tenant, user: User, *scopes: str) -> dict[str, str]:
    with acting_for(tenant):
        return {"Authorization": f"Bearer {tokens.make(user, 't', scopes or ('read', 'chat'))[1]}"}


@pytest.fixture
def token(tenant: Tenant, bob: User) -> dict[str, str]:
    return bearer(tenant, bob)


def topics() -> int:
    return Topic.objects.across_tenants().count()


def post(headers: dict[str, str], body: Any = None, client: Client | None = None, path: str = NOTES) -> Any:
    client = client or Client(raise_request_exception=False)
    return client.post(path, json.dumps(body or {}), content_type=JSON, headers=headers)


# Coming in


def test_a_token_lets_a_program_in(client: Client, token: dict[str, str], bob: User) -> None:
    answer = client.get(NOTES, headers=token)
    assert answer.status_code == 200
    assert answer.json() == {"tenant": "acme", "user": bob.pk, "topics": 0}


def test_without_a_sign_in_the_answer_is_401_for_any_tenant(client: Client, tenant: Tenant) -> None:
    for path in (NOTES, "/api/v1/t/nowhere/notes"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("slug", ["globex", "nowhere", "ACME", "Acme"])
def test_a_foreign_tenant_is_as_absent_as_one_that_does_not_exist(
    slug: str, client: Client, token: dict[str, str], bob: User, other_tenant: Tenant
) -> None:
    """T32, T35: by token and by session."""
    by_token = client.get(f"/api/v1/t/{slug}/notes", headers=token)
    client.force_login(bob, settings.AUTHENTICATION_BACKENDS[0])
    by_session = client.get(f"/api/v1/t/{slug}/notes")
    for answer in (by_token, by_session):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        assert answer.json()["detail"] == client.get("/api/v1/t/nowhere/notes").json()["detail"]


def test_a_bad_token_is_not_forgiven_for_a_good_cookie(client: Client, tenant: Tenant, bob: User) -> None:
    """T39"""
    client.force_login(bob, settings.AUTHENTICATION_BACKENDS[0])
    assert client.get(NOTES).status_code == 200
    for header in ("Bearer slc_wrong", "Bearer", "Token x", "Basic eDp5"):
        assert client.get(NOTES, headers={"Authorization": header}).status_code == 401


def test_no_other_header_takes_a_token(client: Client, token: dict[str, str]) -> None:
    """T39"""
    raw = token["Authorization"].removeprefix("Bearer ")
    for name in ("X-Api-Key", "Api-Key", "X-Auth-Token", "Cookie"):
        assert client.get(NOTES, headers={name: raw}).status_code == 401
    assert client.get(f"{NOTES}?token={raw}&access_token={raw}").status_code == 401


@pytest.mark.parametrize(
    ("who", "scopes", "method", "path", "status"),
    [
        ("bob", ["read"], "get", "notes", 200),
        ("bob", ["read"], "post", "notes", 403),
        ("bob", ["chat"], "get", "notes", 200),
        ("bob", ["chat"], "post", "notes", 201),
        ("bob", ["configure"], "get", "settings", 403),
        ("alice", ["chat"], "get", "settings", 403),
        ("alice", ["configure"], "get", "settings", 200),
        ("alice", ["configure"], "post", "settings", 403),
        ("rita", ["review"], "post", "settings", 200),
        ("rita", ["review"], "post", "notes", 403),
    ],
)
def test_scope_and_role_must_both_allow_it(
    who: str, scopes: list[str], method: str, path: str, status: int,
    client: Client, tenant: Tenant, request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    """T39"""
    headers = bearer(tenant, request.getfixturevalue(who), *scopes)
    call = getattr(client, method)
    answer = call(
        f"/api/v1/t/acme/{path}", {}, headers=headers, **({"content_type": JSON} if method == "post" else {})
    )
    assert answer.status_code == status


def test_a_browser_needs_its_csrf_token_to_change_something(tenant: Tenant, bob: User) -> None:
    """T65"""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(bob, settings.AUTHENTICATION_BACKENDS[0])
    assert browser.get(NOTES).status_code == 200
    assert post({}, client=browser).status_code == 403
    assert topics() == 0
    browser.get("/accounts/password/change/")  # a page with a form sets the cookie
    secret = browser.cookies[settings.CSRF_COOKIE_NAME].value
    assert post({"X-CSRFToken": secret}, client=browser).status_code == 201


def test_a_program_needs_no_csrf_token(token: dict[str, str]) -> None:
    assert post(token, client=Client(enforce_csrf_checks=True)).status_code == 201


def test_a_view_that_forgot_its_tenant_is_closed(client: Client, token: dict[str, str]) -> None:
    assert client.get("/api/v1/t/acme/plain", headers=token).status_code == 403


def test_the_scope_ends_with_the_request(client: Client, token: dict[str, str]) -> None:
    from platform_site.scope import acting_tenant

    for body in ({}, {"then": "break"}, {"then": "refuse"}):
        post(token, body)
        assert acting_tenant.get() is None


# The body


class Unread:
    """A request body that must not be read."""

    def read(self, *args: Any) -> bytes:
        raise AssertionError("the body was read before the caller was known")

    readline = read


def test_a_stranger_is_refused_before_the_body_is_read(client: Client, tenant: Tenant) -> None:
    """T60"""
    answer = client.generic(
        "POST", NOTES, b"", JSON, **{"wsgi.input": Unread(), "CONTENT_LENGTH": "10000000"}
    )
    assert answer.status_code == 401


@pytest.mark.parametrize("body", [b"{", b"[1,]", b"\xff", b'{"a":1,"a":2}', b'{"a":NaN}', b"[" * 100_000])
def test_what_is_not_plain_json_is_refused(client: Client, token: dict[str, str], body: bytes) -> None:
    """T17, T18"""
    answer = client.post(NOTES, body, content_type=JSON, headers=token)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_too_large_a_body_is_refused(client: Client, token: dict[str, str]) -> None:
    big = json.dumps({"a": "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE})
    answer = client.post(NOTES, big, content_type=JSON, headers=token)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_another_kind_of_body_is_refused(client: Client, token: dict[str, str]) -> None:
    answer = client.post(NOTES, {"a": "b"}, headers=token)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


# Idempotency-Key


@pytest.fixture
def keyed(token: dict[str, str]) -> dict[str, str]:
    return {**token, "Idempotency-Key": "once"}


def test_a_repeat_gets_the_first_answer_and_has_no_effect(keyed: dict[str, str]) -> None:
    first = post(keyed, {"a": [1, 2], "b": None})
    again = post(keyed, {"b": None, "a": [1, 2]})
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert "Idempotent-Replayed" not in first
    assert again["Idempotent-Replayed"] == "true"
    assert topics() == 1


def test_the_same_key_with_another_body_is_refused(keyed: dict[str, str]) -> None:
    post(keyed, {"a": 1})
    answer = post(keyed, {"a": 2})
    assert (answer.status_code, answer.json()["code"]) == (422, "conflict")
    assert topics() == 1


def test_the_same_key_at_another_path_is_refused(keyed: dict[str, str], tenant: Tenant, alice: User) -> None:
    headers = {**bearer(tenant, alice, "review", "chat"), "Idempotency-Key": "once"}
    assert post(headers).status_code == 201
    assert post(headers, path="/api/v1/t/acme/settings").status_code == 422


def test_keys_of_different_people_do_not_meet(keyed: dict[str, str], tenant: Tenant, alice: User) -> None:
    """T33"""
    theirs = {**bearer(tenant, alice), "Idempotency-Key": "once"}
    assert post(keyed).json() != post(theirs).json()


def test_keys_of_different_tenants_do_not_meet(
    keyed: dict[str, str], other_tenant: Tenant, bob: User
) -> None:
    """T32"""
    from platform_site.models import Membership

    with acting_for(other_tenant):
        Membership.objects.create(user=bob)
    elsewhere = {**bearer(other_tenant, bob), "Idempotency-Key": "once"}
    assert post(keyed).status_code == 201
    answer = post(elsewhere, path="/api/v1/t/globex/notes")
    assert answer.status_code == 201
    assert "Idempotent-Replayed" not in answer


def test_a_definitive_refusal_is_kept(keyed: dict[str, str]) -> None:
    answers = [post(keyed, {"then": "refuse"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert answers[0].json() == answers[1].json()
    assert answers[1]["Content-Type"] == "application/problem+json"
    assert answers[1]["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(("then", "status"), [("conflict", 409), ("break", 500)])
def test_what_may_pass_is_not_kept(keyed: dict[str, str], then: str, status: int) -> None:
    for _ in range(2):
        answer = post(keyed, {"then": then})
        assert answer.status_code == status
        assert "Idempotent-Replayed" not in answer
    assert not IdempotentReply.objects.across_tenants().exists()


def test_what_broke_is_rolled_back(keyed: dict[str, str]) -> None:
    post(keyed, {"then": "break"})
    assert topics() == 0


def test_a_request_that_still_runs_is_not_started_again(
    keyed: dict[str, str], tenant: Tenant, bob: User
) -> None:
    with acting_for(tenant):
        post(keyed)
        IdempotentReply.objects.update(status=None)
    answer = post(keyed)
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert answer["Retry-After"] == "1"
    assert topics() == 1


def test_a_request_whose_process_died_can_be_sent_again(keyed: dict[str, str], tenant: Tenant) -> None:
    with acting_for(tenant):
        post(keyed)
        IdempotentReply.objects.update(status=None, created_at=timezone.now() - timedelta(minutes=2))
    assert post(keyed).status_code == 201
    assert post(keyed)["Idempotent-Replayed"] == "true"


def test_of_two_who_think_the_key_is_theirs_one_is_rolled_back(
    keyed: dict[str, str], tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first was only slow: another took the claim over while it worked."""
    keep = idempotency.keep

    def taken_over(claim: Any, answer: Any) -> None:
        IdempotentReply.objects.update(created_at=timezone.now())
        keep(claim, answer)

    monkeypatch.setattr(idempotency, "keep", taken_over)
    answer = post(keyed)
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert topics() == 0


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_a_key_has_a_sensible_length(token: dict[str, str], key: str) -> None:
    assert post({**token, "Idempotency-Key": key}).status_code == 400


@pytest.fixture
def closing() -> Iterator[None]:
    yield
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_has_the_effect(keyed: dict[str, str], closing: None) -> None:
    """T08"""
    answers: list[Any] = []
    side_by_side(*[lambda: answers.append(post(keyed))] * 12)
    assert topics() == 1
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.json()["topic"] for answer in answers if answer.status_code == 201}) == 1
    assert sum("Idempotent-Replayed" not in answer for answer in answers if answer.status_code == 201) == 1
