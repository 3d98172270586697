"""A row that breaks rests, longer each time, and is given up in the end; others are not concerned."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from django.db import OperationalError

from tools.jobs.setbacks import FIRST_S, LONGEST_S, TRIES, Setbacks


@dataclass
class Row:
    """One that breaks, until somebody repairs it."""

    error: Exception | None = field(default_factory=ZeroDivisionError)
    tries: list[float] = field(default_factory=list)
    given_up: int = 0
    clock: float = 0.0

    def __post_init__(self) -> None:
        self.setbacks = Setbacks(lambda: self.clock)

    def step(self) -> str:
        self.tries.append(self.clock)
        if self.error:
            raise self.error
        return "done"

    def give_up(self) -> None:
        self.given_up += 1

    def look(self) -> str | None:
        if "row" in self.setbacks.resting():
            return None
        return self.setbacks.tried("row", self.step, self.give_up)

    def goes_on(self, seconds: int) -> None:
        """Somebody looks each second."""
        for _second in range(seconds):
            self.look()
            self.clock += 1


def test_the_pauses_grow() -> None:
    row = Row()
    row.goes_on(40)
    assert row.tries == [0, 2, 6, 14, 30]


def test_they_grow_to_an_hour_and_then_it_is_given_up() -> None:
    row = Row()
    row.goes_on(4_000)
    assert (len(row.tries), row.given_up) == (TRIES - 1, 0)
    row.goes_on(200)
    assert (len(row.tries), row.given_up) == (TRIES, 1)
    row.goes_on(int(2 * LONGEST_S))
    assert len(row.tries) == TRIES + 2, "where nobody gives it up, it is tried each hour"


def test_one_that_works_again_begins_anew() -> None:
    row = Row()
    row.goes_on(20)
    row.error = None
    row.goes_on(20)
    assert row.look() == "done" and not row.setbacks.resting()
    row.error = ZeroDivisionError()
    row.tries.clear()
    begin = row.clock
    row.goes_on(4)
    assert row.tries == [begin, begin + FIRST_S]


def test_a_database_that_is_away_is_no_fault_of_the_row() -> None:
    row = Row(error=OperationalError("gone"))
    row.goes_on(100)
    assert (len(row.tries), row.given_up) == (50, 0)


def test_one_that_cannot_even_be_given_up_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Row()
    monkeypatch.setattr(row, "give_up", lambda: 1 / 0)
    row.goes_on(5_000)
    assert len(row.tries) == TRIES


def test_others_do_not_rest() -> None:
    row = Row()
    row.look()
    assert row.setbacks.tried("other", lambda: "done", row.give_up) == "done"
    assert row.setbacks.resting() == ["row"]
