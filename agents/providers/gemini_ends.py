"""Why a reply of Gemini's ended, in our words. Pure.

The codes stand in `detail` for who looks closer. A reason that is not known yet ends the reply as one that was cut
short, so that nothing of it is taken for whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agents.providers.base import ErrorCode
from agents.stream import FinishReason

_WHOLE = frozenset({"STOP"})
_CUT = frozenset({"MAX_TOKENS", "CONTINUATION"})
_BLOCKED = frozenset(
    {
        "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR", "ESCALATION",
    }
)  # fmt: skip
_BAD: Mapping[str, ErrorCode] = {
    "MALFORMED_FUNCTION_CALL": "malformed",
    "UNEXPECTED_TOOL_CALL": "malformed",
    "TOO_MANY_TOOL_CALLS": "malformed",
    "MALFORMED_RESPONSE": "malformed",
    "MISSING_THOUGHT_SIGNATURE": "bad_request",
    "PUP_LIMITED_DISABLED": "auth",
}
_WORRYING = frozenset({"LOW", "MEDIUM", "HIGH"})


@dataclass(frozen=True, slots=True)
class End:
    """How a reply ended. `error` is set when it is no reply at all."""

    reason: FinishReason
    detail: str = ""
    error: ErrorCode | None = None


def end_of(reason: str, candidate: Mapping[str, Any]) -> End:
    """The end that a candidate's `finishReason` means."""
    if reason in _WHOLE:
        return End("stop")
    detail = _detail(reason, candidate.get("finishMessage"), candidate.get("safetyRatings"))
    if reason in _BAD:
        return End("stop", detail, _BAD[reason])
    if reason in _BLOCKED:
        return End("blocked", detail)
    return End("length", "" if reason in _CUT else detail)


def refused_question(reason: str, feedback: Mapping[str, Any]) -> End:
    """The end of a stream that never began: the question itself was refused."""
    return End("blocked", _detail(reason, feedback.get("blockReasonMessage"), feedback.get("safetyRatings")))


def _detail(reason: str, message: Any, ratings: Iterable[Mapping[str, Any]] | None) -> str:
    """`SAFETY (dangerous content): the provider's words`."""
    named = [
        str(rating.get("category", "")).removeprefix("HARM_CATEGORY_").replace("_", " ").lower()
        for rating in ratings or ()
        if rating.get("blocked") or rating.get("probability") in _WORRYING
    ]
    why = f" ({', '.join(named)})" if named else ""
    return f"{reason}{why}" + (f": {message}" if message else "")
