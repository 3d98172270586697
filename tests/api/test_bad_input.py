"""Whatever is sent, the answer is a problem that says what is wrong, and never a 500."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from conversations.models import Conversation
from platform_site.models import Tenant, User
from tests.api.conftest import As

NAUGHTY = {
    "an array": (b"[]", 400),
    "a text": (b'"hello"', 400),
    "nothing but null": (b"null", 400),
    "no JSON": (b"{text: hello", 400),
    "not a number": (b'{"text": NaN}', 400),
    "a number too large": (b'{"text": 1e400}', 400),
    "a number of 10,000 digits": (b'{"text": ' + b"9" * 10_000 + b"}", 400),
    "the same key twice": (b'{"text": "a", "text": "b"}', 400),
    "half a surrogate pair": (b'{"text": "\\ud800"}', 400),
    "a NUL": (b'{"text": "\\u0000"}', 400),
    "no UTF-8": (b'{"text": "\xff"}', 400),
    "100 levels": (b'{"text":' + b"[" * 100 + b"]" * 100 + b"}", 400),
    "100,000 levels": (b'{"text":' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400),
    "1,000 unknown fields": (json.dumps({f"f{n}": n for n in range(1_000)}).encode(), 400),
    "2 MB": (b'{"text": "' + b"x" * 2_000_000 + b'"}', 413),
}
ROUTES = [
    ("POST", "conversations"), ("PATCH", "conversations/{id}"), ("POST", "conversations/{id}/messages"),
    ("POST", "tools"), ("PATCH", "tools/{id}"), ("POST", "runs/{id}/stop"), ("POST", "runs/{id}/retry"),
    ("POST", "confirmations/{id}/decide"),
]  # fmt: skip


def is_problem(answer: Any, status: int) -> None:
    problem = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert (answer.status_code, problem["status"]) == (status, status), answer.content
    assert problem.keys() >= {"type", "title", "status", "detail", "instance", "code"}
    assert len(problem.get("errors", [])) <= 20


@pytest.mark.parametrize("what", NAUGHTY)
def test_a_body_that_makes_no_sense_is_a_problem(
    program: As, alice: User, talk: Conversation, what: str
) -> None:
    body, status = NAUGHTY[what]
    caller = program(alice)
    for method, path in ROUTES:
        is_problem(caller.raw(method, path.format(id=talk.pk), body), status)


@pytest.mark.parametrize("what", NAUGHTY)
def test_so_it_is_with_an_idempotency_key(program: As, bob: User, talk: Conversation, what: str) -> None:
    body, status = NAUGHTY[what]
    caller = program(bob)
    answer = Client().post(
        f"/api/v1/t/acme/conversations/{talk.pk}/messages", body, "application/json",
        headers={"Authorization": f"Bearer {caller.token}", "Idempotency-Key": "k"},
    )  # fmt: skip
    is_problem(answer, status)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_another_kind_of_body_is_refused(program: As, bob: User, talk: Conversation, kind: str) -> None:
    """T55: what is not JSON is not read."""
    is_problem(program(bob).raw("POST", "conversations", b"agent=guide", kind), 415)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
def test_a_method_that_is_not_there_is_a_problem(program: As, bob: User, tenant: Tenant, method: str) -> None:
    is_problem(program(bob).raw(method, "conversations", b""), 405)


@pytest.mark.parametrize(
    "path", ["remainders", "uploads/", "conversations/", "runs/%00", "runs/a%20b", f"tools/{'0' * 65}"]
)  # fmt: skip
def test_a_path_that_is_not_there_is_a_problem(program: As, bob: User, path: str) -> None:
    is_problem(program(bob).get(path), 404)


def test_whoever_is_not_signed_in_is_told_before_the_body_is_read(tenant: Tenant) -> None:
    """T60."""

    class Unread:
        def read(self, *size: int) -> bytes:
            raise AssertionError("the body was read")

        readline = read

    answer = Client().generic(
        "POST", "/api/v1/t/acme/conversations", b"", CONTENT_TYPE="application/json", CONTENT_LENGTH=10_000_000,
        **{"wsgi.input": Unread()},
    )  # fmt: skip
    is_problem(answer, 401)
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Bearer slc_wrong", "Basic Ym9iOnB3", "Bearer \u00ff"]
)
def test_a_token_that_is_none_is_refused(tenant: Tenant, header: str) -> None:
    is_problem(Client().get("/api/v1/t/acme/agents", headers={"Authorization": header}), 401)


def test_a_good_cookie_does_not_help_a_bad_token(bob: User) -> None:
    """T39."""
    browser = Client()
    browser.force_login(bob)
    assert browser.get("/api/v1/t/acme/agents").status_code == 200
    is_problem(browser.get("/api/v1/t/acme/agents", headers={"Authorization": "Bearer slc_wrong"}), 401)


def test_a_browsers_session_writes_only_with_its_csrf_token(bob: User, talk: Conversation) -> None:
    """T65."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(bob)
    answer = browser.post(
        f"/api/v1/t/acme/conversations/{talk.pk}/messages", {"text": "x"}, "application/json"
    )
    is_problem(answer, 403)


@pytest.mark.parametrize("slug", ["ACME", "acme2", "globex", "-", "acme%20", "a/cme"])
def test_a_tenant_that_is_not_mine_is_not_there(
    program: As, bob: User, other_tenant: Tenant, slug: str
) -> None:
    """T35."""
    caller = program(bob)
    caller.tenant = slug
    is_problem(caller.get("agents"), 404)
