"""Counts failures in the cache, which all processes share, and says when it is enough.

A window starts with the first failure. The database cache's `incr` reads and then writes, so counting happens one at
a time: on SQLite a transaction is alone with the database anyway, on PostgreSQL it takes a lock for the count.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.core.cache import cache
from django.db import connection, transaction

LOCK = 0x51_1C_E1


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `failures` within `seconds`, for each of what `name` counts."""

    name: str
    failures: int
    seconds: int

    def reached(self, what: str) -> bool:
        return int(cache.get(self._key(what), 0)) >= self.failures

    def count(self, what: str) -> None:
        key = self._key(what)
        with transaction.atomic():
            _alone()
            cache.add(key, 0, self.seconds)
            try:
                cache.incr(key)
            except ValueError:  # it ran out between the two
                cache.set(key, 1, self.seconds)

    def _key(self, what: str) -> str:
        """Hashed: names come from outside, and cache keys are neither secret nor free of rules."""
        return f"throttle:{self.name}:{hashlib.sha256(what.encode()).hexdigest()}"


def _alone() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
