"""The ledger's three statements, in SQL: every transaction of a conversation runs them, and the ORM takes six times as
long to say the same (0.77 ms and 0.12 ms for three events). The tenant stands in each of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.utils import timezone

from platform_site.tenancy import current_tenant_id
from platform_site.wire import Event

_LOCK = "SELECT last_seq FROM platform_site_topic WHERE tenant_id = %s AND id = %s"
_MOVE = "UPDATE platform_site_topic SET last_seq = %s WHERE tenant_id = %s AND id = %s"
_ADD = "INSERT INTO platform_site_event (tenant_id, topic_id, seq, payload, created_at) VALUES "


def lock(topic: str) -> int | None:
    """Take the topic's row until the transaction ends; its newest number, or None when the tenant has no such topic."""
    # SQLite locks the file when the transaction begins.
    wait = " FOR UPDATE" if connection.features.has_select_for_update else ""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK + wait, (current_tenant_id(), topic))
        row = cursor.fetchone()
    return row[0] if row else None


def store(topic: str, first: int, events: Sequence[Event]) -> None:
    """Add events under the numbers from `first` on. The topic has been locked."""
    tenant, now = current_tenant_id(), connection.ops.adapt_datetimefield_value(timezone.now())
    payload = "%s::jsonb" if connection.vendor == "postgresql" else "%s"
    row = f"(%s, %s, %s, {payload}, %s)"
    values: list[Any] = []
    for seq, event in enumerate(events, first):
        values += (tenant, topic, seq, json.dumps(event), now)
    with connection.cursor() as cursor:
        cursor.execute(_ADD + ", ".join([row] * len(events)), values)
        cursor.execute(_MOVE, (first + len(events) - 1, tenant, topic))
