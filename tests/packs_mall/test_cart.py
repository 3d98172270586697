"""The cart: adding, sizes, stock, removing, clearing; and that it is nobody else's business."""

from typing import Any

import pytest

from .conftest import PEGASUS, Person, Shopkeeper


def error(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
    found: dict[str, Any] = answer.json()["error"]
    return found


def test_adding_shows_the_cart(bob: Person) -> None:
    answer = bob.post("/api/cart/add", {"product_id": PEGASUS, "quantity": 2, "sku_id": "size_42"}).json()
    assert answer["lines"] == [
        {
            "product_id": PEGASUS,
            "sku_id": "size_42",
            "name": "Nike Air Zoom Pegasus Running Shoes",
            "name_zh": "耐克 Air Zoom Pegasus 跑鞋",
            "label": "EU 42",
            "label_zh": "42 码",
            "quantity": 2,
            "price": 399,
            "total": 798,
        }
    ]
    assert answer["total"] == 798 and answer["cart_id"].startswith("cart_")


def test_the_same_sku_adds_up_and_another_is_its_own_line(bob: Person) -> None:
    cart_id = bob.fill_cart()
    assert bob.fill_cart(quantity=2) == cart_id
    bob.fill_cart(size="size_41")
    lines = bob.get(f"/api/cart/{cart_id}").json()["lines"]
    assert [(line["sku_id"], line["quantity"]) for line in lines] == [("size_42", 3), ("size_41", 1)]


@pytest.mark.parametrize("said", ["size_42", "42", "42码", "EU 42", "Size 42"])
def test_many_ways_to_name_a_size(bob: Person, said: str) -> None:
    answer = bob.post("/api/cart/add", {"product_id": PEGASUS, "quantity": 1, "sku_id": said})
    assert answer.json()["lines"][0]["sku_id"] == "size_42"


def test_a_size_is_needed(bob: Person) -> None:
    found = error(bob.post("/api/cart/add", {"product_id": PEGASUS, "quantity": 1}), 422, "size_needed")
    assert [choice["sku_id"] for choice in found["suggestions"]] == [f"size_{n}" for n in range(39, 44)]
    assert found["details"]["sizes_in_stock"] == ["39", "40", "41", "42", "43"]


def test_a_size_that_does_not_exist(bob: Person) -> None:
    for said in ("size_50", "--", "4"):
        answer = bob.post("/api/cart/add", {"product_id": PEGASUS, "quantity": 1, "sku_id": said})
        error(answer, 422, "size_unknown")


def test_a_product_that_does_not_exist_suggests_near_ones(bob: Person) -> None:
    answer = bob.post("/api/cart/add", {"product_id": "nike-air-zoom-pegasus-41", "quantity": 1})
    assert error(answer, 404, "product_not_found")["suggestions"][0]["id"] == PEGASUS
    error(bob.get("/api/products/nothing"), 404, "product_not_found")


def test_more_than_there_is(bob: Person, keeper: Shopkeeper) -> None:
    keeper.post("stock", product_id=PEGASUS, size="42", stock=3)
    bob.fill_cart(quantity=2)
    answer = bob.post("/api/cart/add", {"product_id": PEGASUS, "quantity": 2, "sku_id": "size_42"})
    found = error(answer, 409, "out_of_stock")
    assert "Only 3" in found["message"] and found["details"]["stock"] == 3
    assert len(found["suggestions"]) == 3
    assert found["suggestions"][0].keys() == {"id", "name", "name_zh", "price"}


def test_sold_out(bob: Person) -> None:
    answer = bob.post("/api/cart/add", {"product_id": "lego-botanical-bouquet", "quantity": 1})
    assert {one["id"] for one in error(answer, 409, "out_of_stock")["suggestions"]} <= {
        "lego-technic-racer", "lego-city-fire-truck", "lego-classic-box", "little-sprout-plush-bear",
    }  # fmt: skip


def test_removing_a_line(bob: Person) -> None:
    cart_id = bob.fill_cart()
    bob.fill_cart(product="lego-classic-box", size=None)
    answer = bob.post("/api/cart/remove", {"cart_id": cart_id, "product_id": PEGASUS})
    assert [line["product_id"] for line in answer.json()["lines"]] == ["lego-classic-box"]
    again = bob.post("/api/cart/remove", {"cart_id": cart_id, "product_id": PEGASUS})
    found = error(again, 404, "product_not_found")
    assert found["suggestions"] == [{"product_id": "lego-classic-box", "sku_id": "standard"}]


def test_removing_one_of_two_sizes(bob: Person) -> None:
    cart_id = bob.fill_cart(size="size_42")
    bob.fill_cart(size="size_41")
    line = {"cart_id": cart_id, "product_id": PEGASUS}
    assert len(error(bob.post("/api/cart/remove", line), 422, "size_needed")["suggestions"]) == 2
    answer = bob.post("/api/cart/remove", line | {"sku_id": "size_42"})
    assert [left["sku_id"] for left in answer.json()["lines"]] == ["size_41"]


def test_clearing(bob: Person) -> None:
    cart_id = bob.fill_cart()
    answer = bob.post("/api/cart/clear", {"cart_id": cart_id}).json()
    assert (answer["lines"], answer["total"]) == ([], 0)


def test_a_cart_is_only_its_owners(bob: Person, carol: Person) -> None:
    cart_id = bob.fill_cart()
    error(carol.get(f"/api/cart/{cart_id}"), 404, "cart_not_found")
    error(carol.get("/api/orders/preview", cart_id=cart_id), 404, "cart_not_found")
    for path in ("/api/cart/clear", "/api/orders"):
        error(carol.post(path, {"cart_id": cart_id}), 404, "cart_not_found")
    removal = carol.post("/api/cart/remove", {"cart_id": cart_id, "product_id": PEGASUS})
    error(removal, 404, "cart_not_found")
    assert len(bob.get(f"/api/cart/{cart_id}").json()["lines"]) == 1
    assert carol.fill_cart() != cart_id


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"product_id": PEGASUS}, "quantity"),
        ({"product_id": PEGASUS, "quantity": "2"}, "quantity"),
        ({"product_id": PEGASUS, "quantity": True}, "quantity"),
        ({"product_id": PEGASUS, "quantity": 1.5}, "quantity"),
        ({"product_id": PEGASUS, "quantity": 0}, "quantity"),
        ({"product_id": PEGASUS, "quantity": 100}, "quantity"),
        ({"product_id": PEGASUS, "quantity": 10**400}, "quantity"),
        ({"quantity": 1}, "product_id"),
        ({"product_id": ["x"], "quantity": 1}, "product_id"),
        ({"product_id": " ", "quantity": 1}, "product_id"),
        ({"product_id": "x" * 101, "quantity": 1}, "product_id"),
        ({"product_id": PEGASUS, "quantity": 1, "confirmed": True}, "confirmed"),
        ({"product_id": PEGASUS, "quantity": 1, "tenant": "desk"}, "tenant"),
    ],
)
def test_wrong_fields_are_named_and_leave_no_trace(
    bob: Person, keeper: Shopkeeper, body: dict[str, Any], field: str
) -> None:
    found = error(bob.post("/api/cart/add", body, key="k-1"), 400, "bad_request")
    assert found["details"] == {"field": field} and field in found["message"]
    assert keeper.effects() == []


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "nothing",
        "1",
        '{"a":',
        "[" * 100_000,
        '"' + "x" * 70_000 + '"',
        '{"product_id": "\\ud83d", "quantity": 1}',
        '{"\\udc00": 1}',
    ],
)
def test_bodies_that_are_no_usable_object(guest: Person, text: str) -> None:
    headers = {"X-Acting-User": guest.platform.token()}
    error(guest.http.post("/api/cart/add", content=text, headers=headers), 400, "bad_request")


def test_unknown_places_answer_as_json(bob: Person) -> None:
    error(bob.get("/api/elsewhere"), 404, "not_found")
    error(bob.get("/api/cart/add/"), 404, "not_found")
    error(bob.post("/api/account"), 405, "method_not_allowed")
