"""The source as an ASGI application: its addresses, and every failure as JSON."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from . import answers, search
from .errors import Refusal

Clock = Callable[[], datetime]
Answer = Callable[[Mapping[str, str], datetime], dict[str, Any]]


def real_clock() -> datetime:
    return datetime.now(UTC)


def create_app(clock: Clock = real_clock) -> Starlette:
    """A source that takes this clock's time for now."""

    def asking(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return JSONResponse(await run_in_threadpool(answer, request.query_params, clock()))

        return endpoint

    app = Starlette(
        routes=[
            Route("/healthz", healthz),
            Route("/api/price", asking(answers.price)),
            Route("/api/news", asking(answers.news)),
            Route("/api/chart", asking(answers.chart)),
            *search.ROUTES,
        ],
        exception_handlers={Refusal: refused, HTTPException: no_such_place, Exception: broken},
    )
    app.router.redirect_slashes = False
    return app


async def healthz(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return JSONResponse(error.body(), error.status)


async def no_such_place(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = "method_not_allowed" if error.status_code == 405 else "not_found"
    message = f"There is no {request.method} {request.url.path} here."
    return JSONResponse({"error": {"code": code, "message": message}}, error.status_code, error.headers)


async def broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": {"code": "internal", "message": "The source failed. Ask again."}}, 500)
