"""A reminder by e-mail or webhook, if it is wished for: rows of the outbox, in the transaction that delivers it."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from django.urls import reverse
from django.utils import timezone

from conversations.reminders import telling
from conversations.reminders.models import Occurrence, Reminder
from platform_site.notices.models import Channel, Notice, NoticeKind, Webhook

KIND = NoticeKind.REMINDER


def post(row: Reminder, occurrence: Occurrence) -> None:
    """One notice for each receiver: who set it, by mail; the tenant's webhooks that want to hear of reminders."""
    Notice.objects.bulk_create(_notices(row, occurrence), ignore_conflicts=True)


def _notices(row: Reminder, occurrence: Occurrence) -> Iterator[Notice]:
    now = timezone.now()
    same: dict[str, Any] = {
        "kind": KIND,
        "about": occurrence.pk,
        "due_at": now,
        "data": _data(row, occurrence),
    }
    if row.mail:
        yield Notice(**same, channel=Channel.MAIL, recipient=row.owner, key=_key(occurrence, row.owner.pk))
    hooks = Webhook.objects.filter(is_enabled=True) if row.webhook else ()
    for hook in hooks:
        if KIND in hook.kinds:
            yield Notice(**same, channel=Channel.WEBHOOK, webhook=hook, key=_key(occurrence, hook.pk))


def _key(occurrence: Occurrence, receiver: str) -> str:
    return sha256("\n".join((KIND, occurrence.pk, receiver)).encode()).hexdigest()


def _data(row: Reminder, occurrence: Occurrence) -> dict[str, Any]:
    due = telling.due_json(row, occurrence)
    path = reverse("conversation", args=[row.tenant.slug, row.conversation_id])
    return {
        "reminder": row.pk, "conversation": row.conversation_id, "content": row.content, "action": row.act,
        "due": due["due"], "local": due["local"], "zone": row.zone, "late": due["late"], "owner": str(row.owner),
        "path": path,
    }  # fmt: skip
