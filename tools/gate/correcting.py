"""`submit`: a person puts a call's arguments right, or says that it is not wanted any more (A11).

What they fill in goes the way every argument goes: checked, judged by the rules, held where its risk asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from platform_site import ledger, lifecycle
from platform_site.access import Actor
from platform_site.ids import new_id
from tools import catalogue
from tools.canonical import canonical
from tools.gate import attempting, before_asking, holding, telling
from tools.gate.attempting import Attempt
from tools.gate.before_asking import Place
from tools.gate.judging import Given, Judgement, carried_by, judge
from tools.gate.noting import note_call
from tools.gate.settling import answer_call
from tools.gate.values import Refused, Requester
from tools.models import (
    CALL_ARROWS,
    CORRECTION_ARROWS,
    AttemptOutcome,
    AttemptSource,
    CallAttempt,
    CallStatus,
    Correction,
    CorrectionStatus,
    NextStep,
    ToolCall,
)  # fmt: skip
from tools.pipeline.budget import Tried
from tools.pipeline.values import Rejected
from tools.schema_words import ArgumentError
from tools.words import errors_as_json

K = CorrectionStatus
MOST_NOTED = 10
"""Wrong answers to one form that are written down."""
LONGEST_RAW = 64 * 1024
BY_PERSON = {"name": "corrected_by_person"}


@dataclass(frozen=True, slots=True)
class Corrected:
    """The answer was taken; the call goes on, is held, or is taken back."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class StillWrong:
    """What was filled in is not right either; the form stays open."""

    errors: tuple[ArgumentError, ...]


@dataclass(frozen=True, slots=True)
class Submitting:
    """Who answers which form, and when."""

    log: ledger.Log
    correction: Correction
    actor: Actor
    now: datetime

    @property
    def call(self) -> ToolCall:
        return self.correction.call


def submit(
    log: ledger.Log, correction_id: str, actor: Actor, given: Mapping[str, Any] | None
) -> Corrected | StillWrong | Refused:
    """Take what a person filled in, inside the transaction `log` writes; None cancels the call.

    Only who asked may answer, once, and in time. Commit the transaction whatever the answer is.
    """
    correction = _locked(log, correction_id)
    if correction is None or correction.call.requester_id != actor.user.pk:
        return Refused("not_found", _("There is no such question."))
    submitting = Submitting(log, correction, actor, timezone.now())
    if correction.status != K.PENDING or correction.call.status != CallStatus.ASKING:
        return Refused("conflict", _("This has been answered already."))
    if correction.answer_by <= submitting.now:
        return Refused("expired", _("The time to answer is over."))
    return _cancel(submitting) if given is None else _take(submitting, given)


def _locked(log: ledger.Log, correction_id: str) -> Correction | None:
    rows = Correction.objects.select_for_update(of=("self",)).select_related(
        "call__requester", "call__version"
    )
    return rows.filter(pk=correction_id, call__topic=log.topic).first()


def _cancel(submitting: Submitting) -> Corrected | Refused:
    call = submitting.call
    if not _close(submitting, K.CANCELLED):
        return Refused("conflict", _("This has been answered already."))
    _move(call, CallStatus.WITHDRAWN)
    attempting.close_of(call)
    telling.tell_status(submitting.log, call, CallStatus.WITHDRAWN, submitting.actor.user)
    message = "It was not done: the person was asked for the right arguments and chose to drop it."
    answer_call(submitting.log, call, "withdrawn", message)
    return Corrected(call)


def _take(submitting: Submitting, given: Mapping[str, Any]) -> Corrected | StillWrong | Refused:
    call = submitting.call
    assert call.version is not None, "a tool that does not exist is not asked about"
    spec = catalogue.spec_of(call.version)
    by = Requester(submitting.actor.user, submitting.actor.role)
    written = attempting.was_written(call)
    known = Given(given, call.topic, by, submitting.now, written=written, outside=carried_by(call))
    judged = judge(spec, known)
    if judged.rejected:
        _note(call, given, judged.rejected)
        return StillWrong(judged.rejected.errors)
    if not _close(submitting, K.SUBMITTED):
        return Refused("conflict", _("This has been answered already."))
    before_asking.consider(spec, judged, by.user, Place(call.topic))
    _go_on(submitting, judged)
    _write(call, _attempt(given, judged), NextStep.WENT_ON)
    return Corrected(call)


def _go_on(submitting: Submitting, judged: Judgement) -> None:
    """The call takes the arguments, its digest and the status that follows from them."""
    call = submitting.call
    call.arguments, call.errors = judged.arguments, []
    call.flags = [BY_PERSON, *judged.flags]
    call.risk, call.reasons = judged.risk, telling.in_each_language(judged.reasons)
    call.digest = telling.digest_of(call)
    assert call.version is not None
    call.likeness = before_asking.likeness_of(call.version.pk, call.arguments)
    question = None
    if judged.status == CallStatus.HELD:
        question = holding.question_for(call, catalogue.spec_of(call.version), submitting.now)
    changed = ("arguments", "errors", "flags", "risk", "reasons", "digest", "likeness")
    _move(call, judged.status, **{name: getattr(call, name) for name in changed})
    if question:
        question.save(force_insert=True)
    with telling.words_for(call.requester):
        telling.tell_checked(submitting.log, call, catalogue.spec_of(call.version), question, [])
    if judged.answer:
        answer_call(submitting.log, call, "refused", " ".join(map(telling.in_english, judged.reasons)))


def _close(submitting: Submitting, status: K) -> bool:
    """The terminal move; only one caller ever makes it."""
    answered = {"answered_at": submitting.now, "answered_by": submitting.actor.user}
    return lifecycle.move(submitting.correction, K.PENDING, status, CORRECTION_ARROWS, **answered)


def _move(call: ToolCall, status: CallStatus, **values: Any) -> None:
    if not lifecycle.move(call, CallStatus.ASKING, status, CALL_ARROWS, **values):
        raise RuntimeError(f"call {call.pk} had an open form but was not asking")
    note_call(call, by=call.requester, was=str(CallStatus.ASKING))


def _note(call: ToolCall, given: Mapping[str, Any], rejected: Rejected) -> None:
    if call.attempts.filter(source=AttemptSource.PERSON).count() >= MOST_NOTED:
        return
    with telling.words_for(None):
        errors = errors_as_json(rejected.errors)
    raw = canonical(given)[:LONGEST_RAW]
    attempt = Attempt(
        AttemptSource.PERSON, raw=raw, flags=rejected.flags, errors=errors, outcome=AttemptOutcome.REJECTED
    )
    _write(call, attempt, NextStep.ASKED)


def _attempt(given: Mapping[str, Any], judged: Judgement) -> Attempt:
    outcome = attempting.outcome_of(judged.mended, judged.flags)
    return Attempt(
        AttemptSource.PERSON, raw=canonical(given)[:LONGEST_RAW], flags=judged.flags, outcome=outcome
    )


def _write(call: ToolCall, attempt: Attempt, then: NextStep) -> None:
    newest: CallAttempt = attempting.newest_of(call)
    tried = Tried(new_id(), newest.chain, newest.number + 1, call.name, attempt.raw, call.message, ok=False)
    attempting.write(call, tried, replace(attempt, agent=newest.agent), then)
