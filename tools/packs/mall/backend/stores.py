"""Finding stores and areas by what people call them, in either language, and telling about a store."""

import difflib
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

from .catalogue import Catalogue, Store
from .errors import Refusal, bad_request
from .floors import Area, Building
from .words import holds, loose_words, normal

MOST = 10
INFO_TYPES = ("basic", "promotions", "reviews")


class Called(Protocol):
    """Something with names: a store or an area."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def name_zh(self) -> str: ...
    @property
    def aliases(self) -> tuple[str, ...]: ...


Thing = TypeVar("Thing", bound=Called)


class Directory:
    """All stores and areas, with the words they are found by."""

    def __init__(self, catalogue: Catalogue, building: Building) -> None:
        self.catalogue = catalogue
        self.areas = {area.id: area for area in building.areas}
        self._texts = {store.id: self._weighed(store) for store in catalogue.stores.values()}

    def store(self, name: str) -> Store:
        """The one store that goes by that name or id."""
        if name in self.catalogue.stores:
            return self.catalogue.stores[name]
        found = _named(self.catalogue.stores.values(), name)
        if len(found) == 1:
            return found[0]
        raise self._store_not_found(name, found)

    def area(self, name: str) -> Area:
        found = _named(self.areas.values(), name)
        if len(found) == 1:
            return found[0]
        raise Refusal(
            404,
            "area_not_found",
            f"The mall has no area called {name!r}. Use one of those in suggestions, or search for a store.",
            suggestions=[
                {"name": a.name, "name_zh": a.name_zh, "floor": a.floor} for a in self.areas.values()
            ],
        )

    def stores_in(self, area: Area) -> list[Store]:
        return [store for store in self.catalogue.stores.values() if store.area == area.id]

    def search(self, keyword: str, category: str | None) -> list[Store]:
        """The stores that fit by name, kind, area or goods; best first. A category must be met."""
        wanted = normal(keyword)
        if not wanted:
            raise bad_request(
                "keyword", "The keyword names nothing to look for. Give a store, a kind or an area."
            )
        scored = [(self._score(store, wanted), store) for store in self.catalogue.stores.values()]
        fitting = [
            (score, store)
            for score, store in scored
            if score and (category is None or self._is(store, category))
        ]
        fitting.sort(key=lambda found: (-found[0], -found[1].rating, found[1].id))
        return [store for _, store in fitting[:MOST]]

    def row(self, store: Store) -> dict[str, Any]:
        """A store as a search lists it."""
        area = self.areas[store.area]
        return store.brief() | {
            "area": area.name,
            "area_zh": area.name_zh,
            "category": store.category,
            "category_zh": store.category_zh,
            "rating": store.rating,
            "hours": store.hours,
        }

    def info(self, store: Store, info_type: str) -> dict[str, Any]:
        match info_type:
            case "promotions":
                return store.brief() | {"promotions": list(store.promotions)}
            case "reviews":
                return store.brief() | {"rating": store.rating, "reviews": list(store.reviews)}
            case _:
                return self.row(store) | {"unit": store.unit, "phone": store.phone}

    def _score(self, store: Store, wanted: str) -> int:
        called = 5 * any(holds(wanted, name) for name in _names(store))
        words = loose_words(wanted) or [wanted]
        return called + sum(
            weight * holds(text, word) for weight, text in self._texts[store.id] for word in words
        )

    def _is(self, store: Store, category: str) -> bool:
        wanted = normal(category)
        words = [word for word in (wanted, *loose_words(wanted)) if word]
        return any(holds(text, word) for _, text in self._texts[store.id] for word in words)

    def _weighed(self, store: Store) -> list[tuple[int, str]]:
        """What a store is found by, with how much it counts: its name, what it is, what it sells."""
        area = self.areas[store.area]
        sold = [product for product in self.catalogue.products.values() if product.store_id == store.id]
        goods = [self.catalogue.categories[key] for key in sorted({product.category for product in sold})]
        kind = (store.category, store.category_zh, area.name, area.name_zh, *area.aliases)
        kinds_sold = [name for thing in goods for name in (thing.name, thing.name_zh, *thing.aliases)]
        names_sold = [name for product in sold for name in (product.name, product.name_zh)]
        return [
            (3, " . ".join(_names(store))),
            (2, normal(" . ".join(kind))),
            (1, normal(" . ".join(kinds_sold))),
            (1, normal(" . ".join(names_sold))),
        ]

    def _store_not_found(self, name: str, several: Sequence[Store]) -> Refusal:
        stand = f"Several stores fit {name!r}." if several else f"The mall has no store called {name!r}."
        return Refusal(
            404,
            "store_not_found",
            f"{stand} Use the exact name of one in suggestions, or search for stores.",
            suggestions=[store.brief() for store in several or _near(self.catalogue.stores.values(), name)],
        )


def _named(things: Iterable[Thing], name: str) -> list[Thing]:
    """What goes by exactly that name, else what the name holds or is held by."""
    wanted = normal(name)
    if not wanted:
        return []
    things = list(things)
    exact = [thing for thing in things if wanted in _names(thing)]
    part = [
        thing for thing in things if any(holds(wanted, own) or holds(own, wanted) for own in _names(thing))
    ]
    return exact or part


def _names(thing: Called) -> list[str]:
    return [normal(name) for name in (thing.id, thing.name, thing.name_zh, *thing.aliases)]


def _near(things: Iterable[Store], name: str) -> list[Store]:
    names = {own: thing for thing in things for own in _names(thing)}
    close = difflib.get_close_matches(normal(name), names, n=6, cutoff=0.4)
    return list({names[own].id: names[own] for own in close}.values())[:4]
