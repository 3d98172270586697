"""People over HTTP: who takes part in a conversation, invitations into it, and how far somebody has read."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, model_validator
from rest_framework.request import Request
from rest_framework.response import Response

from conversations.access import conversation_for, owners_first
from conversations.api_base import ApiView, answer
from conversations.api_bodies import Body
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import Page, Person, PersonHere, Shape
from conversations.frames import Id
from conversations.groups import inviting, people, reading
from conversations.groups.models import Invitation
from conversations.models import Conversation
from platform_site.models import User


class InvitationShape(Shape):
    """An invitation; who is invited learns of the conversation itself when they accept."""

    id: str
    status: str = Field(description="`pending`, `accepted`, `declined` or `withdrawn`.")
    person: Person | None
    invited_by: Person | None
    agent: str = Field(description="The agent's name.")
    created_at: datetime

    @classmethod
    def of(cls, row: Invitation) -> Self:
        current = row.conversation.agent.current
        return cls(
            id=row.pk, status=row.status, person=Person.of(row.person), invited_by=Person.of(row.invited_by),
            agent=current.definition["name"] if current else row.conversation.agent.slug, created_at=row.created_at,
        )  # fmt: skip


class InvitationPage(Page[InvitationShape]):
    """A part of the list of invitations that wait for one's answer, the newest first."""


class PeopleHere(Shape):
    """Everybody in a conversation, in the order they came, and who is invited."""

    people: list[PersonHere]
    invitations: list[InvitationShape]
    answers: str = Field(description="The agent answers `always`, or when it is `addressed`.")

    @classmethod
    def of(cls, row: Conversation) -> Self:
        first = owners_first(row.pk).first()
        pending = inviting.pending_in(row).select_related(
            "person", "invited_by", "conversation__agent__current"
        )
        here = [PersonHere.of(one, first.user_id if first else "") for one in people.people_of(row)]
        return cls(people=here, invitations=list(map(InvitationShape.of, pending)), answers=row.answers)


class Colleague(Shape):
    id: str
    name: str
    email: str

    @classmethod
    def of(cls, user: User) -> Self:
        return cls(id=user.pk, name=str(user), email=user.email)


class Colleagues(Shape):
    """Members of this tenant who could be invited."""

    results: list[Colleague]


class Joined(Shape):
    conversation: str = Field(description="The conversation one takes part in now.")


class Read(Shape):
    seq: int = Field(description="How far one has read.")


class SearchQuery(PageQuery):
    q: Annotated[
        str, Field(max_length=120, pattern=r"^[^\x00]*$", description="A part of a name or an e-mail.")
    ] = ""


class WhichPerson(Body):
    person: Annotated[Id, Field(description="The id of somebody who takes part.")]


class WhomToInvite(Body):
    """One of the two."""

    person: Annotated[Id, Field(description="The id of a member of this tenant.")] | None = None
    email: Annotated[str, Field(max_length=254, pattern=r"^[^\x00]*$")] | None = None

    @model_validator(mode="after")
    def _one_of_the_two(self) -> WhomToInvite:
        if bool(self.person) == bool(self.email):
            raise ValueError("give a person, or an email")
        return self


class HowFar(Body):
    seq: Annotated[int, Field(ge=0, lt=2**31, description="The number of the last event one has seen.")]


class People(ApiView):
    @operation("people_list", "Who takes part in a conversation", {200: PeopleHere})
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response:
        return answer(PeopleHere.of(conversation_for(self.actor, conversation)))


class Candidates(ApiView):
    @operation("people_find", "Members of this tenant one could invite", {200: Colleagues}, query=SearchQuery)
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response:
        found = inviting.candidates(self.actor, conversation, self.query(SearchQuery).q.strip())
        return answer(Colleagues(results=list(map(Colleague.of, found))))


class RemovePerson(ApiView):
    @operation(
        "people_remove", "End somebody's part in a conversation", {204: None}, body=WhichPerson, posts=True
    )
    def post(self, request: Request, conversation: str, **kwargs: str) -> Response:
        people.remove(self.actor, conversation, self.body(WhichPerson).person)
        return Response(status=204)


class HandOver(ApiView):
    @operation("people_owner", "Make somebody else the owner", {204: None}, body=WhichPerson, posts=True)
    def post(self, request: Request, conversation: str, **kwargs: str) -> Response:
        people.hand_over(self.actor, conversation, self.body(WhichPerson).person)
        return Response(status=204)


class Leave(ApiView):
    @operation("people_leave", "Leave a conversation", {204: None}, posts=True)
    def post(self, request: Request, conversation: str, **kwargs: str) -> Response:
        self.no_body()
        people.leave(self.actor, conversation)
        return Response(status=204)


class MarkRead(ApiView):
    @operation("conversations_read_mark", "Say how far one has read", {200: Read}, body=HowFar, posts=True)
    def post(self, request: Request, conversation: str, **kwargs: str) -> Response:
        return answer(Read(seq=reading.mark(self.actor, conversation, self.body(HowFar).seq)))


class Invite(ApiView):
    @operation(
        "invitations_create", "Invite a member of this tenant", {201: InvitationShape}, body=WhomToInvite,
        posts=True, problems=(429,),
    )  # fmt: skip
    def post(self, request: Request, conversation: str, **kwargs: str) -> Response:
        asked = self.body(WhomToInvite)
        made = inviting.invite(self.actor, conversation, person=asked.person or "", email=asked.email or "")
        return answer(InvitationShape.of(made), 201)


class Invitations(ApiView):
    @operation(
        "invitations_list", "Invitations that wait for my answer", {200: InvitationPage}, query=PageQuery
    )
    def get(self, request: Request, **kwargs: str) -> Response:
        found, after = cut(
            inviting.invitations_for(self.actor), ("-created_at", "-pk"), self.query(PageQuery)
        )
        return answer(InvitationPage(results=[InvitationShape.of(row) for row in found], next=after))


class OneInvitation(ApiView):
    @operation("invitations_withdraw", "Take an invitation back", {204: None}, problems=(409,))
    def delete(self, request: Request, invitation: str, **kwargs: str) -> Response:
        inviting.withdraw(self.actor, invitation)
        return Response(status=204)


class Accept(ApiView):
    @operation("invitations_accept", "Take part from now on", {200: Joined}, posts=True)
    def post(self, request: Request, invitation: str, **kwargs: str) -> Response:
        self.no_body()
        return answer(Joined(conversation=inviting.accept(self.actor, invitation)))


class Decline(ApiView):
    @operation("invitations_decline", "Decline an invitation", {204: None}, posts=True)
    def post(self, request: Request, invitation: str, **kwargs: str) -> Response:
        self.no_body()
        inviting.decline(self.actor, invitation)
        return Response(status=204)
