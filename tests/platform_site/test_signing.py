"""The acting user's token: a backend can check it with the published key, and only the one it is for."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest

from platform_site import signing
from platform_site.models import Tenant, User
from platform_site.signing import acting_user_token, jwks

BACKEND = "http://127.0.0.1:8001"


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, settings: Any) -> Iterator[Path]:
    settings.DATA_DIR = tmp_path
    signing._key.cache_clear()
    yield tmp_path / "keys"
    signing._key.cache_clear()


def token() -> str:
    user = User(id="u1", email="bob@acme.test", name="Bob")
    return acting_user_token(user, Tenant(slug="acme"), call="c1", audience=BACKEND)


def read(raw: str, audience: str = BACKEND) -> dict[str, Any]:
    (published,) = jwks()["keys"]
    assert jwt.get_unverified_header(raw)["kid"] == published["kid"]
    return jwt.decode(raw, jwt.PyJWK(published), algorithms=["EdDSA"], audience=audience, issuer="sluice")


def test_a_backend_reads_who_acts_and_for_which_call() -> None:
    claims = read(token())
    told = {name: claims[name] for name in ("sub", "tenant", "call", "email", "name", "aud")}
    assert told == {
        "sub": "u1", "tenant": "acme", "call": "c1", "email": "bob@acme.test", "name": "Bob", "aud": BACKEND,
    }  # fmt: skip
    assert claims["exp"] - claims["iat"] == 60


def test_no_two_tokens_are_the_same() -> None:
    assert read(token())["jti"] != read(token())["jti"]


def test_another_backend_does_not_take_it() -> None:
    with pytest.raises(jwt.InvalidAudienceError):
        read(token(), "http://127.0.0.1:9999")


def test_a_token_of_another_key_is_not_ours() -> None:
    raw = token()
    (published,) = jwks()["keys"]
    signing._key.cache_clear()
    other = jwt.encode({"aud": BACKEND, "iss": "sluice"}, signing._new_key(), algorithm="EdDSA")
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.decode(other, jwt.PyJWK(published), algorithms=["EdDSA"], audience=BACKEND)
    assert read(raw), "the key was kept in its file"


def test_the_published_key_is_public_and_the_file_is_not(keys: Path) -> None:
    (published,) = jwks()["keys"]
    assert set(published) == {"kty", "crv", "x", "kid", "use", "alg"}
    assert stat.S_IMODE((keys / "acting-user.pem").stat().st_mode) == 0o600
