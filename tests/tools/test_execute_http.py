"""A call carried out by a backend over HTTP: what is sent, what is understood, and what may be repeated."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import jwt
import pytest

from platform_site.db import db
from platform_site.models import Credential, Tenant
from platform_site.secrets import context_of, seal
from platform_site.signing import jwks
from platform_site.tenancy import acting_for
from tests.tools.backend import (
    CALL,
    Say,
    answer,
    backend,
    carry_out,
    exactly,
    execute,
    hang_up,
    silence,
    tool,
)
from tools.outcome import Failed, Outcome, Succeeded, Unknown

OK = answer({"done": True})


def test_arguments_go_to_their_places() -> None:
    outcome, served = carry_out(OK, arguments={"id": "a/b ?", "size": 42, "gift": True}, path="/orders/{id}")
    assert isinstance(outcome, Succeeded)
    (seen,) = served.seen
    assert (seen.method, seen.target) == ("POST", "/orders/a%2Fb%20%3F")
    assert json.loads(seen.body) == {"size": 42, "gift": True}


def test_get_and_delete_send_a_query() -> None:
    given = {"q": "红 & blue", "brands": ["a", "b"], "max": 3.0, "none": None, "sale": False}
    _, served = carry_out(OK, arguments=given, method="GET")
    expected = "/do?q=%E7%BA%A2+%26+blue&brands=a&brands=b&max=3&sale=false"
    assert (served.seen[0].target, served.seen[0].body) == (expected, b"")


def test_the_call_and_the_acting_user_travel_along() -> None:
    _, served = carry_out(OK, headers={"X-Shop": "1"})
    headers = served.seen[0].headers
    assert (headers["idempotency-key"], headers["x-shop"]) == (CALL, "1")
    key = jwt.PyJWK(jwks()["keys"][0])
    claims = jwt.decode(
        headers["x-acting-user"], key, algorithms=["EdDSA"], audience=served.origin, issuer="sluice"
    )
    told = {name: claims[name] for name in ("sub", "tenant", "call", "email", "name")}
    assert told == {"sub": "u" * 32, "tenant": "acme", "call": CALL, "email": "bob@acme.test", "name": "Bob"}
    assert claims["exp"] - claims["iat"] == 60


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"id": ".."}, "/users/{id}/orders"),
        ({"id": "."}, "/users/{id}"),
        ({"id": ""}, "/users/{id}"),
        ({"id": ["a"]}, "/users/{id}"),
        ({"a": ".", "b": "."}, "/users/{a}{b}/x"),
        ({}, "/users/{id}"),
    ],
)
def test_an_argument_cannot_leave_its_place_in_the_url(arguments: dict[str, Any], path: str) -> None:
    """T53."""
    outcome, served = carry_out(OK, arguments=arguments, path=path)
    assert isinstance(outcome, Failed)
    assert outcome.code == "bad_argument"
    assert served.connections == 0


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        ("../admin", "..%2Fadmin"),
        ("?x=1", "%3Fx%3D1"),
        ("%2e%2e", "%252e%252e"),
        ("a#b", "a%23b"),
        ("a\r\nX-Evil: 1", "a%0D%0AX-Evil%3A%201"),
        ("@evil.test", "%40evil.test"),
        ("\\evil", "%5Cevil"),
    ],
)
def test_what_it_holds_is_encoded(value: str, sent: str) -> None:
    """T53."""
    _, served = carry_out(OK, arguments={"id": value}, path="/users/{id}/x")
    assert served.seen[0].target == f"/users/{sent}/x"
    assert "x-evil" not in served.seen[0].headers


def test_a_business_error_reaches_the_model() -> None:
    """M6: code, message, suggestions, and whatever else the backend says (a new price)."""
    error = {
        "code": "price_changed",
        "message": "Now 459.",
        "suggestions": ["Ask again"],
        "details": {"price": 459},
    }
    outcome, _ = carry_out(answer({"error": error}, "409 Conflict"))
    assert outcome == Failed("price_changed", "Now 459.", ["Ask again"], {"price": 459})


@pytest.mark.parametrize(
    ("say", "code"),
    [
        (answer({"detail": "no"}, "404 Not Found"), "http_404"),
        (answer(b"<h1>no</h1>", "403 Forbidden"), "http_403"),
        (answer(b"<html>login</html>"), "bad_answer"),
        (answer(b'{"a": 1, "a": 2}'), "bad_answer"),
        (answer(b"NaN"), "bad_answer"),
        (answer(b"\xff\xfe"), "bad_answer"),
        (answer({"error": {"message": 3}}, "400 Bad Request"), "http_400"),
        (answer(b"<pre>Traceback /srv/app.py</pre>", "503 Service Unavailable"), "backend_error"),
        (answer({}, "304 Not Modified"), "bad_answer"),
    ],
)
def test_an_answer_that_is_none_is_a_clear_failure(say: Say, code: str) -> None:
    outcome, served = carry_out(say)
    assert isinstance(outcome, Failed)
    assert outcome.code == code
    assert "/srv" not in outcome.message and "<" not in outcome.message
    assert len(served.seen) == 1, "an answer is never asked for twice"


@pytest.mark.parametrize("status", ["500 Internal Server Error", "502 Bad Gateway", "504 Gateway Timeout"])
def test_a_write_whose_backend_fell_over_has_an_unknown_outcome(status: str) -> None:
    """Rule 6: nobody knows what it did before; unless it says so itself."""
    outcome, _ = carry_out(answer(b"<pre>Traceback /srv/app.py</pre>", status))
    assert isinstance(outcome, Unknown)
    assert "/srv" not in str(outcome.reason)
    told, _ = carry_out(answer({"error": {"code": "no_stock", "message": "None left."}}, status))
    assert isinstance(told, Failed)
    read, _ = carry_out(answer(b"oops", status), read_only=True)
    assert isinstance(read, Failed)


@pytest.mark.parametrize(
    "say", [hang_up, exactly(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), exactly(b"nonsense\r\n\r\n")]
)
def test_a_write_whose_answer_is_lost_has_an_unknown_outcome(say: Say) -> None:
    """T74: it is not repeated."""
    outcome, served = carry_out(say)
    assert isinstance(outcome, Unknown)
    assert len(served.seen) == 1


def test_a_slow_write_is_unknown_within_its_time() -> None:
    began = time.monotonic()
    outcome, served = carry_out(silence, timeout_s=0.2)
    assert isinstance(outcome, Unknown)
    assert (len(served.seen), time.monotonic() - began < 2) == (1, True)


@pytest.mark.parametrize("more", [{"idempotent": True}, {"read_only": True}])
def test_what_may_be_repeated_is_repeated_once_under_the_same_key(more: dict[str, bool]) -> None:
    """T74, M6."""
    outcome, served = carry_out(hang_up, OK, **more)
    assert isinstance(outcome, Succeeded)
    assert [seen.headers["idempotency-key"] for seen in served.seen] == [CALL, CALL]


def test_an_idempotent_write_lost_twice_is_unknown() -> None:
    outcome, served = carry_out(hang_up, idempotent=True)
    assert isinstance(outcome, Unknown)
    assert len(served.seen) == 2


def test_a_read_lost_twice_degrades() -> None:
    """M6: the model is told to go on without it."""
    outcome, served = carry_out(silence, read_only=True, timeout_s=0.1)
    assert isinstance(outcome, Failed)
    assert (outcome.code, len(outcome.suggestions), len(served.seen)) == ("timeout", 1, 2)


def test_a_backend_that_is_down_has_done_nothing() -> None:
    async def scenario() -> object:
        async with backend(OK) as served:
            port = served.port
        return await execute(tool(f"http://127.0.0.1:{port}/x"), {}, (f"127.0.0.1:{port}",))

    down = asyncio.run(scenario())
    assert isinstance(down, Failed)
    assert down.code == "unreachable"
    assert "Nothing was changed" in down.message


def test_an_answer_directs_the_client_and_the_model_does_not_see_it() -> None:
    """M8."""
    ui = [
        {"kind": "suggestions", "options": ["Yes"]},
        {"kind": "script", "src": "x"},
        {"kind": "cart", "lines": 3},
    ]
    outcome, _ = carry_out(answer({"done": True, "ui": ui, "final": True}))
    assert isinstance(outcome, Succeeded)
    assert (outcome.content, outcome.final, list(outcome.ui)) == ('{"done": true}', True, ui[:1])
    assert [flag["path"] for flag in outcome.flags] == ["$.ui[1]", "$.ui[2]"]


def test_an_untrusted_tool_directs_nothing() -> None:
    ui = [{"kind": "suggestions", "options": ["Yes"]}]
    outcome, _ = carry_out(answer({"a": 1, "ui": ui, "final": True}), untrusted=True)
    assert isinstance(outcome, Succeeded)
    assert (outcome.content, list(outcome.ui), outcome.final) == ('{"a": 1}', [], False)


def test_a_long_answer_is_cut_for_the_model() -> None:
    outcome, _ = carry_out(answer({"text": "x" * 100_000}))
    assert isinstance(outcome, Succeeded)
    assert len(outcome.content) < 33_000
    assert outcome.flags[0]["name"] == "answer_cut"


@pytest.mark.django_db(transaction=True)
def test_a_credential_goes_to_its_own_server_only(tenant: Tenant) -> None:
    """T61: and it shows nowhere else."""
    with acting_for(tenant):
        credential = Credential(slug="shop", provider="http")
        credential.sealed = seal("canary-key", context_of(credential))
        credential.save()
        unbound, _ = carry_out(OK, credential="shop")
        outcome, key = asyncio.run(_at_its_own_server())
        assert key == "Bearer canary-key"
        Credential.objects.update(base_url="https://elsewhere.test")
        refused, served = carry_out(OK, credential="shop")
    assert isinstance(unbound, Failed)
    assert unbound.code == "no_credential"
    assert isinstance(refused, Failed)
    assert (refused.code, served.connections) == ("no_credential", 0)
    assert "canary" not in repr(outcome) + repr(refused)


async def _at_its_own_server() -> tuple[Outcome, str]:
    """What a server is sent that the credential names."""
    async with backend(OK) as served:
        await db(Credential.objects.update, base_url=served.origin)
        outcome = await execute(
            tool(served.origin + "/do", credential="shop"), None, (f"127.0.0.1:{served.port}",)
        )
        return outcome, served.seen[0].headers["authorization"]
