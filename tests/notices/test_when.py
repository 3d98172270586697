"""When people are told, and when a delivery is tried again: pure rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platform_site.notices.when import EXPIRING, MOST_TRIES, PAUSES, WAITING, next_try, times

ASKED = datetime(2026, 3, 1, 12, tzinfo=UTC)


def minutes(decide: float, wait: float) -> dict[str, float]:
    """The times, in minutes after the question."""
    told = times(ASKED, ASKED + timedelta(minutes=decide), timedelta(minutes=wait))
    return {kind: (at - ASKED) / timedelta(minutes=1) for kind, at in told.items()}


@pytest.mark.parametrize(
    ("decide", "wait", "told"),
    [
        (15, 5, {WAITING: 5, EXPIRING: 12}),
        (72 * 60, 5, {WAITING: 5, EXPIRING: 72 * 48}),
        (15, 0, {WAITING: 0, EXPIRING: 12}),
        (8, 0, {WAITING: 0, EXPIRING: 6}),  # 80 % would be less than two minutes before the end
        (15, 11.5, {WAITING: 11.5}),  # the reminder would come right after it
        (15, 13, {EXPIRING: 12}),  # it would come after the reminder, which says more
        (5, 5, {EXPIRING: 3}),
        (15, 60, {EXPIRING: 12}),
        (2, 0, {WAITING: 0}),  # there is no time for a reminder
        (2, 5, {}),
    ],
)
def test_when_people_are_told(decide: float, wait: float, told: dict[str, float]) -> None:
    assert minutes(decide, wait) == told


@given(st.integers(10, 10**6), st.integers(0, 10**6))
def test_everything_is_told_in_time_and_in_order(decide: int, wait: int) -> None:
    until = ASKED + timedelta(seconds=decide)
    told = times(ASKED, until, timedelta(seconds=wait))
    assert all(ASKED <= at < until for at in told.values())
    if len(told) == 2:
        assert told[EXPIRING] - told[WAITING] >= timedelta(minutes=1)
    if EXPIRING in told:
        assert until - told[EXPIRING] >= timedelta(minutes=2)


def test_six_tries_in_an_hour_and_then_no_more() -> None:
    assert sum(PAUSES, timedelta()) == timedelta(hours=1)
    assert list(PAUSES) == sorted(PAUSES)
    assert [next_try(number, ASKED) for number in (1, MOST_TRIES)] == [ASKED + PAUSES[0], None]
    assert MOST_TRIES == 6
