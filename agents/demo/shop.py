"""Choosing and buying: which product and size are meant, and the next step with it."""

from __future__ import annotations

import re
from typing import Any

from agents.demo import memory, numbers
from agents.demo.memory import Thing
from agents.demo.say import money
from agents.demo.scene import Scene
from agents.demo.script import Scripted
from agents.demo.story import SUGGEST, Result
from agents.demo.understand import understand

_SIZE_LIKE = r"size_.{1,4}"


def search(scene: Scene) -> Scripted:
    """Look for what was named."""
    wish = scene.wish
    if not wish.keyword and not wish.brands:
        return scene.tell("what_to_search", "s_search", "s_headphones")
    brand = wish.brands[0] if len(wish.brands) == 1 else None
    arguments = {
        "keyword": wish.keyword or wish.brands[0],
        "brand": brand,
        "min_price": wish.low,
        "max_price": wish.high,
    }
    limits = scene.voice.limits(wish.low, wish.high)
    return scene.act(
        "search_products", arguments, scene.say("searching", what=arguments["keyword"], limits=limits)
    )


def refine(scene: Scene) -> Scripted:
    """The last search again, with other limits; "cheaper" means below what was recommended."""
    wish = scene.wish
    last = next((result for result in scene.before.results() if result.name == "search_products"), None)
    if last is None:
        return scene.tell("what_to_search", "s_search", "s_headphones")
    high = wish.high if wish.high is not None or wish.low is not None else _below_shown(scene)
    arguments = {**last.arguments, "min_price": wish.low, "max_price": high}
    what = str(last.arguments.get("keyword") or scene.say("goods"))
    return scene.act(
        "search_products",
        arguments,
        scene.say("searching", what=what, limits=scene.voice.limits(wish.low, high)),
    )


def similar(scene: Scene) -> Scripted:
    """Things of the kind of the product talked about."""
    product = memory.detail(scene.before, memory.focus(scene.before)) or _first_shown(scene)
    kind = scene.voice.text_of(product, "category") or str(product.get("name", ""))
    if not kind:
        return search(scene)
    return scene.act("search_products", {"keyword": kind}, scene.say("searching_similar"))


def pick(scene: Scene) -> Scripted:
    """A product was chosen: look at it, or go on with what is known of it."""
    wish, shown = scene.wish, memory.products(scene.before)
    if wish.picks and shown:
        chosen = [nth(shown, place) for place in wish.picks]
        if not all(chosen):
            return scene.reply(scene.say("no_such_place", count=len(shown)), nth_options(scene, len(shown)))
        return look_at(scene, chosen)
    if wish.by and shown:
        return look_at(scene, [best(shown, cheapest=wish.by == "cheapest")])
    if wish.keyword or wish.brands:
        named = memory.called_so(shown, wish.keyword or wish.brands[0])
        return look_at(scene, named[:1]) if named else search(scene)
    product_id = memory.focus(scene.before)
    if product_id:
        return look_at(scene, [memory.detail(scene.before, product_id) or {"id": product_id}])
    if shown:
        return scene.reply(scene.say("which"), nth_options(scene, len(shown)))
    return scene.tell("what_to_search", "s_search", "s_headphones")


def compare(scene: Scene) -> Scripted:
    """Look at two or more of what was shown, side by side."""
    shown = memory.products(scene.before)
    places = scene.wish.picks or (1, 2)
    chosen = [product for place in places if (product := nth(shown, place))]
    named = [p for brand in scene.wish.brands for p in memory.called_so(shown, brand)[:1]]
    if len(named) > 1 and not scene.wish.picks:
        chosen = named
    if len(chosen) < 2:
        return search(scene) if scene.wish.brands else scene.tell("which", "s_search", "s_headphones")
    return scene.act_all([_inspect(product) for product in chosen[:4]], scene.say("comparing"))


def look_at(scene: Scene, chosen: list[Thing]) -> Scripted:
    """Inspect the chosen ones; one whose details are at hand is offered at once."""
    if len(chosen) == 1 and scene.wish.intent != "detail" and (known := _known(scene, chosen[0])):
        return known
    names = scene.voice.joined(scene.voice.name(product) for product in chosen)
    return scene.act_all([_inspect(product) for product in chosen], scene.say("checking", name=names))


def _known(scene: Scene, product: Thing) -> Scripted | None:
    """The offer made from earlier details, if that buys it or it is what the talk is about anyway.

    Otherwise it is inspected again: the newest details in the history are what "it" means from then on.
    """
    details = memory.detail(scene.before, str(product["id"]))
    if not details:
        return None
    made = offer(scene, details)
    buys = any(asked.name == "add_to_cart" for asked in made.calls)
    return made if buys or memory.focus(scene.before) == product["id"] else None


def offer(scene: Scene, product: Thing) -> Scripted:
    """What comes after the details: add it, say what is missing, or recommend it and ask."""
    skus = memory.skus(product)
    name = scene.voice.name(product)
    if product.get("in_stock") is False or (skus and not any(memory.stock(sku) for sku in skus)):
        return scene.tell("sold_out", "s_similar", "s_more", name=name)
    size = _size(scene)
    sku = memory.sku_said(product, size, scene.wish.text)
    if sku:
        return _with_sku(scene, product, sku)
    if size and len(skus) > 1:
        return _ask(scene, product, scene.say("no_such_size", name=name, size=size))
    if len(skus) <= 1 and wants(scene):
        return add(scene, product, skus[0] if skus else {})
    return recommend(scene, product)


def add(scene: Scene, product: Thing, sku: Thing) -> Scripted:
    quantity = _quantity(scene)
    several = len(memory.skus(product)) > 1
    size = scene.say("in_size", size=scene.voice.label(sku)) if several else ""
    text = scene.say("adding", quantity=quantity, name=scene.voice.name(product), size=size)
    arguments = {
        "product_id": product["id"],
        "quantity": quantity,
        "sku_id": sku.get("sku_id") if several else None,
    }
    return scene.act("add_to_cart", arguments, text)


def recommend(scene: Scene, product: Thing) -> Scripted:
    voice = scene.voice
    about = voice.text_of(product, "description")
    text = voice.say(
        "recommend", name=voice.name(product), price=money(product.get("price", 0)), rating=voice.rating(product),
        about=about if voice.language == "zh" else f" {about}" if about else "",
    )  # fmt: skip
    return _ask(scene, product, text)


def wants(scene: Scene) -> bool:
    """Whether the person asked to have it, not only to see it."""
    wish = scene.wish
    return wish.intent in ("yes", "order") or (wish.intent == "pick" and (wish.buys or bool(wish.size)))


def nth(things: list[Thing], place: int) -> Thing:
    """The thing at a place counted from 1, or from the end; empty when there is none."""
    if place < 0:
        return things[place] if things else {}
    return things[place - 1] if 0 < place <= len(things) else {}


def nth_options(scene: Scene, count: int, key: str = "s_nth") -> list[str]:
    return [scene.say(key, n=place) for place in range(1, min(count, 4) + 1)]


def best(products: list[Thing], *, cheapest: bool) -> Thing:
    """The one to recommend: in stock, then best rated (or cheapest), then cheaper."""

    def rank(product: Thing) -> tuple[Any, ...]:
        price, rating = float(product.get("price") or 0), -float(product.get("rating") or 0)
        return (product.get("in_stock") is False, *((price, rating) if cheapest else (rating, price)))

    return min(products, key=rank)


def chosen_in(scene: Scene, result: Result) -> Thing:
    """The best of what a search found; of those that bear the name when one was named."""
    found = memory.products_in(result)
    named = memory.called_so(found, scene.wish.keyword) if scene.wish.intent == "pick" else []
    return best(named or found, cheapest=scene.wish.cheap or scene.wish.by == "cheapest")


def _with_sku(scene: Scene, product: Thing, sku: Thing) -> Scripted:
    voice, left = scene.voice, memory.stock(sku)
    name, label = voice.name(product), voice.label(sku)
    if left == 0:
        return _ask(scene, product, voice.say("size_sold_out", name=name, size=label))
    if "stock" in sku and left < _quantity(scene):
        return scene.tell("too_few", "s_similar", "s_more", name=name, size=label, left=left)
    if wants(scene) or (scene.wish.intent == "search" and scene.wish.buys):
        return add(scene, product, sku)
    text = voice.say(
        "recommend", name=name, price=money(product.get("price", 0)), rating=voice.rating(product), about=""
    )
    return scene.reply(
        text + voice.say("size_there", size=label), [label, *voice.options("s_similar", "s_more")]
    )


def _ask(scene: Scene, product: Thing, text: str) -> Scripted:
    """Ask for the size, or whether to add it, with what can be answered."""
    sizes = scene.voice.sizes(product)
    if len(memory.skus(product)) <= 1:
        return scene.reply(text + scene.say("ask_add"), scene.voice.options("s_add", "s_similar", "s_more"))
    listed = scene.say("sizes", sizes=scene.voice.joined(sizes))
    return scene.reply(text + listed + scene.say(ask_key(memory.skus(product))), sizes)


def _inspect(product: Thing) -> tuple[str, Thing]:
    return "get_product_detail", {"product_id": product["id"]}


def ask_key(skus: list[Thing]) -> str:
    """Whether one asks for a size or, with colours and the like, for a kind."""
    return "ask_size" if all(re.fullmatch(_SIZE_LIKE, str(sku.get("sku_id"))) for sku in skus) else "ask_kind"


def _size(scene: Scene) -> str:
    """The size as said now; after "yes" as said in the question before it."""
    if scene.wish.size or scene.wish.intent != "yes" or not _asked_back(scene):
        return scene.wish.size
    earlier = scene.story.said_before
    return understand(earlier).size or numbers.loose_size(numbers.Scan(earlier[:200]))


def _quantity(scene: Scene) -> int:
    """How many, as said now or before the size was asked ("two Nike shoes" - "which size?" - "42")."""
    said = scene.wish.quantity
    if said is None and _asked_back(scene) and not scene.wish.picks:
        said = understand(scene.story.said_before).quantity
    return said or 1


def _asked_back(scene: Scene) -> bool:
    """Whether these words answer our question about a product that was just looked at."""
    last = next((result for result in scene.before.results() if result.name != SUGGEST), None)
    return last is not None and last.name == "get_product_detail"


def _first_shown(scene: Scene) -> Thing:
    shown = memory.products(scene.before)
    return shown[0] if shown else {}


def _below_shown(scene: Scene) -> float | None:
    product = memory.detail(scene.before, memory.focus(scene.before)) or _first_shown(scene)
    price = product.get("price")
    return price - 1 if isinstance(price, int | float) else None
