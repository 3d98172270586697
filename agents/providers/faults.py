"""What went wrong at a provider, as one `ProviderError`: from an HTTP answer, or from an error object in a stream.

Pure but for the words. Codes, and what the router makes of them: `rate_limited` (429), `overloaded` (500, 502, 503,
529, and errors in mid-stream that name no other reason) and `timeout` (408, 504) pass by themselves; `quota_exhausted`
(429 and 402 for money) does not, nor do `auth` (401, 403), `context_too_long` (by the words of many servers) and
`bad_request` (every other 4xx, and what is no model server at all).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isnan
from typing import Any

import orjson
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agents.providers.base import ErrorCode, ProviderError

LONGEST_DETAIL = 1_000
LONGEST_WAIT_S = 24 * 3600.0
SENTENCES: Mapping[ErrorCode, str] = {
    "rate_limited": gettext_noop("The model is asked too often right now."),
    "quota_exhausted": gettext_noop("The quota for this model is used up."),
    "overloaded": gettext_noop("The model’s server is overloaded or out of order."),
    "timeout": gettext_noop("The model did not answer in time."),
    "network": gettext_noop("The connection to the model broke off."),
    "auth": gettext_noop("The model’s server did not accept the key."),
    "blocked": gettext_noop("The model’s provider blocked this request."),
    "context_too_long": gettext_noop("The conversation is too long for this model."),
    "malformed": gettext_noop("The model made a tool call that nobody can read."),
    "bad_request": gettext_noop("The model’s server did not accept the request."),
    "internal": gettext_noop("Something went wrong while asking the model."),
}
_QUOTA = re.compile(
    r"insufficient[_ ](quota|balance|credit|fund)|exceeded your current quota|quota[_ ]exceeded|credit balance|"
    r"billing_(hard_limit|not_active)|hard limit has been reached|out of credits|payment required",
    re.I,
)
_CONTEXT = re.compile(
    r"context_length_exceeded|exceed_context_size|string_above_max_length|request too large|prompt is too long|"
    r"maximum (context|model|prompt|input) length|context (the )?overflow|greater than the context length|"
    r"(exceed|longer than|too (long|large|many)|beyond|overflow)[^.]{0,80}context|"
    r"context[^.]{0,40}(exceeded|too (long|small))",
    re.I,
)
_RATE = re.compile(r"rate[_ ]?limit|too many requests|requests per (minute|second)", re.I)
_BUSY = re.compile(r"overload|unavailable|capacity|server_error|internal|try again|temporar", re.I)
_FILTERED = re.compile(r"content_filter|content_policy|responsible ?ai|policy_violation|bio_policy", re.I)
_MALFORMED = re.compile(r"tool_use_failed|failed to (call a function|parse tool)|invalid tool call", re.I)
_MODEL = re.compile(
    r"model[^.]{0,120}(not (found|exist)|does not exist|no such)|model_not_found|unknown model", re.I
)
_SECRETS = re.compile(
    r"\b(sk|pk|rk|pplx|gsk|xai|hf|key|r8)[-_][\w*.-]{6,}|\bAIza[\w-]{10,}|\bBearer\s+[^\s,;]+|\beyJ[\w-]{10,}\.[\w.-]+",
    re.I,
)
_BY_STATUS: Mapping[int, ErrorCode] = {
    401: "auth", 402: "quota_exhausted", 403: "auth", 408: "timeout", 409: "overloaded", 413: "context_too_long",
    425: "overloaded", 429: "rate_limited", 504: "timeout", 524: "timeout",
}  # fmt: skip


def error(
    code: ErrorCode, detail: str = "", *, key: str = "", retry_after: float | None = None
) -> ProviderError:
    """The error with its usual sentence; `key` is the one that was used and never stands in the detail."""
    return ProviderError(code, _(SENTENCES[code]), retry_after=retry_after, detail=stripped(detail, key))


def from_status(status: int, headers: Mapping[str, str], body: bytes, key: str = "") -> ProviderError:
    """What an answer that is no 200 means. Header names in lower case."""
    told = _told(body)
    if 300 <= status < 400:
        return no_model_server(f"{status}: redirected", key)
    code = _code(status, told)
    if code == "bad_request" and _MODEL.search(told):
        sentence = _("The model’s server does not know this model.")
        return ProviderError(code, sentence, detail=stripped(f"{status}: {told}", key))
    if code == "bad_request" and status == 404:
        return no_model_server(f"{status}: {told}", key)
    return error(code, f"{status}: {told}", key=key, retry_after=retry_after(headers))


def from_object(found: Any, key: str = "") -> ProviderError:
    """What an error object means that came with status 200, alone or in a stream."""
    told = _words(found)
    status = _status(found)
    if status is not None:
        return error(_code(status, told), f"{status}: {told}", key=key)
    code: ErrorCode = _by_words(told) or "overloaded"
    if code == "overloaded" and not _BUSY.search(told):
        if re.search(r"invalid|unsupported|not supported|bad request", told, re.I):
            code = "bad_request"
        elif re.search(r"authenti|unauthori|api[_ ]key|permission", told, re.I):
            code = "auth"
    return error(code, told, key=key)


def no_model_server(detail: str, key: str = "") -> ProviderError:
    """The answer is none that a model's server gives: a page, a redirect, an empty path."""
    sentence = _("There is no model server at this address.")
    return ProviderError("bad_request", sentence, detail=stripped(detail, key))


def not_reachable(detail: str) -> ProviderError:
    """The address is a private one that the operator did not list for the tenant."""
    sentence = _(
        "The model’s address may not be reached from here. The operator can allow it for this tenant."
    )
    return ProviderError("bad_request", sentence, detail=stripped(detail))


def unreadable(detail: str, key: str = "") -> ProviderError:
    """An answer in no form that the protocol has."""
    sentence = _("The model’s server answered in a form that cannot be read.")
    return ProviderError("bad_request", sentence, detail=stripped(detail, key))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `Retry-After` (seconds or a date); None if it is not said."""
    value = headers.get("retry-after-ms", "")
    seconds = _number(value, 1000) if value else _number(headers.get("retry-after", ""), 1)
    if seconds is None and (date := headers.get("retry-after", "")):
        try:
            until = parsedate_to_datetime(date)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        seconds = (until - datetime.now(UTC)).total_seconds()
    return None if seconds is None else min(max(0.0, seconds), LONGEST_WAIT_S)


def stripped(text: str, key: str = "") -> str:
    """A provider's own words, short, and without anything that looks like a key (T24, T61)."""
    text = text[: 4 * LONGEST_DETAIL]
    if key:
        text = text.replace(key, "…")
    return _SECRETS.sub("…", text)[:LONGEST_DETAIL].strip()


def _code(status: int, told: str) -> ErrorCode:
    by_words = _by_words(told)
    if status in (401, 403) and by_words not in ("quota_exhausted", "blocked"):
        return "auth"
    if by_words == "rate_limited" and status not in (413, 429):
        by_words = None
    if by_words == "quota_exhausted" and status >= 500:
        by_words = None
    if by_words:
        return by_words
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return "overloaded" if status >= 500 else "bad_request"


def _by_words(told: str) -> ErrorCode | None:
    """The code that the words alone say, the more telling first."""
    meanings: tuple[tuple[re.Pattern[str], ErrorCode], ...] = (
        (_MALFORMED, "malformed"),
        (_CONTEXT, "context_too_long"),
        (_QUOTA, "quota_exhausted"),
        (_FILTERED, "blocked"),
        (_RATE, "rate_limited"),
    )
    return next((code for pattern, code in meanings if pattern.search(told)), None)


def _told(body: bytes) -> str:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body[: 4 * LONGEST_DETAIL].decode("utf-8", "replace")
    return _words(found)


def _words(found: Any) -> str:
    """Code, type and message of an error object, in whichever of the usual forms it comes."""
    if isinstance(found, list):
        found = found[0] if found else ""
    if isinstance(found, Mapping):
        inner = found.get("error")
        if isinstance(inner, Mapping | str) and inner:
            return _words(inner)
        names = ("code", "type", "status", "message", "detail", "reason")
        told = [str(found[name]) for name in names if found.get(name) not in (None, "")]
        return ": ".join(dict.fromkeys(told)) or orjson.dumps(found, default=str).decode()
    return str(found)


def _status(found: Any) -> int | None:
    """An HTTP status within an error object (OpenRouter, llama.cpp)."""
    inner = found.get("error", found) if isinstance(found, Mapping) else None
    if not isinstance(inner, Mapping):
        return None
    for name in ("code", "status", "status_code"):
        value = inner.get(name)
        if isinstance(value, str) and value.isdecimal():
            value = int(value)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    return None


def _number(text: str, parts: int) -> float | None:
    try:
        value = float(text) / parts
    except ValueError:
        return None
    return None if isnan(value) else value
