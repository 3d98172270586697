"""Finding the way: the shortest-path module by itself, the floor plan, and the two navigation calls."""

from itertools import pairwise, product
from typing import Any

import pytest

from tools.packs.mall.backend.catalogue import load as load_catalogue
from tools.packs.mall.backend.directions import find_route
from tools.packs.mall.backend.floors import Box, Building, Point, load
from tools.packs.mall.backend.paths import shortest

from .conftest import Person

SQUARE = {
    "a": {"b": 1.0, "d": 5.0},
    "b": {"a": 1.0, "c": 1.0},
    "c": {"b": 1.0, "d": 1.0},
    "d": {"a": 5.0, "c": 1.0},
}


@pytest.fixture(scope="module")
def building() -> Building:
    return load()


def test_the_shortest_way_is_taken() -> None:
    way = shortest(SQUARE, "a", {"d"})
    assert way is not None and (way.places, way.length) == (("a", "b", "c", "d"), 3.0)


def test_the_nearest_goal_is_taken() -> None:
    way = shortest(SQUARE, "a", {"d", "b"})
    assert way is not None and way.places == ("a", "b")


def test_where_one_stands_is_reached_at_once() -> None:
    way = shortest(SQUARE, "a", {"a"})
    assert way is not None and (way.places, way.length) == (("a",), 0)


def test_what_cannot_be_reached() -> None:
    assert shortest({"a": {}, "b": {}}, "a", {"b"}) is None


def crosses(a: Point, b: Point, box: Box) -> bool:
    """Whether a stretch (all are level or upright) enters the inside of a rectangle."""
    return (
        min(a[0], b[0]) < box.x + box.w
        and max(a[0], b[0]) > box.x
        and min(a[1], b[1]) < box.y + box.h
        and max(a[1], b[1]) > box.y
    )


def test_no_way_between_any_two_stores_crosses_a_store(building: Building) -> None:
    doors = [building.door(store) for store in load_catalogue().stores]
    entrances = [place.id for place in building.places.values() if place.kind == "entrance"]
    for start, goal in product([*entrances, *doors], doors):
        for leg in find_route(building, start, [goal]).legs:
            for a, b in pairwise(leg.path):
                assert a[0] == b[0] or a[1] == b[1], (start, goal)
                crossed = [
                    name for name, box in building.floors[leg.floor].boxes.items() if crosses(a, b, box)
                ]
                assert not crossed, (start, goal, crossed)


def test_stores_do_not_overlap_and_stay_inside(building: Building) -> None:
    for floor in building.floors.values():
        boxes = list(floor.boxes.values())
        for box in boxes:
            assert (
                box.x >= 0 and box.x + box.w <= floor.width and box.y >= 0 and box.y + box.h <= floor.height
            )
        for one, other in product(boxes, boxes):
            if one is not other:
                assert not crosses((one.x, one.y), (one.x + one.w, one.y + one.h), other)


def test_every_door_is_on_the_edge_of_its_store(building: Building) -> None:
    for place in building.places.values():
        if place.store is not None:
            box, (x, y) = building.floors[place.floor].boxes[place.store], place.point
            assert box.x <= x <= box.x + box.w and y in (box.y, box.y + box.h), place.id


def way(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_way_to_a_store_on_another_floor(guest: Person) -> None:
    found = way(guest.get("/api/navigation/store", store_name="Lego"))
    assert found["floor"] == 3 and found["distance_m"] == 89
    assert found["steps"] == [
        "Walk 32 m from the south entrance to the escalator.",
        "Take the escalator to floor 3.",
        "Walk 57 m from the escalator to Lego.",
    ]
    assert found["steps_zh"][1] == "乘自动扶梯到 3 楼。"
    (plan,) = found["ui"]
    assert (plan["floor"], plan["floors"]) == (3, [1, 3])
    assert [one["floor"] for one in plan["plans"]] == [1, 3]


@pytest.mark.parametrize("name", ["Nike", "nike store", "耐克", "耐克专卖店", "the Nike shop"])
def test_many_names_of_one_store(guest: Person, name: str) -> None:
    assert way(guest.get("/api/navigation/store", store_name=name))["store"]["id"] == "nike"


def test_from_one_store_to_the_next_stays_on_the_floor(guest: Person) -> None:
    found = way(guest.get("/api/navigation/store", store_name="Adidas", from_store="Nike"))
    assert found["ui"][0]["floors"] == [2] and len(found["steps"]) == 1


def test_the_way_to_where_one_is(guest: Person) -> None:
    found = way(guest.get("/api/navigation/store", store_name="Nike", from_store="耐克"))
    assert found["distance_m"] == 0 and found["steps"] == ["You are at Nike."]


def test_an_unknown_store_suggests_near_names(guest: Person) -> None:
    answer = guest.get("/api/navigation/store", store_name="Uniqla")
    assert answer.status_code == 404 and answer.json()["error"]["code"] == "store_not_found"
    assert answer.json()["error"]["suggestions"][0]["name"] == "Uniqlo"


@pytest.mark.parametrize("name", ["Food Court", "美食区", "美食广场", "the food court"])
def test_the_way_to_an_area(guest: Person, name: str) -> None:
    found = way(guest.get("/api/navigation/area", area_name=name))
    assert found["area"]["id"] == "food-court" and found["floor"] == 3
    assert {store["id"] for store in found["stores"]} == {
        "orchard-snacks",
        "old-street-noodles",
        "red-pot",
        "cloud-tea",
    }
    assert "stores" not in way(guest.get("/api/navigation/area", area_name=name, show_stores="false"))


def test_an_unknown_area_lists_all(guest: Person) -> None:
    answer = guest.get("/api/navigation/area", area_name="Aquarium")
    assert answer.status_code == 404 and answer.json()["error"]["code"] == "area_not_found"
    assert len(answer.json()["error"]["suggestions"]) == 9
