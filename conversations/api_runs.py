"""Runs over HTTP: how one stands, stop it, ask again."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from conversations import actions
from conversations.access import run_for
from conversations.api_base import ApiView, answer
from conversations.api_docs import operation
from conversations.api_shapes import RunQueued, RunShape, RunStatusShape


class OneRun(ApiView):
    @operation("runs_read", "One run", {200: RunShape})
    def get(self, request: Request, run: str, **kwargs: str) -> Response:
        return answer(RunShape.of(run_for(self.actor, run)))


class StopRun(ApiView):
    @operation("runs_stop", "Stop a run", {200: RunStatusShape}, posts=True)
    def post(self, request: Request, run: str, **kwargs: str) -> Response:
        self.no_body()
        return answer(RunStatusShape(status=actions.stop_run(self.actor, run)))


class RetryRun(ApiView):
    @operation("runs_retry", "Ask again what a failed run asked", {202: RunQueued}, posts=True)
    def post(self, request: Request, run: str, **kwargs: str) -> Response:
        self.no_body()
        return answer(RunQueued(run=actions.retry_run(self.actor, run).pk), 202)
