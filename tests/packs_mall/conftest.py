"""A mall for each test, and people who call it: Bob shops, Carol shops too, Charlie belongs to another tenant."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.testclient import TestClient

from tools.packs.mall.backend.app import create_app
from tools.packs.mall.backend.settings import Settings

ORIGIN = "http://127.0.0.1:8801"
ADMIN_KEY = "test-admin-key"
PEGASUS = "nike-air-zoom-pegasus"


class Platform:
    """Signs tokens as the platform does."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "keys.json"
        self.private: dict[str, Ed25519PrivateKey] = {}
        self.add_key("k1")

    def add_key(self, key_id: str) -> None:
        self.private[key_id] = Ed25519PrivateKey.generate()
        algorithm = jwt.algorithms.OKPAlgorithm
        rows = [
            json.loads(algorithm.to_jwk(key.public_key())) | {"kid": k} for k, key in self.private.items()
        ]
        self.file.write_text(json.dumps({"keys": rows}))

    def claims(self, user: str = "bob", **changes: Any) -> dict[str, Any]:
        now = int(time.time())
        claims = {
            "iss": "sluice",
            "aud": ORIGIN,
            "sub": user,
            "tenant": "mall",
            "call": f"call-{uuid4()}",
            "email": f"{user}@mall.test",
            "name": user.title(),
            "iat": now,
            "exp": now + 60,
            "jti": str(uuid4()),
        }
        return claims | changes

    def token(self, user: str = "bob", *, key: str = "k1", **changes: Any) -> str:
        return jwt.encode(self.claims(user, **changes), self.private[key], "EdDSA", headers={"kid": key})


class Person:
    """Somebody who calls the mall through the platform."""

    def __init__(self, http: TestClient, platform: Platform, user: str) -> None:
        self.http, self.platform, self.user = http, platform, user

    def get(self, path: str, **query: Any) -> Any:
        return self.http.get(path, params=query, headers={"X-Acting-User": self.platform.token(self.user)})

    def post(self, path: str, body: dict[str, Any] | None = None, *, key: str | None = None) -> Any:
        return self.http.post(path, json=body or {}, headers=self._headers(key))

    def delete(self, path: str, *, key: str | None = None) -> Any:
        return self.http.delete(path, headers=self._headers(key))

    def fill_cart(self, product: str = PEGASUS, size: str | None = "size_42", quantity: int = 1) -> str:
        """A cart with one line in it; gives its id."""
        body = {"product_id": product, "quantity": quantity} | ({"sku_id": size} if size else {})
        answer = self.post("/api/cart/add", body)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["cart_id"])

    def order(self, **line: Any) -> dict[str, Any]:
        answer = self.post("/api/orders", {"cart_id": self.fill_cart(**line)})
        assert answer.status_code == 200, answer.text
        order: dict[str, Any] = answer.json()
        return order

    def _headers(self, key: str | None) -> dict[str, str]:
        headers = {"X-Acting-User": self.platform.token(self.user)}
        return headers | ({"Idempotency-Key": key} if key else {})


class Shopkeeper:
    """Somebody with the admin key."""

    def __init__(self, http: TestClient) -> None:
        self.http = http
        self.headers = {"X-Admin-Key": ADMIN_KEY}

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.http.post(f"/admin/{path}", json=body, headers=self.headers)
        assert answer.status_code == 200, answer.text
        result: dict[str, Any] = answer.json()
        return result

    def effects(self, after: int = 0) -> list[dict[str, Any]]:
        answer = self.http.get("/admin/effects", params={"after": after}, headers=self.headers)
        rows: list[dict[str, Any]] = answer.json()["effects"]
        return rows

    def requests(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.http.get("/admin/requests", headers=self.headers).json()["requests"]
        return rows


@pytest.fixture
def platform(tmp_path: Path) -> Platform:
    return Platform(tmp_path)


def settings_in(folder: Path, platform: Platform) -> Settings:
    return Settings(
        database=folder / "mall.sqlite3",
        keys=str(platform.file),
        origins=frozenset({ORIGIN}),
        admin_key=ADMIN_KEY,
    )


@pytest.fixture
def mall_settings(tmp_path: Path, platform: Platform) -> Settings:
    return settings_in(tmp_path, platform)


@pytest.fixture
def http(mall_settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(mall_settings), base_url=ORIGIN) as client:
        yield client


@pytest.fixture(scope="session")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Somebody who only looks, in one mall for all tests."""
    folder = tmp_path_factory.mktemp("mall")
    platform = Platform(folder)
    with TestClient(create_app(settings_in(folder, platform)), base_url=ORIGIN) as client:
        yield Person(client, platform, "guest")


@pytest.fixture
def bob(http: TestClient, platform: Platform) -> Person:
    return Person(http, platform, "bob")


@pytest.fixture
def carol(http: TestClient, platform: Platform) -> Person:
    return Person(http, platform, "carol")


@pytest.fixture
def keeper(http: TestClient) -> Shopkeeper:
    return Shopkeeper(http)
