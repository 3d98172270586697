"""What a person wants: text in, one `Wish` out. Pure and without history; `memory` supplies what "it" is.

The readings are tried from the most telling to the least ("cancel my order" before "my order" before "order"), so
the order of `patterns.INTENTS` matters.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from agents.demo import numbers, patterns, words
from agents.demo.patterns import Intent, Topic

_READ = 600
"""Characters looked at. More is no wish but a document."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One user message, understood."""

    intent: Intent
    text: str
    keyword: str = ""
    brands: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    cheap: bool = False
    buys: bool = False
    picks: tuple[int, ...] = ()
    by: Literal["", "cheapest", "best"] = ""
    size: str = ""
    quantity: int | None = None
    places: tuple[str, ...] = ()
    topic: Topic = "basic"
    order_id: str = ""
    address: str = ""


def understand(text: str) -> Wish:
    """The wish a message stands for."""
    plain = " ".join(unicodedata.normalize("NFKC", text[:_READ]).split())
    for intent, pattern in patterns.INTENTS:
        if pattern.search(plain):
            return _told(intent, plain)
    return _going(plain) or _asking(plain) or _shopping(plain)


def _told(intent: Intent, plain: str) -> Wish:
    """An intent that was said outright, with what it needs."""
    if intent == "address":
        value = patterns.ADDRESS_VALUE.search(plain)
        return Wish(intent, plain, address=value[1].strip(" .。!！\"'“”") if value else "")
    if intent in ("remove", "compare", "pick", "order", "similar"):
        wish = _shopping(plain)
        keyword = _without(wish.keyword, patterns.CHOICE_NOISE)
        return replace(wish, intent=intent, keyword=keyword, buys=intent in ("pick", "order"))
    order = patterns.ORDER_ID.search(plain)
    return Wish(intent, plain, order_id=order[1] if order else "")


def _going(plain: str) -> Wish | None:
    """Somewhere to go: an area, or one or more stores."""
    if patterns.STORES.search(plain):
        return Wish("stores", plain, keyword=_without(plain, patterns.STORES_NOISE))
    area = words.AREA.search(plain)
    if area and (patterns.GO.search(plain) or len(plain) <= len(area[0]) + 8):
        return Wish("area", plain, places=_areas(plain))
    if patterns.GO.search(plain):
        places = _places(patterns.STORE_NOISE.sub(" ", plain))
        return Wish("store" if places else "unknown", plain, places=places)
    return None


def _areas(plain: str) -> tuple[str, ...]:
    named = (_area(match[0]) for match in words.AREA.finditer(plain))
    return tuple(dict.fromkeys(named))[:3]


def _area(said: str) -> str:
    """Where one eats is the food court; every other area is called as it was said."""
    if "吃饭" in said or "餐厅" in said:
        return "美食区"
    return "food court" if said.lower().endswith((" eat", "restaurant", "restaurants")) else said


def _places(text: str) -> tuple[str, ...]:
    names = (_tidy(name) for name in patterns.ZH_SPLIT.split(text))
    return tuple(dict.fromkeys(_without_shop(name) for name in names if name))[:3]


def _without_shop(name: str) -> str:
    """ "Nike 店" is Nike; "面馆" and "火锅店" are called so."""
    return re.sub(r"(?<=[A-Za-z0-9'])\s?店$", "", name)


def _asking(plain: str) -> Wish | None:
    """A question about a store or product: hours, promotions, reviews."""
    for topic, pattern in patterns.TOPICS:
        if pattern.search(plain):
            scan = numbers.Scan(plain)
            picks = numbers.ordinals(scan)
            scan.text = patterns.THIS.sub(" ", scan.text)
            places = tuple(
                _tidy(re.sub(r"店$", "", name)) for name in _places(patterns.INFO_NOISE.sub(" ", scan.text))
            )
            return Wish("info", plain, topic=topic, places=tuple(p for p in places if p), picks=picks)
    return None


def _shopping(plain: str) -> Wish:
    """Goods: a search, a choice among what was shown, or a question about one."""
    scan = numbers.Scan(numbers.with_digits(plain))
    low, high = numbers.price_limits(scan)
    picks = numbers.ordinals(scan)
    size = numbers.size(scan)
    quantity = numbers.quantity(scan)
    size = size or (numbers.loose_size(scan) if picks or patterns.THIS.search(plain) else "")
    keyword = _without(scan.text, words.FILLER, patterns.DETAIL_NOISE)
    if not size and numbers.is_size(keyword):
        size, keyword = keyword.upper(), ""
    wish = Wish(
        "unknown",
        plain,
        low=low,
        high=high,
        picks=picks,
        size=size,
        quantity=quantity,
        by=_extreme(plain),
        keyword=keyword,
        brands=tuple(name for name, pattern in words.ONE_BRAND.items() if pattern.search(scan.text)),
        cheap=bool(words.CHEAP.search(plain)),
        buys=bool(words.BUY_VERB.search(plain)),
    )
    return replace(wish, intent=_shopping_intent(wish))


def _shopping_intent(wish: Wish) -> Intent:
    goods = bool(wish.brands or words.GOODS.search(wish.keyword))
    chosen = bool(wish.picks or wish.size or (wish.by and not goods))
    if _asks_details(wish, goods):
        return "detail"
    if chosen and not goods:
        return "pick"
    if goods or (wish.keyword and words.SEARCH_VERB.search(wish.text)):
        return "search"
    if wish.low is not None or wish.high is not None or wish.cheap:
        return "search" if wish.keyword else "refine"
    if (wish.buys and patterns.THIS.search(wish.text)) or (wish.quantity and not wish.keyword):
        return "pick"
    return "unknown"


def _asks_details(wish: Wish, goods: bool) -> bool:
    if patterns.ABOUT.search(wish.text):
        return bool(wish.picks or goods or patterns.THIS.search(wish.text))
    return bool(patterns.DETAIL.search(wish.text)) and not (goods and words.SEARCH_VERB.search(wish.text))


def _extreme(plain: str) -> Literal["", "cheapest", "best"]:
    if words.CHEAPEST.search(plain):
        return "cheapest"
    return "best" if words.BEST.search(plain) else ""


def _without(text: str, *noise: re.Pattern[str]) -> str:
    for pattern in noise:
        text = pattern.sub(" ", text)
    return _tidy(text)


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:!?-'\"’“”()、。")[:80]
