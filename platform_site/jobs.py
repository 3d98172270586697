"""The queue: work that need not be done now, carried by django-q2 on the database in both tiers.

A job is the dotted path of a plain function and the ids it works on, nothing else: what waits in the queue holds no
data and no secrets. Called inside a transaction, a job is enqueued if and when that transaction commits.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

DAILY = {"sweep": "platform_site.tasks.sweep"}
OFTEN = {"audit heads": "platform_site.tasks.export_audit_heads"}
OFTEN_MINUTES = 10


class Noting(ORM):
    """The queue's broker, which remembers the row it wrote last."""

    row: int = 0

    def enqueue(self, task: str) -> int:
        self.row = super().enqueue(task)
        return self.row


def enqueue(dotted_path: str, *ids: str, lasts_s: int = 0) -> str:
    """Run the function in a queue worker, with these ids; the id of the row that waits for one.

    `lasts_s`: how long it may take, if that is more than the queue's usual time limit.
    """
    for one in ids:
        if not isinstance(one, str):
            raise TypeError(f"a job takes ids, not {type(one).__name__}")
    broker = Noting()
    options: dict[str, Any] = {"timeout": lasts_s} if lasts_s else {}
    async_task(dotted_path, *ids, broker=broker, q_options=options)
    return str(broker.row)


def is_waiting(row: str) -> bool:
    """Whether a worker may still take this row: nobody has, and it was not taken away."""
    return bool(row) and OrmQ.objects.filter(pk=row, lock__lte=timezone.now()).exists()


def take_back(row: str) -> None:
    """Nobody shall take this row any more. One that was taken already is not stopped by this."""
    if row:
        OrmQ.objects.filter(pk=row, lock__lte=timezone.now()).delete()


def longest_s() -> int:
    """The longest that a job may take: the queue hands out again what takes longer."""
    return int(str(settings.Q_CLUSTER["retry"])) - RETRY_AFTER_S


RETRY_AFTER_S = 10
"""How much later than its end at the latest a task is handed out again."""


def schedule_defaults() -> None:
    """What runs by the clock. Called at each start; changes nothing the second time."""
    often = {"schedule_type": Schedule.MINUTES, "minutes": OFTEN_MINUTES}
    for jobs, when in ((DAILY, {"schedule_type": Schedule.DAILY}), (OFTEN, often)):
        for name, func in jobs.items():
            Schedule.objects.get_or_create(name=name, defaults={"func": func, **when})
