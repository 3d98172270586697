"""What a piece of work costs, told by a clock that goes with the machine.

Limits on cost are in seconds of CPU of the machine they were written on. Machines differ and are shared, so the work
is measured beside a fixed piece of plain Python, the best of three: what takes twice as long where everything does is
no dearer. These limits catch what explodes; `make bench-…` tells how fast it is.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

PLAIN_S = 0.005
"""What `_plain` took there."""


def cost_of(work: Callable[[], object]) -> float:
    """Seconds of CPU of this thread, as that machine would have needed them."""
    plain, took = zip(*((_seconds(_plain), _seconds(work)) for _time in range(3)), strict=True)
    return min(took) / min(plain) * PLAIN_S


def _seconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _plain() -> None:
    """What the product's dear paths do as well: look at many small values, build lists and objects, read and write."""
    for _time in range(2):
        made = [{"n": n, "text": str(n), "is_odd": n % 2 == 1} for n in range(2_000)]
        told = json.dumps(made)
        assert sum(one["n"] for one in json.loads(told) if one["is_odd"]) == 1_000_000
