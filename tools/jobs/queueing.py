"""Into the queue: a claimed call gets its Job and a row that carries its id to a worker, in the claim's transaction."""

from __future__ import annotations

from django.utils import timezone

from platform_site import ledger
from platform_site.jobs import enqueue, longest_s
from tools.jobs.telling import tell
from tools.models import Job, ToolCall
from tools.spec import ToolSpec

WORK = "tools.jobs.tasks.work"
SLACK_S = 30


def put(log: ledger.Log, call: ToolCall, spec: ToolSpec) -> Job:
    """Queue a call that was claimed just now. One that is sent again on a person's word begins anew."""
    fresh = {
        "queued_at": timezone.now(), "task": _enqueue(call, spec), "attempts": 0, "worker": "", "lease_until": None,
        "percent": None, "words": "", "output": "", "cancel_requested": False, "cancelled_by": None, "is_told": False,
    }  # fmt: skip
    job, _new = Job.objects.update_or_create(call=call, defaults=fresh)
    tell(log, call, job)
    return job


def put_again(call: ToolCall, spec: ToolSpec) -> None:
    """Another row for the same job. However many there are, one worker begins it."""
    Job.objects.filter(pk=call.pk).update(queued_at=timezone.now(), task=_enqueue(call, spec))


def _enqueue(call: ToolCall, spec: ToolSpec) -> str:
    assert call.tenant_id is not None
    return enqueue(WORK, call.tenant_id, call.pk, lasts_s=lasts_s(spec))


def lasts_s(spec: ToolSpec) -> int:
    """After this time a worker that still carries it out is ended: executors try at most twice."""
    return min(int(2 * spec.timeout_s) + SLACK_S, longest_s())
