"""What a held call would do, taken from a read-only tool before people are asked, and again before it is carried out.

A preview is a call of its own, without a conversation: proposed, claimed and settled like any other, so that limits
and records hold for it too. `begin` and `finish` are one transaction each; who calls them executes in between.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, assert_never

from django.utils.translation import gettext_lazy as _

from platform_site import ledger, lifecycle
from platform_site.ids import new_id
from tools import catalogue, strictjson
from tools.gate import holding
from tools.gate.claiming import claim_cleared
from tools.gate.noting import note_call
from tools.gate.proposing import propose
from tools.gate.settling import answer_failed, close_question, settle
from tools.gate.values import Asked, Claimed, Requester, Shown
from tools.models import CALL_ARROWS, CallStatus, ConfirmationStatus, ToolCall
from tools.outcome import Failed, Outcome, Succeeded, Unknown
from tools.spec import ToolSpec

LARGEST = 32 * 1024
"""Characters of a preview. A person reads it, and it is part of the digest."""
NOT_SHOWN = Failed("no_preview", _("It could not be shown beforehand what would be done."))


@dataclass(frozen=True, slots=True)
class Previewing:
    """A preview under way for `of`: `claimed` is to be carried out by whoever holds this."""

    of: ToolCall
    claimed: Claimed


@dataclass(frozen=True, slots=True)
class Preview:
    """What was shown for `of`."""

    of: ToolCall
    shown: Shown


@dataclass(frozen=True, slots=True)
class NoPreview:
    """It could not be shown what `of` would do, so nobody is asked and nothing is done."""

    of: ToolCall
    why: Failed


def begin(of: ToolCall, role: str) -> Previewing | NoPreview:
    """Propose and claim the preview of a call, on behalf of who asked for it."""
    assert of.version is not None and of.requester is not None
    name = catalogue.spec_of(of.version).preview
    offered = catalogue.offered([name])
    spec = offered.get(name)
    if spec is None or not catalogue.is_preview(spec):
        return NoPreview(
            of, Failed("no_preview", _("The tool that shows beforehand what would be done is not there."))
        )
    nowhere = ledger.Log("", 0)
    asked = Asked(
        new_id(), "", name, json.dumps(_fitting(spec, of.arguments or {})), 0, topic="", run=of.run, message="",
        model="", source=None,
    )  # fmt: skip
    call = propose(nowhere, asked, offered, Requester(of.requester, role))
    if call.status != CallStatus.CLEARED:
        return NoPreview(of, NOT_SHOWN)
    claimed = claim_cleared(nowhere, call, spec)
    if not isinstance(claimed, Claimed):
        return NoPreview(of, NOT_SHOWN)
    return Previewing(of, claimed)


def finish(previewing: Previewing, outcome: Outcome) -> Preview | NoPreview:
    """Settle the preview; what it showed, or why it shows nothing."""
    settle(ledger.Log("", 0), previewing.claimed.call, outcome)
    match outcome:
        case Succeeded(content=content) if len(content) > LARGEST:
            why = Failed("no_preview", _("What would be done is too long to be shown."))
        case Succeeded(content=content):
            if (value := _read(content)) is not None:
                return Preview(previewing.of, Shown(value))
            why = NOT_SHOWN
        case Failed():
            why = outcome
        case Unknown(reason=reason):
            why = Failed("no_preview", reason)
    return NoPreview(previewing.of, why)


def settle_held(log: ledger.Log, taken: Preview | NoPreview) -> None:
    """With its preview a call is held; without one nobody is asked, nothing is done, and the model is told why."""
    match taken:
        case Preview(of, shown):
            holding.hold(log, of, shown.value)
        case NoPreview(of, why):
            _refuse(log, of, why)
        case _:
            assert_never(taken)


def _refuse(log: ledger.Log, call: ToolCall, why: Failed) -> None:
    if not lifecycle.move(call, CallStatus.PROPOSED, CallStatus.REFUSED, CALL_ARROWS):
        return
    note_call(call, error=why.code)
    close_question(call, ConfirmationStatus.WITHDRAWN)
    answer_failed(log, call, why)


def _fitting(spec: ToolSpec, arguments: dict[str, Any]) -> dict[str, Any]:
    """Those of a call's arguments that its preview knows."""
    known = spec.schema.get("properties") or {}
    return {name: value for name, value in arguments.items() if name in known}


def _read(content: str) -> Any:
    try:
        return strictjson.loads(content)
    except strictjson.NotJson:
        return content
