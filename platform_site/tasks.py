"""What queue workers do for the ground: plain functions of ids, safe to run twice."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils import timezone

from platform_site.audit import heads
from platform_site.models import ApiToken, IdempotentReply

log = structlog.get_logger(__name__)
REPLIES_FOR = timedelta(hours=24)
DEAD_TOKENS_FOR = timedelta(days=90)


def sweep() -> dict[str, int]:
    """Every day: forget old replies, ended sessions, and tokens that have been dead for long."""
    now = timezone.now()
    dead = Q(expires_at__lt=now - DEAD_TOKENS_FOR) | Q(revoked_at__lt=now - DEAD_TOKENS_FOR)
    gone = {
        "replies": IdempotentReply.objects.across_tenants().filter(created_at__lt=now - REPLIES_FOR),
        "sessions": Session.objects.filter(expire_date__lt=now),
        "tokens": ApiToken.objects.across_tenants().filter(dead),
    }
    counts = {name: rows.delete()[0] for name, rows in gone.items()}
    log.info("swept", **counts)
    return counts


def export_audit_heads() -> int:
    """Every few minutes: sign the audit heads that moved, so that an end cut off later is missed."""
    return heads.export()
