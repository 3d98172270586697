"""Conversations over HTTP: list and search, begin, rename, delete, export."""

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
    CallShape,
    ConversationPage,
    ConversationShape,
    Export,
    MessageShape,
    NumberedEvent,
    UploadShape,
)
from conversations.models import Message
from platform_site.models import Event
from tools.models import ToolCall

NEWEST_FIRST = ("-updated_at", "-pk")


class ConversationsQuery(PageQuery):
    q: Annotated[
        str, Field(max_length=200, pattern=r"^[^\x00]*$", description="Text in the title or a message.")
    ] = ""


class Conversations(ApiView):
    @operation("conversations_list", "My conversations", {200: ConversationPage}, query=ConversationsQuery)
    def get(self, request: Request, **kwargs: str) -> Response:
        asked = self.query(ConversationsQuery)
        rows = conversations_for(self.actor).select_related("agent", "topic")
        if asked.q:
            said = Message.objects.filter(conversation=OuterRef("pk"), parts__0__text__icontains=asked.q)
            rows = rows.filter(Q(title__icontains=asked.q) | Exists(said))
        found, after = cut(rows, NEWEST_FIRST, asked)
        return answer(ConversationPage(results=[ConversationShape.of(row) for row in found], next=after))

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
        return answer(ConversationShape.of(made), 201)


class OneConversation(ApiView):
    @operation("conversations_read", "One conversation", {200: ConversationShape})
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response:
        return answer(ConversationShape.of(conversation_for(self.actor, conversation)))

    @operation(
        "conversations_change", "Rename a conversation", {200: ConversationShape}, body=ConversationChange
    )
    def patch(self, request: Request, conversation: str, **kwargs: str) -> Response:
        renamed = actions.rename(self.actor, conversation, self.body(ConversationChange).title)
        renamed.topic.refresh_from_db()
        return answer(ConversationShape.of(renamed))

    @operation("conversations_delete", "Delete a conversation", {204: None}, problems=(409,))
    def delete(self, request: Request, conversation: str, **kwargs: str) -> Response:
        actions.delete(self.actor, conversation)
        return Response(status=204)


class ConversationExport(ApiView):
    @operation("conversations_export", "A whole conversation as one document", {200: Export})
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response:
        row = conversation_for(self.actor, conversation)
        messages = Message.objects.filter(conversation=row).select_related("author").order_by("position")
        calls = ToolCall.objects.filter(topic=row.pk).select_related("version", "requester")
        events = Event.objects.filter(topic=row.pk).order_by("seq").values_list("seq", "payload")
        document = Export(
            conversation=ConversationShape.of(row),
            messages=[MessageShape.of(message) for message in messages],
            calls=[CallShape.of(call) for call in calls.order_by("proposed_at", "position")],
            uploads=[UploadShape.of(one, self.actor.tenant.slug) for one in row.uploads.order_by("pk")],
            events=[NumberedEvent(seq=seq, event=event) for seq, event in events],
        )
        response = answer(document)
        response["Content-Disposition"] = f'attachment; filename="conversation-{row.pk}.json"'
        return response
