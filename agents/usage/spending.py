"""What a turn knows of its tenant's limits while it moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from agents.usage.booking import Reservation
from agents.usage.limits import Limit


@dataclass(slots=True)
class Spending:
    """What a turn knows of limits: they are read once, when its run is claimed."""

    limits: tuple[Limit, ...] = ()
    reserved: Reservation | None = None
    since_read: dict[str, int] = field(default_factory=dict)
    wait_until: datetime | None = None
    """No request before: the minute is full."""
