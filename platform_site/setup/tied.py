"""Runs a command that must not outlive its starter: `python tied.py command …`.

Standard input is a pipe that the starter keeps open and never writes to. It ends when the starter is gone, also by
`kill -9`; then the command is asked to end, and after a moment its whole process group is killed. Standard library
only, run by path, so that it costs next to nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading

GRACE_S = 3.0
PR_SET_PDEATHSIG = 1


def main(command: list[str]) -> int:
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=_end_with_me)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    starter_gone = threading.Event()
    threading.Thread(target=_watch, args=(child, starter_gone), daemon=True).start()
    code = child.wait()
    if starter_gone.is_set():
        os.killpg(0, signal.SIGKILL)
    return code if code >= 0 else 128 - code


def _watch(child: subprocess.Popen[bytes], starter_gone: threading.Event) -> None:
    os.read(0, 1)
    starter_gone.set()
    child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(GRACE_S)
    os.killpg(0, signal.SIGKILL)


def _end_with_me() -> None:
    """Where the kernel offers it: the command is told when this process itself is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
