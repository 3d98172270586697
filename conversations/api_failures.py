"""The validation failures over HTTP: attempts whose arguments were rejected, for whoever looks after the tools.

The same rows as the reviewers' inbox (`tools.review`), known ones included; tries of the playground are left out.
"""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.api_base import ApiView, answer
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import Failure, FailurePage
from tools.review.filters import Filters


class ValidationFailures(ApiView):
    scopes = {"GET": "review", "HEAD": "review"}

    @operation("validationfailures_list", "Rejected tool calls", {200: FailurePage}, query=PageQuery)
    def get(self, request: Request, **kwargs: str) -> Response:
        rows = Filters(known="any").rows().select_related("version", "requester")
        found, after = cut(rows, ("-created_at", "-pk"), self.query(PageQuery))
        return answer(FailurePage(results=[Failure.of(attempt) for attempt in found], next=after))
