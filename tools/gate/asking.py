"""The form a person gets when a model could not put a call's arguments right: made and shown."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from tools import catalogue
from tools.gate import telling
from tools.models import Correction, ToolCall

ANSWER_WITHIN = timedelta(hours=24)


def begin(call: ToolCall, given: Any, errors: list[dict[str, Any]]) -> Correction:
    """The question about `call`, to be stored after it.

    `given`: the arguments as far as they could be read; `errors` in the language of the person.
    """
    start = given if isinstance(given, dict) else {}
    return Correction(call=call, given=start, errors=errors, answer_by=timezone.now() + ANSWER_WITHIN)


def as_json(correction: Correction, call: ToolCall) -> dict[str, Any]:
    """The form as pages and AG-UI clients get it."""
    assert call.version is not None
    spec = catalogue.spec_of(call.version)
    return {
        "id": correction.pk,
        "schema": spec.schema,
        "arguments": correction.given,
        "errors": correction.errors,
        "templates": dict(spec.templates),
        "answerBy": telling.iso(correction.answer_by),
    }
