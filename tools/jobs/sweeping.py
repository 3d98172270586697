"""The watchdog over jobs: a worker that is gone, a row that the queue lost, a queue that does not work at all.

Looked at each second by every runner; a topic's lock, and conditional updates, make one of them act. Only what reads,
or takes one key for one order, is ever begun again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from platform_site import ledger, lifecycle
from platform_site.jobs import is_waiting
from platform_site.tenancy import acting_for
from tools import catalogue
from tools.gate.noting import note_call
from tools.gate.settling import settle
from tools.jobs.beginning import unbegun
from tools.jobs.queueing import put_again
from tools.jobs.setbacks import Setbacks
from tools.jobs.telling import tell, writing
from tools.models import CALL_ARROWS, CallStatus, Job, ToolCall
from tools.outcome import Failed, Unknown
from tools.spec import ToolSpec

log = logging.getLogger(__name__)
MOST_ATTEMPTS = 3
ROW_GONE = timedelta(seconds=15)
"""How long a taken row may take to its worker; then another one is written."""
QUEUED_AT_MOST = timedelta(hours=1)
"""What was agreed to is not carried out at some other time, when a queue comes back."""
BATCH = 200
LOST = _("The worker that carried it out was lost.")
BROKEN = _("Something broke on our side while this was being carried out.")
TOO_LATE = _("It was not begun within an hour, because the queue was not working.")
Step = Callable[[Job, datetime], bool]
SETBACKS = Setbacks()


def look_after(now: datetime) -> list[str]:
    """Take care of jobs that nobody works on; returns the calls where something was done.

    Only ids are read for all of them at once: a row that cannot even be read breaks alone.
    """
    jobs = Job.objects.across_tenants().filter(is_told=False).exclude(pk__in=SETBACKS.resting())
    done = []
    for step, which in _steps(now):
        rows = jobs.filter(which).order_by("queued_at", "pk")[:BATCH]
        for call, tenant in list(rows.values_list("pk", "tenant_id")):
            if _tried(partial(_do, step, which, call, now), call, str(tenant)):
                done.append(call)
    return done


def _steps(now: datetime) -> list[tuple[Step, Q]]:
    """What has to be done about which jobs, as far as their rows tell."""
    queued, working = Q(call__status=CallStatus.CLAIMED), Q(call__status=CallStatus.WORKING)
    too_late = Q(call__claimed_at__lt=now - QUEUED_AT_MOST)
    return [
        (_lost, working & (Q(lease_until=None) | Q(lease_until__lt=now))),
        (_too_late, queued & too_late),
        (_again, queued & ~too_late & Q(queued_at__lt=now - ROW_GONE)),
    ]


def _tried(step: Callable[[], bool], call_id: str, tenant: str) -> bool:
    """One job that breaks must not hold up those of everybody else: nobody knows how it ended, and others go on."""
    with acting_for(tenant):
        return bool(SETBACKS.tried(call_id, step, partial(_give_up, call_id)))


def _do(step: Step, which: Q, call_id: str, now: datetime) -> bool:
    """The step, if it is still called for."""
    job = Job.objects.filter(which, pk=call_id).select_related("call__version", "call__requester").first()
    return job is not None and step(job, now)


def _give_up(call_id: str) -> None:
    call = ToolCall.objects.get(pk=call_id)
    with writing(call) as told:
        settle(told, call, Unknown(BROKEN))


def _lost(job: Job, now: datetime) -> bool:
    """Its worker did not keep the lease."""
    call = job.call
    with writing(call) as told:
        gone = Job.objects.filter(pk=job.pk, worker=job.worker, lease_until=job.lease_until)
        if not gone.update(worker="", lease_until=None):
            return False
        job.refresh_from_db(fields=["cancel_requested"])
        log.warning("the worker of the job %s (%s) was lost", job.pk, call.name)
        return _after_loss(told, call, job)


def _after_loss(told: ledger.Log, call: ToolCall, job: Job) -> bool:
    assert call.version is not None
    spec = catalogue.spec_of(call.version)
    if not job.cancel_requested and job.attempts < MOST_ATTEMPTS and may_begin_again(spec):
        return _requeue(told, call, spec)
    if not spec.read_only:
        return settle(told, call, Unknown(LOST))
    if job.cancel_requested:
        return settle(told, call, Failed("cancelled", _("It was cancelled. Nothing was changed.")))
    return settle(told, call, unbegun(spec, job, "interrupted", LOST))


def may_begin_again(spec: ToolSpec) -> bool:
    """Whether a second attempt under the same key does no harm."""
    return spec.read_only or spec.idempotent


def _requeue(told: ledger.Log, call: ToolCall, spec: ToolSpec) -> bool:
    if not lifecycle.move(call, CallStatus.WORKING, CallStatus.CLAIMED, CALL_ARROWS, give_up_at=None):
        return False
    note_call(call, why="its worker was lost")
    put_again(call, spec)
    tell(told, call, Job.objects.get(pk=call.pk))
    return True


def _again(job: Job, now: datetime) -> bool:
    """The row was taken long ago, or is gone, and nobody has begun: its worker, or the cluster, died on the way."""
    if is_waiting(job.task):
        return False
    call = job.call
    assert call.version is not None
    with writing(call):
        still = Job.objects.filter(pk=job.pk, task=job.task, call__status=CallStatus.CLAIMED)
        if not still.exists():
            return False
        put_again(call, catalogue.spec_of(call.version))
    return True


def _too_late(job: Job, now: datetime) -> bool:
    call = job.call
    assert call.version is not None
    with writing(call) as told:
        spec = catalogue.spec_of(call.version)
        return settle(told, call, unbegun(spec, job, "not_begun", TOO_LATE))
