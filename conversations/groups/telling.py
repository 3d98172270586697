"""What the people of a conversation hear live beside its log: notices, after the commit, to each who is concerned.

None of it is the truth: who was away finds the rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import transaction

from conversations.groups.models import Invitation, InvitationStatus
from conversations.models import Participant
from platform_site import bell
from platform_site.models import User
from platform_site.tenancy import current_tenant_id


def who(user: User) -> dict[str, str]:
    """A person as events and notices name them."""
    return {"id": user.pk, "name": str(user)}


def notify(people: Iterable[str], kind: str, data: dict[str, Any]) -> None:
    tenant = current_tenant_id()
    for person in people:
        notice = bell.Notice(tenant, person, kind, data)
        transaction.on_commit(partial(bell.notify, notice))


def people_in(conversation: str, but: str = "") -> list[str]:
    """The ids of who takes part, `but` for one."""
    return list(
        Participant.objects.filter(conversation=conversation)
        .exclude(user=but)
        .values_list("user_id", flat=True)
    )


def tell_said(people: Iterable[str], conversation: str, seq: int, by: User | None) -> None:
    """Something was said that these people have not read: by a person, or by the agent."""
    notify(people, "said", {"conversation": conversation, "seq": seq, "by": who(by) if by else None})


def tell_deleted(conversation: str, by: User) -> None:
    """The others who take part, and who was invited, hear that it is gone."""
    notify(people_in(conversation, by.pk), "removed", {"conversation": conversation, "why": "deleted"})
    pending = Invitation.objects.filter(conversation=conversation, status=InvitationStatus.PENDING)
    for invitation, person in pending.values_list("pk", "person_id"):
        notify([person], "invitation", {"invitation": invitation, "status": InvitationStatus.WITHDRAWN})
