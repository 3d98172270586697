"""The queue: work that need not be done now, carried by django-q2 on the database in both tiers.

A job is the dotted path of a plain function and the ids it works on, nothing else: what waits in the queue holds no
data and no secrets. Called inside a transaction, a job is enqueued if and when that transaction commits.
"""

from __future__ import annotations

from django_q.models import Schedule
from django_q.tasks import async_task

DAILY = {"sweep": "platform_site.tasks.sweep"}
OFTEN = {"audit heads": "platform_site.tasks.export_audit_heads"}
OFTEN_MINUTES = 10


def enqueue(dotted_path: str, *ids: str) -> str:
    """Run the function in a queue worker, with these ids. Returns the task's id."""
    for one in ids:
        if not isinstance(one, str):
            raise TypeError(f"a job takes ids, not {type(one).__name__}")
    task: str = async_task(dotted_path, *ids)
    return task


def schedule_defaults() -> None:
    """What runs by the clock. Called at each start; changes nothing the second time."""
    often = {"schedule_type": Schedule.MINUTES, "minutes": OFTEN_MINUTES}
    for jobs, when in ((DAILY, {"schedule_type": Schedule.DAILY}), (OFTEN, often)):
        for name, func in jobs.items():
            Schedule.objects.get_or_create(name=name, defaults={"func": func, **when})
