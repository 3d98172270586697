"""Background calls over HTTP: how one stands is told in the conversation's events; here one is cancelled."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from conversations import jobs
from conversations.api_base import ApiView, answer
from conversations.api_docs import operation
from conversations.api_shapes import CallStatusShape


class CancelCall(ApiView):
    @operation("calls_cancel", "Cancel a background call", {200: CallStatusShape}, posts=True)
    def post(self, request: Request, call: str, **kwargs: str) -> Response:
        self.no_body()
        return answer(CallStatusShape(status=jobs.cancel(self.actor, call)))
