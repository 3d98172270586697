"""The thread beside a job at work: keeps its lease, writes down what its handler reports, hears that it should end.

A thread of its own, so that a handler that keeps the event loop busy loses neither its lease nor its progress. What is
reported is written at most every half second, less often the longer a job takes; told is what is new of it, and the
whole picture now and then.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import asdict
from threading import Event, Thread

from django.db import InterfaceError, OperationalError, connections
from django.utils import timezone

from platform_site import ledger
from platform_site.tenancy import acting_for
from tools.jobs.beginning import LEASE, Begun
from tools.jobs.progress import LONGEST_OUTPUT, Kept, News, Progress, news
from tools.jobs.telling import tell, tell_news, writing
from tools.models import Job

log = logging.getLogger(__name__)
LOOK_S = 0.5
HEARTBEAT_S = 3.0
SLOWEST_S = 2.0


class Pulse:
    """One job's. `ends` is called, in this thread, when a person cancels it or it belongs to somebody else."""

    def __init__(self, begun: Begun, kept: Kept, ends: Callable[[], None]) -> None:
        self.begun, self.kept, self.ends = begun, kept, ends
        self._over = Event()
        self._written = Progress()
        self._since_whole: int | None = None
        """Characters of news since the whole picture; None before the first, as another attempt told others."""
        self._began = self._wrote_at = self._leased_at = time.monotonic()
        self._thread = Thread(target=self._run, name=f"pulse {begun.call.pk[:8]}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Wait until it writes nothing more."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        with acting_for(self.begun.call.tenant_id or ""):
            while not self._over.wait(LOOK_S):
                try:
                    self._beat()
                except (OperationalError, InterfaceError):
                    log.warning("a job could not be written to; again soon", exc_info=True)
        connections.close_all()

    def _beat(self) -> None:
        now = time.monotonic()
        if self.kept.now != self._written and now - self._wrote_at >= pause_after(now - self._began):
            self._write(self.kept.now)
        elif now - self._leased_at >= HEARTBEAT_S:
            self._keep_lease()
        self._listen()

    def _mine(self) -> dict[str, str]:
        return {"pk": self.begun.call.pk, "worker": self.begun.worker}

    def _write(self, progress: Progress) -> None:
        with writing(self.begun.call) as told:
            values = asdict(progress) | {"lease_until": timezone.now() + LEASE}
            if Job.objects.filter(**self._mine()).update(**values):
                self._tell(told, news(self._written, progress))
        self._written = progress
        self._wrote_at = self._leased_at = time.monotonic()

    def _tell(self, told: ledger.Log, new: News | None) -> None:
        """As often as the news would be longer than it, the whole picture."""
        size = sum(len(str(one["value"])) for one in new or ())
        if new is None or self._since_whole is None or self._since_whole + size > LONGEST_OUTPUT:
            tell(told, self.begun.call, Job.objects.get(pk=self.begun.call.pk))
            self._since_whole = 0
        else:
            tell_news(told, self.begun.call, new)
            self._since_whole += size

    def _keep_lease(self) -> None:
        Job.objects.filter(**self._mine()).update(lease_until=timezone.now() + LEASE)
        self._leased_at = time.monotonic()

    def _listen(self) -> None:
        """Of a job that is not ours any more nothing is wanted, either."""
        wanted = Job.objects.filter(**self._mine()).values_list("cancel_requested", flat=True).first()
        if wanted is not False and not self.kept.is_cancelled:
            self.kept.cancel()
            self.ends()


def pause_after(seconds: float) -> float:
    """How long to wait between two reports of a job that has worked for so long."""
    return min(SLOWEST_S, max(LOOK_S, seconds / 60))
