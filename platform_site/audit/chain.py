"""The audit chain, pure: how an entry is linked to the one before it, and how a bad one is found.

Each entry's hash is an HMAC over all of its columns and the hash before it, so that whoever has no key can change,
take out, put in or move nothing without breaking the chain there. The head, an HMAC over the count and the last hash,
tells of an end that was cut off; heads that were exported tell it when the head was set back as well.

Nothing here knows Django. `recording` makes chains, `verifying` reads them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

COLUMNS = (
    "id", "tenant_id", "number", "time", "actor", "actor_name", "behalf", "behalf_name", "verb", "object_kind",
    "object_id", "object_name", "before", "after", "details", "way", "ip", "request", "key",
)  # fmt: skip
"""What is hashed, in this order; all there is but the hash itself. A new column begins a new form."""
NUMBER, KEY = COLUMNS.index("number"), COLUMNS.index("key")
ENTRY_FORM, HEAD_FORM = "sluice audit entry 1", "sluice audit head 1"
KeyOf = Callable[[str], bytes | None]


class Row(NamedTuple):
    """An entry as stored: the values of `COLUMNS`, the time as text, and its hash."""

    values: Sequence[Any]
    hash: str

    @property
    def number(self) -> int:
        return int(self.values[NUMBER])


class Head(NamedTuple):
    """What the head row says."""

    length: int
    hash: str
    key: str
    mac: str


class Witness(NamedTuple):
    """A head as it was once: `where` tells a person where that is written."""

    length: int
    hash: str
    where: str


class Broken(NamedTuple):
    """The first position that is not as it was written, and why."""

    number: int
    why: str


def digest(value: Any) -> str:
    """SHA-256 of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def canonical(value: Any) -> str:
    """One text for one value. What JSON has no word for, as its text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def link(key: bytes, previous: str, values: Sequence[Any]) -> str:
    """The hash of an entry that stands after the one with hash `previous` (none: empty)."""
    return _mac(key, [ENTRY_FORM, previous, *values])


def head_mac(key: bytes, tenant: str, head: Head) -> str:
    return _mac(key, [HEAD_FORM, tenant, head.length, head.hash, head.key])


def is_intact(head: Head, tenant: str, key_of: KeyOf) -> bool:
    """Whether a head row is what was last written there."""
    key = key_of(head.key)
    return key is not None and head.mac == head_mac(key, tenant, head)


def _mac(key: bytes, parts: Sequence[Any]) -> str:
    return hmac.new(key, canonical(parts).encode(), hashlib.sha256).hexdigest()


@dataclass(slots=True)
class Walk:
    """Walks a tenant's entries in order of their numbers, a step each, and says where the chain breaks."""

    tenant: str
    key_of: KeyOf
    witnesses: Mapping[int, Sequence[Witness]] = field(default_factory=dict)
    length: int = 0
    hash: str = ""

    def steps(self, rows: Iterable[Row]) -> Broken | None:
        return next((broken for row in rows if (broken := self.step(row))), None)

    def step(self, row: Row) -> Broken | None:
        """Go on to the next entry; what is wrong with it, if anything."""
        expected = self.length + 1
        if row.number > expected:
            return Broken(expected, f"it is missing; the next one there is {row.number}")
        if row.number < expected:
            return Broken(row.number, "it stands out of order")
        key = self.key_of(row.values[KEY])
        if key is None:
            return Broken(expected, f"there is no key {row.values[KEY]!r} to check it with")
        if row.hash != link(key, self.hash, row.values):
            return Broken(expected, "it is not what was written here")
        self.length, self.hash = expected, row.hash
        return self._unlike_witnesses()

    def _unlike_witnesses(self) -> Broken | None:
        for witness in self.witnesses.get(self.length, ()):
            if witness.hash != self.hash:
                return Broken(self.length, f"it is another one than in the head exported to {witness.where}")
        return None

    def end(self, head: Head | None) -> Broken | None:
        """After the last entry: whether this is where the chain ended."""
        after = self.length + 1
        later = [one for length, found in self.witnesses.items() if length > self.length for one in found]
        if later:
            last = max(later)
            return Broken(after, f"missing up to {last.length}, as the head exported to {last.where} tells")
        if head is None:
            return Broken(after, "the head row is missing") if self.length else None
        if head.length > self.length:
            return Broken(after, f"missing up to {head.length}, as the head row tells")
        if not is_intact(head, self.tenant, self.key_of):
            return Broken(after, "the head row is not what was written there")
        if (head.length, head.hash) != (self.length, self.hash):
            return Broken(head.length + 1, "the head row does not know of it")
        return None
