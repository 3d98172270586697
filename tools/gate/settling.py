"""`settle`: every claimed call ends in a receipt. `withdraw`: a call that has not started is taken back."""

from __future__ import annotations

from typing import Any, assert_never

from django.utils import timezone

from platform_site import ledger, lifecycle
from platform_site.models import User
from tools.gate import attempting, telling
from tools.gate.noting import note_call
from tools.jobs.telling import tell_end
from tools.models import (
    CALL_ARROWS,
    CONFIRMATION_ARROWS,
    CORRECTION_ARROWS,
    CallStatus,
    Confirmation,
    ConfirmationStatus,
    Correction,
    CorrectionStatus,
    ToolCall,
)  # fmt: skip
from tools.outcome import Failed, Outcome, Succeeded, Unknown
from tools.schema_words import Text
from tools.strictjson import storable_json

C = ConfirmationStatus
UNSTARTED = (CallStatus.PROPOSED, CallStatus.ASKING, CallStatus.HELD, CallStatus.CLEARED, CallStatus.APPROVED)


def settle(log: ledger.Log, call: ToolCall, outcome: Outcome) -> bool:
    """Record how a claimed call ended, and tell it. False when it had ended already; the first receipt stands."""
    result = storable_json(_stored(outcome, call.requester))
    now = timezone.now()
    began = CallStatus.WORKING if call.status == CallStatus.WORKING else CallStatus.CLAIMED
    if not lifecycle.move(call, began, outcome.status, CALL_ARROWS, settled_at=now, result=result):
        return False
    note_call(call, error=(result.get("error") or {}).get("code"))
    tell_end(log, call)
    telling.tell_result(log, call)
    return True


def withdraw(log: ledger.Log, call: ToolCall, reason: str) -> bool:
    """Take back a call that has not started; False when it has, or has ended."""
    status = call.status
    if status not in UNSTARTED or not lifecycle.move(call, status, CallStatus.WITHDRAWN, CALL_ARROWS):
        return False
    note_call(call, was=str(status), why=reason)
    close_question(call, C.WITHDRAWN)
    if status == CallStatus.ASKING:
        close_form(call, CorrectionStatus.WITHDRAWN)
    if status != CallStatus.CLEARED:
        telling.tell_status(log, call, CallStatus.WITHDRAWN, reason=reason)
    answer_call(log, call, "withdrawn", f"It was not done. {reason}")
    return True


def close_question(call: ToolCall, status: ConfirmationStatus) -> None:
    """The pending confirmation of a call that ended without an answer, if it has one."""
    confirmation = Confirmation.objects.filter(call=call, status=C.PENDING).first()
    if confirmation:
        lifecycle.move(confirmation, C.PENDING, status, CONFIRMATION_ARROWS, decided_at=timezone.now())


def close_form(call: ToolCall, status: CorrectionStatus) -> None:
    """The open form of a call that ended without an answer: nobody put its arguments right."""
    form = Correction.objects.filter(call=call, status=CorrectionStatus.PENDING).first()
    if form:
        lifecycle.move(form, CorrectionStatus.PENDING, status, CORRECTION_ARROWS, answered_at=timezone.now())
    attempting.close_of(call)


def answer_call(log: ledger.Log, call: ToolCall, code: str, message: Text) -> None:
    """Store and tell the answer of a call that never ran."""
    content = telling.as_answer(code.upper(), message=telling.in_english(message))
    error = {"code": code, "message": telling.for_person(call.requester, message)}
    call.result = storable_json({"content": content, "error": error})
    call.settled_at = timezone.now()
    ToolCall.objects.filter(pk=call.pk).update(result=call.result, settled_at=call.settled_at)
    telling.tell_result(log, call)


def answer_failed(log: ledger.Log, call: ToolCall, why: Failed) -> None:
    """Store and tell why a call was not even asked about, as usable as the answer of a tool that failed."""
    call.result = storable_json(_stored(why, call.requester))
    call.settled_at = timezone.now()
    ToolCall.objects.filter(pk=call.pk).update(result=call.result, settled_at=call.settled_at)
    telling.tell_result(log, call)


def _stored(outcome: Outcome, person: User | None) -> dict[str, Any]:
    """`ToolCall.result`: `content` for the model; for people `ui`, `display`, `error`, `flags`, `warnings`; `final`."""
    match outcome:
        case Succeeded():
            return {
                "content": outcome.content, "ui": list(outcome.ui), "final": outcome.final,
                "display": outcome.display, "flags": list(outcome.flags),
                "warnings": [telling.for_person(person, warning) for warning in outcome.warnings],
            }  # fmt: skip
        case Failed():
            content = telling.as_answer("FAILED", error=_error(outcome, telling.in_english(outcome.message)))
            return {"content": content, "error": _error(outcome, telling.for_person(person, outcome.message))}
        case Unknown(reason=reason):
            why = telling.in_english(reason)
            message = f"Nobody knows whether this was done: {why} Do not call it again; a person has to look."
            told = telling.as_answer("UNKNOWN", message=message)
            return {
                "content": told,
                "error": {"code": "unknown", "message": telling.for_person(person, reason)},
            }
        case _:
            assert_never(outcome)


def _error(failed: Failed, message: str) -> dict[str, Any]:
    error: dict[str, Any] = {"code": failed.code, "message": message}
    error |= {"suggestions": list(failed.suggestions)} if failed.suggestions else {}
    return error | ({"details": dict(failed.details)} if failed.details else {})
