"""Between rows and the chain: an entry's values as they are hashed, and the keys, which lie outside the database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from typing import Any

from platform_site import secrets
from platform_site.audit.chain import COLUMNS, Head, Row
from platform_site.models import AuditEntry, AuditHead

PURPOSE = "audit chain"
TIME = COLUMNS.index("time")
AT_ONCE = 2_000


def stored_key(key_id: str) -> bytes | None:
    """The chain's key made from the sealing key of that id. Older sealing keys stay, so older entries still verify."""
    try:
        return secrets.derived(key_id, PURPOSE)
    except secrets.CannotOpen:
        return None


def current_key() -> tuple[str, bytes]:
    """The key for new entries, and its id."""
    key_id = secrets.current_key_id()
    return key_id, secrets.derived(key_id, PURPOSE)


def values_of(entry: AuditEntry) -> list[Any]:
    return _hashed([getattr(entry, column) for column in COLUMNS])


def rows_after(number: int) -> Iterator[Row]:
    """The acting tenant's entries above a number, in order."""
    rows = AuditEntry.objects.filter(number__gt=number) if number else AuditEntry.objects.all()
    ordered = rows.order_by("number", "id").values_list(*COLUMNS, "hash")
    for *values, link in ordered.iterator(AT_ONCE):
        yield Row(_hashed(values), link)


def stored_head() -> Head | None:
    """The acting tenant's head."""
    row = AuditHead.objects.first()
    return Head(row.count, row.hash, row.key, row.mac) if row else None


def _hashed(values: list[Any]) -> list[Any]:
    """A time is hashed as UTC, in the form that every database gives back."""
    values[TIME] = values[TIME].astimezone(UTC).isoformat()
    return values
