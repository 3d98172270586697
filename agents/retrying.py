"""What follows on a failed model request: the same model again, another one, or the end. Pure.

Only the router asks here, and only here is decided, so that nothing is ever retried in two places. The rules:

- Nothing is asked again once text was seen: an answer that changes under a reader's eyes is worse than a broken one.
- What passes by itself is asked again up to three times, with exponential waits and full jitter, or when the provider
  says. If it does not pass, the next model of the agent answers, and that is told.
- An exhausted quota, or a wait nobody would sit through, goes to the next model at once.
- A refused key, a blocked answer, a request that is wrong or too long stay what they are, whoever is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from agents.providers.base import ErrorCode

MOST_RETRIES = 3
BASE_S = 1.0
CAP_S = 20.0
"""The longest wait of our own choosing."""
LONGEST_ASKED_S = 60.0
"""The longest wait a provider may ask for; beyond it the model counts as used up."""
REST_S = 30.0
"""A model that did not come back after its retries is left alone so long, so that the next reply need not wait, too."""
PATIENCE_S = 240.0
"""No request of a reply begins later than this after its first one."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A request that failed. `retries`: how often this model was asked again before. `spent_s`: since the reply's
    first request. `others`: slugs of the models that may follow, in order."""

    code: ErrorCode
    retries: int = 0
    retry_after: float | None = None
    text_was_seen: bool = False
    spent_s: float = 0.0
    others: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Retry:
    """Ask the same model again after so many seconds."""

    wait_s: float


@dataclass(frozen=True, slots=True)
class Switch:
    """Ask this model instead."""

    model: str


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The reply failed with this error."""


Step = Retry | Switch | GiveUp


def follows(failed: Failed, chance: Callable[[], float]) -> Step:
    """What to do now. `chance` draws from [0, 1)."""
    if failed.text_was_seen or failed.spent_s >= PATIENCE_S:
        return GiveUp()
    match failed.code:
        case "quota_exhausted":
            return _next(failed)
        case "rate_limited" | "overloaded" | "timeout" | "network":
            return _again(failed, chance) or _next(failed)
        case "malformed":
            return _again(failed, chance) or GiveUp()
        case "auth" | "blocked" | "context_too_long" | "bad_request" | "internal":
            return GiveUp()
        case _:
            assert_never(failed.code)


def is_used_up(code: ErrorCode, retry_after: float | None) -> bool:
    """Whether the model should be left alone for a while, by everybody."""
    return code == "quota_exhausted" or (code == "rate_limited" and (retry_after or 0) > LONGEST_ASKED_S)


def backoff_s(retries: int, chance: Callable[[], float]) -> float:
    """Full jitter: anything up to a limit that doubles, so that a crowd does not come back all at once."""
    return chance() * min(CAP_S, BASE_S * 2**retries)


def _again(failed: Failed, chance: Callable[[], float]) -> Retry | None:
    if failed.retries >= MOST_RETRIES:
        return None
    wait = backoff_s(failed.retries, chance)
    if failed.retry_after is not None:
        if failed.retry_after > LONGEST_ASKED_S:
            return None
        wait = failed.retry_after + chance() * BASE_S
    return Retry(wait) if failed.spent_s + wait < PATIENCE_S else None


def _next(failed: Failed) -> Step:
    return Switch(failed.others[0]) if failed.others else GiveUp()
