"""Branches over HTTP: an earlier message said differently, a reply written anew, another version shown."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from conversations import branches
from conversations.access import message_for
from conversations.api_base import ApiView, answer
from conversations.api_bodies import Branch, EditedMessage
from conversations.api_docs import operation
from conversations.api_shapes import Accepted, Head, RunQueued


class EditMessage(ApiView):
    @operation(
        "messages_edit", "Say an earlier message of one's own differently", {202: Accepted}, body=EditedMessage,
        posts=True,
    )  # fmt: skip
    def post(self, request: Request, message: str, **kwargs: str) -> Response:
        body = self.body(EditedMessage)
        options = body.options.model_dump(exclude_none=True) if body.options else None
        pictures = None if body.attachments is None else tuple(body.attachments)
        new = branches.Rewording(body.text, body.key, pictures, options)
        where = message_for(self.actor, message).conversation_id
        posted = branches.edit_message(self.actor, where, message, new)
        return answer(Accepted(message=posted.message, run=posted.run), 202)


class Regenerate(ApiView):
    @operation("messages_regenerate", "Have a reply written anew", {202: RunQueued}, posts=True)
    def post(self, request: Request, message: str, **kwargs: str) -> Response:
        self.no_body()
        where = message_for(self.actor, message).conversation_id
        return answer(RunQueued(run=branches.regenerate(self.actor, where, message).pk), 202)


class SwitchBranch(ApiView):
    @operation("conversations_branch", "Show another version", {200: Head}, body=Branch, posts=True)
    def post(self, request: Request, conversation: str, **kwargs: str) -> Response:
        head = branches.switch(self.actor, conversation, self.body(Branch).message)
        return answer(Head(head=head))
