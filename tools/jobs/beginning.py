"""Out of the queue: of all tasks that carry a call's id, one begins it, with a lease; the others find nothing to do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from platform_site import ledger, lifecycle
from tools import catalogue
from tools.gate.claiming import not_now
from tools.gate.noting import note_call
from tools.gate.settling import settle
from tools.jobs.queueing import lasts_s
from tools.jobs.telling import tell, writing
from tools.models import CALL_ARROWS, CallStatus, Job, ToolCall
from tools.outcome import Failed, Outcome, Unknown
from tools.schema_words import Text
from tools.spec import ToolSpec

LEASE = timedelta(seconds=10)
"""Three heartbeats: a worker that is gone is noticed within this time."""


@dataclass(frozen=True, slots=True)
class Begun:
    """This worker, and no other, carries the call out now."""

    call: ToolCall
    spec: ToolSpec
    worker: str


def begin(call_id: str, worker: str) -> Begun | None:
    """Move a queued call to working, if what allowed it still holds; None when there is nothing to do (any more)."""
    waiting = ToolCall.objects.filter(pk=call_id, status=CallStatus.CLAIMED, job__isnull=False)
    call = waiting.select_related("version", "requester", "tenant").first()
    if call is None or call.version is None:
        return None
    spec = catalogue.spec_of(call.version)
    with writing(call) as log:
        job = Job.objects.get(pk=call.pk)
        reason = not_now(call, spec)
        if reason:
            settle(log, call, unbegun(spec, job, "lapsed", reason))
        elif _take(log, call, spec, worker):
            return Begun(call, spec, worker)
    return None


def _take(log: ledger.Log, call: ToolCall, spec: ToolSpec, worker: str) -> bool:
    now = timezone.now()
    give_up_at = now + timedelta(seconds=lasts_s(spec))
    if not lifecycle.move(call, CallStatus.CLAIMED, CallStatus.WORKING, CALL_ARROWS, give_up_at=give_up_at):
        return False
    lease = {"worker": worker, "lease_until": now + LEASE, "attempts": F("attempts") + 1}
    Job.objects.filter(pk=call.pk).update(**lease)
    note_call(call)
    tell(log, call, Job.objects.get(pk=call.pk))
    return True


def unbegun(spec: ToolSpec, job: Job, code: str, why: Text) -> Outcome:
    """How a job ends that is not begun (again): nothing was done, unless an earlier attempt may have acted."""
    if job.attempts and not spec.read_only:
        return Unknown(why)
    return Failed(code, format_lazy(_("{why} Nothing was done."), why=why))
