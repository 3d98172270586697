"""Is the queue cluster alive but standing still?

A django-q2 cluster whose worker was killed while it held the queue's lock waits for ever and ignores SIGTERM. What
tells it: a row that may be taken, and is not, for longer than any task may run.
"""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import datetime

from django.conf import settings
from django.utils import timezone
from django_q.models import OrmQ

from platform_site.db import db
from platform_site.setup.children import Child

log = logging.getLogger(__name__)
LOOK_S = 15.0
PATIENCE_S = float(str(settings.Q_CLUSTER["timeout"])) + 30.0

Waiting = tuple[int, datetime]


async def watch_queue(cluster: Child) -> None:
    """Kill the cluster when it stands still; who watches the child starts it again."""
    oldest: Waiting | None = None
    since = time.monotonic()
    while True:
        await asyncio.sleep(LOOK_S)
        now_oldest = await db(oldest_waiting)
        if now_oldest is None or now_oldest != oldest:
            oldest, since = now_oldest, time.monotonic()
        elif time.monotonic() - since > PATIENCE_S:
            log.error("the queue has stood still for %d s; starting its cluster again", PATIENCE_S)
            cluster.kill()
            since = time.monotonic()


def oldest_waiting() -> Waiting | None:
    """(id, since when) of the first task that a worker may take."""
    free = OrmQ.objects.filter(key=settings.Q_CLUSTER["name"], lock__lt=timezone.now())
    return free.order_by("id").values_list("id", "lock").first()
