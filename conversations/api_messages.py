"""What is said in a conversation over HTTP: its messages, sending one, and its numbered events."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from conversations import saying
from conversations.access import conversation_for
from conversations.api_base import ApiView, answer
from conversations.api_bodies import NewMessage, Query
from conversations.api_docs import operation
from conversations.api_paging import MAX_LIMIT, PageQuery, cut
from conversations.api_shapes import Accepted, EventPage, MessagePage, MessageShape
from conversations.models import Message
from platform_site import ledger


class Messages(ApiView):
    @operation("messages_list", "A conversation's messages", {200: MessagePage}, query=PageQuery)
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response:
        row = conversation_for(self.actor, conversation)
        messages = Message.objects.filter(conversation=row).select_related("author")
        found, after = cut(messages, ("position",), self.query(PageQuery))
        return answer(MessagePage(results=[MessageShape.of(message) for message in found], next=after))

    @operation(
        "messages_send", "Say something; a run answers it", {202: Accepted}, body=NewMessage, posts=True
    )
    def post(self, request: Request, conversation: str, **kwargs: str) -> Response:
        body = self.body(NewMessage)
        options = body.options.model_dump(exclude_none=True)
        words = saying.Words(body.text, body.key, options, tuple(body.attachments), reply_to=body.reply_to)
        posted = saying.post_message(self.actor, conversation, words)
        return answer(Accepted(message=posted.message, run=posted.run), 202)


class EventsQuery(Query):
    after: Annotated[int, Field(ge=0, lt=2**31, description="The last number seen; 0 for all.")] = 0
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT, description="How many results at most.")] = MAX_LIMIT


class Events(ApiView):
    @operation(
        "events_list", "What happened in a conversation, as AG-UI events", {200: EventPage}, query=EventsQuery
    )
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response:
        row = conversation_for(self.actor, conversation)
        asked = self.query(EventsQuery)
        told = ledger.since(row.pk, asked.after, asked.limit + 1)
        return answer(EventPage.of(told[: asked.limit], more=len(told) > asked.limit))
