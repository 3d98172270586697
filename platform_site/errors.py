"""Errors over HTTP: RFC 9457 problem details for the API, pages for people.

A verb's edge raises `Problem`; the websocket answers with the same `code`s. `as_problem` is DRF's exception handler,
the `page_…` functions are Django's (handler400 and so on). What nobody expected stays an exception: it is logged
with its traceback, and the client learns only that it was written down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core import exceptions as django_errors
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from rest_framework import exceptions as drf_errors
from rest_framework.response import Response

MEDIA_TYPE = "application/problem+json"
CODES = {
    400: "bad_request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    409: "conflict",
    413: "too_large",
    415: "unsupported_media_type",
    422: "bad_request",
    429: "rate_limited",
}
"""The code of a status when nothing more exact is known."""


class Problem(Exception):
    """Something a client did that we answer with an error; `extra` are members of the answer beside the usual."""

    def __init__(self, status: int, code: str, detail: str | Promise, **extra: Any) -> None:
        super().__init__(code, detail)
        self.status = status
        self.code = code
        self.detail = str(detail)
        self.words = detail
        """The detail as it was given: a lazy text speaks any reader's language."""
        self.extra = extra

    def body(self, instance: str) -> dict[str, Any]:
        """The problem details object; `instance` is the path that was asked for."""
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "instance": instance,
            "code": self.code,
            **self.extra,
        }


def as_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler; None for what should not happen, which then becomes a logged 500."""
    problem = problem_of(error)
    if problem is None:
        return None
    answer = Response(problem.body(context["request"].path), problem.status, content_type=MEDIA_TYPE)
    if challenge := getattr(error, "auth_header", None) or (problem.status == 401 and "Bearer"):
        answer["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None) or problem.extra.get("retry_after"):
        answer["Retry-After"] = str(int(wait))
    return answer


def problem_of(error: Exception) -> Problem | None:
    """The problem an exception stands for, if it is one we expect."""
    match error:
        case Problem():
            return error
        case drf_errors.ValidationError():
            return Problem(
                400, "bad_request", _("The request is not valid."), errors=list(_faults(error.detail))
            )
        case drf_errors.APIException():
            return Problem(error.status_code, _code(error), str(error.detail))
        case Http404():
            return Problem(404, "not_found", _("There is no such thing here."))
        case django_errors.PermissionDenied():
            return Problem(403, "forbidden", _("You may not do this."))
        case django_errors.RequestDataTooBig():
            return Problem(413, "too_large", _("The request is too large."))
        case django_errors.BadRequest() | django_errors.SuspiciousOperation():
            return Problem(400, "bad_request", _("The request is not valid."))
    return None


def _code(error: drf_errors.APIException) -> str:
    return CODES.get(error.status_code, "bad_request" if error.status_code < 500 else "internal")


def _faults(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """DRF's nested error details as a flat list of {path, message}; paths are JSON pointers."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _faults(inner, path if name == "non_field_errors" else f"{path}/{name}")
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            yield from _faults(inner, path if isinstance(inner, str) else f"{path}/{number}")
    else:
        yield {"path": path, "message": str(detail)}


def answer(request: HttpRequest, problem: Problem) -> HttpResponse:
    """The problem as it suits the path: JSON under /api/, else a page."""
    if request.path.startswith("/api/"):
        return JsonResponse(problem.body(request.path), status=problem.status, content_type=MEDIA_TYPE)
    return render(request, f"{problem.status}.html", {"problem": problem}, status=problem.status)


def page_400(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, Problem(400, "bad_request", _("The request is not valid.")))


def page_403(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, Problem(403, "forbidden", _("You may not do this.")))


def page_404(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return answer(request, Problem(404, "not_found", _("There is no such thing here.")))


def page_500(request: HttpRequest) -> HttpResponse:
    detail = _("Something went wrong on our side. It was written down.")
    return answer(request, Problem(500, "internal", detail))


def page_csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token was missing or old: `CSRF_FAILURE_VIEW`."""
    return answer(
        request, Problem(403, "forbidden", _("This form is too old. Reload the page and try again."))
    )


class BadDefinition(ValueError):
    """Configuration that cannot be saved. `errors`: [{path, message}] for whoever wrote it."""

    def __init__(self, errors: Sequence[Mapping[str, str]]) -> None:
        super().__init__("; ".join(f"{error['path']}: {error['message']}" for error in errors))
        self.errors = list(errors)
