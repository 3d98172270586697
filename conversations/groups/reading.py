"""How far each person has read, and what is new to them. A mark only ever moves forward."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from conversations.access import conversation_for
from conversations.groups import telling
from conversations.models import Message, Participant
from platform_site import ledger
from platform_site.access import Actor
from platform_site.models import Event, User


def mark(actor: Actor, conversation_id: str, seq: int) -> int:
    """They have seen everything up to number `seq`; returns how far they have read."""
    conversation = conversation_for(actor, conversation_id)
    seen = min(seq, ledger.newest(conversation.pk))
    if _move(conversation.pk, actor.user, seen):
        told = {"conversation": conversation.pk, "person": telling.who(actor.user), "seq": seen}
        telling.notify(telling.people_in(conversation.pk), "read", told)
    mine = Participant.objects.filter(conversation=conversation, user=actor.user)
    return mine.values_list("read_seq", flat=True).first() or 0


def _move(conversation: str, user: User, seq: int) -> bool:
    behind = Participant.objects.filter(conversation=conversation, user=user, read_seq__lt=seq)
    return bool(behind.update(read_seq=seq))


def said(conversation: str, user: User, seq: int) -> None:
    """Who says something has read what stands before it; in the transaction of the message."""
    _move(conversation, user, seq)


@dataclass(frozen=True, slots=True)
class Standing:
    """How one person stands in one conversation, for lists."""

    people: int = 1
    is_owner: bool = True
    unread: int = 0
    mentioned: bool = False


def standings(user: User, conversations: Iterable[str]) -> dict[str, Standing]:
    """For each of these conversations of theirs; in one where nobody else is, nothing is ever new."""
    ids = list(conversations)
    people = _people(ids)
    groups = [id_ for id_ in ids if people.get(id_, 0) > 1]
    unread, named = (_unread(user, groups), _mentioned(user, groups)) if groups else ({}, set())
    owned = set(_mine(user, ids).filter(is_owner=True).values_list("conversation_id", flat=True))
    return {id_: Standing(people.get(id_, 1), id_ in owned, unread.get(id_, 0), id_ in named) for id_ in ids}


def _mine(user: User, ids: list[str]) -> QuerySet[Participant]:
    return Participant.objects.filter(user=user, conversation__in=ids)


def _people(ids: list[str]) -> Mapping[str, int]:
    rows = Participant.objects.filter(conversation__in=ids).order_by()
    return dict(rows.values_list("conversation_id").annotate(Count("pk")))


def _unread(user: User, ids: list[str]) -> Mapping[str, int]:
    """What others said since, one for each message; an answer of the agent is one, however many steps it took."""
    beyond = Message.objects.filter(
        conversation__in=ids,
        conversation__participants__user=user,
        position__gt=F("conversation__participants__read_seq"),
    ).exclude(author=user)
    counted = (
        beyond.order_by()
        .values("conversation_id")
        .annotate(
            by_people=Count("pk", filter=Q(role="user")),
            by_agent=Count("run", distinct=True, filter=Q(role="assistant")),
        )
    )
    return {row["conversation_id"]: row["by_people"] + row["by_agent"] for row in counted}


def _mentioned(user: User, ids: list[str]) -> set[str]:
    """The conversations where somebody mentioned them since."""
    read = Participant.objects.filter(user=user, conversation=OuterRef("topic")).values("read_seq")[:1]
    news = Event.objects.filter(topic__in=ids, seq__gt=Subquery(read))
    told = news.filter(payload__name="message.user", payload__value__mentions__has_key=user.pk)
    return set(told.values_list("topic_id", flat=True))
