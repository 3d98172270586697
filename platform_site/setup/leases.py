"""Runs that the last `up` on this data directory moved when it was killed: nobody moves them now.

Holding the directory's lock proves that it is gone, so its runs need not wait until their leases have run out. This
holds beside other processes on a shared database too, where a runner may not take everybody's leases.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from conversations.models import Run, RunStatus
from conversations.runner import Runner
from platform_site.env import env


def new_runner(data_dir: Path) -> Runner:
    """A runner that is noted as this directory's."""
    runner = Runner(exclusive=has_database_alone())
    (data_dir / "runner").write_text(runner.name)
    return runner


def has_database_alone() -> bool:
    """The database is the file in the data directory, whose lock we hold."""
    return settings.IS_SQLITE and not env.database_url


def end_leases_of_the_last(data_dir: Path) -> int:
    """Let anybody claim the runs of the runner noted last; returns how many there were."""
    note = data_dir / "runner"
    name = note.read_text() if note.exists() else ""
    if not name:
        return 0
    left = Run.objects.across_tenants().filter(status=RunStatus.RUNNING, runner=name)
    return left.update(lease_until=timezone.now() - timedelta(seconds=1))
