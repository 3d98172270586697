"""Which error a Gemini answer means, and what people and admins are told of it (T61, T76)."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import Any

import pytest

from agents.providers.access import Account
from agents.providers.base import ErrorCode
from agents.providers.gemini_faults import answered, told_in_stream
from tests.agents.wire.cases import REQUESTS
from tests.agents.wire.files import Wire
from tests.agents.wire.gemini_talk import KEY, SSE, ask_as, refusing, said, stream_of, talk

PLAIN = REQUESTS["plain"]
SPENT = "You exceeded your current quota, please check your plan and billing details."
EXHAUSTED = "Resource has been exhausted (e.g. check quota)."


def error(status: str, message: str, *details: Any) -> dict[str, Any]:
    return {"error": {"status": status, "message": message, "details": list(details)}}


def limits(*ids: str) -> dict[str, Any]:
    return {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": one, "quotaMetric": "generativelanguage.googleapis.com/x"} for one in ids],
    }


def wait(delay: str) -> dict[str, Any]:
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


BAD_KEY = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
MINUTE, DAY = (
    "GenerateRequestsPerMinutePerProjectPerModel",
    "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
)


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (429, error("RESOURCE_EXHAUSTED", SPENT, limits(MINUTE)), "rate_limited"),
        (429, error("RESOURCE_EXHAUSTED", SPENT, limits(DAY)), "quota_exhausted"),
        (429, error("RESOURCE_EXHAUSTED", SPENT, limits(MINUTE, DAY)), "quota_exhausted"),
        (429, error("RESOURCE_EXHAUSTED", SPENT), "quota_exhausted"),
        (429, error("RESOURCE_EXHAUSTED", EXHAUSTED), "rate_limited"),
        (429, error("RESOURCE_EXHAUSTED", "Your prepayment credits are depleted."), "quota_exhausted"),
        (429, error("RESOURCE_EXHAUSTED", "The project reached its monthly spending cap."), "quota_exhausted"),
        (429, "Too Many Requests", "rate_limited"),
        (400, error("INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", BAD_KEY), "auth"),
        (400, error("INVALID_ARGUMENT", "API key expired. Please renew the API key."), "auth"),
        (403, error("PERMISSION_DENIED", "Your API key was reported as leaked."), "auth"),
        (403, "<html>Forbidden</html>", "auth"),
        (400, error("INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens"),
         "context_too_long"),
        (400, error("INVALID_ARGUMENT", "The input token count exceeds the maximum"), "context_too_long"),
        (400, error("INVALID_ARGUMENT", "Function call is missing a thought_signature"), "bad_request"),
        (400, error("FAILED_PRECONDITION", "User location is not supported for the API use."), "bad_request"),
        (404, error("NOT_FOUND", "models/gemini-1.0 is not found for API version v1beta"), "bad_request"),
        (404, "<html>nothing here</html>", "bad_request"),
        (302, "", "bad_request"),
        (499, error("CANCELLED", "The operation was cancelled."), "bad_request"),
        (504, error("DEADLINE_EXCEEDED", "Deadline expired before operation could complete."), "timeout"),
        (502, "<html>Bad Gateway</html>", "overloaded"),
        (500, [error("INTERNAL", "An internal error has occurred.")], "overloaded"),
    ],
)  # fmt: skip
def test_an_answer_means_one_error(monkeypatch: Any, status: int, body: Any, code: ErrorCode) -> None:
    (heard,), _seen = talk(monkeypatch, refusing(status, body), PLAIN)

    assert heard.error is not None
    assert (heard.error.code, heard.events) == (code, [])
    assert "RESOURCE_EXHAUSTED" not in str(heard.error.message), "people are told in words"


@pytest.mark.parametrize(
    ("details", "header", "seconds"),
    [
        ((), (), None),
        ((wait("7s"),), (), 7.0),
        ((wait("7.25s"),), (), 7.25),
        ((wait("soon"),), (), None),
        ((wait("7s"),), (("retry-after", "3"),), 3.0),
    ],
)
def test_how_long_to_wait_is_read_from_the_header_or_the_body(
    monkeypatch: Any, details: Any, header: Any, seconds: float | None
) -> None:
    (heard,), _seen = talk(
        monkeypatch, refusing(429, error("RESOURCE_EXHAUSTED", EXHAUSTED, *details), *header), PLAIN
    )
    assert heard.error is not None and heard.error.retry_after == seconds


@pytest.mark.parametrize("known", [KEY, "a-key-of-a-proxy"])
def test_a_key_never_stands_in_an_error(monkeypatch: Any, known: str) -> None:
    """A server may answer with the very key it was sent (T61)."""
    told = error("INVALID_ARGUMENT", f"API key {known} not valid for key={known}")
    for answer in (refusing(400, told), stream_of(said({"text": "a"}), told)):
        (heard,), _seen = talk(monkeypatch, answer, PLAIN, key=known)
        assert heard.error is not None and heard.error.detail
        assert known not in heard.error.detail + str(heard.error.message)


def test_a_key_that_no_header_can_hold_is_a_wrong_key(monkeypatch: Any) -> None:
    refused = Account("gemini", "http://127.0.0.1:9", "schlüssel", trusted=True)
    heard = ask_as(monkeypatch, refused, PLAIN)
    assert heard.error is not None and heard.error.code == "auth"


def test_a_server_that_is_not_there_is_a_network_error(monkeypatch: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    heard = ask_as(monkeypatch, Account("gemini", f"http://127.0.0.1:{port}", "", trusted=True), PLAIN)
    assert heard.error is not None and heard.error.code == "network"


def test_a_tenants_credential_does_not_reach_a_private_address(monkeypatch: Any) -> None:
    """The SDK's requests pass the same guard as tools' do (T52)."""
    private = Account("gemini", "http://127.0.0.1:9", "", trusted=False)
    heard = ask_as(monkeypatch, private, PLAIN)
    assert heard.error is not None and heard.error.code == "bad_request"
    assert "EgressRefused" not in heard.error.detail


def test_a_model_name_that_no_address_can_hold_is_refused(monkeypatch: Any) -> None:
    nowhere = Account("gemini", "http://127.0.0.1:9", "", trusted=True)
    heard = ask_as(monkeypatch, nowhere, replace(PLAIN, model="../files?x="))
    assert heard.error is not None and heard.error.code == "bad_request"


def test_silence_before_the_first_byte_is_a_timeout(monkeypatch: Any) -> None:
    (heard,), _seen = talk(monkeypatch, Wire(200, SSE, (), "stall"), PLAIN)
    assert heard.error is not None and heard.error.code == "timeout"


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"code": 429, "status": "RESOURCE_EXHAUSTED", "message": EXHAUSTED}, "rate_limited"),
        ({"code": 500, "status": "INTERNAL"}, "overloaded"),
        ({"status": "PERMISSION_DENIED"}, "auth"),
        ("something went wrong", "overloaded"),
        (None, "overloaded"),
    ],
)
def test_an_error_object_in_a_stream_means_the_same(told: Any, code: ErrorCode) -> None:
    assert told_in_stream(told).code == code


@pytest.mark.parametrize(
    "body", [None, [], {}, {"error": "no"}, {"error": None}, 7, [[]], {"error": {"details": 3}}]
)
def test_an_error_of_any_form_is_still_an_error(body: Any) -> None:
    assert answered(400, body).code == "bad_request"
