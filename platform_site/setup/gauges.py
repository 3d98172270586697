"""What `/metrics` asks the database. Counts of all tenants together; no tenant is named."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Count, Sum

from conversations.models import Run, RunStatus
from platform_site.metrics import Question
from platform_site.models import Topic
from tools.models import OPEN_STATUSES, Confirmation, ConfirmationStatus, ToolCall


def _by_status(
    model: type[Run | Confirmation | ToolCall], statuses: list[str]
) -> Callable[[], dict[str, float]]:
    def ask() -> dict[str, float]:
        rows = model.objects.across_tenants().filter(status__in=statuses)
        counted = rows.order_by().values_list("status").annotate(Count("pk"))
        return dict.fromkeys(statuses, 0.0) | {status: float(number) for status, number in counted}

    return ask


def _events() -> dict[str, float]:
    """Numbers have no gaps, so the newest of each topic add up to all events."""
    total = Topic.objects.across_tenants().aggregate(total=Sum("last_seq"))["total"]
    return {"all": float(total or 0)}


QUESTIONS = (
    Question("sluice_runs", "Runs by status.", "status", _by_status(Run, [str(status) for status in RunStatus])),
    Question(
        "sluice_confirmations_pending", "Confirmations that wait for people.", "status",
        _by_status(Confirmation, [str(ConfirmationStatus.PENDING)]),
    ),
    Question(
        "sluice_calls_open", "Tool calls that have no answer yet.", "status",
        _by_status(ToolCall, sorted(map(str, OPEN_STATUSES))),
    ),
    Question("sluice_events", "Events told so far.", "topics", _events),
)  # fmt: skip
