"""Orders: placing, changed prices, stock, cancelling; and that another person's order does not exist."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .conftest import PEGASUS, Person, Shopkeeper
from .test_cart import error


def stock_of(person: Person, product: str = PEGASUS, sku_id: str = "size_42") -> int:
    skus = person.get(f"/api/products/{product}").json()["skus"]
    return next(sku["stock"] for sku in skus if sku["sku_id"] == sku_id)


def test_ordering_sells_the_cart(bob: Person) -> None:
    before = stock_of(bob)
    cart_id = bob.fill_cart(quantity=2)
    order = bob.post("/api/orders", {"cart_id": cart_id}).json()
    assert (order["status"], order["total"], order["recipient"]) == ("placed", 798, "Bob")
    assert order["address"].startswith("Pick-up") and order["number"] == "M000001"
    assert stock_of(bob) == before - 2
    assert bob.get(f"/api/cart/{cart_id}").json()["lines"] == []
    error(bob.post("/api/orders", {"cart_id": cart_id}), 409, "cart_empty")


def test_a_changed_price_asks_again_and_then_sells_at_the_new_one(bob: Person, keeper: Shopkeeper) -> None:
    cart_id = bob.fill_cart(quantity=2)
    keeper.post("price", product_id=PEGASUS, price=429)
    before = stock_of(bob)
    found = error(bob.post("/api/orders", {"cart_id": cart_id}), 409, "price_changed")
    (line,) = found["details"]["lines"]
    assert (line["product_id"], line["old_price"], line["new_price"]) == (PEGASUS, 399, 429)
    assert found["details"]["total"] == 858 and "again" in found["message"]
    assert bob.get(f"/api/cart/{cart_id}").json()["total"] == 858
    assert stock_of(bob) == before and bob.get("/api/orders").json()["count"] == 0
    assert bob.post("/api/orders", {"cart_id": cart_id}).json()["total"] == 858


def previewed(person: Person, cart_id: str) -> Any:
    return person.get("/api/orders/preview", cart_id=cart_id).json()


def test_what_was_shown_and_agreed_to_is_sold_at_that_price(bob: Person, keeper: Shopkeeper) -> None:
    """The price moved between asking and ordering; the person saw the new one and said yes: that is the end of it."""
    cart_id = bob.fill_cart(quantity=2)
    assert previewed(bob, cart_id)["total"] == 798
    keeper.post("price", product_id=PEGASUS, price=429)
    assert previewed(bob, cart_id)["total"] == 858
    order = bob.post("/api/orders", {"cart_id": cart_id}).json()
    assert (order["total"], order["lines"][0]["price"]) == (858, 429)


def test_what_moved_after_it_was_shown_is_not_sold(bob: Person, keeper: Shopkeeper) -> None:
    cart_id = bob.fill_cart()
    keeper.post("price", product_id=PEGASUS, price=429)
    previewed(bob, cart_id)
    keeper.post("price", product_id=PEGASUS, price=399)
    found = error(bob.post("/api/orders", {"cart_id": cart_id}), 409, "price_changed")
    (line,) = found["details"]["lines"]
    assert (line["old_price"], line["new_price"]) == (429, 399), "even if it is what the cart once cost"
    assert bob.post("/api/orders", {"cart_id": cart_id}).json()["total"] == 399


def test_a_cart_that_changed_is_not_what_was_shown(bob: Person, keeper: Shopkeeper) -> None:
    cart_id = bob.fill_cart()
    keeper.post("price", product_id=PEGASUS, price=429)
    previewed(bob, cart_id)
    bob.fill_cart(product="lego-classic-box", size=None)
    error(bob.post("/api/orders", {"cart_id": cart_id}), 409, "price_changed")


def test_somebody_elses_preview_is_nobodys_yes(bob: Person, carol: Person, keeper: Shopkeeper) -> None:
    cart_id = bob.fill_cart()
    keeper.post("price", product_id=PEGASUS, price=429)
    error(carol.get("/api/orders/preview", cart_id=cart_id), 404, "cart_not_found")
    previewed(carol, carol.fill_cart())
    error(bob.post("/api/orders", {"cart_id": cart_id}), 409, "price_changed")


def test_repeating_a_call_does_not_accept_a_changed_price(bob: Person, keeper: Shopkeeper) -> None:
    """A retry with the same key stays refused: the person has not seen the new price yet."""
    cart_id = bob.fill_cart()
    keeper.post("price", product_id=PEGASUS, price=429)
    for _ in range(2):
        error(bob.post("/api/orders", {"cart_id": cart_id}, key="call-1"), 409, "price_changed")
    assert bob.get("/api/orders").json()["count"] == 0


def test_what_sold_out_meanwhile_orders_nothing_at_all(bob: Person, keeper: Shopkeeper) -> None:
    cart_id = bob.fill_cart()
    bob.fill_cart(product="lego-classic-box", size=None)
    lego = stock_of(bob, "lego-classic-box", "standard")
    keeper.post("stock", product_id="lego-classic-box", stock=0)
    error(bob.post("/api/orders", {"cart_id": cart_id}), 409, "out_of_stock")
    keeper.post("stock", product_id="lego-classic-box", stock=lego)
    assert stock_of(bob) == 30 and len(bob.get(f"/api/cart/{cart_id}").json()["lines"]) == 2
    assert bob.post("/api/orders", {"cart_id": cart_id}).status_code == 200


def test_the_last_pair_is_sold_once(bob: Person, carol: Person, keeper: Shopkeeper) -> None:
    keeper.post("stock", product_id=PEGASUS, size="42", stock=1)
    carts = [(person, person.fill_cart()) for person in (bob, carol)]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda one: one[0].post("/api/orders", {"cart_id": one[1]}), carts))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert stock_of(bob) == 0


def test_the_preview_changes_nothing(bob: Person, keeper: Shopkeeper) -> None:
    cart_id = bob.fill_cart(quantity=2)
    keeper.post("price", product_id=PEGASUS, price=429)
    keeper.post("stock", product_id=PEGASUS, size="42", stock=1)
    seen = keeper.effects()
    preview = bob.get("/api/orders/preview", cart_id=cart_id).json()
    assert (preview["total"], preview["in_stock"], preview["lines"][0]["price"]) == (858, False, 429)
    assert (preview["currency"], preview["recipient"]) == ("CNY", "Bob")
    assert preview["address"].startswith("Pick-up")
    assert preview["price_changes"][0]["old_price"] == 399
    assert bob.get(f"/api/cart/{cart_id}").json()["total"] == 798 and keeper.effects() == seen


def test_nothing_changed_is_previewed_the_same(bob: Person, keeper: Shopkeeper) -> None:
    """The preview is part of what people approve: only a real difference may make it another one."""
    cart_id = bob.fill_cart(quantity=2)
    bob.fill_cart(product="lego-classic-box", size=None)
    first, again = (bob.get("/api/orders/preview", cart_id=cart_id).content for _ in range(2))
    assert first == again
    keeper.post("price", product_id=PEGASUS, price=429)
    assert bob.get("/api/orders/preview", cart_id=cart_id).content != first


def test_without_anything_to_order_there_is_no_preview(bob: Person, carol: Person) -> None:
    cart_id = bob.fill_cart()
    error(carol.get("/api/orders/preview", cart_id=cart_id), 404, "cart_not_found")
    bob.post("/api/cart/clear", {"cart_id": cart_id})
    error(bob.get("/api/orders/preview", cart_id=cart_id), 409, "cart_empty")


def test_cancelling_puts_the_goods_back_once(bob: Person) -> None:
    order = bob.order(quantity=3)
    assert stock_of(bob) == 27
    assert bob.post(f"/api/orders/{order['order_id']}/cancel").json()["status"] == "cancelled"
    found = error(bob.post(f"/api/orders/{order['order_id']}/cancel"), 409, "order_not_cancellable")
    assert found["details"]["status"] == "cancelled" and stock_of(bob) == 30


def test_a_shipped_order_cannot_be_cancelled(bob: Person, keeper: Shopkeeper) -> None:
    order = bob.order()
    keeper.post("order", order_id=order["order_id"], status="shipped")
    error(bob.post(f"/api/orders/{order['order_id']}/cancel"), 409, "order_not_cancellable")
    assert bob.get(f"/api/orders/{order['order_id']}").json()["status"] == "shipped"


def test_an_order_is_only_its_owners(bob: Person, carol: Person) -> None:
    order = bob.order()
    error(carol.get(f"/api/orders/{order['order_id']}"), 404, "order_not_found")
    error(carol.post(f"/api/orders/{order['order_id']}/cancel"), 404, "order_not_found")
    assert carol.get("/api/orders").json()["count"] == 0
    assert bob.get("/api/orders").json()["orders"][0]["order_id"] == order["order_id"]
    found = error(bob.get("/api/orders/order_wrong"), 404, "order_not_found")
    assert found["suggestions"] == [{"order_id": order["order_id"], "status": "placed"}]


def test_orders_go_to_the_address_of_the_time(bob: Person) -> None:
    first = bob.order()
    changed = {"address": "上海市静安区南京西路88号502室", "recipient": "林伟", "phone": "+86 138 0000 0000"}
    account = bob.post("/api/account/address", changed).json()
    assert {name: account[name] for name in changed} == changed
    second = bob.order()
    assert second["address"] == changed["address"] and second["recipient"] == "林伟"
    assert bob.get(f"/api/orders/{first['order_id']}").json()["address"] == first["address"]
    assert bob.post("/api/account/address", {"address": "Room 1, 2 Hill Road"}).json()["recipient"] == "林伟"


def test_a_deleted_account_can_write_nothing_more(bob: Person, carol: Person) -> None:
    bob.post("/api/account/address", {"address": "Room 1, 2 Hill Road"})
    order, cart_id = bob.order(), bob.fill_cart()
    assert bob.delete("/api/account", key="gone").json()["deleted"] is True
    writes: list[tuple[str, dict[str, Any]]] = [
        ("/api/cart/add", {"product_id": "lego-classic-box", "quantity": 1}),
        ("/api/cart/clear", {"cart_id": cart_id}),
        ("/api/orders", {"cart_id": cart_id}),
        (f"/api/orders/{order['order_id']}/cancel", {}),
        ("/api/account/address", {"address": "somewhere else 1"}),
    ]
    for path, body in writes:
        error(bob.post(path, body), 403, "account_deleted")
    error(bob.delete("/api/account"), 403, "account_deleted")
    assert bob.get("/api/account").json() == {"deleted": True}
    assert bob.get(f"/api/cart/{cart_id}").json()["lines"] == []
    assert bob.delete("/api/account", key="gone").headers["Idempotent-Replay"] == "true"
    assert carol.order()["status"] == "placed"
