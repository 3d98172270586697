"""Is the queue's cluster alive but standing still?

A django-q2 cluster whose worker was killed while it held the queue's lock waits for ever and ignores SIGTERM; one whose
sentinel was stopped says nothing any more. What tells it: a row that may be taken and is not, though not every worker
is busy with a long job (each of those keeps a lease); or no sign of life.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils import timezone
from django_q.models import OrmQ
from django_q.status import Stat

from platform_site.db import db
from platform_site.env import env
from platform_site.setup.children import Child
from tools.models import Job

log = logging.getLogger(__name__)
LOOK_S = 5.0
STARTS_WITHIN_S = 60.0
WORD_KEPT_S = 4.0
"""A cluster's last word is kept for three seconds: until then it may be that of the one before."""

Waiting = tuple[int, datetime]


@dataclass(frozen=True, slots=True)
class Seen:
    """The queue at a look. `cluster`: the process that runs it, if one does; `oldest`: the first row that a worker may
    take; `busy`: workers that keep a job's lease; `alive`: some cluster has said so lately.
    """

    cluster: int | None
    oldest: Waiting | None
    busy: int
    alive: bool


@dataclass(slots=True)
class Watch:
    """What was seen so far, and since when it has been a reason to worry. Pure: the time is given."""

    workers: int
    patience: float
    cluster: int | None = None
    began: float = 0.0
    heard: bool = False
    stuck: Waiting | None = None
    stuck_since: float = 0.0
    silent_since: float = 0.0

    def stands_still(self, seen: Seen, now: float) -> bool:
        """Whether this has gone on for too long, with one and the same cluster, since it had started."""
        if seen.cluster != self.cluster:
            self.cluster, self.began, self.heard = seen.cluster, now, False
        self.heard = self.heard or (seen.alive and now - self.began > WORD_KEPT_S)
        starting = not self.heard and now - self.began < STARTS_WITHIN_S
        if starting or seen.oldest is None or seen.oldest != self.stuck or seen.busy >= self.workers:
            self.stuck, self.stuck_since = seen.oldest, now
        if starting or seen.alive:
            self.silent_since = now
        return seen.cluster is not None and now - min(self.stuck_since, self.silent_since) > self.patience


async def watch_queue(cluster: Child) -> None:
    """Kill the cluster when it stands still; who watches the child starts it again."""
    watch = Watch(int(str(settings.Q_CLUSTER["workers"])), env.queue_patience_s)
    while True:
        await asyncio.sleep(min(LOOK_S, env.queue_patience_s))
        if watch.stands_still(await db(look, cluster.pid), time.monotonic()):
            log.error("the queue has stood still for %g s; starting its cluster again", watch.patience)
            cluster.kill()


def look(cluster: int | None) -> Seen:
    return Seen(cluster, oldest_waiting(), working(), any(Stat.get_all()))


def oldest_waiting() -> Waiting | None:
    """(id, since when) of the first task that a worker may take."""
    free = OrmQ.objects.filter(key=settings.Q_CLUSTER["name"], lock__lt=timezone.now())
    return free.order_by("id").values_list("id", "lock").first()


def working() -> int:
    """Jobs whose worker is alive, of all clusters."""
    return Job.objects.across_tenants().filter(lease_until__gt=timezone.now()).count()
