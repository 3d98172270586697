"""Invitations: the owner asks a member of the tenant in; they accept or decline; until then it may be withdrawn.

Who is invited sees who invites them and to which agent, and nothing of the conversation before they accept. An
invitation is answered once: each answer is one conditional move, under the lock of the conversation.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations import actions
from conversations.access import check_owner, conversation_for, conversations_for
from conversations.groups import telling
from conversations.groups.models import INVITATION_ARROWS, Invitation, InvitationStatus
from conversations.models import Conversation, Participant
from platform_site import ledger, lifecycle, wire
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Membership, User

MOST_PEOPLE = 50
"""In one conversation, who is invited included."""
MOST_AN_HOUR = 100
"""By one person, whoever is invited and whatever comes of it: each is heard live by who is asked."""
FOUND = 8
"""How many people a search shows."""


def candidates(actor: Actor, conversation_id: str, asked: str) -> list[User]:
    """Members of this tenant whom the owner could invite here, by a part of their name or e-mail."""
    conversation = conversation_for(actor, conversation_id)
    check_owner(actor, conversation)
    here = Participant.objects.filter(conversation=conversation).values("user")
    invited = pending_in(conversation).values("person")
    members = _members().filter(Q(user__name__icontains=asked) | Q(user__email__icontains=asked))
    found = members.exclude(user__in=here).exclude(user__in=invited)
    return [one.user for one in found.order_by("user__name", "user__email")[:FOUND]]


def _members() -> QuerySet[Membership]:
    return Membership.objects.filter(is_active=True, user__is_active=True).select_related("user")


def pending_in(conversation: Conversation) -> QuerySet[Invitation]:
    """The invitations into this conversation that wait for an answer, the oldest first."""
    rows = Invitation.objects.filter(conversation=conversation, status=InvitationStatus.PENDING)
    return rows.select_related("person", "invited_by").order_by("created_at", "pk")


def invitations_for(actor: Actor) -> QuerySet[Invitation]:
    """What waits for this person's answer, the newest first."""
    rows = Invitation.objects.filter(person=actor.user, status=InvitationStatus.PENDING)
    return rows.select_related("invited_by", "conversation__agent__current").order_by("-created_at", "-pk")


def invite(actor: Actor, conversation_id: str, *, person: str = "", email: str = "") -> Invitation:
    """Ask a member of this tenant in, by their id or their e-mail."""
    conversation = conversation_for(actor, conversation_id)
    with actions.writing(conversation.pk, actor) as log:
        check_owner(actor, conversation)
        _check_pace(actor)
        invited = _member(person, email)
        _check_new(conversation, invited)
        made = Invitation.objects.create(conversation=conversation, person=invited, invited_by=actor.user)
        _tell(log, made)
    return made


def _check_pace(actor: Actor) -> None:
    """Nobody is kept busy with invitations that come and are withdrawn."""
    lately = Invitation.objects.filter(
        invited_by=actor.user, created_at__gt=timezone.now() - timedelta(hours=1)
    )
    if lately.count() >= MOST_AN_HOUR:
        detail = _("You have invited people too often in the last hour. Try again later.")
        raise Problem(429, "rate_limited", detail, retry_after=60)


def _member(person: str, email: str) -> User:
    """Whoever is no member here looks like nobody."""
    named = Q(user__email__iexact=email.strip()) if email else Q(user=person)
    found = _members().filter(named).first()
    if found is None:
        raise Problem(404, "not_found", _("There is no such person here."))
    return found.user


def _check_new(conversation: Conversation, person: User) -> None:
    here = Participant.objects.filter(conversation=conversation)
    pending = pending_in(conversation)
    if here.filter(user=person).exists():
        raise Problem(409, "conflict", _("%(name)s takes part already.") % {"name": person})
    if pending.filter(person=person).exists():
        raise Problem(409, "conflict", _("%(name)s is invited already.") % {"name": person})
    if here.count() + pending.count() >= MOST_PEOPLE:
        detail = _("At most %(count)s people can take part in a conversation.")
        raise Problem(409, "conflict", detail % {"count": MOST_PEOPLE})


def accept(actor: Actor, invitation_id: str) -> str:
    """Take part from now on; returns the conversation."""
    invitation = _mine(actor, invitation_id)
    with actions.writing(invitation.conversation_id) as log:
        _move(log, invitation, InvitationStatus.ACCEPTED)
        alone = Participant.objects.filter(conversation=log.topic)
        if alone.count() == 1:  # what they said to the agent alone is nothing new to them
            alone.filter(read_seq=0).update(read_seq=log.last)
        Participant.objects.create(conversation_id=log.topic, user=actor.user, is_owner=False)
        told = {"person": telling.who(actor.user), "by": telling.who(invitation.invited_by)}
        log.tell(wire.custom("participant.joined", told))
    return invitation.conversation_id


def decline(actor: Actor, invitation_id: str) -> None:
    invitation = _mine(actor, invitation_id)
    with actions.writing(invitation.conversation_id) as log:
        _move(log, invitation, InvitationStatus.DECLINED)


def withdraw(actor: Actor, invitation_id: str) -> None:
    """Take an invitation back before it is answered."""
    rows = Invitation.objects.filter(pk=invitation_id, conversation__in=conversations_for(actor).values("pk"))
    invitation = rows.select_related("person", "invited_by", "conversation").first()
    if invitation is None:
        raise _absent()
    with actions.writing(invitation.conversation_id, actor) as log:
        check_owner(actor, invitation.conversation)
        _move(log, invitation, InvitationStatus.WITHDRAWN)


def _mine(actor: Actor, invitation_id: str) -> Invitation:
    rows = Invitation.objects.filter(pk=invitation_id, person=actor.user)
    found = rows.select_related("person", "invited_by", "conversation").first()
    if found is None:
        raise _absent()
    return found


def _absent() -> Problem:
    return Problem(404, "not_found", _("There is no such invitation."))


def _move(log: ledger.Log, invitation: Invitation, status: InvitationStatus) -> None:
    """The one answer an invitation gets; who comes second is told what it was."""
    now = timezone.now()
    if not lifecycle.move(invitation, InvitationStatus.PENDING, status, INVITATION_ARROWS, answered_at=now):
        invitation.refresh_from_db(fields=["status"])
        raise Problem(409, "conflict", _already(invitation))
    _tell(log, invitation)


def _already(invitation: Invitation) -> str:
    if invitation.status == InvitationStatus.WITHDRAWN:
        return _("This invitation was withdrawn.")
    return _("This invitation was answered already.")


def _tell(log: ledger.Log, invitation: Invitation) -> None:
    """Who is invited hears whose invitation stands how; who takes part hears where."""
    told: dict[str, Any] = {"invitation": invitation.pk, "status": invitation.status}
    here = {"conversation": log.topic, "person": telling.who(invitation.person)}
    telling.notify([invitation.person_id], "invitation", told | {"by": telling.who(invitation.invited_by)})
    telling.notify(telling.people_in(log.topic), "invitation", told | here)
