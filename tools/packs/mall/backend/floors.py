"""The floor plan: where stores, areas, corridors, entrances, escalators and lifts are. Read once at start.

Lengths are metres; x grows to the right and y downwards, as on a screen. A store is entered by its door, a
place on the edge of its rectangle that is joined to a corridor; corridors never cross a store (a test walks
every pair).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

from .catalogue import DATA
from .paths import Graph

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    w: float
    h: float

    def view(self) -> dict[str, float]:
        return {"x": self.x, "y": self.y, "w": self.w, "h": self.h}


@dataclass(frozen=True)
class Area:
    id: str
    name: str
    name_zh: str
    aliases: tuple[str, ...]
    floor: int
    box: Box


@dataclass(frozen=True)
class Place:
    """A node of the graph: a bend of a corridor, a door, an entrance, an escalator, a lift."""

    id: str
    floor: int
    point: Point
    kind: str
    store: str | None
    name: str
    name_zh: str


@dataclass(frozen=True)
class Floor:
    number: int
    width: float
    height: float
    areas: tuple[Area, ...]
    boxes: Mapping[str, Box]
    """The rectangle of each store on this floor."""


@dataclass(frozen=True)
class Building:
    floors: Mapping[int, Floor]
    places: Mapping[str, Place]
    graph: Graph
    start: str
    """The entrance that ways begin at unless told otherwise."""

    @property
    def areas(self) -> list[Area]:
        return [area for floor in self.floors.values() for area in floor.areas]

    def door(self, store_id: str) -> str:
        return next(place.id for place in self.places.values() if place.store == store_id)


def load(folder: Path = DATA) -> Building:
    data = json.loads((folder / "floors.json").read_text(encoding="utf-8"))
    places = {row["id"]: _place(floor["floor"], row) for floor in data["floors"] for row in floor["nodes"]}
    return Building(
        floors={row["floor"]: _floor(row) for row in data["floors"]},
        places=places,
        graph=_graph(data, places),
        start=data["start"],
    )


def _graph(data: dict[str, Any], places: Mapping[str, Place]) -> Graph:
    """Every edge in both directions: corridors by their length, escalators and lifts by a fair equivalent."""
    graph: dict[str, dict[str, float]] = {place: {} for place in places}
    pairs = [pair for floor in data["floors"] for pair in floor["edges"]]
    edges = [(a, b, _apart(places[a].point, places[b].point)) for a, b in pairs]
    edges += [(link["from"], link["to"], link["metres"]) for link in data["links"]]
    for a, b, metres in edges:
        graph[a][b] = graph[b][a] = metres
    return graph


def _apart(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _floor(row: dict[str, Any]) -> Floor:
    number = row["floor"]
    areas = [
        Area(area["id"], area["name"], area["name_zh"], tuple(area["aliases"]), number, _box(area))
        for area in row["areas"]
    ]
    boxes = {store["id"]: _box(store) for store in row["stores"]}
    return Floor(number, row["width"], row["height"], tuple(areas), boxes)


def _box(row: dict[str, Any]) -> Box:
    return Box(row["x"], row["y"], row["w"], row["h"])


def _place(floor: int, row: dict[str, Any]) -> Place:
    return Place(
        id=row["id"],
        floor=floor,
        point=(row["x"], row["y"]),
        kind=row["kind"],
        store=row.get("store"),
        name=row.get("name", row["kind"]),
        name_zh=row.get("name_zh", {"escalator": "自动扶梯", "lift": "电梯"}.get(row["kind"], "")),
    )
