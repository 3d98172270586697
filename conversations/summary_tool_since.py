"""From when on a summary is asked for: a local time, understood on the person's clocks. Pure."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

CLOCK = re.compile(r"(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2}):(\d{2})")


def moment_of(since: str, now: datetime, there: tzinfo) -> datetime | None:
    """`YYYY-MM-DD HH:MM`, or `HH:MM`: the last time the clock showed that. None for what is no time.

    Of an hour that comes twice the first is meant, so that nothing is left out.
    """
    found = CLOCK.fullmatch(since.strip())
    if not found:
        return None
    day, here = found[1], now.astimezone(there)
    try:
        clock = time(int(found[2]), int(found[3]))
        asked = datetime.combine(date.fromisoformat(day) if day else here.date(), clock, there)
        return (asked if day or asked <= here else asked - timedelta(days=1)).astimezone(UTC)
    except (ValueError, OverflowError):  # no such day or hour, or one at either end of the calendar
        return None
