"""How a job is told: an AG-UI activity under the call's id. Whole pictures, and between them what is new (JSON Patch).

A picture's `output` is the end of what was said; `said` begins empty, and what is said after it is added there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from platform_site import audit, ledger, wire
from platform_site.models import Topic
from tools.jobs.progress import News
from tools.models import CallStatus, Job, ToolCall

ACTIVITY = "job"


@contextmanager
def writing(call: ToolCall) -> Iterator[ledger.Log]:
    """One transaction about a call. It outlives its conversation: then it is recorded, and told to nobody."""
    with ExitStack() as stack:
        try:
            log = stack.enter_context(ledger.writing(call.topic))
        except Topic.DoesNotExist:
            stack.enter_context(audit.recording())
            log = ledger.Log(call.topic, 0)
        yield log


def tell(log: ledger.Log, call: ToolCall, job: Job) -> None:
    """How the job stands now."""
    log.tell(wire.activity(call.pk, ACTIVITY, content(call, job)))


def tell_news(log: ledger.Log, call: ToolCall, news: News) -> None:
    """What has changed since it was told last."""
    log.tell(wire.activity_delta(call.pk, ACTIVITY, news))


def tell_end(log: ledger.Log, call: ToolCall) -> None:
    """How a call's job stands in the end, if it had one."""
    job = Job.objects.filter(pk=call.pk).first() if is_background(call) else None
    if job:
        tell(log, call, job)


def content(call: ToolCall, job: Job) -> dict[str, Any]:
    return {
        "status": status_of(call, job), "percent": job.percent, "words": job.words, "output": job.output,
        "said": [],
    }  # fmt: skip


def status_of(call: ToolCall, job: Job) -> str:
    """`queued`, `working`, `cancelling`, or how the call has ended."""
    if call.status == CallStatus.CLAIMED:
        return "queued"
    if call.status == CallStatus.WORKING and job.cancel_requested:
        return "cancelling"
    return str(call.status)


def is_background(call: ToolCall) -> bool:
    """Whether a queue worker carries this call out."""
    return call.version is not None and call.version.definition.get("run") == "background"
