"""Django settings under which the serving process kills itself (-9) before or after a commit, when it is told to.

An order is a file `kill` in the data directory: `before 3` or `after 3`, counted from when the order came; it is taken
away before it is carried out. `never 0` only counts. How many commits there were stands in the file `commits`.
"""

import os
import signal
import sys
from pathlib import Path
from threading import Lock
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from platform_site.settings import *  # noqa: F403
from platform_site.settings import DATA_DIR

ORDER, COMMITS = Path(DATA_DIR) / "kill", Path(DATA_DIR) / "commits"
_commit = BaseDatabaseWrapper._commit
_lock = Lock()
_counted = {"": 0}


def _die() -> None:
    ORDER.unlink()
    os.kill(os.getpid(), signal.SIGKILL)


def commit(self: Any) -> None:
    try:
        order = ORDER.read_text()
    except FileNotFoundError:
        return _commit(self)
    with _lock:
        _counted[order] = nth = _counted.get(order, 0) + 1
        if order == f"before {nth}":
            _die()
        _commit(self)
        COMMITS.write_text(str(nth))
        if order == f"after {nth}":
            _die()
    return None


if sys.argv[1:2] == ["up"]:
    BaseDatabaseWrapper._commit = commit
