"""The service as an ASGI application: its addresses, and every failure as JSON."""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from . import admin, browsing, buying
from .admin import RequestLog, changing
from .calls import reading, showing, writing
from .errors import Refusal
from .faults import Faults, FaultSwitch
from .settings import Settings
from .shop import open_shop


def routes() -> list[BaseRoute]:
    return [
        Route("/healthz", healthz),
        Route("/api/products/search", reading(browsing.search_products)),
        Route("/api/products/{product_id}", reading(browsing.product_detail)),
        Route("/api/stores/search", reading(browsing.search_stores)),
        Route("/api/stores/{store_id}", reading(browsing.store_info)),
        Route("/api/navigation/store", reading(browsing.way_to_store)),
        Route("/api/navigation/area", reading(browsing.way_to_area)),
        Route("/api/cart/add", writing(buying.add_to_cart), methods=["POST"]),
        Route("/api/cart/remove", writing(buying.remove_from_cart), methods=["POST"]),
        Route("/api/cart/clear", writing(buying.clear_cart), methods=["POST"]),
        Route("/api/cart/{cart_id}", reading(browsing.show_cart)),
        Route("/api/orders", reading(browsing.list_orders)),
        Route("/api/orders", writing(buying.create_order), methods=["POST"]),
        Route("/api/orders/preview", showing(browsing.preview_order)),
        Route("/api/orders/{order_id}", reading(browsing.show_order)),
        Route("/api/orders/{order_id}/cancel", writing(buying.cancel_order), methods=["POST"]),
        Route("/api/account", reading(browsing.show_account)),
        Route("/api/account", writing(buying.delete_account), methods=["DELETE"]),
        Route("/api/account/address", writing(buying.modify_address), methods=["POST"]),
        Route("/admin/effects", admin.list_effects),
        Route("/admin/requests", admin.list_requests),
        Route("/admin/price", changing(admin.set_price), methods=["POST"]),
        Route("/admin/stock", changing(admin.set_stock), methods=["POST"]),
        Route("/admin/order", changing(admin.set_order_status), methods=["POST"]),
        Route("/admin/fault", admin.set_fault, methods=["POST"]),
    ]


def create_app(settings: Settings) -> ASGIApp:
    """A service of its own: its data, its keys, its faults.

    The faults lie around the whole application, where the server's connection is in reach.
    """
    shop, switch = open_shop(settings), FaultSwitch()
    requests: deque[dict[str, object]] = deque(maxlen=admin.MOST_REQUESTS)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        shop.database.close()

    app = Starlette(
        routes=routes(),
        lifespan=lifespan,
        exception_handlers={Refusal: refused, HTTPException: no_such_place, Exception: broken},
    )
    app.router.redirect_slashes = False
    app.state.shop, app.state.faults, app.state.requests = shop, switch, requests
    return RequestLog(Faults(app, switch), requests)


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
    message = "The service failed. Try the same call again with the same Idempotency-Key."
    return JSONResponse({"error": {"code": "internal", "message": message}}, 500)
