"""The guide's voice: phrases in the person's language, lists, names, quick replies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.demo import memory
from agents.demo.language import Language
from agents.demo.memory import Thing
from agents.demo.phrases import PHRASES, STATUSES

MOST_LISTED = 8
MOST_OPTIONS = 6
LONGEST_OPTION = 80


@dataclass(frozen=True, slots=True)
class Voice:
    """Speaks one language."""

    language: Language

    def say(self, key: str, **values: Any) -> str:
        return PHRASES[key][self.language == "zh"].format(**values)

    def options(self, *keys: str) -> list[str]:
        return [self.say(key) for key in keys]

    def name(self, thing: Thing) -> str:
        own = thing.get("name_zh") if self.language == "zh" else thing.get("name")
        return str(own or thing.get("name") or thing.get("id") or "?")

    def label(self, sku: Thing) -> str:
        own = sku.get("label_zh") if self.language == "zh" else sku.get("label")
        return str(own or sku.get("label") or sku.get("size") or sku.get("sku_id") or "")

    def text_of(self, thing: Thing, key: str) -> str:
        """A text field in the person's language."""
        return str((thing.get(f"{key}_zh") if self.language == "zh" else None) or thing.get(key) or "")

    def status(self, status: str) -> str:
        return STATUSES[status][self.language == "zh"] if status in STATUSES else status

    def limits(self, low: float | None, high: float | None) -> str:
        if low is not None and high is not None:
            return self.say("limit_between", low=money(low), high=money(high))
        if high is not None:
            return self.say("limit_high", high=money(high))
        return self.say("limit_low", low=money(low)) if low is not None else ""

    def products(self, products: Sequence[Thing]) -> str:
        """A numbered list with prices and ratings."""
        return numbered(self._product(product) for product in products[:MOST_LISTED])

    def cart_lines(self, cart: Thing) -> str:
        lines = memory.things(cart.get("lines"))
        return numbered(
            self.priced(
                f"{self.name(line)} {self.label(line)} × {line.get('quantity', 1)}",
                line.get("total", line.get("price", 0)),
            )
            for line in lines
        )

    def joined(self, names: Iterable[str]) -> str:
        return ("、" if self.language == "zh" else ", ").join(names)

    def priced(self, name: str, amount: Any) -> str:
        """A line with a price at its end."""
        return f"{name}{'：' if self.language == 'zh' else ': '}¥{money(amount)}"

    def sizes(self, product: Thing) -> list[str]:
        """Labels of what is in stock."""
        return [self.label(sku) for sku in memory.skus(product) if memory.stock(sku)]

    def rating(self, thing: Thing) -> str:
        return self.say("rated", rating=thing["rating"]) if thing.get("rating") else ""

    def _product(self, product: Thing) -> str:
        sold_out = self.say("sold_out_mark") if product.get("in_stock") is False else ""
        return self.priced(self.name(product), product.get("price", 0)) + self.rating(product) + sold_out


def numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))


def bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def money(amount: Any) -> str:
    """399.0 as 399, 12.5 as 12.50."""
    if not isinstance(amount, int | float):
        return str(amount)
    return str(int(amount)) if amount == int(amount) else f"{amount:.2f}"
