"""A backend's answer, understood: JSON within bounds, an error the model can use, or a plain sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tools.executors.results import succeeded
from tools.outcome import Failed, Outcome, Unknown
from tools.schema_words import Text, shortened
from tools.spec import ToolSpec
from tools.strictjson import NotJson, loads, storable, storable_json

MAX_BYTES = 1024 * 1024
LONGEST_MESSAGE = 1_000
MOST_SUGGESTIONS = 10


class TooLarge(Exception):
    """The answer is larger than is read; whether the request had an effect is not known from it."""


async def read(response: httpx2.Response, spec: ToolSpec) -> Outcome:
    """The outcome an answer amounts to. Raises `TooLarge`."""
    body = await _body(response, spec)
    status = response.status_code
    if status >= 500:
        return _failed_there(status, _json(body), spec)
    if status >= 400:
        return _refused_there(status, _json(body), spec)
    if status >= 300:
        words = _("The backend of {name} answered with status {status}.")
        return Failed("bad_answer", format_lazy(words, name=spec.name, status=status))
    return _good(body, spec)


async def _body(response: httpx2.Response, spec: ToolSpec) -> bytes:
    """The whole body as sent, at most 1 MiB. Compressed ones are not read: a small one may unpack to anything."""
    if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        words = _("The backend of {name} answered in a compressed form, which was not asked for.")
        raise TooLarge(format_lazy(words, name=spec.name))
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > MAX_BYTES:
            raise TooLarge(format_lazy(_("The answer of {name} is larger than 1 MiB."), name=spec.name))
    return bytes(body)


def _json(body: bytes) -> Any:
    """The value of a body; None when it is not JSON."""
    try:
        return loads(body.decode("utf-8"))
    except (UnicodeDecodeError, NotJson):
        return None


def _good(body: bytes, spec: ToolSpec) -> Outcome:
    if not body.strip():
        return succeeded({}, spec)
    try:
        return succeeded(loads(body.decode("utf-8")), spec)
    except (UnicodeDecodeError, NotJson):
        words = _WEB_PAGE if body.lstrip()[:1] == b"<" else _NOT_JSON
        message = format_lazy(words, name=spec.name)
        return Failed("bad_answer", message if spec.read_only else format_lazy(_MAYBE, message=message))


def _refused_there(status: int, answer: Any, spec: ToolSpec) -> Failed:
    """4xx: what the backend says of it (M6), or the bare status."""
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        why = _STATUS.get(status, str(status))
        words = _("The backend of {name} refused: {why}.")
        return Failed(f"http_{status}", format_lazy(words, name=spec.name, why=why))
    return Failed(
        code=storable(str(error.get("code") or f"http_{status}"))[:60],
        message=storable(error["message"])[:LONGEST_MESSAGE],
        suggestions=_suggestions(error.get("suggestions")),
        details=_details(error),
    )


NOT_THERE = 503


def _failed_there(status: int, answer: Any, spec: ToolSpec) -> Outcome:
    """Who says what is wrong, or is not there (503), has not done it. A backend that fell over may have."""
    told = _refused_there(status, answer, spec) if isinstance(answer, dict) else None
    details = {"code": told.code, "message": told.message} if told and told.code != f"http_{status}" else {}
    message = format_lazy(_("The backend of {name} failed (status {status})."), name=spec.name, status=status)
    if not spec.read_only and not details and status != NOT_THERE:
        return Unknown(message)
    return Failed(
        "backend_error",
        message if spec.read_only else format_lazy(_MAYBE_LOOK, message=message),
        details=details,
    )


def _suggestions(given: Any) -> list[Any]:
    if not isinstance(given, list):
        return []
    return [storable_json(one) for one in given[:MOST_SUGGESTIONS] if shortened(one) == one]


def _details(error: Mapping[str, Any]) -> dict[str, Any]:
    """Whatever else the error carries: a new price, for example."""
    more = error.get("details")
    named = {
        name: value
        for name, value in error.items()
        if name not in ("code", "message", "suggestions", "details")
    }
    details: dict[str, Any] = storable_json(named | (more if isinstance(more, dict) else {}))
    return details if len(repr(details)) <= 4 * LONGEST_MESSAGE else {}


_WEB_PAGE = _("The backend of {name} answered with a web page.")
_NOT_JSON = _("The backend of {name} answered with something that is not JSON.")
_MAYBE = _("{message} It may have acted nevertheless.")
_MAYBE_LOOK = _("{message} It may have acted nevertheless; look before calling it again.")
_STATUS: dict[int, Text] = {
    400: _("the request is not right"), 401: _("it does not know who is asking"),
    403: _("this person may not do that"), 404: _("there is no such thing"),
    409: _("it does not fit the present state"), 422: _("the request is not right"), 429: _("it was asked too often"),
}  # fmt: skip
