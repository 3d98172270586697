"""From a way through the building to what a person can follow: legs per floor, metres, sentences in both
languages."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from .catalogue import Catalogue
from .floors import Building, Place, Point
from .paths import shortest


@dataclass(frozen=True)
class Leg:
    """The part of a way that lies on one floor."""

    floor: int
    places: tuple[Place, ...]

    @property
    def path(self) -> list[Point]:
        """The bends only; points in the middle of a straight stretch are left out."""
        points = [place.point for place in self.places]
        bends = [b for a, b, c in zip(points, points[1:], points[2:], strict=False) if not _straight(a, b, c)]
        return [points[0], *bends, *points[-1:]]

    @property
    def metres(self) -> int:
        return round(
            sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(place.point for place in self.places))
        )


@dataclass(frozen=True)
class Route:
    """A way from somewhere to a goal. Floors that are only ridden through have no leg."""

    legs: tuple[Leg, ...]

    @property
    def metres(self) -> int:
        return sum(leg.metres for leg in self.legs)

    @property
    def floors(self) -> list[int]:
        return [leg.floor for leg in self.legs]

    @property
    def goal(self) -> Place:
        return self.legs[-1].places[-1]


@dataclass(frozen=True)
class Name:
    """What something is called in both languages."""

    en: str
    zh: str


def find_route(building: Building, start: str, goals: Collection[str]) -> Route:
    way = shortest(building.graph, start, goals)
    if way is None:
        raise LookupError(f"the floor plan has no way from {start} to {sorted(goals)}")
    return Route(_legs([building.places[place] for place in way.places]))


def steps(catalogue: Catalogue, route: Route, goal: Name) -> list[Name]:
    """Short sentences, one for each stretch and each change of floor."""
    said: list[Name] = []
    for number, leg in enumerate(route.legs):
        last = number == len(route.legs) - 1
        origin, end = _called(catalogue, leg.places[0]), goal if last else _called(catalogue, leg.places[-1])
        if leg.metres:
            said.append(
                Name(
                    f"Walk {leg.metres} m from {origin.en} to {end.en}.",
                    f"从{origin.zh}步行 {leg.metres} 米到{end.zh}。",
                )
            )
        if not last:
            upstairs = route.legs[number + 1].floor
            said.append(Name(f"Take {end.en} to floor {upstairs}.", f"乘{end.zh}到 {upstairs} 楼。"))
    return said or [Name(f"You are at {goal.en}.", f"您已在{goal.zh}。")]


def _legs(places: list[Place]) -> tuple[Leg, ...]:
    legs: list[Leg] = []
    for place in places:
        if legs and legs[-1].floor == place.floor:
            legs[-1] = Leg(place.floor, (*legs[-1].places, place))
        else:
            legs.append(Leg(place.floor, (place,)))
    ends = (legs[0], legs[-1])
    return tuple(leg for leg in legs if len(leg.places) > 1 or leg in ends)


def _straight(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0])


def _called(catalogue: Catalogue, place: Place) -> Name:
    if place.store is not None:
        store = catalogue.stores[place.store]
        return Name(store.name, store.name_zh)
    return Name(f"the {place.name}", place.name_zh)
