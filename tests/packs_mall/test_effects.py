"""Each effect at most once: keys, replays, races, and the log that others judge by."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .conftest import PEGASUS, Person, Platform, Shopkeeper
from .test_cart import error
from .test_orders import stock_of

LINE = {"product_id": PEGASUS, "quantity": 1, "sku_id": "size_42"}


def test_the_same_key_and_body_give_the_first_answer_again(bob: Person, keeper: Shopkeeper) -> None:
    first = bob.post("/api/cart/add", LINE, key="call-1")
    bob.post("/api/cart/add", LINE, key="call-2")
    again = bob.post("/api/cart/add", dict(reversed(LINE.items())), key="call-1")
    assert again.content == first.content and again.status_code == 200
    assert (first.headers.get("Idempotent-Replay"), again.headers.get("Idempotent-Replay")) == (None, "true")
    assert [row["idempotency_key"] for row in keeper.effects()] == ["call-1", "call-2"]


def test_the_same_key_with_something_else_is_refused(bob: Person, keeper: Shopkeeper) -> None:
    cart_id = bob.post("/api/cart/add", LINE, key="call-1").json()["cart_id"]
    error(bob.post("/api/cart/add", LINE | {"quantity": 2}, key="call-1"), 422, "idempotency_conflict")
    error(bob.post("/api/cart/clear", {"cart_id": cart_id}, key="call-1"), 422, "idempotency_conflict")
    error(bob.delete("/api/account", key="call-1"), 422, "idempotency_conflict")
    assert len(keeper.effects()) == 1


def test_keys_of_two_people_do_not_meet(bob: Person, carol: Person) -> None:
    first = bob.post("/api/cart/add", LINE, key="call-1").json()
    second = carol.post("/api/cart/add", LINE, key="call-1").json()
    assert first["cart_id"] != second["cart_id"]


def test_without_a_key_each_call_counts(bob: Person, keeper: Shopkeeper) -> None:
    bob.fill_cart()
    bob.fill_cart()
    assert [row["idempotency_key"] for row in keeper.effects()] == [None, None]


def test_twenty_threads_with_one_key_order_once(bob: Person, keeper: Shopkeeper) -> None:
    cart_id = bob.fill_cart()
    with ThreadPoolExecutor(20) as pool:
        answers: list[Any] = list(
            pool.map(lambda _: bob.post("/api/orders", {"cart_id": cart_id}, key="call-1"), range(20))
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replay" in answer.headers for answer in answers) == 19
    assert stock_of(bob) == 29 and bob.get("/api/orders").json()["count"] == 1
    assert [row["operation"] for row in keeper.effects()] == ["add_to_cart", "create_order"]


def test_a_refusal_is_stored_too(bob: Person, keeper: Shopkeeper) -> None:
    """What was refused under a key stays refused, even if it would work by now."""
    first = bob.post("/api/cart/add", {"product_id": "lego-botanical-bouquet", "quantity": 1}, key="call-1")
    keeper.post("stock", product_id="lego-botanical-bouquet", stock=5)
    again = bob.post("/api/cart/add", {"product_id": "lego-botanical-bouquet", "quantity": 1}, key="call-1")
    assert first.status_code == again.status_code == 409 and first.content == again.content
    assert [row["result_status"] for row in keeper.effects()] == [409]


def test_a_row_of_the_log(bob: Person, keeper: Shopkeeper, platform: Platform) -> None:
    headers = {"X-Acting-User": platform.token("bob", call="call-77"), "Idempotency-Key": "call-77"}
    bob.http.post("/api/cart/add", json=LINE, headers=headers)
    (row,) = keeper.effects()
    assert row.pop("at").endswith("+00:00")
    assert row == {
        "id": 1,
        "tenant": "mall",
        "user": "bob",
        "call": "call-77",
        "idempotency_key": "call-77",
        "operation": "add_to_cart",
        "body": LINE,
        "result_status": 200,
    }
    assert keeper.effects(after=1) == []


def test_keys_of_unusable_length(bob: Person, platform: Platform) -> None:
    error(bob.post("/api/cart/add", LINE, key="k" * 201), 400, "bad_request")
