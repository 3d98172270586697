"""The read-only answers: searching, product and store details, finding the way, the preview of an order."""

import sqlite3
from typing import Any

from . import accounts, carts, orders, search, ui
from .calls import Call
from .directions import Name, Route, find_route, steps
from .floors import Area, Box
from .money import yuan
from .shelf import find_product, look
from .shop import Shop
from .stores import INFO_TYPES

DEAREST = 1_000_000


def search_products(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    fields = call.fields.only("keyword", "min_price", "max_price", "brand", "category", "limit")
    query = search.Query(
        keyword=fields.text("keyword"),
        min_price=fields.optional_number("min_price", lowest=0, highest=DEAREST),
        max_price=fields.optional_number("max_price", lowest=0, highest=DEAREST),
        brand=fields.optional_text("brand", longest=40),
        category=fields.optional_text("category", longest=40),
        limit=fields.optional_integer("limit", lowest=1, highest=search.MOST) or search.MOST,
    )
    found = shop.search.find(tx, query)
    rows = [search.row(shop.catalogue, shelf) for shelf in found.shelves]
    answer: dict[str, Any] = {"count": len(rows), "products": rows}
    if found.more:
        answer["more"] = found.more
    if not rows:
        return answer | {"message": found.message, "suggestions": found.suggestions}
    return answer | {"ui": [ui.products(shop.catalogue, found.shelves)]}


def product_detail(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    call.fields.only()
    shelf = look(tx, find_product(shop.catalogue, call.path["product_id"]))
    product = shelf.product
    detail = search.row(shop.catalogue, shelf) | {
        "description": product.description,
        "description_zh": product.description_zh,
        "stock": sum(shelf.stock.values()),
        "sizes": shelf.sizes(),
        "skus": [
            {
                "sku_id": s.sku_id,
                "size": s.size,
                "label": s.label,
                "label_zh": s.label_zh,
                "stock": shelf.stock[s.sku_id],
            }
            for s in product.skus
        ],
    }
    return detail | {"ui": [ui.products(shop.catalogue, [shelf])]}


def search_stores(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    fields = call.fields.only("keyword", "category")
    found = shop.directory.search(fields.text("keyword"), fields.optional_text("category", longest=40))
    answer: dict[str, Any] = {"count": len(found), "stores": [shop.directory.row(store) for store in found]}
    if not found:
        areas = [{"name": area.name, "name_zh": area.name_zh} for area in shop.building.areas]
        return answer | {"message": "No store fits. Try an area or a kind of shop.", "suggestions": areas}
    return answer


def store_info(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    fields = call.fields.only("info_type")
    info_type = fields.choice("info_type", INFO_TYPES, default="basic")
    return shop.directory.info(shop.directory.store(call.path["store_id"]), info_type)


def way_to_store(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    fields = call.fields.only("store_name", "highlight", "from_store")
    store = shop.directory.store(fields.text("store_name", longest=60))
    route = find_route(shop.building, _start(shop, call), [shop.building.door(store.id)])
    goal = Name(store.name, store.name_zh)
    box = shop.building.floors[store.floor].boxes[store.id]
    return {"store": store.brief()} | _directions(
        shop, route, goal, store.id, box, fields.flag("highlight", default=True)
    )


def way_to_area(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    fields = call.fields.only("area_name", "show_stores", "from_store")
    area = shop.directory.area(fields.text("area_name", longest=60))
    stores = shop.directory.stores_in(area)
    route = find_route(shop.building, _start(shop, call), [shop.building.door(store.id) for store in stores])
    goal = Name(f"the {area.name} area", area.name_zh)
    answer = {"area": _area(area)} | _directions(shop, route, goal, None, area.box, highlight=True)
    if fields.flag("show_stores", default=True):
        answer["stores"] = [store.brief() for store in stores]
    return answer


def show_cart(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    call.fields.only()
    cart = carts.my_cart(tx, shop.catalogue, call.acting, call.path["cart_id"])
    return carts.view(cart) | {"ui": [ui.cart(cart)]}


def preview_order(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    fields = call.fields.only("cart_id")
    preview = orders.preview(tx, shop.catalogue, call.acting, fields.text("cart_id"))
    return orders.preview_view(preview) | {"ui": [ui.cart(preview.cart)]}


def show_order(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    call.fields.only()
    order = orders.my_order(tx, shop.catalogue, call.acting, call.path["order_id"])
    return orders.view(order) | {"ui": [ui.order(order)]}


def list_orders(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    call.fields.only()
    mine = orders.my_orders(tx, shop.catalogue, call.acting)
    rows = [{"order_id": o.id, "status": o.status, "total": yuan(o.total), "placed_at": o.at} for o in mine]
    return {"count": len(rows), "orders": rows}


def show_account(tx: sqlite3.Connection, shop: Shop, call: Call) -> dict[str, Any]:
    call.fields.only()
    return accounts.view(accounts.look(tx, call.acting), call.acting)


def _start(shop: Shop, call: Call) -> str:
    """Where the person is: at the store they named, else at the main entrance."""
    origin = call.fields.optional_text("from_store", longest=60)
    return shop.building.start if origin is None else shop.building.door(shop.directory.store(origin).id)


def _directions(
    shop: Shop, route: Route, goal: Name, target: str | None, box: Box, highlight: bool
) -> dict[str, Any]:
    said = steps(shop.catalogue, route, goal)
    title = Name(f"The way to {goal.en}", f"前往{goal.zh}")
    plan = ui.floor_plan(shop.catalogue, shop.building, route, title, target, box, highlight)
    return {
        "floor": route.goal.floor,
        "distance_m": route.metres,
        "steps": [step.en for step in said],
        "steps_zh": [step.zh for step in said],
        "ui": [plan],
    }


def _area(area: Area) -> dict[str, Any]:
    return {"id": area.id, "name": area.name, "name_zh": area.name_zh, "floor": area.floor}
