"""What the person is shown: the exact shape of every directive."""

from typing import Any

import jsonschema_rs
import pytest

from .conftest import PEGASUS, Person

NUMBER, TEXT = {"type": "number"}, {"type": "string"}
POINT = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
NAMES = {"id": TEXT, "name": TEXT, "name_zh": TEXT}
BOX = {"x": NUMBER, "y": NUMBER, "w": NUMBER, "h": NUMBER}


def shape(optional: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def many(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


LINES = many(
    shape(
        name=TEXT,
        name_zh=TEXT,
        label=TEXT,
        label_zh=TEXT,
        quantity={"type": "integer"},
        price=NUMBER,
        total=NUMBER,
    )
)
PRODUCT = shape(
    ("sizes",),
    **NAMES,
    brand=TEXT,
    brand_zh=TEXT,
    price=NUMBER,
    rating=NUMBER,
    sizes=many(TEXT),
    in_stock={"type": "boolean"},
    store=shape(name=TEXT, name_zh=TEXT),
    image=shape(glyph=TEXT, tone=TEXT),
)
PLAN = shape(
    ("target_rect",),
    floor={"type": "integer"},
    width=NUMBER,
    height=NUMBER,
    stores=many(shape(**NAMES, **BOX)),
    areas=many(shape(**NAMES, **BOX)),
    path=many(POINT),
    target={"type": ["string", "null"]},
    target_rect=shape(**BOX),
    entrance=POINT,
)
SHAPES = {
    "products": shape(kind={"const": "products"}, products=many(PRODUCT)),
    "cart": shape(kind={"const": "cart"}, cart_id=TEXT, lines=LINES, total=NUMBER),
    "order": shape(
        kind={"const": "order"},
        order_id=TEXT,
        number=TEXT,
        status=TEXT,
        lines=LINES,
        total=NUMBER,
        address=TEXT,
    ),
    "floor_plan": shape(
        kind={"const": "floor_plan"},
        floor={"type": "integer"},
        floors=many({"type": "integer"}),
        title=TEXT,
        title_zh=TEXT,
        plans=many(PLAN),
    ),
}  # fmt: skip


def directive(answer: Any, kind: str) -> dict[str, Any]:
    (shown,) = answer.json()["ui"]
    assert shown["kind"] == kind
    jsonschema_rs.validator_for(SHAPES[kind]).validate(shown)
    found: dict[str, Any] = shown
    return found


def test_products(guest: Person) -> None:
    shown = directive(guest.get("/api/products/search", keyword="Nike 跑鞋", max_price=500), "products")
    assert shown["products"][0]["sizes"] == ["39", "40", "41", "42", "43"]
    assert shown["products"][0]["image"] == {"glyph": "👟", "tone": "blue"}
    detail = directive(guest.get("/api/products/lego-classic-box"), "products")
    assert "sizes" not in detail["products"][0]


def test_carts(bob: Person) -> None:
    cart_id = bob.fill_cart()
    directive(bob.get(f"/api/cart/{cart_id}"), "cart")
    directive(bob.get("/api/orders/preview", cart_id=cart_id), "cart")
    directive(bob.post("/api/cart/add", {"product_id": "lego-classic-box", "quantity": 2}), "cart")
    directive(bob.post("/api/cart/remove", {"cart_id": cart_id, "product_id": PEGASUS}), "cart")
    assert directive(bob.post("/api/cart/clear", {"cart_id": cart_id}), "cart")["total"] == 0


def test_orders(bob: Person) -> None:
    shown = directive(bob.post("/api/orders", {"cart_id": bob.fill_cart()}), "order")
    assert shown["number"] == "M000001"
    assert (shown["lines"][0]["label"], shown["lines"][0]["label_zh"]) == ("EU 42", "42 码")
    directive(bob.get(f"/api/orders/{shown['order_id']}"), "order")
    assert directive(bob.post(f"/api/orders/{shown['order_id']}/cancel"), "order")["status"] == "cancelled"


def test_floor_plans(guest: Person) -> None:
    shown = directive(guest.get("/api/navigation/store", store_name="乐高"), "floor_plan")
    ground, third = shown["plans"]
    assert (ground["entrance"], ground["path"], ground["target"]) == ([60, 64], [[60, 64], [60, 32]], None)
    assert third["target"] == "lego" and third["target_rect"] == {"x": 10, "y": 22, "w": 22, "h": 20}
    assert third["entrance"] == third["path"][0] == [60, 32] and third["path"][-1] == [21, 22]
    area = directive(guest.get("/api/navigation/area", area_name="运动区"), "floor_plan")
    assert area["plans"][-1]["target"] is None and area["plans"][-1]["target_rect"]["w"] == 102


def test_without_highlight_no_path_is_drawn(guest: Person) -> None:
    shown = directive(guest.get("/api/navigation/store", store_name="Lego", highlight="false"), "floor_plan")
    assert [plan["path"] for plan in shown["plans"]] == [[], []] and shown["plans"][1]["target"] == "lego"


@pytest.mark.parametrize("flag", ["True", "1", "true"])
def test_ways_to_write_true_in_a_query(guest: Person, flag: str) -> None:
    assert guest.get("/api/navigation/store", store_name="Lego", highlight=flag).json()["ui"][0]["plans"][0][
        "path"
    ]
