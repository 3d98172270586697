"""Months and days of a tenant, and minutes of everybody. Pure.

A period is text that sorts as time does: `2026-11`, `2026-11-21T20:10`.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo


def zone(name: str) -> ZoneInfo:
    """UTC for a name that is none."""
    try:
        return ZoneInfo(name or "UTC")
    except (LookupError, ValueError, OSError):
        return ZoneInfo("UTC")


def day(now: datetime, there: ZoneInfo) -> date:
    return now.astimezone(there).date()


def month(now: datetime, there: ZoneInfo) -> str:
    return f"{now.astimezone(there):%Y-%m}"


def minute(now: datetime) -> str:
    return f"{now.astimezone(UTC):%Y-%m-%dT%H:%M}"


def first_of(month: str) -> date:
    return date.fromisoformat(month + "-01")


def after(month: str) -> date:
    """The first day of the next month."""
    return (first_of(month) + timedelta(days=32)).replace(day=1)


def next_month(now: datetime, there: ZoneInfo) -> datetime:
    """When the tenant's next month begins."""
    return datetime.combine(after(month(now, there)), datetime.min.time(), there)


def next_minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0) + timedelta(minutes=1)
