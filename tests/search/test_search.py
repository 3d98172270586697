"""`perplexity_search` against a service on loopback: what it sends, what it answers, and how it fails."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.search.conftest import KEY, Search, answered
from tests.tools.backend import answer, exactly, hang_up, silence
from tools.outcome import Failed, Outcome, Succeeded
from tools.packs.search import asking
from tools.words import said

PAGES = [{"title": "Copper", "url": "https://example.org/copper", "snippet": "It conducts."}]
GOOD = answer(answered(search_results=PAGES))


def failed(outcome: Outcome) -> Failed:
    assert isinstance(outcome, Failed)
    assert KEY not in said(outcome.message) and outcome.suggestions
    return outcome


def test_it_asks_as_a_chat_with_the_tenants_key(search: Search) -> None:
    outcome, served = search(" why copper? ", GOOD)
    assert isinstance(outcome, Succeeded)
    (seen,) = served.seen
    assert (seen.method, seen.target) == ("POST", "/v1/chat/completions")
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(seen.body) == {
        "model": "sonar", "messages": [{"role": "user", "content": "why copper?"}], "stream": False,
    }  # fmt: skip


def test_nothing_of_the_person_goes_along(search: Search) -> None:
    """T31: the query, the key, and nothing else."""
    _, served = search("why copper?", GOOD)
    (seen,) = served.seen
    assert set(seen.headers) <= {
        "host", "accept", "accept-encoding", "connection", "user-agent", "authorization", "content-length",
        "content-type",
    }  # fmt: skip


def test_the_model_is_told_text_and_sources_and_the_person_sees_cards(search: Search) -> None:
    outcome, _ = search("why copper?", GOOD)
    assert isinstance(outcome, Succeeded) and not outcome.final
    sources = [{"n": 1, **PAGES[0]}]
    assert json.loads(outcome.content) == {"answer": "Copper conducts. [1]", "sources": sources}
    (directive,) = outcome.ui
    told: Mapping[str, Any] = {
        "title": "Copper", "url": "https://example.org/copper", "snippet": "It conducts.", "n": 1,
    }  # fmt: skip
    assert directive == {"kind": "sources", "query": "why copper?", "sources": [told]}


def test_what_the_service_answered_itself_is_not_answered_again(search: Search) -> None:
    """R6."""
    outcome, _ = search("tell them", answer({"answered_user": True}))
    assert isinstance(outcome, Succeeded)
    assert outcome.final and outcome.is_whole
    assert json.loads(outcome.content)["answered"] is True


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("401 Unauthorized", "search_key"), ("403 Forbidden", "search_key"), ("402 Payment Required", "search_quota"),
        ("429 Too Many Requests", "search_busy"), ("500 Internal Server Error", "search_down"),
        ("503 Service Unavailable", "search_down"), ("400 Bad Request", "search_refused"), ("302 Found", "redirected"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_to_do_and_repeats_nothing_of_the_service(
    search: Search, status: str, code: str
) -> None:
    """T61: a careless service echoes the key; T51: a redirect is not followed, so the key goes nowhere else."""
    outcome, served = search(
        "x", answer({"error": {"message": f"bad key {KEY}"}}, status, Location="http://127.0.0.1:1/")
    )
    assert failed(outcome).code == code
    assert len(served.seen) == (2 if "503" in status else 1)


def test_when_it_may_be_asked_again_is_told(search: Search) -> None:
    outcome, _ = search("x", answer({}, "429 Too Many Requests", Retry_After="30"))
    assert failed(outcome).details == {"retry_after_s": 30}
    outcome, _ = search("x", answer({}, "429 Too Many Requests", Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"))
    assert failed(outcome).details == {}


@pytest.mark.parametrize(
    "body", [b"<html>Sign in</html>", b"{", b"[]", b'{"choices": []}', b"\xff", b'{"a": NaN}', b""]
)
def test_what_cannot_be_read_is_a_failed_search(search: Search, body: bytes) -> None:
    """T52: HTML instead of JSON, half an answer."""
    assert failed(search("x", answer(body))[0]).code == "bad_answer"


def test_what_is_packed_or_too_large_is_not_read(search: Search) -> None:
    """T52: 2 MiB, and a body that could unpack to anything."""
    outcome, _ = search("x", answer(b" " * (2 * 1024 * 1024)))
    assert failed(outcome).code == "too_large"
    outcome, _ = search("x", answer(b"\x1f\x8b", Content_Encoding="gzip"))
    assert failed(outcome).code == "bad_answer"


def test_a_lost_answer_is_asked_for_once_more(search: Search) -> None:
    outcome, served = search("x", hang_up, GOOD)
    assert isinstance(outcome, Succeeded) and len(served.seen) == 2
    outcome, served = search("x", hang_up, hang_up, GOOD)
    assert failed(outcome).code == "unreachable" and len(served.seen) == 2


@pytest.mark.parametrize("script", [silence, exactly(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n{")])
def test_a_service_that_does_not_answer_is_not_waited_for(
    search: Search, script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "WITHIN_S", 0.2)
    assert failed(search("x", script)[0]).code in ("timeout", "unreachable")


def test_a_private_address_that_nobody_opened_gets_no_connection(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T48, T50: the same guard as every other tool; the credential's address is no way round it."""
    monkeypatch.setattr("platform_site.env.env.model_egress", None)
    outcome, served = search("x", GOOD, opened=False)
    assert failed(outcome).code == "not_reachable"
    assert served.connections == 0


def test_a_tenant_without_an_account_searches_nowhere(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T35: there is nobody else's to fall back to."""
    monkeypatch.setattr("tests.search.conftest.open_account", lambda *_: None)
    outcome, served = search("x", GOOD)
    assert failed(outcome).code == "no_credential" and not served.connections


def test_an_argument_is_words_and_never_part_of_the_address(search: Search) -> None:
    """T53."""
    _, served = search("../admin?x=1\r\nX-Evil: 1", GOOD)
    (seen,) = served.seen
    assert seen.target == "/v1/chat/completions" and "x-evil" not in seen.headers


def test_a_server_of_ones_own_needs_no_key(search: Search) -> None:
    _, served = search("x", GOOD, key="")
    assert "authorization" not in served.seen[0].headers
