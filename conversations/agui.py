"""AG-UI over HTTP: `POST …/agents/<slug>/ag-ui` takes a RunAgentInput and answers with the run's events as they come.

A way in like the others: the same sign-in, the same verbs, the same gate. What is wrong with a request is said as
problem details before a stream begins; what is wrong with its answers to interrupts, as RUN_ERROR. The verb is done
and committed before the first byte, and its answer is where to listen: so a repeat under the same Idempotency-Key, or
of the same run (`threadId`, `runId`), does nothing again and gets the same run's events from their beginning.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from typing import Any

from ag_ui.core.events import BaseEvent
from ag_ui.core.types import RunAgentInput
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from conversations import agui_asking, agui_pictures, agui_stream
from conversations.agui_input import Asked, asked_by
from conversations.agui_resume import NotTaken
from conversations.agui_telling import Where
from conversations.agui_thread import look_up
from conversations.api_base import ApiView
from conversations.api_docs import operation
from platform_site import idempotency
from platform_site.errors import Problem


class NotBegun(Response):
    """Becomes a stream of one RUN_ERROR. Inside it is a conflict, which is not kept: the client may try again."""


class EventStream(JSONRenderer):
    """Streams are not rendered; what is, is a problem."""

    media_type = "text/event-stream"


class OnlyEvents(DefaultContentNegotiation):
    """There is nothing to choose from, whatever a client says it accepts."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


class AgUi(ApiView):
    renderer_classes = [EventStream]
    content_negotiation_class = OnlyEvents

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method == "POST":
            agui_stream.check_room(self.actor)
            self.asked = asked_by(self.body(RunAgentInput))
            look_up(self.actor, self.asked.thread, kwargs["agent"])
            self.pictures = agui_pictures.made_of(self.asked.said)
            self.claim = self.claim or self._claim(request.path, self.asked)

    def _claim(self, path: str, asked: Asked) -> idempotency.Claim:
        """As if the run's id had come as an Idempotency-Key."""
        try:
            claim = idempotency.begin(self.actor, asked.key, path, asked.content)
        except Problem as problem:
            if problem.status != 422:
                raise
            raise Problem(409, "conflict", _("This runId was used for another run of this thread.")) from None
        self.open.enter_context(idempotency.carrying_out(claim))
        return claim

    @operation(
        "agents_run",
        "Talk to an agent as AG-UI does",
        {200: BaseEvent},
        body=RunAgentInput,
        posts=True,
        problems=(429,),
    )
    def post(self, request: Request, agent: str, **kwargs: str) -> Response:
        outcome = agui_asking.take(self.actor, agent, self.asked, self.pictures)
        if isinstance(outcome, NotTaken):
            return NotBegun(asdict(outcome), 409)
        return Response(asdict(outcome))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Turn what the verb answered, or did when the same was asked before, into a stream."""
        final = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(final, Response) and final.status_code == 200:
            return _unbuffered(StreamingHttpResponse(self._events(request, Where(**final.data))))
        if isinstance(final, NotBegun):
            return _unbuffered(HttpResponse(agui_stream.error(**final.data)))
        return final

    def _events(self, request: Request, where: Where) -> AsyncIterator[str] | Iterator[str]:
        if isinstance(request._request, ASGIRequest):
            return agui_stream.live(self.actor, where)
        return agui_stream.so_far(self.actor, where)


def _unbuffered(answer: HttpResponseBase) -> HttpResponseBase:
    answer["Content-Type"] = "text/event-stream; charset=utf-8"
    answer["Cache-Control"] = "no-cache, no-transform"
    answer["X-Accel-Buffering"] = "no"
    return answer
