"""What queue workers do of reminders: plain functions of ids."""

from __future__ import annotations

from conversations.reminders import delivering
from platform_site.tenancy import acting_for


def deliver(tenant: str, occurrence: str) -> bool:
    """Deliver an occurrence that the ticker claimed, unless somebody has done so."""
    with acting_for(tenant):
        return delivering.deliver(occurrence)
