"""What went wrong at Gemini, as `ProviderError`s. Pure: error bodies and ends in, errors out.

`faults` has the words and what is common. One status, 429 RESOURCE_EXHAUSTED, stands for "too fast" and for "nothing
left today". What tells them apart is the id of the violated limit (`…PerDay…`, `…PerMinute…`); without one, the words
about billing and days, which Google also puts into answers about minutes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from agents.providers import faults
from agents.providers.base import ErrorCode, ProviderError
from agents.providers.gemini_ends import End

_BY_STATUS: Mapping[str, ErrorCode] = {
    "UNAUTHENTICATED": "auth",
    "PERMISSION_DENIED": "auth",
    "UNAVAILABLE": "overloaded",
    "INTERNAL": "overloaded",
    "UNKNOWN": "overloaded",
    "ABORTED": "overloaded",
    "DEADLINE_EXCEEDED": "timeout",
}
_BY_NUMBER: Mapping[int, ErrorCode] = {
    401: "auth",
    402: "quota_exhausted",
    403: "auth",
    408: "timeout",
    504: "timeout",
}
_BAD_KEY = re.compile(
    r"api.?key (not valid|expired|not found|was reported)|API_KEY_(INVALID|SERVICE_BLOCKED)", re.I
)
_TOO_LONG = re.compile(
    r"(token count|number of tokens|context).{0,60}(exceed|too (long|large|many))", re.I | re.S
)
_PER_DAY = re.compile(r"per.?(day|month|week)", re.I)
_PER_MOMENT = re.compile(r"per.?(second|minute|hour)", re.I)
_SPENT = re.compile(
    r"billing|per day|daily|monthly|spending|credits? (are|is|have been) (depleted|exhausted)", re.I
)
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


def answered(number: int, told: Any, retry_after: float | None = None) -> ProviderError:
    """The error for an HTTP status and its decoded body. `retry_after`: of the header, in seconds."""
    error = _error(told)
    detail = _detail(number, error)
    code = _code(number, error)
    if code == "bad_request" and number == 404 and error.get("status") == "NOT_FOUND":
        return ProviderError(code, _("The model’s server does not know this model."), detail=detail)
    if code == "bad_request" and (number < 400 or number == 404):
        return faults.no_model_server(detail)
    wait = retry_after if retry_after is not None else _retry_delay(error)
    return faults.error(code, detail, retry_after=wait)


def told_in_stream(error: Any) -> ProviderError:
    """The error for an error object in place of a chunk."""
    error = error if isinstance(error, Mapping) else {"message": str(error)}
    number = error.get("code")
    return answered(number if isinstance(number, int) else 500, {"error": error})


def cut() -> ProviderError:
    """The stream ended without saying how the reply ended."""
    return faults.error("network", "the stream ended without a finish reason")


def unreadable(told: str) -> ProviderError:
    """A piece of the stream is no chunk: it was cut."""
    return faults.error("network", f"not a chunk: {told[:200]}")


def broken_call(call: Mapping[str, Any]) -> ProviderError:
    """A function call without a name, or one in pieces, which was not asked for."""
    return faults.error("malformed", f"a broken function call: {json.dumps(call)[:300]}")


def ended_badly(end: End) -> ProviderError:
    """The reply ended with a reason that makes it none."""
    return faults.error(end.error or "malformed", end.detail)


def _error(told: Any) -> Mapping[str, Any]:
    """The `error` object of a body: `{"error": {…}}`, the same in a list, or a text of a proxy."""
    if isinstance(told, list) and told:
        told = told[0]
    if not isinstance(told, Mapping):
        return {"message": str(told or "")}
    error = told.get("error", told)
    return error if isinstance(error, Mapping) else {"message": str(error)}


def _code(number: int, error: Mapping[str, Any]) -> ErrorCode:
    status, text = str(error.get("status") or ""), _text(error)
    if number == 429 or status == "RESOURCE_EXHAUSTED":
        return "quota_exhausted" if _is_spent(error) else "rate_limited"
    if _BAD_KEY.search(text):
        return "auth"
    if number in (400, 413) and _TOO_LONG.search(str(error.get("message") or "")):
        return "context_too_long"
    if found := _BY_NUMBER.get(number) or _BY_STATUS.get(status):
        return found
    return "overloaded" if number >= 500 else "bad_request"


def _is_spent(error: Mapping[str, Any]) -> bool:
    """Waiting a little will not help."""
    limits = [
        f"{violation.get('quotaId', '')} {violation.get('quotaMetric', '')} {violation.get('description', '')}"
        for detail in _details(error, "QuotaFailure")
        for violation in _objects(detail.get("violations"))
    ]
    if any(_PER_DAY.search(limit) for limit in limits):
        return True
    if any(_PER_MOMENT.search(limit) for limit in limits):
        return False
    return bool(_SPENT.search(str(error.get("message") or "")))


def _retry_delay(error: Mapping[str, Any]) -> float | None:
    """Seconds of a `RetryInfo`: `{"retryDelay": "7.5s"}`."""
    for detail in _details(error, "RetryInfo"):
        if found := _SECONDS.fullmatch(str(detail.get("retryDelay") or "")):
            return float(found[1])
    return None


def _details(error: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    for detail in _objects(error.get("details")):
        if str(detail.get("@type", "")).endswith(f".{kind}"):
            yield detail


def _objects(found: Any) -> list[Mapping[str, Any]]:
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _text(error: Mapping[str, Any]) -> str:
    """Its words, and its reasons in capitals."""
    reasons = " ".join(str(detail.get("reason") or "") for detail in _details(error, "ErrorInfo"))
    return f"{error.get('message') or ''} {reasons}"


def _detail(number: int, error: Mapping[str, Any]) -> str:
    return f"{number} {error.get('status') or ''} {error.get('message') or ''}".replace("  ", " ").strip()
