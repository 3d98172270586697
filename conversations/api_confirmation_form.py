"""What it takes to change the arguments of a held call before approving it: its schema, and how they stand now."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from conversations.access import confirmation_for
from conversations.api_base import ApiView, answer
from conversations.api_docs import operation
from conversations.api_shapes import Shape
from tools import catalogue
from tools.models import Confirmation


class ConfirmationFormShape(Shape):
    """A form for the arguments of a held call; what is filled in goes into the decision's `arguments`."""

    digest: str = Field(description="What these arguments, and what was shown of them, have now.")
    arguments: dict[str, Any]
    json_schema: dict[str, Any] = Field(
        serialization_alias="schema", description="What the arguments must satisfy."
    )
    templates: dict[str, str]

    @classmethod
    def of(cls, row: Confirmation) -> Self:
        assert row.call.version is not None
        spec = catalogue.spec_of(row.call.version)
        return cls(
            digest=row.digest, arguments=row.call.arguments or {}, json_schema=dict(spec.schema),
            templates=dict(spec.templates),
        )  # fmt: skip


class ConfirmationForm(ApiView):
    @operation("confirmations_form", "What may be changed in a held call", {200: ConfirmationFormShape})
    def get(self, request: Request, confirmation: str, **kwargs: str) -> Response:
        return answer(ConfirmationFormShape.of(confirmation_for(self.actor, confirmation)))
