"""One request from the wire to an operation and back: who acts, which fields, which key, which answer.

A read runs in one reading transaction; a write goes through `effects.perform`. Both run in a worker thread,
so that a slow disk does not hold up the others.
"""

import json
import re
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from . import effects
from .effects import Answer, Effect
from .errors import bad_request
from .fields import Fields
from .identity import Acting, check_acting
from .shop import Shop

# JSON can spell half of a character ("\ud83d"); no database and no answer can hold one.
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
LARGEST_BODY = 65_536
LONGEST_ID = 100
LONGEST_KEY = 200


@dataclass(frozen=True)
class Call:
    """A request whose sender is known."""

    acting: Acting
    path: dict[str, str]
    fields: Fields


Read = Callable[[sqlite3.Connection, Shop, Call], dict[str, Any]]
Write = Callable[[sqlite3.Connection, Shop, Call], Answer]
Endpoint = Callable[[Request], Awaitable[Response]]


def reading(operation: Read) -> Endpoint:
    """An endpoint that answers from one consistent view of the data."""

    async def endpoint(request: Request) -> Response:
        shop: Shop = request.app.state.shop
        acting = await run_in_threadpool(identify, request)
        call = Call(acting, _path(request), Fields(request.query_params, from_query=True))
        return JSONResponse(await run_in_threadpool(_read, shop, operation, call))

    return endpoint


def showing(operation: Read) -> Endpoint:
    """An endpoint that answers like `reading` and remembers what it has shown: no effect, and no row among them."""

    async def endpoint(request: Request) -> Response:
        shop: Shop = request.app.state.shop
        acting = await run_in_threadpool(identify, request)
        call = Call(acting, _path(request), Fields(request.query_params, from_query=True))
        return JSONResponse(await run_in_threadpool(_show, shop, operation, call))

    return endpoint


def writing(operation: Write) -> Endpoint:
    """An endpoint that has an effect, at most once per Idempotency-Key."""

    async def endpoint(request: Request) -> Response:
        shop: Shop = request.app.state.shop
        acting = await run_in_threadpool(identify, request)
        Fields(request.query_params, from_query=True).only()
        body = await json_body(request)
        call = Call(acting, _path(request), Fields(body, from_query=False))
        place = f"{request.method} {request.url.path}"
        effect = Effect(acting, _key(request), operation.__name__, place, body)
        outcome = await run_in_threadpool(
            effects.perform, shop.database, effect, lambda tx: operation(tx, shop, call)
        )
        headers = {"Idempotent-Replay": "true"} if outcome.replayed else None
        return Response(outcome.text, outcome.status, headers, media_type="application/json")

    return endpoint


def identify(request: Request) -> Acting:
    """Who acts in this request; also noted in the list of requests."""
    shop: Shop = request.app.state.shop
    origin = f"{request.url.scheme}://{request.headers.get('host', '')}".lower()
    acting = check_acting(request.headers.get("x-acting-user"), origin, shop.keys, shop.settings)
    seen = request.scope.get("mall.seen")
    if seen is not None:
        seen |= {"user": acting.user, "tenant": acting.tenant, "call": acting.call}
    return acting


async def json_body(request: Request) -> dict[str, Any]:
    """The body as an object; no body counts as an empty one."""
    text = b""
    async for chunk in request.stream():
        text += chunk
        if len(text) > LARGEST_BODY:
            raise bad_request(None, f"The body is larger than {LARGEST_BODY} bytes.")
    if not text.strip():
        return {}
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        raise bad_request(None, "The body is not JSON. Send one JSON object.") from None
    if not isinstance(body, dict):
        raise bad_request(None, "The body must be one JSON object.")
    if LONE_SURROGATE.search(json.dumps(body, ensure_ascii=False)):
        raise bad_request(None, "The body holds half a character. Send whole Unicode characters.")
    return body


def _read(shop: Shop, operation: Read, call: Call) -> dict[str, Any]:
    with shop.database.reading() as tx:
        return operation(tx, shop, call)


def _show(shop: Shop, operation: Read, call: Call) -> dict[str, Any]:
    with shop.database.writing() as tx:
        return operation(tx, shop, call)


def _path(request: Request) -> dict[str, str]:
    for name, value in request.path_params.items():
        if not 0 < len(value) <= LONGEST_ID:
            raise bad_request(name, f"{name} must be 1 to {LONGEST_ID} characters long.")
    return dict(request.path_params)


def _key(request: Request) -> str | None:
    key: str | None = request.headers.get("idempotency-key")
    if key is not None and not 0 < len(key) <= LONGEST_KEY:
        raise bad_request(
            "Idempotency-Key", f"The Idempotency-Key must be 1 to {LONGEST_KEY} characters long."
        )
    return key
