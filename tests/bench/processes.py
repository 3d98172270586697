"""Processes that a benchmark starts and measures."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil


@contextmanager
def started(module: str, *arguments: str, port: int, **environment: str) -> Iterator[psutil.Process]:
    """`python -m module` while the block lasts, from when it listens on `port`."""
    child = subprocess.Popen([sys.executable, "-m", module, *arguments], env={**os.environ, **environment})
    try:
        wait_for(port)
        yield psutil.Process(child.pid)
    finally:
        child.terminate()
        child.wait(10)


def wait_for(port: int, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on {port}")


def cpu_of(process: psutil.Process) -> float:
    """Seconds of CPU that it and its descendants have used."""
    family = [process, *process.children(recursive=True)]
    return sum(sum(one.cpu_times()[:2]) for one in family)
