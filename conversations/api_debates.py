"""The debate of a conversation over HTTP: how it stands, and what is wished of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from django.utils.translation import gettext as _
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from conversations.access import conversation_for
from conversations.api_base import ApiView, answer
from conversations.api_bodies import Body
from conversations.api_debate_shapes import DebateShape, SteeredShape
from conversations.api_docs import operation
from conversations.debate import rows, steering
from platform_site.errors import Problem


class Steering(Body):
    do: Annotated[
        Literal["pause", "resume", "summarise"],
        Field(description="Of one at work, done between two turns. Stopping is `runs/<id>/stop`."),
    ]


class OneDebate(ApiView):
    @operation("debates_read", "The debate of the branch that is shown", {200: DebateShape})
    def get(self, request: Request, conversation: str, **kwargs: str) -> Response:
        debate = rows.shown(conversation_for(self.actor, conversation).pk)
        if debate is None:
            raise Problem(404, "not_found", _("Nothing was debated here."))
        return answer(DebateShape.of(debate))

    @operation(
        "debates_steer", "Pause a debate, go on with it, or have it summed up", {200: SteeredShape}, body=Steering,
        posts=True,
    )  # fmt: skip
    def post(self, request: Request, conversation: str, **kwargs: str) -> Response:
        steered = steering.steer(self.actor, conversation, self.body(Steering).do)
        return answer(SteeredShape(**asdict(steered)))
