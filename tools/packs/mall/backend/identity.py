"""Who is acting: the signed token in `X-Acting-User`, checked against the platform's public keys.

The backend trusts nothing else about the caller. A token names the person, the tenant and the tool call, is
made out to this service (`aud`), and lives two minutes at most.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import jwt

from .errors import Refusal, forbidden, unauthorized
from .settings import Settings

ISSUER = "sluice"
LONGEST_LIFE = 120
CLOCK_SKEW = 5
LONGEST_TOKEN = 4_096
LARGEST_KEY_SET = 262_144
REQUIRED = ["iss", "aud", "sub", "tenant", "call", "iat", "exp", "jti"]


@dataclass(frozen=True)
class Acting:
    """The person on whose behalf the call is made."""

    tenant: str
    user: str
    call: str
    email: str
    name: str


class KeySet:
    """The platform's public keys, read again when a token names a key that is not known."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.remote = source.startswith(("http://", "https://"))
        self._keys: dict[str, jwt.PyJWK] = {}
        self._read_at = float("-inf")

    def find(self, key_id: str | None) -> jwt.PyJWK | None:
        """The key of that id; a token without an id is fine while there is only one key."""
        return self._known(key_id) or (self._read_again() and self._known(key_id)) or None

    def _known(self, key_id: str | None) -> jwt.PyJWK | None:
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id or "")

    def _read_again(self) -> bool:
        # Tokens with made-up key ids must not become a stream of requests to the platform.
        if self.remote and time.monotonic() - self._read_at < 1:
            return False
        try:
            self._keys = _parse(self._fetch())
        except (OSError, ValueError, jwt.PyJWTError):
            return False
        finally:
            self._read_at = time.monotonic()
        return True

    def _fetch(self) -> bytes:
        if not self.remote:
            return Path(self.source).read_bytes()
        # The platform is a neighbour: no proxy of the environment stands between.
        with build_opener(ProxyHandler({})).open(self.source, timeout=3) as answer:
            text: bytes = answer.read(LARGEST_KEY_SET)
            return text


def _parse(text: bytes) -> dict[str, jwt.PyJWK]:
    """The Ed25519 keys of a key set by their ids; keys of other kinds are left out."""
    data = json.loads(text)
    rows = data.get("keys") if isinstance(data, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("not a JSON Web Key Set")
    fitting = [row for row in rows if row.get("kty") == "OKP" and row.get("crv") == "Ed25519"]
    return {str(row.get("kid", "")): jwt.PyJWK(row, algorithm="EdDSA") for row in fitting}


def check_acting(token: str | None, origin: str, keys: KeySet, settings: Settings) -> Acting:
    """The person a token speaks for, or a refusal that says what is wrong with it."""
    if not token:
        raise unauthorized(
            "The header X-Acting-User is missing. Send the platform's signed token of the acting user."
        )
    claims = _verified(token, keys, _audiences(origin, settings))
    if claims["exp"] - claims["iat"] > LONGEST_LIFE + CLOCK_SKEW:
        raise unauthorized(
            f"The token lives longer than {LONGEST_LIFE} seconds. Make a fresh, short one for each call."
        )
    tenant, user, call = (_claim(claims, name) for name in ("tenant", "sub", "call"))
    if tenant not in settings.tenants:
        raise forbidden(f"This service does not serve the tenant {tenant!r}.")
    return Acting(tenant, user, call, str(claims.get("email") or ""), str(claims.get("name") or ""))


def _audiences(origin: str, settings: Settings) -> set[str]:
    """What `aud` may say: the origin the request came to, if it is ours, and what the operator named."""
    ours = settings.origins is None or origin in settings.origins
    return set(settings.audiences) | ({origin} if ours else set())


def _verified(token: str, keys: KeySet, audiences: set[str]) -> dict[str, Any]:
    try:
        if len(token) > LONGEST_TOKEN:
            raise unauthorized("The token is too long.")
        key = keys.find(jwt.get_unverified_header(token).get("kid"))
        if key is None:
            raise unauthorized("The token was signed with a key that this service does not know.")
        return jwt.decode(
            token,
            key,
            algorithms=["EdDSA"],
            audience=audiences,
            issuer=ISSUER,
            leeway=CLOCK_SKEW,
            options={"require": REQUIRED},
        )
    except jwt.PyJWTError as error:
        raise _why(error) from error


def _why(error: jwt.PyJWTError) -> Refusal:
    match error:
        case jwt.ExpiredSignatureError():
            return unauthorized("The token has expired. Make a fresh one for each call.")
        case jwt.InvalidAudienceError():
            return unauthorized(
                "The token is made out to another service; its aud must be the origin called."
            )
        case jwt.MissingRequiredClaimError():
            return unauthorized(f"The token lacks the claim {error.claim}.")
        case jwt.InvalidSignatureError():
            return unauthorized("The token's signature is not right.")
        case _:
            return unauthorized("The token is not valid.")


def _claim(claims: Mapping[str, Any], name: str) -> str:
    value = claims[name]
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise unauthorized(f"The token's claim {name} must be text of 1 to 200 characters.")
    return value
