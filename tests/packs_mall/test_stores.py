"""Searching stores and telling about one."""

import pytest

from .conftest import Person


@pytest.mark.parametrize(
    ("keyword", "first"),
    [
        ("coffee", "morning-bean"),
        ("咖啡", "morning-bean"),
        ("hotpot", "red-pot"),
        ("火锅店", "red-pot"),
        ("奶茶", "cloud-tea"),
        ("Nike", "nike"),
        ("toys", "lego"),
        ("suitcase", "travel-co"),
    ],
)
def test_stores_by_name_kind_or_goods(guest: Person, keyword: str, first: str) -> None:
    answer = guest.get("/api/stores/search", keyword=keyword).json()
    assert answer["stores"][0]["id"] == first and answer["count"] == len(answer["stores"])


def test_a_category_must_be_met(guest: Person) -> None:
    answer = guest.get("/api/stores/search", keyword="running shoes", category="sportswear").json()
    assert {store["id"] for store in answer["stores"]} == {"nike", "adidas", "li-ning"}


def test_no_store_fits(guest: Person) -> None:
    answer = guest.get("/api/stores/search", keyword="submarine").json()
    assert answer["count"] == 0 and len(answer["suggestions"]) == 9


def test_three_kinds_of_information(guest: Person) -> None:
    basic = guest.get("/api/stores/nike").json()
    assert (
        basic["hours"] == "10:00-22:00"
        and basic["phone"]
        and basic["floor"] == 2
        and basic["area"] == "Sports"
    )
    assert guest.get("/api/stores/nike", info_type="promotions").json()["promotions"][0]["text_zh"]
    assert guest.get("/api/stores/nike", info_type="reviews").json()["reviews"][0]["stars"] == 5
    assert guest.get("/api/stores/无印良品").json()["id"] == "muji"


def test_wrong_questions(guest: Person) -> None:
    assert guest.get("/api/stores/nike", info_type="all").json()["error"]["code"] == "bad_request"
    assert guest.get("/api/stores/nowhere-at-all").json()["error"]["code"] == "store_not_found"
