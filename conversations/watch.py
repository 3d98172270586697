"""The watchdog over calls that nobody works on: what people agreed to either goes on within seconds or is taken back.

A decision and the run that acts on it are one transaction, so a ready call without a run is rare: its run broke, or
was lost. Looked for each second, by any number of processes; a topic's lock makes one of them act.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from conversations import actions
from conversations.models import Conversation, Run, RunStatus
from platform_site import ledger
from platform_site.models import Topic
from platform_site.tenancy import acting_for
from tools import gate
from tools.models import CallStatus, ToolCall

log = logging.getLogger(__name__)
IDLE = timedelta(seconds=3)
"""How long a conversation stands still before its ready calls count as left lying."""
MOST_RUNS = 3
"""Runs that come and go without carrying a call out; then it is taken back."""
BATCH = 50
READY = (CallStatus.PROPOSED, CallStatus.CLEARED, CallStatus.APPROVED, CallStatus.CLAIMED)


def look_after(now: datetime) -> list[str]:
    """Queue a run for each call that is ready, or was begun, and that no run works on; returns these calls."""
    return [call.pk for call in _left_lying(now)[:BATCH] if _tried(call, now)]


def _left_lying(now: datetime) -> QuerySet[ToolCall]:
    topic = OuterRef("topic")
    alive = Q(status__in=[RunStatus.QUEUED, RunStatus.RUNNING]) | Q(finished_at__gt=now - IDLE)
    runs = Run.objects.across_tenants().filter(alive, conversation=topic)
    conversations = Conversation.objects.across_tenants().filter(pk=topic)
    ready = ToolCall.objects.across_tenants().filter(status__in=READY, requester__isnull=False)
    ready = ready.exclude(
        status=CallStatus.CLAIMED, job__isnull=False
    )  # the queue's: `jobs.sweeping` looks after them
    return ready.filter(Exists(conversations), ~Exists(runs)).order_by("pk")


def _tried(call: ToolCall, now: datetime) -> bool:
    """One call that breaks must not hold up those of everybody else."""
    try:
        with acting_for(call.tenant_id or ""), ledger.writing(call.topic) as told:
            still = _left_lying(now).filter(pk=call.pk).select_related("requester").first()
            return still is not None and _go_on(told, still)
    except Topic.DoesNotExist:  # deleted just now
        return False
    except Exception:
        log.exception("the call %s could not be looked after", call.pk)
        return False


def _go_on(told: ledger.Log, call: ToolCall) -> bool:
    conversation = Conversation.objects.select_related("agent__current").get(pk=call.topic)
    if _runs_since_ready(call) < MOST_RUNS:
        log.warning("the call %s was left lying as %s: a run is queued", call.pk, call.status)
        actions.run_on(conversation, "decision", call)
        return True
    # A claimed one is not ours to end: the sweep gives it up when its time is over.
    return gate.withdraw(told, call, "It was agreed to, but could not be carried out.")


def _runs_since_ready(call: ToolCall) -> int:
    decided = getattr(call, "confirmation", None)
    since = (decided and decided.decided_at) or call.claimed_at or call.proposed_at
    return Run.objects.filter(conversation=call.topic, created_at__gte=since).count()
