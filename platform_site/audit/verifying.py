"""Whether the acting tenant's audit chain is what was written: entries, head, and the heads exported earlier."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from platform_site.audit import rows
from platform_site.audit.chain import Broken, Walk, Witness
from platform_site.tenancy import current_tenant_id


class Sound(NamedTuple):
    """All is as it was written."""

    length: int


def verify(witnesses: Iterable[Witness] = ()) -> Sound | Broken:
    """Walk the chain. What is written meanwhile is walked too: the head is read after the entries it counts."""
    by_number: dict[int, list[Witness]] = defaultdict(list)
    for witness in witnesses:
        by_number[witness.length].append(witness)
    walk = Walk(current_tenant_id(), rows.stored_key, by_number)
    while True:
        before = walk.length
        if broken := walk.steps(rows.rows_after(before)):
            return broken
        head = rows.stored_head()
        if head is None or head.length <= walk.length or before == walk.length:
            return walk.end(head) or Sound(walk.length)
