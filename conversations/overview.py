"""The console's first page: today in numbers, what failed lately. A few counting queries, all within the tenant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agents.alerts import open_alerts
from conversations.models import Conversation, Outcome, Run, RunStatus
from tools.models import CallStatus, Confirmation, ConfirmationStatus, ToolCall

FEW = 8
FAILED_CALLS = (CallStatus.FAILED, CallStatus.UNKNOWN)


@dataclass(frozen=True)
class Failure:
    """A run or a call that did not work out."""

    what: str
    status: str
    why: str
    when: datetime
    link: str


def figures(request: Any, context: dict[str, Any]) -> dict[str, Any]:
    """What the page shows beside the menu. Unfold calls this (`settings.UNFOLD`)."""
    today = _midnight()
    runs = Run.objects.filter(created_at__gte=today)
    calls = ToolCall.objects.filter(proposed_at__gte=today)
    return context | {
        "conversations": Conversation.objects.filter(created_at__gte=today).count(),
        "pending": Confirmation.objects.filter(status=ConfirmationStatus.PENDING).count(),
        "counts": [
            (_("Runs today"), _run_counts(runs), reverse("admin:conversations_run_changelist")),
            (
                _("Tool calls today"),
                _counts(calls, "status", CallStatus),
                reverse("admin:tools_toolcall_changelist"),
            ),
        ],
        "alerts": open_alerts(),
        "failures": sorted([*_failed_runs(), *_failed_calls()], key=lambda one: one.when, reverse=True)[:FEW],
    }


def _midnight() -> datetime:
    """When today began in the zone that is active: the person's, else the tenant's (`TenantMiddleware`)."""
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


def _run_counts(runs: QuerySet[Run]) -> list[tuple[Any, int]]:
    ended = _counts(runs.filter(status=RunStatus.FINISHED), "outcome", Outcome)
    others = _counts(runs.exclude(status=RunStatus.FINISHED), "status", RunStatus)
    return ended + others


def _counts(rows: QuerySet[Any], column: str, names: Any) -> list[tuple[Any, int]]:
    found = dict(rows.order_by().values_list(column).annotate(Count("pk")))
    return [(names(value).label, found[value]) for value in names.values if value in found]


def _failed_runs() -> list[Failure]:
    rows = (
        Run.objects.filter(status=RunStatus.FAILED)
        .select_related("agent_version__agent")
        .order_by("-id")[:FEW]
    )
    return [
        Failure(str(run.agent_version.agent), _("run failed"), _why(run),
                run.finished_at or run.created_at, reverse("admin:conversations_run_change", args=[run.pk]))
        for run in rows
    ]  # fmt: skip


def _why(run: Run) -> str:
    """What is stored of it, in English; our own sentences in the reader's language."""
    return _(run.error_message) if run.error_message else run.error_code


_STORED = (
    gettext_noop("The person who asked, or the agent, may not do this any more."),
    gettext_noop("The agent kept making the same call, so it was stopped. Please say it differently."),
)
"""Said elsewhere, where runs fail; written here so that they are translated."""


def _failed_calls() -> list[Failure]:
    rows = ToolCall.objects.filter(status__in=FAILED_CALLS).order_by("-id")[:FEW]
    return [
        Failure(call.name, call.get_status_display(), "", call.settled_at or call.proposed_at,
                reverse("admin:tools_toolcall_change", args=[call.pk]))
        for call in rows
    ]  # fmt: skip
