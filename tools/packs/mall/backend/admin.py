"""The shop's own hand and the tests' eyes: prices, stock, order status, faults, and what was asked and done.

Only with the admin key; without one set at start, nobody gets in.
"""

import hmac
import sqlite3
from collections import deque
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import count
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from . import effects, orders
from .calls import Endpoint, json_body
from .errors import Refusal, forbidden
from .faults import MODES, Fault, FaultSwitch
from .fields import Fields
from .money import fen, yuan
from .shelf import choose_sku, find_product, look
from .shop import Shop

MOST_REQUESTS = 5_000
HIGHEST_NUMBER = 2**53

Operation = Callable[[sqlite3.Connection, Shop, Fields], dict[str, Any]]


class RequestLog:
    """Notes every request that is not to /admin or /healthz, newest last."""

    def __init__(self, app: ASGIApp, seen: deque[dict[str, Any]]) -> None:
        self.app = app
        self.seen = seen
        self.numbers = count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(("/admin", "/healthz")):
            scope["mall.seen"] = self._note(scope)
            self.seen.append(scope["mall.seen"])
        await self.app(scope, receive, send)

    def _note(self, scope: Scope) -> dict[str, Any]:
        headers = dict(scope["headers"])
        key = headers.get(b"idempotency-key")
        return {
            "n": next(self.numbers),
            "at": datetime.now(UTC).isoformat(),
            "method": scope["method"],
            "path": scope["path"],
            "query": scope["query_string"].decode("latin-1"),
            "idempotency_key": key.decode("latin-1") if key is not None else None,
            "tenant": None,
            "user": None,
            "call": None,
        }


def changing(operation: Operation) -> Endpoint:
    """An endpoint that takes JSON and writes in one transaction."""

    async def endpoint(request: Request) -> Response:
        check_admin(request)
        shop: Shop = request.app.state.shop
        fields = Fields(await json_body(request), from_query=False)
        return JSONResponse(await run_in_threadpool(_change, shop, operation, fields))

    return endpoint


async def list_effects(request: Request) -> Response:
    check_admin(request)
    after = _after(request)
    return JSONResponse({"effects": await run_in_threadpool(_effects, request.app.state.shop, after)})


async def list_requests(request: Request) -> Response:
    check_admin(request)
    after = _after(request)
    return JSONResponse(
        {"requests": [seen for seen in list(request.app.state.requests) if seen["n"] > after]}
    )


async def set_fault(request: Request) -> Response:
    check_admin(request)
    fields = Fields(await json_body(request), from_query=False).only(
        "mode", "seconds", "path_prefix", "times"
    )
    switch: FaultSwitch = request.app.state.faults
    switch.now = Fault(
        mode=fields.choice("mode", MODES, default="none"),
        seconds=fields.optional_number("seconds", lowest=0, highest=600) or 0,
        path_prefix=fields.optional_text("path_prefix") or "/api",
        times=fields.optional_integer("times", lowest=0, highest=1_000_000),
    )
    return JSONResponse(asdict(switch.now))


def set_price(tx: sqlite3.Connection, shop: Shop, fields: Fields) -> dict[str, Any]:
    product = find_product(shop.catalogue, fields.only("product_id", "price").text("product_id"))
    price = fields.optional_number("price", lowest=0.01, highest=1_000_000)
    if price is not None:
        tx.execute("UPDATE prices SET price = ? WHERE product_id = ?", (fen(price), product.id))
    return {"product_id": product.id, "price": yuan(look(tx, product).price)}


def set_stock(tx: sqlite3.Connection, shop: Shop, fields: Fields) -> dict[str, Any]:
    product = find_product(shop.catalogue, fields.only("product_id", "size", "stock").text("product_id"))
    sku = choose_sku(look(tx, product), fields.optional_text("size"))
    stock = fields.integer("stock", lowest=0, highest=1_000_000)
    tx.execute(
        "UPDATE stock SET stock = ? WHERE product_id = ? AND sku_id = ?", (stock, product.id, sku.sku_id)
    )
    return {"product_id": product.id, "sku_id": sku.sku_id, "stock": stock}


def set_order_status(tx: sqlite3.Connection, shop: Shop, fields: Fields) -> dict[str, Any]:
    order_id = fields.only("order_id", "status").text("order_id")
    status = fields.choice("status", orders.STATUSES[:3], default="shipped")
    if not orders.move(tx, order_id, status):
        raise Refusal(404, "order_not_found", f"There is no open order {order_id!r}.")
    return {"order_id": order_id, "status": status}


def check_admin(request: Request) -> None:
    shop: Shop = request.app.state.shop
    expected = shop.settings.admin_key
    if expected is None:
        raise forbidden("Admin calls are off: the service was started without an admin key.")
    given = request.headers.get("x-admin-key", "")
    if not hmac.compare_digest(given.encode(), expected.encode()):
        raise forbidden("The header X-Admin-Key is missing or wrong.")


def _after(request: Request) -> int:
    fields = Fields(request.query_params, from_query=True).only("after")
    return fields.optional_integer("after", lowest=0, highest=HIGHEST_NUMBER) or 0


def _change(shop: Shop, operation: Operation, fields: Fields) -> dict[str, Any]:
    with shop.database.writing() as tx:
        return operation(tx, shop, fields)


def _effects(shop: Shop, after: int) -> list[dict[str, Any]]:
    with shop.database.reading() as tx:
        return effects.after(tx, after)
