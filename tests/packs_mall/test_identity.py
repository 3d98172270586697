"""Who may call: tokens that are missing, old, forged, made out to somebody else, or for a tenant not served."""

import json
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.testclient import TestClient

from tools.packs.mall.backend.app import create_app
from tools.packs.mall.backend.identity import KeySet
from tools.packs.mall.backend.settings import Settings, origins_of

from .conftest import ADMIN_KEY, ORIGIN, Person, Platform

SEARCH = "/api/products/search?keyword=nike"


def ask(http: TestClient, token: str | None, path: str = SEARCH) -> tuple[int, str]:
    answer = http.get(path, headers={"X-Acting-User": token.encode()} if token else {})
    return answer.status_code, answer.json().get("error", {}).get("code", "")


def test_a_good_token(guest: Person) -> None:
    assert ask(guest.http, guest.platform.token()) == (200, "")


def test_no_call_works_without_a_token(guest: Person) -> None:
    for path in (SEARCH, "/api/account", "/api/orders", "/api/navigation/area?area_name=Home", "/api/cart/x"):
        assert ask(guest.http, None, path) == (401, "unauthorized")
    assert (
        guest.http.post("/api/cart/add", json={"product_id": "lego-classic-box", "quantity": 1}).status_code
        == 401
    )
    assert guest.http.delete("/api/account").status_code == 401


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": -60, "iat": -120},
        {"exp": 3_600},
        {"iat": 300, "exp": 360},
        {"aud": "http://127.0.0.1:9999"},
        {"aud": "http://evil.test"},
        {"iss": "somebody"},
        {"sub": ""},
        {"sub": 7},
        {"tenant": None},
        {"call": "x" * 201},
        {"jti": None},
    ],
)
def test_claims_that_are_not_right(guest: Person, changes: dict[str, Any]) -> None:
    """Times are seconds from now."""
    now = int(time.time())
    claims = {name: now + value if name in ("iat", "exp") else value for name, value in changes.items()}
    assert ask(guest.http, guest.platform.token(**claims)) == (401, "unauthorized")


def test_each_claim_is_needed(guest: Person) -> None:
    for missing in ("iss", "aud", "sub", "tenant", "call", "iat", "exp", "jti"):
        claims = guest.platform.claims()
        del claims[missing]
        token = jwt.encode(claims, guest.platform.private["k1"], "EdDSA", headers={"kid": "k1"})
        assert ask(guest.http, token) == (401, "unauthorized"), missing


def test_another_tenant_is_forbidden(guest: Person) -> None:
    assert ask(guest.http, guest.platform.token("charlie", tenant="desk")) == (403, "forbidden")


def test_forged_tokens(guest: Person) -> None:
    stranger = Ed25519PrivateKey.generate()
    forged = jwt.encode(guest.platform.claims(), stranger, "EdDSA", headers={"kid": "k1"})
    unsigned = jwt.encode(guest.platform.claims(), None, "none", headers={"kid": "k1"})
    public = guest.platform.private["k1"].public_key().public_bytes_raw()
    confused = jwt.encode(guest.platform.claims(), public, "HS256", headers={"kid": "k1"})
    head, body, signature = guest.platform.token().split(".")
    other = jwt.encode(guest.platform.claims("carol"), stranger, "EdDSA").split(".")[1]
    for token in (
        forged,
        unsigned,
        confused,
        f"{head}.{other}.{signature}",
        f"{head}.{body}.",
        "x",
        "a.b.c",
        "é",
        "é.é.é",
        "é",
    ):
        assert ask(guest.http, token)[0] == 401, token


def test_a_token_for_another_service_is_not_taken_by_naming_its_host(guest: Person) -> None:
    headers = {"X-Acting-User": guest.platform.token(aud="http://other.test"), "Host": "other.test"}
    assert guest.http.get(SEARCH, headers=headers).status_code == 401


def test_the_operator_may_name_a_further_audience(mall_settings: Settings, platform: Platform) -> None:
    app = create_app(replace(mall_settings, audiences=frozenset({"https://mall.example"})))
    with TestClient(app, base_url="http://10.0.0.7") as http:
        assert ask(http, platform.token(aud="https://mall.example")) == (200, "")
        assert ask(http, platform.token(aud="http://10.0.0.7")) == (401, "unauthorized")


def test_bound_to_every_address_the_host_called_counts(mall_settings: Settings, platform: Platform) -> None:
    assert origins_of("0.0.0.0", 8801) is None
    assert ORIGIN in (origins_of("127.0.0.1", 8801) or set())
    assert origins_of("::1", 1) == origins_of("127.0.0.1", 1)
    with TestClient(
        create_app(replace(mall_settings, origins=None)), base_url="http://shop.lan:8801"
    ) as http:
        assert ask(http, platform.token(aud="http://shop.lan:8801")) == (200, "")
        assert ask(http, platform.token()) == (401, "unauthorized")


def test_a_new_key_is_learnt_when_it_is_first_used(http: TestClient, platform: Platform) -> None:
    assert ask(http, platform.token()) == (200, "")
    platform.add_key("k2")
    assert ask(http, platform.token(key="k2")) == (200, "")
    assert ask(http, platform.token()) == (200, "")


def test_keys_from_an_address_are_read_again_at_most_once_a_second(platform: Platform) -> None:
    asked: list[str] = []

    class Keys(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(platform.file.read_bytes())

        def log_message(self, format: str, *arguments: object) -> None:
            """Quiet."""

    with HTTPServer(("127.0.0.1", 0), Keys) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        keys = KeySet(f"http://127.0.0.1:{server.server_port}/keys.json")
        assert keys.find("k1") is not None
        assert [keys.find("made-up") for _ in range(20)] == [None] * 20
        server.shutdown()
    assert asked == ["/keys.json"]


def test_a_key_file_that_is_broken_or_missing_lets_nobody_in(
    mall_settings: Settings, platform: Platform
) -> None:
    for text in (
        None,
        "not json",
        "[]",
        json.dumps({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k1"}]}),
    ):
        platform.file.unlink(missing_ok=True)
        if text is not None:
            platform.file.write_text(text)
        with TestClient(create_app(mall_settings), base_url=ORIGIN) as http:
            assert ask(http, platform.token()) == (401, "unauthorized"), text


def test_the_acting_user_is_noted(bob: Person, http: TestClient) -> None:
    bob.post("/api/cart/add", {"product_id": "lego-classic-box", "quantity": 1}, key="k-1")
    http.get(SEARCH)
    known, unknown = http.get("/admin/requests", headers={"X-Admin-Key": ADMIN_KEY}).json()["requests"]
    assert (known["user"], known["idempotency_key"], known["path"]) == ("bob", "k-1", "/api/cart/add")
    assert (known["method"], unknown["user"], unknown["query"]) == ("POST", None, "keyword=nike")


def test_admin_calls_need_the_key(http: TestClient, mall_settings: Settings, tmp_path: Path) -> None:
    for path in ("/admin/effects", "/admin/requests"):
        assert http.get(path).status_code == 403
        assert http.get(path, headers={"X-Admin-Key": "wrong"}).status_code == 403
    assert http.post("/admin/fault", json={"mode": "down"}).status_code == 403
    assert http.post("/admin/price", json={}).status_code == 403
    with TestClient(create_app(replace(mall_settings, admin_key=None))) as closed:
        assert closed.get("/admin/effects", headers={"X-Admin-Key": ""}).status_code == 403
        assert closed.get("/healthz").json() == {"status": "ok"}
