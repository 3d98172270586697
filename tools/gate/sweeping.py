"""`expire`: what time alone decides. Run every few seconds by the runner, for all tenants; any number may run it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from platform_site import audit, ledger, lifecycle
from platform_site.models import Topic
from platform_site.tenancy import acting_for
from tools.gate import telling
from tools.gate.claiming import lapse
from tools.gate.noting import note_call
from tools.gate.settling import answer_call, close_form, close_question, settle, withdraw
from tools.gate.values import PREPARE_WITHIN, Lapsed
from tools.models import CALL_ARROWS, CallStatus, ConfirmationStatus, CorrectionStatus, ToolCall
from tools.outcome import Unknown

log = logging.getLogger(__name__)
BATCH = 200
Step = Callable[[ledger.Log, ToolCall], bool]


def expire(now: datetime) -> list[str]:
    """Expire what nobody answered or decided, lapse what nobody carried out, give up on what nobody settled or showed.

    Returns the topics in which something changed, each once.
    """
    calls = ToolCall.objects.across_tenants()
    asking = calls.filter(status=CallStatus.ASKING, correction__answer_by__lte=now)
    held = calls.filter(status=CallStatus.HELD, confirmation__decide_by__lte=now)
    approved = calls.filter(status=CallStatus.APPROVED, confirmation__execute_by__lte=now)
    claimed = calls.filter(status=CallStatus.CLAIMED, give_up_at__lte=now)
    changed = [
        *_each(asking, _unanswered),
        *_each(held, _undecided),
        *_each(approved, _unclaimed),
        *_each(claimed, _unsettled),
        *_each(_left_unprepared(calls, now), _unprepared),
    ]
    return list(dict.fromkeys(changed))


def _left_unprepared(calls: QuerySet[ToolCall], now: datetime) -> QuerySet[ToolCall]:
    """Tries whose process died at their preview, and that nobody went on with; calls of runs have a watchdog."""
    began = Q(give_up_at__lte=now) | Q(give_up_at=None, proposed_at__lte=now - PREPARE_WITHIN)
    return calls.filter(began, status=CallStatus.PROPOSED, run="")


def _each(calls: QuerySet[ToolCall], step: Step) -> list[str]:
    """Take `step` for each call in a transaction of its own; returns the topics where it changed something."""
    return [call.topic for call in calls.order_by("pk")[:BATCH] if _tried(call, step)]


def _tried(call: ToolCall, step: Step) -> bool:
    """One call that breaks must not hold up those of everybody else."""
    try:
        return _take(call, step)
    except Exception:
        log.exception("the call %s could not be swept", call.pk)
        return False


def _take(call: ToolCall, step: Step) -> bool:
    with acting_for(call.tenant_id or ""):
        try:
            with ledger.writing(call.topic) as log:
                return step(log, call)
        except (
            Topic.DoesNotExist
        ):  # the conversation was deleted; the call's record stays and still has to end
            with audit.recording():
                return step(ledger.Log(call.topic, 0), call)


def _unanswered(log: ledger.Log, call: ToolCall) -> bool:
    if not lifecycle.move(call, CallStatus.ASKING, CallStatus.EXPIRED, CALL_ARROWS):
        return False
    note_call(call)
    close_form(call, CorrectionStatus.EXPIRED)
    telling.tell_status(log, call, CallStatus.EXPIRED)
    answer_call(log, call, "expired", "It was not done: nobody put the arguments right in time.")
    return True


def _undecided(log: ledger.Log, call: ToolCall) -> bool:
    if not lifecycle.move(call, CallStatus.HELD, CallStatus.EXPIRED, CALL_ARROWS):
        return False
    note_call(call)
    close_question(call, ConfirmationStatus.EXPIRED)
    telling.tell_status(log, call, CallStatus.EXPIRED)
    answer_call(
        log, call, "expired", "It was not done: nobody decided in time. Ask whether it is still wanted."
    )
    return True


def _unclaimed(log: ledger.Log, call: ToolCall) -> bool:
    return isinstance(lapse(log, call, _("It was approved, but not carried out in time.")), Lapsed)


def _unprepared(log: ledger.Log, call: ToolCall) -> bool:
    return withdraw(log, call, "What it would do could not be found out in time.")


def _unsettled(log: ledger.Log, call: ToolCall) -> bool:
    return settle(log, call, Unknown(_("whoever carried it out stopped before it could tell.")))
