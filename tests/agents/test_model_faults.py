"""What a provider's error means, in one code and one sentence, with no key in it (T24, T61, T76)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from agents.providers import faults


def told(status: int, body: Any, **headers: str) -> Any:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return faults.from_status(status, {name.replace("_", "-"): text for name, text in headers.items()}, raw)


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        (429, {"code": "rate_limit_exceeded", "message": "Rate limit reached"}, "rate_limited"),
        (429, {"type": "insufficient_quota", "message": "You exceeded your current quota"}, "quota_exhausted"),
        (429, {"code": "billing_hard_limit_reached", "message": "Hard limit"}, "quota_exhausted"),
        (402, {"message": "Insufficient Balance"}, "quota_exhausted"),
        (402, {"message": "More credits are needed"}, "quota_exhausted"),
        (401, {"code": "invalid_api_key", "message": "Incorrect API key"}, "auth"),
        (403, {"message": "Project has no access to the model"}, "auth"),
        (403, {"message": "Insufficient credits"}, "quota_exhausted"),
        (400, {"code": "content_filter", "message": "The response was filtered"}, "blocked"),
        (400, {"message": "Unknown parameter: 'strict'"}, "bad_request"),
        (422, {"message": "Extra inputs are not permitted"}, "bad_request"),
        (400, {"message": "Unknown argument context_length"}, "bad_request"),
        (408, {"message": "Request timeout"}, "timeout"),
        (504, {"message": "Upstream"}, "timeout"),
        (500, {"message": "The server had an error"}, "overloaded"),
        (502, {"message": "Bad gateway"}, "overloaded"),
        (503, {"message": "Rate limit on our side: too many requests in the queue"}, "overloaded"),
        (529, {"message": "Overloaded"}, "overloaded"),
        (413, {"message": "Payload too large"}, "context_too_long"),
    ],
)  # fmt: skip
def test_a_status_and_its_words_say_what_happened(status: int, error: dict[str, str], code: str) -> None:
    assert told(status, {"error": error}).code == code


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9021 tokens.",
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "the request exceeds the available context size. try increasing the context size",
        "exceed_context_size_error",
        "input length exceeds the context length",
        "The number of tokens to keep from the initial prompt is greater than the context length",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Request too large for gpt-x on tokens per min (TPM): Limit 10000, Requested 12000",
        "Prompt contains 70000 tokens, too large for model with 65536 maximum context length",
    ],
)
def test_many_servers_say_differently_that_a_conversation_is_too_long(words: str) -> None:
    for status in (400, 413, 429, 500):
        assert told(status, {"error": {"message": words}}).code == "context_too_long"
    assert faults.from_object({"message": words}).code == "context_too_long"


def test_where_nothing_lives_there_is_no_model_server() -> None:
    assert told(404, b"<h1>Not Found</h1>").message == "There is no model server at this address."
    assert told(302, b"").message == "There is no model server at this address."
    unknown = {"error": {"code": "model_not_found", "message": "The model `x` does not exist"}}
    for status in (404, 400):
        found = told(status, unknown)
        assert (found.code, found.message) == ("bad_request", "The model’s server does not know this model.")


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ({"message": "The server had an error", "type": "server_error", "code": None}, "overloaded"),
        ({"message": "Something odd"}, "overloaded"),
        ("Something odd", "overloaded"),
        ({"code": 429, "message": "Provider returned error"}, "rate_limited"),
        ({"code": "502", "message": "Provider returned error"}, "overloaded"),
        ({"code": "rate_limit_exceeded", "message": "slow down"}, "rate_limited"),
        ({"type": "invalid_request_error", "message": "Unsupported value"}, "bad_request"),
        ({"type": "authentication_error", "message": "no"}, "auth"),
        ({"error": {"error": {"code": "insufficient_quota", "message": "no"}}}, "quota_exhausted"),
    ],
)
def test_an_error_in_a_stream_is_read_by_its_words(found: Any, code: str) -> None:
    assert faults.from_object(found).code == code


def test_the_wait_a_server_asks_for_is_taken_from_its_header() -> None:
    assert faults.retry_after({"retry-after": "7"}) == 7
    assert faults.retry_after({"retry-after": "0.5"}) == 0.5
    assert faults.retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    in_a_minute = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 55 < (faults.retry_after({"retry-after": in_a_minute}) or 0) <= 60
    long_ago = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
    assert faults.retry_after({"retry-after": long_ago}) == 0
    assert faults.retry_after({"retry-after": "1e99"}) == faults.LONGEST_WAIT_S
    for nothing in ("", "soon", "nan"):
        assert faults.retry_after({"retry-after": nothing}) is None


def test_no_key_stands_in_what_admins_read_and_nothing_of_the_provider_in_what_people_read() -> None:
    """T24, T61."""
    words = (
        "Incorrect key sk-proj-abc123def456, header Bearer eyJhbGciOi.x.y, AIzaSyA1234567890, s3cret-of-ours"
    )
    found = faults.from_status(401, {}, json.dumps({"error": {"message": words}}).encode(), "s3cret-of-ours")
    assert found.detail == "401: Incorrect key …, header …, …, …"
    assert found.message == "The model’s server did not accept the key."
    assert len(told(500, b"x" * 100_000).detail) <= faults.LONGEST_DETAIL
