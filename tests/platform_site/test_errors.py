"""Every error of the API is a problem document; a page gets a page. Neither tells what only the log should know."""

from __future__ import annotations

import pytest
from django.test import Client

from platform_site.errors import CODES

pytestmark = [pytest.mark.urls("tests.platform_site.urls"), pytest.mark.django_db]


@pytest.fixture
def calm() -> Client:
    """A client that gets a 500 where the test client would raise."""
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("how", "status", "code"),
    [
        ("problem", 418, "teapot"),
        ("http404", 404, "not_found"),
        ("denied", 403, "forbidden"),
        ("bad", 400, "bad_request"),
        ("drf404", 404, "not_found"),
        ("throttled", 429, "rate_limited"),
        ("invalid", 400, "bad_request"),
        ("broken", 500, "internal"),
    ],
)
def test_the_api_answers_with_a_problem_document(calm: Client, how: str, status: int, code: str) -> None:
    answer = calm.get(f"/api/v1/fails/{how}")
    problem = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert problem["instance"] == f"/api/v1/fails/{how}"
    assert problem["title"] and problem["detail"] and problem["type"]
    assert "secret" not in answer.content.decode()
    assert "Traceback" not in answer.content.decode()


def test_a_problem_carries_its_extra_members(calm: Client) -> None:
    assert calm.get("/api/v1/fails/problem").json()["spout"] is True


def test_a_wait_is_told(calm: Client) -> None:
    assert calm.get("/api/v1/fails/throttled")["Retry-After"] == "7"


def test_field_errors_come_with_their_paths(calm: Client) -> None:
    assert calm.get("/api/v1/fails/invalid").json()["errors"] == [
        {"path": "/name", "message": "Too long."},
        {"path": "/lines/0/n", "message": "No."},
        {"path": "", "message": "Odd."},
    ]


def test_an_unknown_path_of_the_api_is_a_problem_document_too(calm: Client) -> None:
    answer = calm.get("/api/v1/nowhere")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_wrong_method_is_told_with_its_code(calm: Client) -> None:
    answer = calm.delete("/api/v1/fails/problem")
    assert (answer.status_code, answer.json()["code"]) == (405, CODES[405])


@pytest.mark.parametrize(
    ("how", "status"), [("http404", 404), ("denied", 403), ("bad", 400), ("broken", 500)]
)
def test_a_page_gets_a_page(calm: Client, how: str, status: int) -> None:
    answer = calm.get(f"/fails/{how}")
    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/html")
    assert "secret" not in answer.content.decode()


def test_a_form_without_its_token_gets_a_page(bob: object) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/accounts/login/", {"login": "x", "password": "y"})
    assert answer.status_code == 403
    assert answer["Content-Type"].startswith("text/html")
