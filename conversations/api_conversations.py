"""Conversations over HTTP: list and search, begin, rename, delete."""

from __future__ import annotations

from typing import Annotated

from django.db.models import Exists, OuterRef, Q
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from conversations import actions
from conversations.access import conversation_for, conversations_for
from conversations.api_base import ApiView, answer
from conversations.api_bodies import ConversationChange, NewConversation
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import (
    ConversationPage,
    ConversationShape,
)
from conversations.models import Conversation, Message
from platform_site.access import Actor

NEWEST_FIRST = ("-updated_at", "-pk")


class ConversationsQuery(PageQuery):
    q: Annotated[
        str, Field(max_length=200, pattern=r"^[^\x00]*$", description="Text in the title or a message.")
    ] = ""


def _shape(actor: Actor, row: Conversation) -> ConversationShape:
    return ConversationShape.of_all([row], actor.user)[0]


class Conversations(ApiView):
    @operation("conversations_list", "My conversations", {200: ConversationPage}, query=ConversationsQuery)
    def get(self, request: Request, **kwargs: str) -> Response:
        asked = self.query(ConversationsQuery)
        rows = conversations_for(self.actor).select_related("agent", "topic")
        if asked.q:
            said = Message.objects.filter(conversation=OuterRef("pk"), parts__0__text__icontains=asked.q)
            rows = rows.filter(Q(title__icontains=asked.q) | Exists(said))
        found, after = cut(rows, NEWEST_FIRST, asked)
        results = ConversationShape.of_all(found, self.actor.user)
        return answer(ConversationPage(results=results, next=after))

    @operation(
        "conversations_create",
        "Begin a conversation",
        {201: ConversationShape},
        body=NewConversation,
        posts=True,
    )
    def post(self, request: Request, **kwargs: str) -> Response:
        body = self.body(NewConversation)
        made = actions.create_conversation(self.actor, body.agent, body.title)
        return answer(_shape(self.actor, made), 201)


class OneConversation(ApiView):
    @operation("conversations_read", "One conversation", {200: ConversationShape})
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response:
        return answer(_shape(self.actor, conversation_for(self.actor, conversation)))

    @operation(
        "conversations_change",
        "Rename a conversation, or set when its agent answers",
        {200: ConversationShape},
        body=ConversationChange,
    )
    def patch(self, request: Request, conversation: str, **kwargs: str) -> Response:
        asked = self.body(ConversationChange)
        if asked.title is not None:
            actions.rename(self.actor, conversation, asked.title)
        if asked.answers is not None:
            actions.set_answers(self.actor, conversation, asked.answers)
        return answer(_shape(self.actor, conversation_for(self.actor, conversation)))

    @operation("conversations_delete", "Delete a conversation", {204: None}, problems=(409,))
    def delete(self, request: Request, conversation: str, **kwargs: str) -> Response:
        actions.delete(self.actor, conversation)
        return Response(status=204)
