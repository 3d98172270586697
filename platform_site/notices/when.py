"""When people are told by other ways than the open page, and when a delivery is tried again. Pure.

They are told once a question has waited for `wait` (a setting of the tenant), and once more before its time is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

WAITING, EXPIRING = "confirmation_waiting", "confirmation_expiring"
REMIND_AFTER = 0.8
"""Of the time there is to decide."""
REMIND_BEFORE = timedelta(minutes=2)
"""At least so long before the end."""
APART = timedelta(minutes=1)
"""A reminder right after the notice would only be a second mail."""
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (30, 120, 360, 900, 2190))
"""Between the tries of one delivery: six in an hour."""
MOST_TRIES = len(PAUSES) + 1


def times(since: datetime, decide_by: datetime, wait: timedelta) -> Mapping[str, datetime]:
    """When to tell what of a question that waits since `since`; a kind that is left out is not told."""
    first = since + wait
    reminder = min(since + (decide_by - since) * REMIND_AFTER, decide_by - REMIND_BEFORE)
    told: dict[str, datetime] = {}
    if first < decide_by and not since < reminder < first:
        told[WAITING] = first
    if reminder > since and (reminder < first or reminder - first >= APART):
        told[EXPIRING] = reminder
    return told


def next_try(tries: int, now: datetime) -> datetime | None:
    """When a delivery that failed `tries` times is tried again; None when it is given up."""
    return now + PAUSES[tries - 1] if tries < MOST_TRIES else None
