"""`resume`: a person's answers to what an earlier run ended with, by the contract rules of AG-UI interrupts.

All open questions of the thread are answered at once, or nothing is done (rules 3, 4). An answer to what is not open
any more is an error, unless it only says that nobody answers (rules 2, 7). What the gate refuses undoes the other
answers of the same request; a wrong proof is counted nevertheless.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, assert_never

from ag_ui.core.types import ResumeEntry
from django.db import transaction
from django.utils.translation import gettext as _
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from conversations import actions
from conversations.actions import Answer, Submitted
from conversations.agui_telling import with_schema
from conversations.api_bodies import Body, read
from conversations.frames import Proof
from conversations.turn import waits_for_requester
from platform_site.access import Actor
from platform_site.errors import Problem
from platform_site.models import Event
from tools import gate
from tools.models import CallStatus, Confirmation, ConfirmationStatus, Correction, CorrectionStatus, ToolCall
from tools.words import errors_as_json

CLOSED_IN_TIME = (ConfirmationStatus.EXPIRED, CorrectionStatus.EXPIRED)


@dataclass(frozen=True, slots=True)
class NotTaken:
    """Why a request was not acted on; becomes a RUN_ERROR."""

    code: str
    message: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Taken:
    """The calls that were answered."""

    calls: tuple[str, ...]


class Approval(Body):
    """The payload of an answer to `tool_call`. What is carried out is what is stored; nothing of it is read from here,
    except the arguments that take the place of those shown, which are checked like all others."""

    model_config = ConfigDict(alias_generator=to_camel)

    approved: bool
    digest: Annotated[str, Field(max_length=64)] = ""
    reason: Annotated[str, Field(max_length=2000)] = ""
    edited_args: dict[str, Any] | None = None
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One answer, ready to be given: what the person decides, the arguments they fill in, or None to drop the call."""

    entry: ResumeEntry
    call: ToolCall
    answer: Answer | dict[str, Any] | None


def open_questions(actor: Actor, topic: str) -> dict[str, ToolCall]:
    """The calls that wait for this person, by the ids of their interrupts."""
    waiting = ToolCall.objects.filter(
        topic=topic, requester=actor.user, status__in=[CallStatus.HELD, CallStatus.ASKING]
    ).select_related("confirmation", "correction", "version", "requester")
    calls = [call for call in waiting.order_by("proposed_at", "position") if waits_for_requester(call)]
    return {_question(call).pk: call for call in calls}


def _question(call: ToolCall) -> Confirmation | Correction:
    question: Confirmation | Correction = (
        call.correction if call.status == CallStatus.ASKING else call.confirmation
    )
    return question


def are_open(waiting: Mapping[str, ToolCall]) -> NotTaken:
    """Rule 4: the questions come first. They are told again, for a client that missed them."""
    told = {"interrupts": as_interrupts(waiting)}
    return NotTaken("interrupt_open", _("Every question that is open here has to be answered first."), told)


def as_interrupts(waiting: Mapping[str, ToolCall]) -> list[dict[str, Any]]:
    """The questions as a client gets them at the end of a run."""
    interrupts = [gate.interrupt_of(call).model_dump(mode="json", by_alias=True) for call in waiting.values()]
    return [with_schema(interrupt) for interrupt in interrupts]


def misfit(
    actor: Actor, topic: str, entries: Sequence[ResumeEntry], waiting: Mapping[str, ToolCall]
) -> NotTaken | None:
    """What is wrong with the list of answers: one stands twice, is stale or unknown, or is missing."""
    named = [entry.interrupt_id for entry in entries]
    if len(set(named)) < len(named):
        return NotTaken("bad_request", _("A question is answered twice."))
    for entry in entries:
        if entry.interrupt_id not in waiting and (stale := _stale(actor, topic, entry)):
            return stale
    return are_open(waiting) if waiting.keys() - set(named) else None


def answer(actor: Actor, entries: Sequence[ResumeEntry], waiting: Mapping[str, ToolCall]) -> Taken | NotTaken:
    """Give all the answers, or none. Inside the transaction that holds the topic."""
    try:
        steps = [
            _step(entry, waiting[entry.interrupt_id]) for entry in entries if entry.interrupt_id in waiting
        ]
    except Problem as problem:
        return NotTaken(problem.code, problem.detail, problem.extra)
    return _all_or_none(actor, steps)


def _stale(actor: Actor, topic: str, entry: ResumeEntry) -> NotTaken | None:
    """An answer to what is not open: an error, but to give up what is over already is none."""
    asked = {"pk": entry.interrupt_id, "call__topic": topic, "call__requester": actor.user}
    question = Confirmation.objects.filter(**asked).first() or Correction.objects.filter(**asked).first()
    if question is None:
        return NotTaken("unknown_interrupt", _("There is no such question."), _which(entry))
    if entry.status == "cancelled":
        return None
    if question.status in CLOSED_IN_TIME:
        return NotTaken("expired", _("The time to answer is over."), _which(entry))
    return NotTaken("conflict", _("This has been answered already."), _which(entry))


def _step(entry: ResumeEntry, call: ToolCall) -> Step:
    if call.status == CallStatus.ASKING:
        return Step(entry, call, _arguments(entry))
    confirmation: Confirmation = call.confirmation
    if entry.status == "cancelled":
        return Step(entry, call, Answer("reject", confirmation.digest))
    said = read(Approval, entry.payload)
    shown = said.digest or (confirmation.digest if not said.approved or _only_one_shown(confirmation) else "")
    proof = said.proof.model_dump(exclude_none=True) if said.proof else None
    decision = "approve" if said.approved else "reject"
    return Step(entry, call, Answer(decision, shown, proof, said.reason, said.edited_args))


def _arguments(entry: ResumeEntry) -> dict[str, Any] | None:
    if entry.status == "cancelled":
        return None
    if not isinstance(entry.payload, dict):
        raise Problem(400, "bad_request", _("The payload has to be the arguments, as a JSON object."))
    return entry.payload


def _only_one_shown(confirmation: Confirmation) -> bool:
    """Whether a yes without a digest can mean but one thing: nothing else was ever shown under this question's id."""
    shown = Event.objects.filter(
        topic=confirmation.call.topic,
        payload__name="tool_call.checked",
        payload__value__confirmation__id=confirmation.pk,
    )
    return {
        payload["value"]["confirmation"]["digest"] for payload in shown.values_list("payload", flat=True)
    } == {confirmation.digest}


class _Undone(Exception):
    """Carries a refusal out of the savepoint that it undoes."""

    def __init__(self, step: Step, why: NotTaken) -> None:
        super().__init__(why.code)
        self.step = step
        self.why = why


def _all_or_none(actor: Actor, steps: Sequence[Step]) -> Taken | NotTaken:
    try:
        with transaction.atomic():
            for step in steps:
                if why := _give(actor, step):
                    raise _Undone(step, why)
    except _Undone as undone:
        _count(actor, undone.step)
        return undone.why
    return Taken(tuple(step.call.pk for step in steps))


def _count(actor: Actor, refused: Step) -> None:
    """The refused answer once more, alone, so that what was noted of it (a wrong proof) stays."""
    with transaction.atomic():
        if _give(actor, refused) is None:
            transaction.set_rollback(True)


def _give(actor: Actor, step: Step) -> NotTaken | None:
    """Give one answer; why it was not taken, if it was not."""
    verdict = _verdict(actor, step.entry.interrupt_id, step.answer)
    match verdict:
        case gate.Decided() | Submitted():
            return None
        case gate.Refused(code="expired" | "conflict") if step.entry.status == "cancelled":
            return None
        case gate.Refused(code=code, detail=detail):
            return NotTaken(code, detail, _which(step.entry) | _more(verdict))
        case gate.StillWrong(errors=wrong):
            detail = _("These arguments are not right yet.")
            return NotTaken(
                "invalid_arguments", detail, _which(step.entry) | {"errors": errors_as_json(wrong)}
            )
        case _:
            assert_never(verdict)


def _verdict(
    actor: Actor, question: str, given: Answer | dict[str, Any] | None
) -> gate.Decided | gate.Refused | gate.StillWrong | Submitted:
    if isinstance(given, Answer):
        return actions.decide(actor, question, given)
    return actions.submit(actor, question, given)


def _more(refused: gate.Refused) -> dict[str, Any]:
    left = {} if refused.tries_left is None else {"triesLeft": refused.tries_left}
    return {**left, **({"errors": list(refused.errors)} if refused.errors else {})}


def _which(entry: ResumeEntry) -> dict[str, Any]:
    return {"interruptId": entry.interrupt_id}
