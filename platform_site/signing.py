"""The acting user's token: tells a tool's backend, in a way it can check, for whom and for which call it is asked.

A JWT signed with Ed25519; the key is made once and lies in `DATA_DIR/keys`, its public half is published as a JWKS.
It opens nothing here: our own API takes sessions and API tokens only, and `aud` names one backend.
"""

from __future__ import annotations

import base64
import hashlib
import time
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)  # fmt: skip

from platform_site.ids import new_id
from platform_site.models import Tenant, User
from platform_site.secrets import made_once

ISSUER = "sluice"
LIFETIME_S = 60
ALGORITHM = "EdDSA"


def acting_user_token(user: User, tenant: Tenant, *, call: str, audience: str) -> str:
    """A token for one request to `audience` (the backend's origin) on behalf of `user`."""
    now = int(time.time())
    claims = {
        "iss": ISSUER, "aud": audience, "sub": user.pk, "tenant": tenant.slug, "call": call,
        "email": user.email, "name": user.name, "iat": now, "exp": now + LIFETIME_S, "jti": new_id(),
    }  # fmt: skip
    return jwt.encode(claims, _key(), algorithm=ALGORITHM, headers={"kid": _key_id()})


def signed(kind: str, claims: dict[str, Any]) -> str:
    """A statement of ours that anybody can check with the published key. `kind` is its `typ`: no kind passes for
    another, and without an audience none passes for an acting user's token."""
    return jwt.encode(
        {"iss": ISSUER, **claims}, _key(), algorithm=ALGORITHM, headers={"kid": _key_id(), "typ": kind}
    )


def opened(kind: str, token: str) -> dict[str, Any]:
    """What a statement of this kind says. Raises `jwt.InvalidTokenError` when we did not make it."""
    if jwt.get_unverified_header(token).get("typ") != kind:
        raise jwt.InvalidTokenError("of another kind")
    claims: dict[str, Any] = jwt.decode(token, _key().public_key(), algorithms=[ALGORITHM], issuer=ISSUER)
    return claims


def jwks() -> dict[str, Any]:
    """The public keys, as served at `/.well-known/jwks.json`."""
    public = {"kty": "OKP", "crv": "Ed25519", "x": _public()}
    return {"keys": [{**public, "kid": _key_id(), "use": "sig", "alg": ALGORITHM}]}


@cache
def _key() -> Ed25519PrivateKey:
    key = load_pem_private_key(made_once("acting-user.pem", _new_key), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise TypeError("keys/acting-user.pem is not an Ed25519 key")
    return key


def _new_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _public() -> str:
    return _b64(_key().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def _key_id() -> str:
    """The key's thumbprint (RFC 7638)."""
    text = f'{{"crv":"Ed25519","kty":"OKP","x":"{_public()}"}}'
    return _b64(hashlib.sha256(text.encode()).digest())


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
