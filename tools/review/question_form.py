"""Change and approve on the page of a question: what its form is made from, and what came back.

The script fills in the form and sends the arguments as one JSON text beside the decision. What the gate refuses is
shown in the form again, as it was typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tools import catalogue, gate, strictjson
from tools.models import Confirmation


def edited_in(sent: Mapping[str, str]) -> dict[str, Any] | gate.Refused | None:
    """The arguments to be approved in the place of those shown; None when nothing was changed."""
    text = sent.get("arguments", "")
    if not text or sent.get("decision") != "approve":
        return None
    try:
        value = strictjson.loads(text)
    except strictjson.NotJson:
        value = None
    if not isinstance(value, dict):
        return gate.Refused("bad_request", _("The arguments are one object."))
    return value


def form_of(
    question: Confirmation, sent: Mapping[str, str], refused: gate.Refused | None
) -> dict[str, Any] | None:
    """`{schema, templates, arguments, given, errors}` for the script; None where there is nothing to change.

    `given`: what somebody has typed and was refused, if it is still about the same digest.
    """
    call = question.call
    if not call.arguments or call.version is None:
        return None
    spec = catalogue.spec_of(call.version)
    given = edited_in(sent) if refused and sent.get("digest") == question.digest else None
    return {
        "schema": dict(spec.schema), "templates": dict(spec.templates), "arguments": call.arguments,
        "given": given if isinstance(given, dict) else None, "errors": list(refused.errors or []) if refused else [],
    }  # fmt: skip
