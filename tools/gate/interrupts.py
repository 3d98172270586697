"""The AG-UI interrupts of calls that wait for the person who asked: a decision (`tool_call`), or arguments."""

from __future__ import annotations

from ag_ui.core.events import Interrupt
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from platform_site import wire
from tools import catalogue
from tools.gate import asking, telling
from tools.models import CallStatus, Confirmation, Correction, ToolCall


def interrupt_of(call: ToolCall) -> Interrupt:
    """The interrupt of a call that is held or asked about."""
    return _for_arguments(call) if call.status == CallStatus.ASKING else _for_decision(call)


def _for_decision(call: ToolCall) -> Interrupt:
    confirmation: Confirmation = call.confirmation
    metadata = telling.confirmation_json(confirmation, call) | {"confirmation": confirmation.pk}
    message = telling.for_person(
        call.requester, format_lazy(_("Please decide whether {name} may run."), name=call.name)
    )
    return wire.interrupt(
        confirmation.pk, reason="tool_call", message=message, call=call.pk,
        expires_at=telling.iso(confirmation.decide_by), metadata=metadata,
    )  # fmt: skip


def _for_arguments(call: ToolCall) -> Interrupt:
    assert call.version is not None
    spec = catalogue.spec_of(call.version)
    correction: Correction = call.correction
    shown = asking.as_json(correction, call)
    metadata = {name: shown[name] for name in ("arguments", "errors", "templates")}
    metadata |= {
        "correction": correction.pk, "name": call.name, "title": telling.labels(spec, "title", None),
        "risk": call.risk, "flags": call.flags,
    }  # fmt: skip
    message = telling.for_person(
        call.requester, format_lazy(_("Please put the arguments of {name} right."), name=call.name)
    )
    return wire.interrupt(
        correction.pk, reason="input_required", message=message, call=call.pk, expires_at=shown["answerBy"],
        metadata=metadata, response_schema=dict(spec.schema),
    )  # fmt: skip
