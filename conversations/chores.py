"""Whether there is anything to do for those who look after things: one statement a second, for all tenants.

Each part may be true for nothing, and must never be false where there is something: whoever is woken looks for
themselves. In SQL, with the conditions as the indexes have them, so that an idle server costs next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

SOON = timedelta(seconds=2)
"""Reminders that are due within this time are to be seen: two looks, so that none comes in between."""


@dataclass(frozen=True, slots=True)
class Chores:
    """What there may be to do."""

    runs: bool
    """To claim or to take over."""
    calls: bool
    """To expire, to go on with, to tell somebody of, or to give up."""
    jobs: bool
    """To begin again, or to tell of."""
    reminders: bool
    """To claim or to deliver, now or soon."""
    notices: bool
    """To send or to take back."""


_SQL = """
SELECT
 EXISTS (SELECT 1 FROM conversations_run WHERE NOT (status IN ('finished', 'failed'))),
 EXISTS (SELECT 1 FROM tools_toolcall
   WHERE status IN ('proposed', 'asking', 'held', 'cleared', 'approved', 'claimed')),
 EXISTS (SELECT 1 FROM tools_job WHERE NOT is_told),
 EXISTS (SELECT 1 FROM conversations_reminder WHERE status = 'active' AND next_due <= %s)
  OR EXISTS (SELECT 1 FROM conversations_occurrence WHERE status = 'due'),
 EXISTS (SELECT 1 FROM platform_site_notice WHERE status IN ('waiting', 'sending'))
"""


def seen(now: datetime) -> Chores:
    """One look, in every tenant."""
    soon = connection.ops.adapt_datetimefield_value(now + SOON)
    with connection.cursor() as cursor:
        cursor.execute(_SQL, (soon,))
        return Chores(*map(bool, cursor.fetchone()))
