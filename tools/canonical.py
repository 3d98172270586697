"""Canonical JSON and its digest: what a person approves is named by 64 hex digits. Pure.

Like RFC 8785 (keys in UTF-16 order, shortest numbers, no spaces), except that whole numbers keep every digit. A value
gives the same text before it is stored and after it was read back from either database: PostgreSQL's jsonb turns
1e22 into an integer and -0.0 into 0.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

EXACT = 2**63
"""Whole numbers below this are written digit by digit; larger ones as the double they are."""


def canonical(value: Any) -> str:
    """The one text of a JSON value. Raises `TypeError` for what is not JSON, `ValueError` for NaN and infinity."""
    match value:
        case None | bool() | str():
            return json.dumps(value, ensure_ascii=False)
        case int() | float():
            return _number(value)
        case Mapping():
            keys = sorted(value, key=_utf16)
            return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in keys) + "}"
        case Sequence():
            return "[" + ",".join(map(canonical, value)) + "]"
    raise TypeError(f"not JSON: {type(value).__name__}")


def digest(value: Any) -> str:
    """SHA-256 over the canonical text, in hex."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def _utf16(key: Any) -> bytes:
    if not isinstance(key, str):
        raise TypeError("JSON keys are strings")
    return key.encode("utf-16-be", "surrogatepass")


def _number(value: int | float) -> str:
    if isinstance(value, int) and abs(value) < EXACT:
        return str(value)
    as_double = float(value)
    if as_double.is_integer() and abs(as_double) < EXACT:
        return str(int(as_double))
    return json.dumps(as_double, allow_nan=False)
