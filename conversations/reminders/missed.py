"""What came while nobody listened: a page that opens, or whose line comes back, asks here and shows the same notes.

A notice over the line is a hint and may be lost; the rows are the truth.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from conversations.access import conversations_for
from conversations.reminders import telling
from conversations.reminders.models import Occurrence, OccurrenceStatus, ReminderStatus
from conversations.reminders.pages import for_members
from platform_site.middleware import TenantRequest

LOOKED_BACK = timedelta(hours=12)
MOST = 20


@require_safe
@for_members
def fired(request: TenantRequest) -> HttpResponse:
    """`?since=`: the reminders of this person's conversations that came after it, the newest last."""
    now = timezone.now()
    since = _since(request.GET.get("since", ""), now)
    came = Occurrence.objects.filter(
        status=OccurrenceStatus.DELIVERED, dealt_at__gt=since,
        reminder__conversation__in=conversations_for(request.actor).values("pk"),
    )  # fmt: skip
    newest = came.exclude(reminder__status=ReminderStatus.DELETED).select_related("reminder__owner")
    rows = reversed(newest.order_by("-dealt_at")[:MOST])
    return JsonResponse({"now": now.isoformat(), "fired": [_told(row) for row in rows]})


def _since(given: str, now: datetime) -> datetime:
    """Nothing given: from now on."""
    try:
        wanted = parse_datetime(given)
    except ValueError:
        wanted = None
    return min(max(wanted, now - LOOKED_BACK), now) if wanted and wanted.tzinfo else now


def _told(row: Occurrence) -> dict[str, Any]:
    """As the notice told it."""
    where = {"conversation": row.reminder.conversation_id}
    return where | telling.rule_json(row.reminder) | telling.due_json(row.reminder, row)
