"""`Sluice-Signature: t=<seconds since 1970>,v1=<hex>`: HMAC-SHA256 over `t.body` with the webhook's secret. Pure."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

PREFIX = "whsec_"
TOLERANCE_S = 300
_HEADER = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", re.ASCII)


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def signature(secret: str, body: bytes, at: int) -> str:
    """The header's value for a body sent at this time."""
    return f"t={at},v1={_mac(secret, body, at)}"


def is_right(header: str, secret: str, body: bytes, now: int) -> bool:
    """What a receiver asks: made with our secret, for this very body, within five minutes."""
    found = _HEADER.fullmatch(header)
    if found is None or abs(now - int(found[1])) > TOLERANCE_S:
        return False
    return hmac.compare_digest(found[2], _mac(secret, body, int(found[1])))


def _mac(secret: str, body: bytes, at: int) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
