"""Product search: which goods fit a wish, best first, and what else to try when none does.

A brand or a category that was named must be met. Of the further words at least half must occur, numbers
aside.
"""

import sqlite3
from dataclasses import dataclass, replace
from typing import Any

from .catalogue import Catalogue, Product
from .errors import bad_request
from .lexicon import Lexicon, Wish
from .money import fen, yuan
from .shelf import Shelf, look_at_all
from .words import holds, is_chinese, normal

MOST = 8


@dataclass(frozen=True)
class Query:
    """One search as asked: the words, and the limits given beside them. Prices in yuan."""

    keyword: str
    min_price: float | None = None
    max_price: float | None = None
    brand: str | None = None
    category: str | None = None
    limit: int = MOST


@dataclass(frozen=True)
class Found:
    shelves: list[Shelf]
    more: int
    suggestions: list[str]
    message: str | None = None


class Search:
    """The catalogue, indexed."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.lexicon = Lexicon(catalogue)
        self._texts = {p.id: self._text(p) for p in catalogue.products.values()}
        self._names = {p.id: normal(f"{p.name} . {p.name_zh}") for p in catalogue.products.values()}
        self._keywords = {p.id: normal(" . ".join(p.keywords)) for p in catalogue.products.values()}

    def find(self, tx: sqlite3.Connection, query: Query) -> Found:
        wish = self._wish(query)
        scored = [(self._score(wish, shelf.product), shelf) for shelf in look_at_all(tx, self.catalogue)]
        fitting = [(score, shelf) for score, shelf in scored if score > 0]
        affordable = [(score, shelf) for score, shelf in fitting if _within(shelf.price, query, wish)]
        affordable.sort(key=lambda found: (-found[0], -found[1].product.rating, found[1].product.id))
        if not affordable:
            return self._nothing(query, wish, [shelf for _, shelf in fitting])
        shelves = [shelf for _, shelf in affordable]
        return Found(shelves[: query.limit], max(0, len(shelves) - query.limit), [])

    def _wish(self, query: Query) -> Wish:
        """The keyword's wish, with brand and category as given beside it."""
        wish = self.lexicon.read(query.keyword)
        brands, categories = wish.brands, wish.categories
        if query.brand is not None:
            brands = self.lexicon.brand_ids(query.brand) or frozenset({"?"})
        if query.category is not None:
            categories = self.lexicon.category_ids(query.category) or frozenset({"?"})
        if wish.empty and query.brand is None and query.category is None:
            raise bad_request(
                "keyword", "The keyword names nothing to look for. Give a product, brand or category."
            )
        return replace(wish, brands=brands, categories=categories)

    def _text(self, product: Product) -> tuple[str, str]:
        """What a product is found by: its names, which count more, and the rest."""
        brand, category = self.catalogue.brands[product.brand], self.catalogue.categories[product.category]
        names = (product.name, product.name_zh, brand.name, brand.name_zh, category.name, category.name_zh)
        rest = (*product.keywords, product.description, product.description_zh)
        return normal(" . ".join(names)), normal(" . ".join(rest))

    def _score(self, wish: Wish, product: Product) -> int:
        """How well a product fits; 0 is not at all."""
        if wish.brands and product.brand not in wish.brands:
            return 0
        if wish.categories and product.category not in wish.categories:
            return 0
        names, rest = self._texts[product.id]
        points = {word: 3 if holds(names, word) else int(holds(rest, word)) for word in wish.words}
        needed = [word for word in wish.words if not word.isdigit()]
        met = sum(1 for word in needed if points[word])
        if met * 2 < len(needed):
            return 0
        named = sum(self._called(product, word) for word in wish.named)
        return 5 * bool(wish.brands) + 5 * bool(wish.categories) + named + sum(points.values())

    def _called(self, product: Product, word: str) -> int:
        """Whether the product itself, not only its category, goes by that word."""
        if holds(self._names[product.id], word):
            return 2
        return int(holds(self._keywords[product.id], word))

    def _nothing(self, query: Query, wish: Wish, too_dear: list[Shelf]) -> Found:
        suggestions = self._other_searches(query.keyword, wish)
        if too_dear:
            prices = sorted(shelf.price for shelf in too_dear)
            low, high = yuan(prices[0]), yuan(prices[-1])
            message = f"Nothing in that price range. What fits otherwise costs {low} to {high}."
            return Found([], 0, suggestions, message)
        return Found(
            [], 0, suggestions, "Nothing found. Try one of the suggestions, or fewer and more general words."
        )

    def _other_searches(self, keyword: str, wish: Wish) -> list[str]:
        """Each named part alone, then some categories; in the language of the keyword."""
        chinese = is_chinese(keyword)
        brands = [thing for key, thing in self.catalogue.brands.items() if key in wish.brands]
        categories = [thing for key, thing in self.catalogue.categories.items() if key in wish.categories]
        sold = {p.category for p in self.catalogue.products.values() if p.brand in wish.brands}
        near = [thing for key, thing in self.catalogue.categories.items() if key in sold]
        common = list(self.catalogue.categories.values())[:6]
        things = [*categories, *brands, *near, *common]
        return list(dict.fromkeys(thing.name_zh if chinese else thing.name for thing in things))[:5]


def _within(price: int, query: Query, wish: Wish) -> bool:
    highest = query.max_price if query.max_price is not None else wish.max_price
    if highest is not None and price > fen(highest):
        return False
    return query.min_price is None or price >= fen(query.min_price)


def row(catalogue: Catalogue, shelf: Shelf) -> dict[str, Any]:
    """A product as a search lists it."""
    product = shelf.product
    return {
        "id": product.id,
        "name": product.name,
        "name_zh": product.name_zh,
        "brand": catalogue.brands[product.brand].name,
        "category": catalogue.categories[product.category].name,
        "category_zh": catalogue.categories[product.category].name_zh,
        "price": yuan(shelf.price),
        "rating": product.rating,
        "reviews": product.reviews,
        "in_stock": shelf.in_stock,
        "store": catalogue.stores[product.store_id].brief(),
    }
