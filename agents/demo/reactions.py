"""The mall guide when results have come: the next step of what was asked, or what to say about what went wrong.

Nothing is claimed that a result does not show: every sentence about an effect is made from a succeeded result.
"""

from __future__ import annotations

from collections.abc import Callable

from agents.demo import memory, shop, trouble
from agents.demo.memory import Thing
from agents.demo.phrases import PHRASES
from agents.demo.say import MOST_LISTED, bullets, money, numbered
from agents.demo.scene import Scene
from agents.demo.script import Scripted
from agents.demo.story import SUGGEST, Result


def react(scene: Scene) -> Scripted:
    """The reply to the newest results."""
    story = scene.story
    results = story.newest or story.late(PHRASES["waiting"])
    if not results:
        return _after_suggestions(scene)
    if len(results) > 1:
        return _several(scene, results)
    return react_to(scene, results[0])


def react_to(scene: Scene, result: Result) -> Scripted:
    """The reply to one result."""
    if not result.ok:
        return trouble.explain(scene, result)
    told = TOLD.get(result.name)
    if told is None or not result.data:
        return scene.reply(scene.say("strange") if not result.content.strip() else result.content[:400])
    return told(scene, result)


def _after_suggestions(scene: Scene) -> Scripted:
    """Asked again after quick replies alone; if they could not be shown they are written out."""
    last = next((result for result in scene.story.results() if result.name == SUGGEST), None)
    options = last.arguments.get("options") if last and not last.ok else None
    if isinstance(options, list) and scene.story.speaks_last == "tool":
        return Scripted(scene.say("type_instead", options=" · ".join(map(str, options))))
    return Scripted(scene.say("anything_else"))


def _several(scene: Scene, results: tuple[Result, ...]) -> Scripted:
    """Results of parallel calls: compared, bought together, or told one after the other."""
    products = [product for result in results if (product := memory.detail_in(result))]
    if len(products) == len(results):
        return _buy_all(scene, products) or _compare(scene, products)
    if all(result.ok and result.data.get("cart_id") for result in results):
        return react_to(scene, results[-1])
    replies = [react_to(scene, result) for result in results]
    text = "\n\n".join(dict.fromkeys(reply.text for reply in replies if reply.text))
    calls = tuple(made for reply in replies for made in reply.calls)
    steps = tuple(made for made in calls if made.name != SUGGEST)
    return Scripted(text, steps or calls[-1:])


def _buy_all(scene: Scene, products: list[Thing]) -> Scripted | None:
    """Put all of them into the cart when that was asked and each one's size is clear."""
    if not (scene.wish.intent == "pick" and scene.wish.buys):
        return None
    offers = [shop.offer(scene, product) for product in products]
    calls = tuple(made for reply in offers for made in reply.calls)
    if any(made.name != "add_to_cart" for made in calls) or len(calls) < len(products):
        return None
    return Scripted("\n\n".join(reply.text for reply in offers), calls)


def _compare(scene: Scene, products: list[Thing]) -> Scripted:
    lines = []
    for product in products:
        sizes = scene.voice.joined(scene.voice.sizes(product))
        about = scene.voice.text_of(product, "description")
        line = scene.voice.priced(
            f"**{scene.voice.name(product)}**", product.get("price", 0)
        ) + scene.voice.rating(product)
        lines.append(" · ".join(part for part in (line, about, sizes) if part))
    chosen = shop.best(products, cheapest=scene.wish.cheap)
    text = scene.say("compared", list=numbered(lines), name=scene.voice.name(chosen))
    return scene.reply(text, [*shop.nth_options(scene, min(len(products), 2)), scene.say("s_more")])


def _found(scene: Scene, result: Result) -> Scripted:
    """Products were found, or none. The best one is inspected before anything is recommended."""
    found = memory.products_in(result)
    voice, wish = scene.voice, scene.wish
    if not found:
        return trouble.nothing_found(scene, result)
    if wish.intent == "similar" or "get_product_detail" not in scene.tools:
        text = voice.say("found_list", count=len(found), list=voice.products(found))
        return scene.reply(text, shop.nth_options(scene, len(found)))
    chosen = shop.chosen_in(scene, result)
    name = voice.name(chosen)
    if len(found) == 1:
        text = voice.say("found_one", name=name, price=money(chosen.get("price", 0)))
    else:
        why = voice.say("why_cheapest" if wish.cheap or wish.by == "cheapest" else "why_best")
        text = voice.say("found", count=len(found), list=voice.products(found), name=name, why=why)
    return scene.act("get_product_detail", {"product_id": chosen["id"]}, text)


def _detail(scene: Scene, result: Result) -> Scripted:
    product = memory.detail_in(result)
    if not product:
        return scene.tell("strange")
    return shop.recommend(scene, product) if scene.wish.intent == "detail" else shop.offer(scene, product)


def _added(scene: Scene, result: Result) -> Scripted:
    lines, total = scene.voice.cart_lines(result.data), money(result.data.get("total", 0))
    return scene.tell("added", "s_order", "s_more", "s_cart", list=lines, total=total)


def _removed(scene: Scene, result: Result) -> Scripted:
    if not result.data.get("lines"):
        return _cleared(scene, result)
    lines, total = scene.voice.cart_lines(result.data), money(result.data.get("total", 0))
    return scene.tell("removed", "s_order", "s_more", list=lines, total=total)


def _cleared(scene: Scene, result: Result) -> Scripted:
    return scene.tell("cleared", "s_search", "s_headphones")


def _ordered(scene: Scene, result: Result) -> Scripted:
    return scene.tell("ordered", "s_status", "s_more", **_order_facts(scene, result))


def _order_status(scene: Scene, result: Result) -> Scripted:
    facts = _order_facts(scene, result)
    options = ("s_cancel", "s_more") if result.data.get("status") == "placed" else ("s_more",)
    return scene.tell(
        "order_status", *options, status=scene.voice.status(str(result.data.get("status"))), **facts
    )


def _order_cancelled(scene: Scene, result: Result) -> Scripted:
    if result.data.get("status", "cancelled") != "cancelled":
        return _order_status(scene, result)
    return scene.tell("cancelled", "s_more", order=_order_name(result))


def _order_facts(scene: Scene, result: Result) -> dict[str, str]:
    address = result.data.get("address")
    goes_to = scene.say("goes_to", address=address) if address else ""
    return {"order": _order_name(result), "total": money(result.data.get("total", 0)), "address": goes_to}


def _order_name(result: Result) -> str:
    data = result.data
    return str(data.get("number") or data.get("order_id") or result.arguments.get("order_id") or "?")


def _moved(scene: Scene, result: Result) -> Scripted:
    account = result.data.get("account", result.data)
    address = account.get("address") if isinstance(account, dict) else None
    return scene.tell("moved", "s_more", address=address or result.arguments.get("address", ""))


def _deleted(scene: Scene, result: Result) -> Scripted:
    return Scripted(scene.say("deleted"))


def _stores(scene: Scene, result: Result) -> Scripted:
    """Stores were found: go on to the information asked for, or list them."""
    found = memory.stores_in(result)
    if not found:
        return scene.tell("no_store", "s_store", "s_food")
    if scene.wish.intent == "info":
        return scene.act("get_store_info", {"store_id": found[0]["id"], "info_type": scene.wish.topic})
    names = [scene.voice.name(store) for store in found[:MOST_LISTED]]
    lines = [
        scene.say("store_line", name=name, floor=store.get("floor", "?"))
        for name, store in zip(names, found, strict=False)
    ]
    zh = scene.voice.language == "zh"
    options = [f"带我去{name}" if zh else f"Take me to {name}" for name in names[:3]]
    return scene.reply(scene.say("store_list", list=numbered(lines)), options)


def _store_info(scene: Scene, result: Result) -> Scripted:
    """Hours, offers or reviews, whichever was asked for."""
    store = result.data.get("store", result.data)
    facts = {
        **(store if isinstance(store, dict) else {}),
        **{k: v for k, v in result.data.items() if k != "store"},
    }
    name, topic = scene.voice.name(facts), str(result.arguments.get("info_type", "basic"))
    if topic in ("promotions", "reviews"):
        return _listed(scene, facts, topic, name)
    values = {key: facts.get(key) or "?" for key in ("hours", "floor", "phone")}
    return scene.tell("hours", "s_more", "s_food", name=name, **values)


def _listed(scene: Scene, facts: Thing, topic: str, name: str) -> Scripted:
    listed = memory.things(facts.get(topic))
    if not listed:
        return scene.tell(f"no_{topic}", "s_more", name=name)
    lines = [_entry(scene, entry) for entry in listed[:MOST_LISTED]]
    rating = scene.voice.rating(facts)
    return scene.tell(topic, "s_more", "s_food", name=name, list=bullets(lines), rating=rating)


def _entry(scene: Scene, entry: Thing) -> str:
    """One offer or review."""
    text = scene.voice.text_of(entry, "text")
    return f"{entry.get('by', '')} {'★' * int(entry['stars'])} {text}".strip() if entry.get("stars") else text


def _way(scene: Scene, result: Result) -> Scripted:
    """The way is drawn on the plan; say where it leads."""
    data = result.data
    found = next((data[key] for key in ("store", "area", "target") if isinstance(data.get(key), dict)), data)
    asked = result.arguments.get("store_name") or result.arguments.get("area_name") or "?"
    name = scene.voice.name(found) if found.get("name") else str(asked)
    floor = found.get("floor") or data.get("floor")
    options = scene.voice.options("s_more", "s_food" if result.name == "navigate_to_store" else "s_store")
    text = scene.say("way", name=name, floor=floor) if floor else scene.say("way_plain", name=name)
    return scene.reply(text, options)


TOLD: dict[str, Callable[[Scene, Result], Scripted]] = {
    "search_products": _found,
    "get_product_detail": _detail,
    "add_to_cart": _added,
    "remove_from_cart": _removed,
    "clear_cart": _cleared,
    "create_order": _ordered,
    "get_order_status": _order_status,
    "cancel_order": _order_cancelled,
    "modify_address": _moved,
    "delete_account": _deleted,
    "search_stores": _stores,
    "get_store_info": _store_info,
    "navigate_to_store": _way,
    "navigate_to_area": _way,
}
