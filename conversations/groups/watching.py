"""Open sockets follow only conversations their people still take part in: looked at with everything else (`hall`).

Who is removed hears a notice at once; this is for whoever did not get it.
"""

from __future__ import annotations

from collections.abc import Iterable

from conversations.models import Participant

Place = tuple[str, str]
"""A person's id and a conversation's."""


def still_taking_part(places: Iterable[Place]) -> set[Place]:
    """Those of `places` that are still so, in whichever tenant. One query for all."""
    wanted = set(places)
    rows = Participant.objects.across_tenants().filter(
        user__in={person for person, _ in wanted}, conversation__in={topic for _, topic in wanted}
    )
    return wanted & set(rows.values_list("user_id", "conversation_id"))
