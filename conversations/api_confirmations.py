"""Confirmations over HTTP: which wait, what exactly is asked, and the answer, which the gate alone judges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, assert_never

from rest_framework.request import Request
from rest_framework.response import Response

from conversations import actions
from conversations.access import confirmation_for, confirmations_for
from conversations.api_base import ApiView, answer
from conversations.api_bodies import Decision
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import ConfirmationPage, ConfirmationShape, Decided
from platform_site.errors import Problem
from tools import gate
from tools.gate.values import RefusalCode

STATUS_OF: Mapping[RefusalCode, int] = {
    "not_found": 404, "forbidden": 403, "proof_needed": 403, "proof_wrong": 403, "locked_out": 429,
    "bad_request": 400, "reason_needed": 400, "invalid_arguments": 422, "conflict": 409, "digest_mismatch": 409,
    "expired": 409,
}  # fmt: skip
"""The HTTP status of each code the gate refuses with."""


class ConfirmationsQuery(PageQuery):
    status: Literal["pending", "approved", "denied", "expired", "withdrawn"] | None = None


class Confirmations(ApiView):
    @operation(
        "confirmations_list", "Confirmations of my conversations; of all, for who reviews", {200: ConfirmationPage},
        query=ConfirmationsQuery,
    )  # fmt: skip
    def get(self, request: Request, **kwargs: str) -> Response:
        asked = self.query(ConfirmationsQuery)
        rows = confirmations_for(self.actor).select_related("call__version", "call__requester")
        if asked.status:
            rows = rows.filter(status=asked.status)
        found, after = cut(rows, ("-created_at", "-pk"), asked)
        return answer(ConfirmationPage(results=[ConfirmationShape.of(row) for row in found], next=after))


class OneConfirmation(ApiView):
    @operation("confirmations_read", "One confirmation", {200: ConfirmationShape})
    def get(self, request: Request, confirmation: str, **kwargs: str) -> Response:
        return answer(ConfirmationShape.of(confirmation_for(self.actor, confirmation)))


class Decide(ApiView):
    scopes = {"POST": "read"}
    """The gate asks for `chat` or `review`: that depends on whose call it is."""

    @operation(
        "confirmations_decide", "Approve or reject a held call", {200: Decided}, body=Decision, posts=True,
        problems=(422, 429),
    )  # fmt: skip
    def post(self, request: Request, confirmation: str, **kwargs: str) -> Response:
        body = self.body(Decision)
        proof = body.proof.model_dump(exclude_none=True) if body.proof else None
        wanted = gate.Wanted(**body.grant.model_dump()) if body.grant else None
        given = actions.Answer(body.decision, body.digest, proof, body.reason, body.arguments, wanted)
        verdict = actions.decide(self.actor, confirmation, given)
        match verdict:
            case gate.Decided(status=status):
                return answer(Decided(status=status))
            case gate.Refused(code=code, detail=detail, errors=errors):
                raise Problem(STATUS_OF[code], code, detail, **({"errors": list(errors)} if errors else {}))
            case _:
                assert_never(verdict)
