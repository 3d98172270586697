"""The mall guide: what it does when a person has spoken. `reactions` takes over when results have come."""

from __future__ import annotations

from collections.abc import Callable

from agents.demo import memory, reactions, shop, words
from agents.demo.memory import Thing
from agents.demo.patterns import Intent
from agents.demo.say import money
from agents.demo.scene import Scene
from agents.demo.script import Scripted
from agents.demo.story import SUGGEST, Story

START = ("s_search", "s_headphones", "s_store", "s_food")


def play(story: Story) -> Scripted:
    """The next reply of the guide."""
    scene = Scene(story)
    if story.speaks_last == "user":
        return ANSWERS[scene.wish.intent](scene)
    return reactions.react(scene)


def _greet(key: str) -> Callable[[Scene], Scripted]:
    return lambda scene: scene.tell(key, *START)


def _order(scene: Scene) -> Scripted:
    """Order the cart; without one, "buy it" means the product talked about."""
    cart = memory.cart(scene.before)
    if cart and cart["lines"]:
        text = scene.say("ordering", total=money(cart.get("total", 0)))
        return scene.act("create_order", {"cart_id": cart["cart_id"]}, text)
    if memory.focus(scene.before):
        return shop.pick(scene)
    return scene.tell("cart_empty" if cart else "cart_unknown", *START)


def _show_cart(scene: Scene) -> Scripted:
    cart = memory.cart(scene.before)
    if cart is None or not cart["lines"]:
        return scene.tell("cart_empty" if cart else "cart_unknown", *START)
    lines = scene.voice.cart_lines(cart)
    return scene.tell("cart", "s_order", "s_more", list=lines, total=money(cart.get("total", 0)))


def _remove(scene: Scene) -> Scripted:
    cart = memory.cart(scene.before)
    lines: list[Thing] = cart["lines"] if cart else []
    if cart is None or not lines:
        return scene.tell("cart_empty" if cart else "cart_unknown", *START)
    line = _line_meant(scene, lines)
    if not line:
        text = scene.say("which_line", list=scene.voice.cart_lines(cart))
        return scene.reply(text, shop.nth_options(scene, len(lines), "s_remove_nth"))
    arguments = {
        "cart_id": cart["cart_id"],
        "product_id": line.get("product_id"),
        "sku_id": line.get("sku_id"),
    }
    return scene.act("remove_from_cart", arguments, scene.say("removing", name=scene.voice.name(line)))


def _line_meant(scene: Scene, lines: list[Thing]) -> Thing:
    """The cart line that was named, or the only one; empty when it has to be asked."""
    wish = scene.wish
    if wish.picks:
        return shop.nth(lines, wish.picks[0])
    named = memory.called_so(lines, wish.keyword or (wish.brands[0] if wish.brands else ""))
    if wish.size:
        named = [line for line in named or lines if memory.sku_said({"skus": [line]}, wish.size, "")]
    candidates = named or lines
    return candidates[0] if len(candidates) == 1 else {}


def _clear(scene: Scene) -> Scripted:
    cart = memory.cart(scene.before)
    if cart is None or not cart["lines"]:
        return scene.tell("cart_empty" if cart else "cart_unknown", *START)
    return scene.act("clear_cart", {"cart_id": cart["cart_id"]}, scene.say("clearing"))


def _track(scene: Scene) -> Scripted:
    order = memory.order_id(scene.before, scene.wish.order_id)
    if not order:
        return scene.tell("no_order")
    return scene.act("get_order_status", {"order_id": order}, scene.say("looking_up"))


def _cancel(scene: Scene) -> Scripted:
    order = memory.order_id(scene.before, scene.wish.order_id)
    if not order:
        return scene.tell("no_order")
    return scene.act("cancel_order", {"order_id": order}, scene.say("cancelling", order=order))


def _address(scene: Scene) -> Scripted:
    address = scene.wish.address
    if not address:
        return scene.tell("which_address")
    return scene.act("modify_address", {"address": address}, scene.say("moving", address=address))


def _account(scene: Scene) -> Scripted:
    return scene.act("delete_account", {}, scene.say("deleting"))


def _store(scene: Scene) -> Scripted:
    places = scene.wish.places
    wanted = [("navigate_to_store", {"store_name": place, "highlight": True}) for place in places]
    return scene.act_all(wanted, scene.say("going", places=scene.voice.joined(places)))


def _area(scene: Scene) -> Scripted:
    places = scene.wish.places
    wanted = [("navigate_to_area", {"area_name": place, "show_stores": True}) for place in places]
    the = "the " if scene.voice.language == "en" else ""
    return scene.act_all(
        wanted, scene.say("going", places=scene.voice.joined(the + place for place in places))
    )


def _stores(scene: Scene) -> Scripted:
    keyword = scene.wish.keyword or scene.story.text[:40]
    return scene.act("search_stores", {"keyword": keyword}, scene.say("looking_up"))


def _info(scene: Scene) -> Scripted:
    """Hours, offers, reviews: of a product shown, or of stores, which are looked up first for their ids."""
    wish, shown = scene.wish, memory.products(scene.before)
    named = [product for place in wish.places for product in memory.called_so(shown, place)]
    if wish.topic == "reviews" and (
        wish.picks or len(named) == 1 or (not wish.places and memory.focus(scene.before))
    ):
        return shop.look_at(scene, named) if len(named) == 1 else shop.pick(scene)
    if wish.places:
        goods = [place for place in wish.places if words.GOODS.search(place) and not _is_brand(place)]
        tool = "search_products" if goods and wish.topic != "basic" else "search_stores"
        return scene.act_all([(tool, {"keyword": place}) for place in wish.places], scene.say("looking_up"))
    known = memory.stores(scene.before)
    if not known:
        return scene.tell("which_store", "s_hours", "s_offers")
    return scene.act(
        "get_store_info", {"store_id": known[0]["id"], "info_type": wish.topic}, scene.say("looking_up")
    )


def _again(scene: Scene) -> Scripted:
    """The last call that did not succeed, as it was."""
    for result in scene.before.results():
        if result.name != SUGGEST and not result.ok and not result.waits:
            return scene.act(result.name, result.arguments)
    return scene.tell("nothing_to_repeat", *START)


def _yes(scene: Scene) -> Scripted:
    """Agreement to what was asked last: ordering, adding, or trying again."""
    last = next((result for result in scene.before.results() if result.name != SUGGEST), None)
    if last is None:
        return scene.tell("help", *START)
    if not last.ok:
        return scene.tell("anything_else", *START) if last.status == "denied" else _again(scene)
    if last.name == "get_product_detail":
        return shop.pick(scene)
    if last.name in ("add_to_cart", "remove_from_cart"):
        return _order(scene)
    return shop.pick(scene) if last.name == "search_products" else scene.tell("anything_else", *START)


def _is_brand(place: str) -> bool:
    return any(pattern.search(place) for pattern in words.ONE_BRAND.values())


ANSWERS: dict[Intent, Callable[[Scene], Scripted]] = {
    "account": _account,
    "address": _address,
    "cancel": _cancel,
    "track": _track,
    "clear": _clear,
    "cart": _show_cart,
    "remove": _remove,
    "order": _order,
    "more": _greet("more"),
    "similar": shop.similar,
    "again": _again,
    "compare": shop.compare,
    "info": _info,
    "area": _area,
    "store": _store,
    "stores": _stores,
    "detail": shop.pick,
    "pick": shop.pick,
    "search": shop.search,
    "refine": shop.refine,
    "yes": _yes,
    "no": _greet("no"),
    "hello": _greet("hello"),
    "thanks": _greet("thanks"),
    "help": _greet("help"),
    "who": _greet("who"),
    "unknown": _greet("unknown"),
}
