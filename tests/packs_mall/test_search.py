"""Product search in two languages."""

from typing import Any

import pytest

from .conftest import PEGASUS, Person, Shopkeeper

NIKE_RUNNING = {"nike-vaporfly", PEGASUS, "nike-winflo", "nike-revolution"}


def ids(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [product["id"] for product in answer.json()["products"]]


@pytest.mark.parametrize(
    "keyword",
    ["Nike 跑鞋", "nike running shoes", "running shoe NIKE", "耐克跑步鞋", "Nike's running shoes", "nkie runing shoes",
     "跑鞋 耐克", "想买一双 Nike 跑鞋"],
)  # fmt: skip
def test_many_ways_to_say_nike_running_shoes(guest: Person, keyword: str) -> None:
    assert set(ids(guest.get("/api/products/search", keyword=keyword))) == NIKE_RUNNING


@pytest.mark.parametrize(
    ("keyword", "first"),
    [
        ("pegasus", PEGASUS),
        ("iPhone", "apple-iphone-17"),
        ("苹果手机", "apple-iphone-17"),
        ("laptop", "apple-macbook-air"),
        ("小米手环", "xiaomi-band"),
        ("咖啡豆", "morning-bean-house-blend"),
        ("口红", "loreal-lipstick"),
        ("L'Oreal lipstick", "loreal-lipstick"),
        ("waterproof jacket for hiking", "summit-shell-jacket"),
        ("防水外套", "summit-shell-jacket"),
        ("乐高积木", "lego-classic-box"),
        ("teddy bear", "little-sprout-plush-bear"),
        ("懒人沙发", "muji-beads-sofa"),
        ("T恤", "uniqlo-airism-tee"),
        ("t-shirts", "uniqlo-airism-tee"),
        ("tshirt", "uniqlo-airism-tee"),
    ],
)
def test_the_best_fit_comes_first(guest: Person, keyword: str, first: str) -> None:
    assert ids(guest.get("/api/products/search", keyword=keyword))[0] == first


def test_a_price_limit_beside_or_inside_the_keyword(guest: Person) -> None:
    wanted = [PEGASUS, "nike-winflo", "nike-revolution"]
    assert ids(guest.get("/api/products/search", keyword="Nike 跑鞋", max_price=500)) == wanted
    assert ids(guest.get("/api/products/search", keyword="Nike 跑鞋，500元以内")) == wanted
    assert ids(guest.get("/api/products/search", keyword="nike running shoes under 500")) == wanted
    assert ids(guest.get("/api/products/search", keyword="Nike 跑鞋", min_price=1000)) == ["nike-vaporfly"]


def test_brand_and_category_beside_the_keyword(guest: Person) -> None:
    assert ids(guest.get("/api/products/search", keyword="跑鞋", brand="耐克", max_price=420)) == [PEGASUS]
    found = ids(guest.get("/api/products/search", keyword="Nike", category="T恤"))
    assert found == ["nike-dri-fit-tee"]
    assert ids(guest.get("/api/products/search", keyword="shoes", brand="Gucci")) == []


def test_a_product_row(guest: Person) -> None:
    (row,) = guest.get("/api/products/search", keyword="pegasus").json()["products"]
    assert row == {
        "id": PEGASUS,
        "name": "Nike Air Zoom Pegasus Running Shoes",
        "name_zh": "耐克 Air Zoom Pegasus 跑鞋",
        "brand": "Nike",
        "category": "Running shoes",
        "category_zh": "跑鞋",
        "price": 399,
        "rating": 4.8,
        "reviews": 2316,
        "in_stock": True,
        "store": {"id": "nike", "name": "Nike", "name_zh": "耐克", "floor": 2},
    }


def test_at_most_eight(guest: Person) -> None:
    answer = guest.get("/api/products/search", keyword="shoes").json()
    assert answer["count"] == len(answer["products"]) == 8
    assert answer["more"] > 0
    assert guest.get("/api/products/search", keyword="shoes", limit=3).json()["count"] == 3


@pytest.mark.parametrize("keyword", ["unicorn saddle", "独角兽", "Nike 咖啡", "bread"])
def test_nothing_found_suggests_other_searches(guest: Person, keyword: str) -> None:
    answer = guest.get("/api/products/search", keyword=keyword).json()
    assert (answer["count"], answer["products"]) == (0, [])
    assert answer["message"] and answer["suggestions"] and "ui" not in answer
    assert ids(guest.get("/api/products/search", keyword=answer["suggestions"][0]))


def test_too_low_a_price_says_what_it_would_cost(guest: Person) -> None:
    answer = guest.get("/api/products/search", keyword="nike running shoes", max_price=100).json()
    assert answer["count"] == 0 and "399 to 1599" in answer["message"]


def test_the_price_of_now_counts(bob: Person, keeper: Shopkeeper) -> None:
    keeper.post("price", product_id=PEGASUS, price=512.5)
    assert PEGASUS not in ids(bob.get("/api/products/search", keyword="Nike 跑鞋", max_price=500))
    (row,) = bob.get("/api/products/search", keyword="pegasus").json()["products"]
    assert row["price"] == 512.5


def test_a_keyword_that_says_nothing_is_refused(guest: Person) -> None:
    for keyword in ("🙂", "please find me something nice", "..."):
        answer = guest.get("/api/products/search", keyword=keyword)
        assert answer.status_code == 400 and answer.json()["error"]["details"] == {"field": "keyword"}
