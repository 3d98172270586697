"""Ids: opaque strings that sort by the time they were made and cannot be guessed."""

from __future__ import annotations

import secrets
import time


def new_id() -> str:
    """32 hex digits: 48 bits of milliseconds since 1970, then 80 random bits."""
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(10)}"
