"""`cancel`: a person does not want a job any more. What has not begun does not happen; what has is asked to end.

An effect under way is never declared undone: reads, and handlers that look, end; else what comes of it is recorded.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from platform_site import ledger
from platform_site.jobs import take_back
from platform_site.models import User
from tools import catalogue
from tools.gate.noting import note_about
from tools.gate.settling import settle
from tools.jobs.beginning import unbegun
from tools.jobs.telling import tell
from tools.models import CallStatus, Job, ToolCall

OPEN = (CallStatus.CLAIMED, CallStatus.WORKING)


def cancel(log: ledger.Log, call: ToolCall, by: User) -> CallStatus:
    """Cancel the job of `call`, which is read afresh; how the call stands then. One that has ended stays as it is."""
    call.refresh_from_db(fields=["status"])
    job = Job.objects.filter(pk=call.pk).first()
    if job is None or call.version is None or call.status not in OPEN or job.cancel_requested:
        return CallStatus(call.status)
    job.cancel_requested, job.cancelled_by = True, by
    job.save(update_fields=["cancel_requested", "cancelled_by"])
    note_about("call.cancelled", call, by=by)
    if call.status == CallStatus.CLAIMED:
        take_back(job.task)
        settle(log, call, unbegun(catalogue.spec_of(call.version), job, "cancelled", NOT_BEGUN))
    else:
        tell(log, call, job)
    return CallStatus(call.status)


def cancel_all(log: ledger.Log, by: User, **of: Any) -> None:
    """Nobody waits any more for what was asked for in this conversation; `of`: by whom."""
    jobs = Job.objects.filter(call__topic=log.topic, call__status__in=OPEN, **of)
    for job in jobs.select_related("call__version", "call__requester"):
        cancel(log, job.call, by)


NOT_BEGUN = _("It was cancelled before it began.")
"""Or before it began again, after its worker was lost."""
