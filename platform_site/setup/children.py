"""Child processes that are watched: started again when they die, ended with their whole group, never left behind.

Each runs under `tied.py` in a session of its own, so Ctrl-C reaches only `up`, which ends them in order, and a killed
`up` leaves nobody. What a child prints goes to a file in the log directory.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from platform_site.env import BASE_DIR
from platform_site.setup.patience import Backoff, until

log = logging.getLogger(__name__)
TIED = Path(__file__).with_name("tied.py")
POLL_S = 0.25
LOG_KEPT = 5 * 1024 * 1024


class Child:
    """One watched process. Start it from the main thread: the kernel ties a child to the thread that made it."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        log_dir: Path,
        secrets: Mapping[str, str] | None = None,
        answers: Callable[[], bool] = lambda: True,
    ) -> None:
        self.name = name
        self.answers = answers
        self.environment = {**os.environ, **(secrets or {})}
        self.arguments = [sys.executable, *arguments]
        self.log_file = log_dir / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        _roll(self.log_file)
        with self.log_file.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(TIED), *self.arguments],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=BASE_DIR,
                env=self.environment,
                start_new_session=True,
            )

    async def keep_running(self) -> None:
        """Start it again whenever it ends, until cancelled."""
        backoff = Backoff()
        while True:
            code = await self._ended()
            pause = backoff.next_pause()
            log.error(
                "%s ended with code %s; starting it again in %g s (%s)", self.name, code, pause, self.log_file
            )
            self.kill()
            await asyncio.sleep(pause)
            self.start()

    async def _ended(self) -> int:
        while True:
            if (code := self._poll()) is not None:
                return code
            await asyncio.sleep(POLL_S)

    def _poll(self) -> int | None:
        return self.process.poll() if self.process else 0

    @property
    def pid(self) -> int | None:
        """Of the process that runs now, if one does."""
        return self.process.pid if self.process and self.process.poll() is None else None

    def ask_to_end(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()

    async def end(self, deadline: float) -> None:
        """Wait until `deadline` (monotonic) for an end that was asked for; then kill what is left of the group."""
        await until(lambda: self._poll() is not None, deadline)
        self.kill()

    def kill(self) -> None:
        """The whole group, at once: a queue cluster's workers outlive their killed parent otherwise."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()


def _roll(path: Path) -> None:
    """Keep one older file, so that logs of a long life stay small."""
    if path.exists() and path.stat().st_size > LOG_KEPT:
        path.replace(path.with_suffix(".log.1"))
