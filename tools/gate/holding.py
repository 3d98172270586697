"""The question put to people about a call: who has to agree, with what proof, until when, about exactly what."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone

from platform_site import ledger, lifecycle
from tools import catalogue, policy
from tools.gate import telling
from tools.gate.approvers import approvers_of
from tools.gate.before_asking import is_parked
from tools.gate.noting import note_call
from tools.models import (
    CALL_ARROWS,
    CONFIRMATION_ARROWS,
    CallStatus,
    Confirmation,
    ConfirmationStatus,
    ToolCall,
)
from tools.spec import ConfirmationPolicy, ToolSpec

PARKED_FOR = timedelta(days=1)


def question_for(call: ToolCall, spec: ToolSpec, now: datetime) -> Confirmation:
    """The question about `call`, to be stored with it, about its digest as it stands."""
    asks = what_it_takes(call, spec)
    return Confirmation(
        call=call, digest=call.digest, by=asks.by, proof=asks.proof, votes_needed=asks.votes,
        decide_by=now + _time_to_decide(call, spec, asks), execute_within=asks.execute_within_s,
    )  # fmt: skip


def what_it_takes(call: ToolCall, spec: ToolSpec) -> ConfirmationPolicy:
    """The ceremony of a call of this risk. A flag on the call says so when nobody could say yes to it today."""
    assert call.requester is not None
    there = approvers_of(spec, call.risk, call.requester)  # type: ignore[arg-type]  # Risk's values are RiskLevel's
    if there.nobody:
        call.flags.append({"name": "nobody_can_approve"})
    return there.asks


def _time_to_decide(call: ToolCall, spec: ToolSpec, asks: ConfirmationPolicy) -> timedelta:
    """Where nobody was there to be asked, and the tool does not say how long: long enough to come back."""
    within = timedelta(seconds=asks.decide_within_s)
    return max(within, PARKED_FOR) if is_parked(call) and spec.confirmation is None else within


def hold(log: ledger.Log, call: ToolCall, shown: Any) -> bool:
    """Put the question about a call whose preview has been taken; one that was open is put anew."""
    assert call.version is not None
    spec, now = catalogue.spec_of(call.version), timezone.now()
    call.digest = telling.digest_of(call, shown)
    question = Confirmation.objects.filter(call=call).first() or question_for(call, spec, now)
    question.call = call
    if not lifecycle.move(
        call, CallStatus.PROPOSED, CallStatus.HELD, CALL_ARROWS, digest=call.digest, flags=call.flags
    ):
        return False
    note_call(call)
    about(question, shown)
    question.save()
    call.confirmation = question
    _tell(log, call, spec, question)
    return True


def ask_again(log: ledger.Log, call: ToolCall, question: Confirmation, shown: Any) -> bool:
    """An approved call would do something else by now: the question is put again, with what was shown before."""
    assert call.version is not None
    spec = catalogue.spec_of(call.version)
    call.digest = telling.digest_of(call, shown)
    call.flags = [flag for flag in call.flags if flag["name"] != CHANGED["name"]] + [CHANGED]
    if not lifecycle.move(
        call, CallStatus.APPROVED, CallStatus.HELD, CALL_ARROWS, digest=call.digest, flags=call.flags
    ):
        return False
    note_call(call, was=str(CallStatus.APPROVED))
    until = timezone.now() + timedelta(seconds=_policy(call, spec).decide_within_s)
    again = {"decide_by": until, "decided_at": None, "execute_by": None}
    if not lifecycle.move(
        question, ConfirmationStatus.APPROVED, ConfirmationStatus.PENDING, CONFIRMATION_ARROWS, **again
    ):
        raise RuntimeError(f"call {call.pk} was approved but its question was not")
    question.call = call
    about(question, shown, before=question.preview)
    question.save()
    call.confirmation = question
    _tell(log, call, spec, question)
    return True


CHANGED = {"name": "preview_changed"}


def about(question: Confirmation, shown: Any, *, before: Any = None) -> None:
    """The question is about its call as it stands now, which nobody has answered yet.

    It may have been asked before with the same digest (a price went up and came down): those yeses are void, too.
    """
    question.digest = question.call.digest
    question.votes.filter(digest=question.digest).update(digest=Concat(Value("void "), "pk"))
    question.preview, question.preview_before = shown, before
    question.user_approved = False


def _policy(call: ToolCall, spec: ToolSpec) -> ConfirmationPolicy:
    return policy.policy_for(spec, call.risk)  # type: ignore[arg-type]  # Risk's values are RiskLevel's


def _tell(log: ledger.Log, call: ToolCall, spec: ToolSpec, question: Confirmation) -> None:
    with telling.words_for(call.requester):
        telling.tell_checked(log, call, spec, question, [])
