"""Corrections over HTTP: the calls whose arguments are asked for, and what the person filled in."""

from __future__ import annotations

from typing import Literal, assert_never

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from conversations import actions
from conversations.access import correction_for, corrections_for
from conversations.api_base import ApiView, answer
from conversations.api_bodies import CorrectedArguments
from conversations.api_confirmations import STATUS_OF
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import CorrectionPage, CorrectionShape, RunQueued
from platform_site.errors import Problem
from tools import gate
from tools.words import errors_as_json


class CorrectionsQuery(PageQuery):
    status: Literal["pending", "submitted", "cancelled", "expired", "withdrawn"] | None = None


class Corrections(ApiView):
    @operation(
        "corrections_list",
        "Calls whose arguments I was asked for",
        {200: CorrectionPage},
        query=CorrectionsQuery,
    )
    def get(self, request: Request, **kwargs: str) -> Response:
        asked = self.query(CorrectionsQuery)
        rows = corrections_for(self.actor)
        if asked.status:
            rows = rows.filter(status=asked.status)
        found, after = cut(rows, ("-created_at", "-pk"), asked)
        return answer(CorrectionPage(results=[CorrectionShape.of(row) for row in found], next=after))


class OneCorrection(ApiView):
    @operation("corrections_read", "One correction", {200: CorrectionShape})
    def get(self, request: Request, correction: str, **kwargs: str) -> Response:
        return answer(CorrectionShape.of(correction_for(self.actor, correction)))


class SubmitCorrection(ApiView):
    @operation(
        "corrections_submit", "Put the arguments right, or drop the call", {200: RunQueued}, body=CorrectedArguments,
        posts=True, problems=(422,),
    )  # fmt: skip
    def post(self, request: Request, correction: str, **kwargs: str) -> Response:
        verdict = actions.submit(self.actor, correction, self.body(CorrectedArguments).arguments)
        match verdict:
            case actions.Submitted(run=run):
                return answer(RunQueued(run=run))
            case gate.StillWrong(errors=errors):
                detail = _("These arguments are not right yet.")
                raise Problem(422, "invalid_arguments", detail, errors=errors_as_json(errors))
            case gate.Refused(code=code, detail=detail):
                raise Problem(STATUS_OF[code], code, detail)
            case _:
                assert_never(verdict)
