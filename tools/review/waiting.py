"""Which calls wait for people, and for whom: as SQL, so that a badge, a list and a page of it mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from platform_site.access import Actor
from tools.models import (
    CallStatus,
    Confirmation,
    ConfirmationStatus,
    ReviewerGroup,
    ToolCall,
    Vote,
)  # fmt: skip

MOST_WATCHED = 1_000
RECENT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Groups:
    """The reviewer groups of the tenant, read once for a page."""

    rows: Sequence[ReviewerGroup]

    @classmethod
    def read(cls) -> Groups:
        return cls(list(ReviewerGroup.objects.all()))

    def closed_to(self, user_id: str) -> Q:
        """Questions that only groups without this person may answer; matches nothing where there are no groups."""
        mine = [group for group in self.rows if user_id in group.members]
        return _covered(self.rows) & ~_covered(mine)

    def names_for(self, tool: str, domain: str) -> list[str]:
        """The groups that alone decide on a tool's calls."""
        return [
            group.name for group in self.rows if tool in group.tools or (domain and domain in group.domains)
        ]


def _covered(groups: Sequence[ReviewerGroup]) -> Q:
    """Questions about tools that one of these groups is for."""
    tools = {name for group in groups for name in group.tools}
    domains = {domain for group in groups for domain in group.domains if domain}
    return Q(call__name__in=tools) | Q(call__version__definition__domain__in=sorted(domains))


def open_questions() -> QuerySet[Confirmation]:
    """Everything that waits for people, whoever they are."""
    return Confirmation.objects.filter(status=ConfirmationStatus.PENDING, call__status=CallStatus.HELD)


def for_reviewers() -> Q:
    """Of open questions: a reviewer is the next to answer."""
    return Q(call__status=CallStatus.HELD, by="reviewer") | Q(
        call__status=CallStatus.HELD, by="user+reviewer", user_approved=True
    )


def mine(actor: Actor, groups: Groups) -> QuerySet[Confirmation]:
    """What this person can decide as a reviewer, now: not their own, not voted on, not another group's."""
    voted = Vote.objects.filter(
        confirmation=OuterRef("pk"), user=actor.user, digest=OuterRef("digest"), part="reviewer"
    )
    rows = open_questions().filter(for_reviewers()).exclude(call__requester=actor.user)
    return rows.filter(~Exists(voted)).exclude(groups.closed_to(actor.user.pk))


def how_many(actor: Actor) -> int:
    """The number in the badge."""
    return mine(actor, Groups.read()).count() if actor.can_review else 0


def unknown_calls() -> QuerySet[ToolCall]:
    """Calls whose outcome nobody knows; previews change nothing, so nobody has to know."""
    return ToolCall.objects.filter(status=CallStatus.UNKNOWN).exclude(topic="")


def state(actor: Actor) -> dict[str, str | int]:
    """What an open page asks every few seconds: the badge's number, and a text that changes when a list would."""
    recently = Q(decided_at__gt=timezone.now() - RECENT)
    rows = Confirmation.objects.filter(Q(status=ConfirmationStatus.PENDING) | recently)
    seen = rows.annotate(said=Count("votes")).order_by("-created_at", "pk")
    columns = ("pk", "status", "digest", "user_approved", "call__status", "said")
    told = repr(list(seen.values_list(*columns)[:MOST_WATCHED]))
    unknown = unknown_calls().count()
    number = how_many(actor)
    return {
        "waiting": number,
        "unknown": unknown,
        "state": sha256(f"{told} {unknown}".encode()).hexdigest()[:16],
    }
