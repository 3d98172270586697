"""`propose`: a call is judged, and stored with the first status that follows; what was tried is written beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from platform_site import ledger, lifecycle
from platform_site.models import User
from tools import catalogue
from tools.gate import asking, attempting, before_asking, holding, telling
from tools.gate.attempting import Attempt, Tries
from tools.gate.before_asking import Place
from tools.gate.judging import Given, Judgement, carry, judge
from tools.gate.noting import note_call
from tools.gate.values import Asked, Requester
from tools.models import (
    CALL_ARROWS,
    AttemptOutcome,
    AttemptSource,
    CallAttempt,
    CallStatus,
    NextStep,
    ToolCall,
)
from tools.pipeline import advice, budget, feedback
from tools.pipeline.budget import Tried
from tools.spec import ToolSpec
from tools.strictjson import storable
from tools.words import errors_as_json

LONGEST_NAME = 120
LONGEST_RAW = 64 * 1024
"""Characters of the raw text that are kept and told."""
Errors = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was asked, what to make of it, and where it stands among the tries of its turn."""

    asked: Asked
    by: Requester
    spec: ToolSpec | None
    judged: Judgement
    tried: Tried
    then: NextStep
    now: datetime

    @property
    def is_good(self) -> bool:
        return self.spec is not None and self.judged.rejected is None


def propose(
    log: ledger.Log, asked: Asked, offered: Mapping[str, ToolSpec], by: Requester, tries: Tries | None = None
) -> ToolCall:
    """Judge a call, store it as rejected, refused, asking, held or cleared, and tell it. Two or three inserts.

    1. A name that was not offered is refused, whether or not there is such a tool.
    2. Arguments and rules: what is wrong goes back to the model, until its tries are used up (`tries`, of the turn);
       then the person is asked.
    3. Risk: the tool's, raised by rules and by outside text that was read; what is not SAFE is held, unless a standing
       grant covers it, or it is to be shown first what it would do. An earlier no holds (`before_asking`).
    """
    tries = Tries(may_ask=False) if tries is None else tries
    proposal, before = _judged(asked, offered, by, tries)
    call = _call(proposal)
    _answer(call, proposal, before, budget.tries_left(tries.so_far, proposal.tried))
    tries.note(proposal.tried, proposal.then, ok=proposal.is_good)
    _store_and_tell(log, call, proposal)
    return call


def _judged(
    asked: Asked, offered: Mapping[str, ToolSpec], by: Requester, tries: Tries
) -> tuple[Proposal, Tried | None]:
    spec, now = offered.get(asked.name), timezone.now()
    name, raw = storable(asked.name[:LONGEST_NAME]), storable(asked.raw[:LONGEST_RAW])
    tried, before = attempting.place(tries, name, raw, asked.message)
    given = Given(
        asked.raw, asked.topic, by, now, truncated=asked.truncated, written=asked.source == AttemptSource.TEXT,
        outside=asked.outside,
    )  # fmt: skip
    judged = judge(spec, given) if spec else _unknown(asked.name, offered)
    then = NextStep.WENT_ON
    if spec is None or judged.rejected:
        then = attempting.then(tries, tried, is_known=spec is not None)
    if then == NextStep.ASKED:
        judged.status = CallStatus.ASKING
        carry(judged, asked.outside)
    if spec:
        tried_out = asked.source == AttemptSource.PLAYGROUND
        place = Place(
            asked.topic, asked.spoke_at, tried=tried_out, unattended=asked.unattended, others_spoke=asked.others_spoke
        )  # fmt: skip
        before_asking.consider(spec, judged, by.user, place)
    return Proposal(asked, by, spec, judged, tried, then, now), before


def _unknown(name: str, offered: Mapping[str, ToolSpec]) -> Judgement:
    best = advice.near(name[:LONGEST_NAME], offered)
    near = [best] if best else []
    message = f"There is no tool named {storable(name[:LONGEST_NAME])!r}."
    message += f" Did you mean {' or '.join(near)}?" if near else " Use only the tools you were given."
    told = telling.as_answer("UNKNOWN_TOOL", message=message, suggestions=near)
    reason = format_lazy(_("There is no tool named {name}."), name=storable(name[:LONGEST_NAME]))
    return Judgement(CallStatus.REFUSED, reasons=[reason], answer=told)


def _call(proposal: Proposal) -> ToolCall:
    asked, judged, user = proposal.asked, proposal.judged, proposal.by.user
    if judged.status != CallStatus.PROPOSED:
        lifecycle.check(CALL_ARROWS, CallStatus.PROPOSED, judged.status)
    version = catalogue.version_of(proposal.spec) if proposal.spec else None
    call = ToolCall(
        pk=asked.id, topic=asked.topic, run=asked.run, message=asked.message, position=asked.position,
        model_call_id=storable(asked.model_call_id[:LONGEST_NAME]), name=proposal.tried.tool, version=version,
        requester=user, model=asked.model[:LONGEST_NAME], status=judged.status, risk=judged.risk,
        reasons=telling.in_each_language(judged.reasons), raw=proposal.tried.raw, arguments=judged.arguments,
        flags=judged.flags, errors=_errors(judged, None),
    )  # fmt: skip
    if call.arguments is not None:
        call.digest = telling.digest_of(call)
        call.likeness = before_asking.likeness_of(version.pk if version else "", call.arguments)
    return call


def _answer(call: ToolCall, proposal: Proposal, before: Tried | None, left: int) -> None:
    """What the model is told at once: that it may not, or what to put right. A call that is asked about waits."""
    judged = proposal.judged
    answer = judged.answer
    if judged.status == CallStatus.REJECTED:
        assert proposal.spec is not None and judged.rejected is not None
        answer = feedback.tell(proposal.spec, judged.rejected, before=_errors_before(before), left=left)
    if answer:
        call.result = {"content": answer}
        call.settled_at = proposal.now


def _store_and_tell(log: ledger.Log, call: ToolCall, proposal: Proposal) -> None:
    judged, spec = proposal.judged, proposal.spec
    question = (
        holding.question_for(call, spec, proposal.now) if spec and judged.status == CallStatus.HELD else None
    )
    errors = _errors(judged, proposal.by.user)
    form = None
    if judged.status == CallStatus.ASKING and judged.rejected:
        form = asking.begin(call, judged.rejected.value, errors)
    call.save(force_insert=True)
    note_call(call, faults=len(errors))
    for row in (question, form):
        if row:
            row.save(force_insert=True)
    if proposal.asked.source:
        attempting.write(call, proposal.tried, _attempt(call, proposal, proposal.asked.source), proposal.then)
    with telling.words_for(proposal.by.user):
        telling.tell_proposal(log, call, spec, question, errors, asking.as_json(form, call) if form else None)
    if call.result:
        telling.tell_result(log, call)


def _attempt(call: ToolCall, proposal: Proposal, source: AttemptSource) -> Attempt:
    judged = proposal.judged
    if proposal.spec is None:
        errors: Errors = [
            {"path": "$", "keyword": "unknown_tool", "message": f"There is no tool {call.name!r}."}
        ]
        outcome = AttemptOutcome.UNKNOWN_TOOL
    else:
        errors = call.errors
        good = attempting.outcome_of(judged.mended, judged.flags)
        outcome = AttemptOutcome.REJECTED if judged.rejected else good
    return Attempt(
        source,
        proposal.asked.agent,
        call.raw,
        storable(judged.mended),
        judged.flags,
        errors,
        outcome,
    )


def _errors(judged: Judgement, person: User | None) -> Errors:
    with telling.words_for(person):
        return errors_as_json(judged.rejected.errors) if judged.rejected else []


def _errors_before(before: Tried | None) -> Sequence[Mapping[str, Any]]:
    """What was wrong the last time, as it is stored: it is not told twice."""
    if before is None:
        return ()
    errors: Errors = CallAttempt.objects.values_list("errors", flat=True).get(pk=before.id)
    return errors
