"""A whole conversation as one document: everything for programs, or what is shown as Markdown for people."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from django.http import HttpResponse
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from conversations import export_markdown
from conversations.access import conversation_for
from conversations.api_base import ApiView, answer
from conversations.api_bodies import Query
from conversations.api_debate_shapes import DebateShape
from conversations.api_docs import operation
from conversations.api_groups import PeopleHere
from conversations.api_shapes import (
    CallShape,
    ConversationShape,
    MessageShape,
    NumberedEvent,
    PersonHere,
    Shape,
    UploadShape,
)
from conversations.models import Message
from platform_site.models import Event
from tools.models import ToolCall

R = TypeVar("R", bound=HttpResponse)


class Export(Shape):
    """A whole conversation in one document."""

    conversation: ConversationShape
    people: list[PersonHere]
    messages: list[MessageShape]
    calls: list[CallShape]
    debates: list[DebateShape]
    uploads: list[UploadShape] = Field(
        description="The pictures that messages name by id, without their bytes."
    )
    events: list[NumberedEvent]


class ExportQuery(Query):
    form: Annotated[
        Literal["json", "markdown"],
        Field(
            description="`markdown` (text/markdown): what is shown, for people, with the notepads of debates."
        ),
    ] = "json"


class ConversationExport(ApiView):
    @operation(
        "conversations_export", "A whole conversation as one document", {200: Export}, query=ExportQuery
    )
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response | HttpResponse:
        row = conversation_for(self.actor, conversation)
        if self.query(ExportQuery).form == "markdown":
            return _file(
                HttpResponse(export_markdown.document(row), "text/markdown; charset=utf-8"), row.pk, "md"
            )
        messages = Message.objects.filter(conversation=row).select_related("author").order_by("position")
        calls = ToolCall.objects.filter(topic=row.pk).select_related("version", "requester")
        events = Event.objects.filter(topic=row.pk).order_by("seq").values_list("seq", "payload")
        document = Export(
            conversation=ConversationShape.of_all([row], self.actor.user)[0],
            people=PeopleHere.of(row).people,
            messages=[MessageShape.of(message) for message in messages],
            calls=[CallShape.of(call) for call in calls.order_by("proposed_at", "position")],
            debates=[DebateShape.of(one) for one in row.debates.order_by("created_at", "pk")],
            uploads=[UploadShape.of(one, self.actor.tenant.slug) for one in row.uploads.order_by("pk")],
            events=[NumberedEvent(seq=seq, event=event) for seq, event in events],
        )
        return _file(answer(document), row.pk, "json")


def _file(response: R, conversation: str, ending: str) -> R:
    """To be kept under a name of its own."""
    response["Content-Disposition"] = f'attachment; filename="conversation-{conversation}.{ending}"'
    return response
