"""What the person is shown beside the model's words: data for the client, under the key `ui` of an answer."""

from collections.abc import Sequence
from typing import Any

from .carts import Cart, Line
from .catalogue import Catalogue
from .directions import Leg, Name, Route
from .floors import Box, Building, Floor
from .money import yuan
from .orders import Order
from .shelf import Shelf

Directive = dict[str, Any]


def products(catalogue: Catalogue, shelves: Sequence[Shelf]) -> Directive:
    return {"kind": "products", "products": [_product(catalogue, shelf) for shelf in shelves]}


def cart(shown: Cart) -> Directive:
    lines = [_line(line) for line in shown.lines]
    return {"kind": "cart", "cart_id": shown.id, "lines": lines, "total": yuan(shown.total)}


def order(shown: Order) -> Directive:
    return {
        "kind": "order",
        "order_id": shown.id,
        "number": shown.shown_number,
        "status": shown.status,
        "lines": [_line(line) for line in shown.lines],
        "total": yuan(shown.total),
        "address": shown.address,
    }


def floor_plan(
    catalogue: Catalogue,
    building: Building,
    route: Route,
    title: Name,
    target: str | None,
    box: Box,
    highlight: bool,
) -> Directive:
    """The floors a way touches. `box` is the goal: a store's rectangle or an area's."""
    goal_floor = route.legs[-1].floor
    plans = []
    for leg in route.legs:
        plan = _plan(catalogue, building.floors[leg.floor], leg, highlight)
        if leg.floor == goal_floor:
            plan |= {"target": target, "target_rect": box.view()}
        plans.append(plan)
    return {
        "kind": "floor_plan",
        "floor": goal_floor,
        "floors": route.floors,
        "title": title.en,
        "title_zh": title.zh,
        "plans": plans,
    }


def _plan(catalogue: Catalogue, floor: Floor, leg: Leg, highlight: bool) -> dict[str, Any]:
    stores = [(catalogue.stores[store_id], box) for store_id, box in floor.boxes.items()]
    return {
        "floor": floor.number,
        "width": floor.width,
        "height": floor.height,
        "stores": [{"id": s.id, "name": s.name, "name_zh": s.name_zh} | box.view() for s, box in stores],
        "areas": [{"id": a.id, "name": a.name, "name_zh": a.name_zh} | a.box.view() for a in floor.areas],
        "path": [list(point) for point in leg.path] if highlight else [],
        "target": None,
        "entrance": list(leg.places[0].point),
    }


def _product(catalogue: Catalogue, shelf: Shelf) -> dict[str, Any]:
    product = shelf.product
    brand, store = catalogue.brands[product.brand], catalogue.stores[product.store_id]
    shown = {
        "id": product.id,
        "name": product.name,
        "name_zh": product.name_zh,
        "brand": brand.name,
        "brand_zh": brand.name_zh,
        "price": yuan(shelf.price),
        "rating": product.rating,
        "in_stock": shelf.in_stock,
        "store": {"name": store.name, "name_zh": store.name_zh},
        "image": {"glyph": product.glyph, "tone": product.tone},
    }
    return shown | ({"sizes": shelf.sizes()} if shelf.sizes() else {})


def _line(line: Line) -> dict[str, Any]:
    return {
        "name": line.product.name,
        "name_zh": line.product.name_zh,
        "label": line.sku.label,
        "label_zh": line.sku.label_zh,
        "quantity": line.quantity,
        "price": yuan(line.price),
        "total": yuan(line.total),
    }
