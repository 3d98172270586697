"""How a run ends: with an answer, a question to a person, a failure, a stop; or in the hands of another runner.

Each function that a run's engine calls is one transaction; those that begin with `end_` are sentences of `steps`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.providers.base import Words
from agents.stream import Reply
from conversations import exact, glance, replies, spending
from conversations.debate import status as debate_status
from conversations.groups import telling as telling_people
from conversations.models import RUN_ARROWS, Outcome, Run, RunStatus
from conversations.turn import Turn
from platform_site import bell, ledger, lifecycle, wire
from tools import gate
from tools.executors import Failed
from tools.gate import telling
from tools.models import CallStatus, ToolCall


class LostRun(Exception):
    """Another runner has taken this run over, as it took us too long to extend the lease; or its person is gone."""


@contextmanager
def writing(turn: Turn, *, acts: bool = False) -> Iterator[ledger.Log]:
    """One step of a run that is still ours. A runner that was taken for dead must not speak for the run any more.

    `acts`: it may begin something in the person's name, so they have to take part still.
    """
    with ledger.writing(turn.topic) as log:
        if not is_ours(turn, acts=acts):
            raise LostRun(turn.run.pk)
        yield log


def is_ours(turn: Turn, *, acts: bool = False) -> bool:
    return glance.is_moved_by(turn.run.runner, turn.run.pk, turn.requester.pk if acts else "")


def end_interrupted(log: ledger.Log, turn: Turn) -> None:
    questions = [gate.interrupt_of(call) for call in turn.waiting]
    if _end(turn.run, RunStatus.FINISHED, outcome=Outcome.INTERRUPT):
        log.tell(wire.run_interrupted(log.topic, turn.run.pk, questions))
        for kind, name in (("tool_call", "confirmation"), ("input_required", "correction")):
            _notify(turn, name, [question.id for question in questions if question.reason == kind])


def tell_parked(turn: Turn, call: ToolCall) -> None:
    """Nobody was there to be asked: whose yes it takes hears of it, wherever they are."""
    if "user" in call.confirmation.by:
        _notify(turn, "confirmation", [call.confirmation.pk])


def _notify(turn: Turn, kind: str, ids: list[str]) -> None:
    """Whoever asked hears of what waits for them, whichever conversation they look at."""
    if ids:
        waiting = {"conversation": turn.topic, f"{kind}s": ids}
        notice = bell.Notice(turn.tenant.pk, turn.requester.pk, kind, waiting)
        transaction.on_commit(lambda: bell.notify(notice))


def end_well(log: ledger.Log, turn: Turn) -> None:
    gate.close_tries(turn.tries.open_chains)
    if _end(turn.run, RunStatus.FINISHED, outcome=Outcome.SUCCESS):
        if turn.people:
            telling_people.tell_said(telling_people.people_in(log.topic), log.topic, log.last, None)
        log.tell(wire.run_succeeded(log.topic, turn.run.pk))


def end_failed(
    log: ledger.Log, run: Run, code: str, message: str, *, retryable: bool = False, **told: Any
) -> None:
    if _end(run, RunStatus.FAILED, error_code=code, error_message=message):
        log.tell(wire.run_error(code, message, metadata={"run": run.pk, "retryable": retryable, **told}))


def _end(run: Run, status: str, **values: Any) -> bool:
    ended = {"finished_at": timezone.now(), "lease_until": None, "reply": "", "rounds": run.rounds, **values}
    return lifecycle.move(run, RunStatus.RUNNING, status, RUN_ARROWS, **ended)


def fail(turn: Turn, code: str, message: Words, reply: Reply | None = None) -> None:
    """The model could not answer: what was seen of its answer stays, marked as broken off, and the run can be retried.

    Its calls never run, because a reply without an end makes none.
    """
    with writing(turn) as log:
        exact.keep(turn)
        if turn.run.reply:
            replies.store(log, turn, said_so_far(reply), "error", demo=turn.is_demo)
            spending.book(turn, turn.run.reply, reply or Reply(), "error")
        withdraw_failed(log, turn, "The turn failed before this could run.")
        end_failed(log, turn.run, code, telling.for_person(turn.requester, message), retryable=True)


def said_so_far(reply: Reply | None) -> Reply:
    """The text people saw of a reply that did not end; no calls, and nothing only the model knows."""
    return Reply(text=reply.text_so_far() or reply.text) if reply else Reply()


def cancel(turn: Turn, reply: Reply) -> None:
    """The person stopped it: keep what was said, answer every open call, end the run."""
    with writing(turn) as log:
        if turn.run.reply:
            replies.store(log, turn, said_so_far(reply), "cancelled", demo=turn.is_demo)
            spending.book(turn, turn.run.reply, reply, "cancelled")
        for call in turn.todo:
            if call.status == CallStatus.CLAIMED:  # claimed with the reply, and never begun
                gate.settle(
                    log,
                    call,
                    Failed("stopped", _("The turn was stopped before this began. Nothing was done.")),
                )
        withdraw_open(log, turn, "The person stopped the turn before this could run.")
        debate_status.stop_shown(log)
        if _end(turn.run, RunStatus.FINISHED, outcome=Outcome.CANCELLED):
            log.tell(wire.run_cancelled(log.topic, turn.run.pk))


def take_back_questions(turn: Turn) -> None:
    """Stopped in the moment when the run ended with a question: the question is withdrawn."""
    with ledger.writing(turn.topic) as log:
        withdraw_open(log, turn, "The person stopped the turn before this could run.")
        debate_status.stop_shown(log)


def withdraw_open(log: ledger.Log, turn: Turn, reason: str) -> None:
    """What this run asked, and what it was to carry out: an approved call may have been asked by an earlier run."""
    _withdraw_asked(log, turn, reason)
    withdraw_ready(log, reason, requester=turn.requester)


def withdraw_failed(log: ledger.Log, turn: Turn, reason: str) -> None:
    """As `withdraw_open`, where nobody wished an end: what people answered meanwhile is left to the run that their
    answer queued, which waits for this one to be over."""
    _withdraw_asked(log, turn, reason)
    later = Run.objects.filter(conversation=log.topic, status=RunStatus.QUEUED, requester=turn.requester)
    unanswered = {"confirmation": None, "correction": None} if later.exists() else {}
    withdraw_ready(log, reason, requester=turn.requester, **unanswered)


def _withdraw_asked(log: ledger.Log, turn: Turn, reason: str) -> None:
    gate.close_tries(turn.tries.open_chains)
    asked = ToolCall.objects.filter(
        run=turn.run.pk, topic=turn.topic, status__in=[CallStatus.ASKING, CallStatus.HELD]
    )
    for call in asked:
        gate.withdraw(log, call, reason)


def withdraw_ready(log: ledger.Log, reason: str, **of: Any) -> None:
    """What was only waiting to be carried out, or to be shown first, does not happen, whichever run asked for it."""
    ready = (CallStatus.PROPOSED, CallStatus.CLEARED, CallStatus.APPROVED)
    for call in ToolCall.objects.filter(topic=log.topic, status__in=ready, **of):
        gate.withdraw(log, call, reason)


def give_up(run_id: str) -> None:
    """A run that cannot even be begun fails, instead of being tried for ever."""
    run = Run.objects.get(pk=run_id)
    with ledger.writing(run.conversation_id) as log:
        now = timezone.now()
        if lifecycle.move(run, RunStatus.QUEUED, RunStatus.RUNNING, RUN_ARROWS, started_at=now):
            log.tell(wire.run_started(log.topic, run.pk, metadata={"cause": run.cause}))
        withdraw_ready(log, "The turn failed before this could run.", requester=run.requester)
        end_failed(log, run, "internal", "Something went wrong on our side. It was written down.")


def release(turn: Turn) -> None:
    """Leave the run to another runner: this process is ending."""
    ours = Run.objects.filter(pk=turn.run.pk, runner=turn.run.runner, status=RunStatus.RUNNING)
    ours.update(lease_until=timezone.now())
    bell.wake_runners(turn.run.pk, turn.tenant.pk)
