"""What follows on a failed model request. Each row reads: this happened, so this is done."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.providers.base import ErrorCode
from agents.retrying import (
    CAP_S,
    LONGEST_ASKED_S,
    MOST_RETRIES,
    PATIENCE_S,
    Failed,
    GiveUp,
    Retry,
    Step,
    Switch,
    follows,
    is_used_up,
)

CODES: tuple[ErrorCode, ...] = get_args(ErrorCode)
PASSING: tuple[ErrorCode, ...] = ("rate_limited", "overloaded", "timeout", "network")
NEVER: tuple[ErrorCode, ...] = ("auth", "blocked", "context_too_long", "bad_request", "internal")


def highest() -> float:
    return 1.0


def step(code: ErrorCode, **more: object) -> Step:
    return follows(Failed(code, **more), highest)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", [*PASSING, "malformed"])
def test_what_passes_by_itself_is_asked_again_three_times_with_doubling_waits(code: ErrorCode) -> None:
    """D6."""
    assert [step(code, retries=n) for n in range(MOST_RETRIES)] == [Retry(1.0), Retry(2.0), Retry(4.0)]
    assert step(code, retries=MOST_RETRIES) == GiveUp()


@pytest.mark.parametrize("code", NEVER)
def test_what_stays_as_it_is_is_never_asked_again_of_anybody(code: ErrorCode) -> None:
    """G1: other errors do not fall through."""
    assert step(code, others=["next"]) == GiveUp()
    assert step(code, others=["next"], retry_after=1.0) == GiveUp()


@pytest.mark.parametrize("code", PASSING)
def test_what_does_not_pass_goes_to_the_next_model_after_the_retries(code: ErrorCode) -> None:
    assert step(code, retries=MOST_RETRIES, others=["b", "c"]) == Switch("b")
    assert step(code, retries=MOST_RETRIES - 1, others=["b", "c"]) == Retry(4.0)


def test_an_unreadable_answer_is_no_reason_for_another_model() -> None:
    assert step("malformed", retries=MOST_RETRIES, others=["b"]) == GiveUp()


def test_an_exhausted_quota_goes_to_the_next_model_at_once() -> None:
    """G1."""
    assert step("quota_exhausted", others=["b"]) == Switch("b")
    assert step("quota_exhausted") == GiveUp()
    assert step("quota_exhausted", retry_after=1.0, others=["b"]) == Switch("b")


@pytest.mark.parametrize("code", CODES)
def test_nothing_is_asked_again_once_text_was_seen(code: ErrorCode) -> None:
    """T76."""
    assert step(code, text_was_seen=True, others=["b"]) == GiveUp()


def test_the_provider_says_how_long_to_wait() -> None:
    assert step("rate_limited", retry_after=12.0) == Retry(13.0)
    assert follows(Failed("overloaded", retry_after=12.0), lambda: 0.0) == Retry(12.0)
    assert step("rate_limited", retry_after=0.0) == Retry(1.0)


def test_a_wait_nobody_sits_through_counts_as_used_up() -> None:
    long = LONGEST_ASKED_S + 1
    assert step("rate_limited", retry_after=long, others=["b"]) == Switch("b")
    assert step("rate_limited", retry_after=long) == GiveUp()
    assert is_used_up("rate_limited", long)
    assert not is_used_up("rate_limited", LONGEST_ASKED_S)
    assert is_used_up("quota_exhausted", None)
    assert not is_used_up("overloaded", long)


def test_patience_ends() -> None:
    """T76: the time of a reply is bounded."""
    assert step("overloaded", spent_s=PATIENCE_S - 2.0) == Retry(1.0)
    assert step("overloaded", spent_s=PATIENCE_S - 0.5) == GiveUp()
    assert step("overloaded", spent_s=PATIENCE_S - 0.5, others=["b"]) == Switch("b")
    assert step("overloaded", spent_s=PATIENCE_S, others=["b"]) == GiveUp()


@given(st.integers(0, 2), st.floats(0, 1, exclude_max=True), st.one_of(st.none(), st.floats(0, 60)))
def test_a_wait_is_never_shorter_than_asked_nor_longer_than_the_bound(
    retries: int, chance: float, asked: float | None
) -> None:
    planned = follows(Failed("overloaded", retries, asked), lambda: chance)
    assert isinstance(planned, Retry)
    assert (asked or 0) <= planned.wait_s <= max(CAP_S, (asked or 0) + 1)
