"""The data files: enough of everything, complete, and consistent with each other."""

import dataclasses
from collections import Counter

import pytest

from tools.packs.mall.backend.catalogue import Catalogue, load
from tools.packs.mall.backend.floors import load as load_building
from tools.packs.mall.backend.words import is_chinese


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load()


def test_there_is_enough_to_choose_from(catalogue: Catalogue) -> None:
    assert len(catalogue.products) >= 64
    assert len({product.brand for product in catalogue.products.values()}) >= 8
    assert len(catalogue.stores) == 25
    assert {store.floor for store in catalogue.stores.values()} == {1, 2, 3}


def test_ids_are_unique(catalogue: Catalogue) -> None:
    for product in catalogue.products.values():
        assert max(Counter(sku.sku_id for sku in product.skus).values()) == 1


def test_every_product_is_complete_and_its_references_exist(catalogue: Catalogue) -> None:
    for product in catalogue.products.values():
        assert all(getattr(product, field.name) for field in dataclasses.fields(product)), product.id
        assert is_chinese(product.name_zh) and is_chinese(product.description_zh), product.id
        assert product.brand in catalogue.brands and product.category in catalogue.categories, product.id
        assert product.store_id in catalogue.stores, product.id
        assert 1 <= product.rating <= 5 and product.price > 0, product.id


def test_every_category_has_goods(catalogue: Catalogue) -> None:
    assert {product.category for product in catalogue.products.values()} == set(catalogue.categories)


def test_every_store_is_complete_in_both_languages(catalogue: Catalogue) -> None:
    for store in catalogue.stores.values():
        assert store.hours and store.phone and store.promotions and len(store.reviews) >= 2, store.id
        assert is_chinese(store.name_zh) and is_chinese(store.category_zh), store.id
        assert all(is_chinese(promotion["text_zh"]) for promotion in store.promotions), store.id
        assert all(is_chinese(review["text_zh"]) for review in store.reviews), store.id


def test_stores_stand_on_the_floor_plan_in_their_area(catalogue: Catalogue) -> None:
    building = load_building()
    areas = {area.id: area for area in building.areas}
    for store in catalogue.stores.values():
        box, area = building.floors[store.floor].boxes[store.id], areas[store.area]
        assert area.floor == store.floor
        assert area.box.x <= box.x and box.x + box.w <= area.box.x + area.box.w, store.id
        assert area.box.y <= box.y and box.y + box.h <= area.box.y + area.box.h, store.id


def test_the_shoes_of_the_story_are_there(catalogue: Catalogue) -> None:
    shoes = [p for p in catalogue.products.values() if p.brand == "nike" and p.category == "running-shoes"]
    cheap = [shoe for shoe in shoes if shoe.price < 500_00]
    assert len(shoes) >= 4 and len(cheap) >= 3
    for shoe in cheap:
        assert {sku.size for sku in shoe.skus} == {"39", "40", "41", "42", "43", "44"}
    pegasus = catalogue.products["nike-air-zoom-pegasus"]
    assert (pegasus.price, pegasus.rating) == (399_00, 4.8)


def test_some_things_are_sold_out(catalogue: Catalogue) -> None:
    stocks = [sku.stock for product in catalogue.products.values() for sku in product.skus]
    assert 0 in stocks and max(stocks) > 10
