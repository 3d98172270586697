"""The numbered event ledger: rows are the truth (rule 3).

`writing(topic)` is one transaction: it takes the topic's row lock, lets verbs change rows and tell their events,
numbers and stores the events, and rings the bell after the commit. So numbers have no gaps, `since(n)` never skips
one, a reader never sees an event whose change was rolled back, and changes within a topic happen one after another.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import transaction

from platform_site import audit, bell, ledger_rows
from platform_site.models import Event, Topic
from platform_site.wire import Event as WireEvent


@dataclass
class Log:
    """The events of one transaction on a topic. `last` is the newest number, those told here included."""

    topic: str
    last: int
    events: list[WireEvent] = field(default_factory=list)

    def tell(self, *events: WireEvent) -> int:
        """Add events, stamped with the time (milliseconds since 1970); returns the number of the last one."""
        now = time.time_ns() // 1_000_000
        self.events.extend({**event, "timestamp": now} for event in events)
        self.last += len(events)
        return self.last


@contextmanager
def writing(topic: str) -> Iterator[Log]:
    """One transaction on `topic`: what is changed, told and noted for the audit log stands or falls together.

    Raises `Topic.DoesNotExist` for a topic that is not the acting tenant's.
    """
    with audit.recording():
        last = ledger_rows.lock(topic)
        if last is None:
            raise Topic.DoesNotExist(topic)
        log = Log(topic, last)
        yield log
        if log.events:
            first = last + 1
            ledger_rows.store(topic, first, log.events)
            transaction.on_commit(lambda: bell.ring(topic, first, log.events))


def newest(topic: str) -> int:
    """The topic's newest number; 0 when nothing was told yet."""
    return Topic.objects.values_list("last_seq", flat=True).get(pk=topic)


def since(topic: str, after: int, limit: int = 500) -> list[tuple[int, WireEvent]]:
    """Events numbered above `after`, in order, at most `limit`."""
    rows = Event.objects.filter(topic_id=topic, seq__gt=after).order_by("seq")[:limit]
    return list(rows.values_list("seq", "payload"))
