"""The shortest way through a graph of places (Dijkstra). Pure; knows nothing of floors or stores."""

import heapq
from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """The places on the way, start and goal included, and its length."""

    places: tuple[str, ...]
    length: float


Graph = Mapping[str, Mapping[str, float]]


def shortest(graph: Graph, start: str, goals: Collection[str]) -> Way | None:
    """The shortest way from `start` to the nearest of `goals`; None if none can be reached."""
    came_from: dict[str, str] = {}
    best = {start: 0.0}
    waiting = [(0.0, start)]
    while waiting:
        length, place = heapq.heappop(waiting)
        if place in goals:
            return Way(_back(came_from, place), length)
        if length > best[place]:
            continue
        for neighbour, step in graph[place].items():
            further = length + step
            if further < best.get(neighbour, float("inf")):
                best[neighbour] = further
                came_from[neighbour] = place
                heapq.heappush(waiting, (further, neighbour))
    return None


def _back(came_from: Mapping[str, str], place: str) -> tuple[str, ...]:
    places = [place]
    while place in came_from:
        place = came_from[place]
        places.append(place)
    return tuple(reversed(places))
