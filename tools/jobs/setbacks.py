"""Rows that cannot be dealt with, left alone for a while, so that those behind them get their turn.

Each failure doubles the pause, to an hour at most. A row that fails for the `TRIES`th time, after about two hours, is
given up, which its owner defines: an outcome that people see. Kept in the memory of whoever looks: a newer version of
us, which may know better, begins anew. A database that is away is nobody's fault, and gives nobody up.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from django.db import InterfaceError, OperationalError

log = logging.getLogger(__name__)
T = TypeVar("T")
FIRST_S = 2.0
LONGEST_S = 3_600.0
TRIES = 12


@dataclass(frozen=True, slots=True)
class Setback:
    """How often a row has failed, and until when it rests."""

    times: int
    until: float


@dataclass
class Setbacks:
    """Of one kind of row, in one process. `clock`: seconds that pass."""

    clock: Callable[[], float] = time.monotonic
    _known: dict[str, Setback] = field(default_factory=dict)

    def resting(self) -> list[str]:
        """The rows that nobody shall touch now."""
        now = self.clock()
        return [row for row, setback in list(self._known.items()) if setback.until > now]

    def tried(self, row: str, step: Callable[[], T], give_up: Callable[[], object]) -> T | None:
        """What the step answers; None where it breaks, which is then this row's trouble and no other's."""
        try:
            answer = step()
        except (OperationalError, InterfaceError):
            log.warning("the database was away while %s was dealt with", row, exc_info=True)
            self._rest(row, 0)
            return None
        except Exception:
            log.exception("%s could not be dealt with", row)
            self._failed(row, give_up)
            return None
        self._known.pop(row, None)
        return answer

    def _failed(self, row: str, give_up: Callable[[], object]) -> None:
        times = self._times(row) + 1
        self._rest(row, times)
        if times >= TRIES:
            try:
                give_up()
            except Exception:  # what broke the row may break this as well: it rests, and others go on
                log.exception("%s could not even be given up", row)

    def _rest(self, row: str, times: int) -> None:
        pause = min(FIRST_S * 2 ** max(0, times - 1), LONGEST_S)
        now = self.clock()
        long_ago = now - LONGEST_S
        self._known = {one: kept for one, kept in self._known.items() if kept.until > long_ago}
        self._known[row] = Setback(max(times, self._times(row)), now + pause)

    def _times(self, row: str) -> int:
        return self._known[row].times if row in self._known else 0
