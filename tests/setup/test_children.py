"""Child processes are watched while their parent lives, and never outlive it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from platform_site.setup import children
from platform_site.setup.children import Child
from platform_site.setup.patience import until

SLEEPER = """
import os, subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(os.getpid(), worker.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Child]:
    """A process with a worker of its own, both asleep."""
    child = Child("sleeper", ["-c", SLEEPER], tmp_path)
    child.start()
    yield child
    child.kill()


def wait_for(condition: Callable[[], object], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "this did not come true in time"
        time.sleep(0.01)


def family(log: Path) -> list[psutil.Process]:
    """The processes named in the last line that was written."""
    wait_for(lambda: log.exists() and len(log.read_text().split()) % 2 == 0 and log.read_text().strip())
    return [psutil.Process(int(pid)) for pid in log.read_text().splitlines()[-1].split()]


def all_gone(processes: list[psutil.Process]) -> bool:
    return not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in processes)


def test_killing_a_child_ends_its_workers_too(child: Child) -> None:
    processes = family(child.log_file)
    child.kill()
    wait_for(lambda: all_gone(processes))


def test_a_child_that_is_asked_to_end_ends_before_the_deadline(child: Child) -> None:
    processes = family(child.log_file)
    child.ask_to_end()
    asyncio.run(child.end(time.monotonic() + 5))
    wait_for(lambda: all_gone(processes))


def test_a_child_that_died_is_started_again_and_its_orphans_are_ended(
    child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children.Backoff, "next_pause", lambda self: 0.0)
    main, worker = family(child.log_file)

    async def scenario() -> None:
        keeping = asyncio.create_task(child.keep_running())
        main.send_signal(signal.SIGKILL)
        await until(lambda: len(child.log_file.read_text().splitlines()) == 2, time.monotonic() + 10)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(scenario())
    wait_for(lambda: all_gone([main, worker]))
    assert not all_gone(family(child.log_file))


def test_nobody_is_left_when_the_parent_is_killed(tmp_path: Path) -> None:
    parent = f"""
import time
from pathlib import Path
from platform_site.setup.children import Child
from platform_site.setup.patience import until
child = Child("sleeper", ["-c", {SLEEPER!r}], Path({str(tmp_path)!r}))
child.start()
time.sleep(60)
"""
    started = subprocess.Popen([sys.executable, "-c", parent])
    processes = family(tmp_path / "sleeper.log")
    os.kill(started.pid, signal.SIGKILL)
    started.wait(5)
    wait_for(lambda: all_gone(processes))


def test_a_long_log_is_rolled_before_a_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "LOG_KEPT", 10)
    (tmp_path / "quick.log").write_text("from an earlier life\n")
    child = Child("quick", ["-c", "print('new')"], tmp_path)
    child.start()
    wait_for(lambda: (tmp_path / "quick.log").read_text() == "new\n")
    child.kill()
    assert (tmp_path / "quick.log.1").read_text() == "from an earlier life\n"
