"""From a person's words to a wish: which brands, which categories, which further words, up to which price.

The names come from the catalogue, in both languages and with their aliases. Pure; built once at start.
"""

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from .catalogue import Catalogue, Named
from .words import holds, is_chinese, longest_first, loose_words, normal, without

# These read normal text: "under ¥500" has become "under 500", "500元以内" "500 元以内".
UPPER_PRICE = (
    re.compile(r"\b(?:under|below|less than|within|up to|max|maximum|at most)(?: cny| rmb| yuan)? (\d+)\b"),
    re.compile(r"(\d+) (?:元|块钱|块)?(?:以内|以下|之内)"),
)
SIZE = re.compile(r"\b(?:size|eu) \d{2}\b|\b\d{2} ?(?:码|号)")

Kind = Literal["brand", "category"]


@dataclass(frozen=True)
class Wish:
    """What a search text asks for."""

    brands: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    """The words by which the categories were named: "laptop" says more than its category does."""
    max_price: int | None = None

    @property
    def empty(self) -> bool:
        return not (self.brands or self.categories or self.words)


class Lexicon:
    """All names of brands and categories, and every word the catalogue uses."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.brands = _names(list(catalogue.brands.values()))
        self.categories = _names(list(catalogue.categories.values()))
        for names, ids in catalogue.category_groups:
            self.categories |= {normal(name): ids for name in names}
        self._phrases: list[tuple[str, Kind]] = [(phrase, "brand") for phrase in self.brands]
        self._phrases += [(phrase, "category") for phrase in self.categories]
        self._phrases.sort(key=lambda found: (-len(found[0]), found[0]))
        called = [normal(product.name) for product in catalogue.products.values()]
        texts = [normal(f"{p.description} {' '.join(p.keywords)}") for p in catalogue.products.values()]
        self._spellings = {
            word for text in (*called, *self.brands, *self.categories) for word in text.split()
        }
        self._known = self._spellings | {word for text in texts for word in text.split()}

    def read(self, text: str) -> Wish:
        """What the text asks for; misspelt English words are taken for their nearest known one."""
        rest, max_price = _upper_price(SIZE.sub(" ", normal(text)))
        rest = " ".join(self._corrected(word) for word in rest.split())
        brands: set[str] = set()
        categories: set[str] = set()
        named: list[str] = []
        for phrase, kind in self._phrases:
            if not holds(rest, phrase):
                continue
            rest = without(rest, phrase)
            if kind == "brand":
                brands |= self.brands[phrase]
            else:
                categories |= self.categories[phrase]
                named.append(phrase)
        return Wish(
            frozenset(brands), frozenset(categories), tuple(loose_words(rest)), tuple(named), max_price
        )

    def brand_ids(self, text: str) -> frozenset[str]:
        """The brands that a text names; none if it names none."""
        return _ids(self.brands, text)

    def category_ids(self, text: str) -> frozenset[str]:
        return _ids(self.categories, text)

    def _corrected(self, word: str) -> str:
        if len(word) < 4 or is_chinese(word) or word.isdigit() or word in self._known:
            return word
        near = [other for other in self._spellings if other[0] == word[0]]
        swapped = [other for other in near if sorted(other) == sorted(word)]
        close = swapped or difflib.get_close_matches(word, near, n=1, cutoff=0.8)
        return close[0] if close else word


def _names(things: list[Named]) -> dict[str, frozenset[str]]:
    return {
        normal(name): frozenset({thing.id})
        for thing in things
        for name in (thing.id, thing.name, thing.name_zh, *thing.aliases)
    }


def _ids(names: dict[str, frozenset[str]], text: str) -> frozenset[str]:
    wanted = normal(text)
    if wanted in names:
        return names[wanted]
    found = [names[name] for name in longest_first(names) if holds(wanted, name)]
    if found:
        return found[0]
    close = difflib.get_close_matches(wanted, names, n=1, cutoff=0.8)
    return names[close[0]] if close else frozenset()


def _upper_price(text: str) -> tuple[str, int | None]:
    for pattern in UPPER_PRICE:
        found = pattern.search(text)
        if found:
            return pattern.sub(" ", text), int(found[1])
    return text, None
