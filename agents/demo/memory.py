"""What a conversation has shown so far, read off earlier tool results: lists, details, the cart, the last order.

Nothing is remembered elsewhere: the same history always gives the same memory.
"""

from __future__ import annotations

from typing import Any

from agents.demo.story import Result, Story

Thing = dict[str, Any]
"""A product, sku, line, cart, order or store as a result gave it."""


def things(value: Any) -> list[Thing]:
    """The objects in a list; none when it is no list."""
    return [thing for thing in value if isinstance(thing, dict)] if isinstance(value, list) else []


def products_in(result: Result) -> list[Thing]:
    """The products a result lists: found ones, or the similar ones that a refusal suggests."""
    listed = result.data.get("products") if result.ok else result.error.get("suggestions")
    return [thing for thing in things(listed) if thing.get("id")]


def products(story: Story) -> list[Thing]:
    """The products shown last, in the order shown."""
    for result in story.results():
        if result.name in ("search_products", "add_to_cart", "create_order") and (
            found := products_in(result)
        ):
            return found
    return []


def detail_in(result: Result) -> Thing:
    """The product that a detail result describes; empty when it is none."""
    inner = result.data.get("product", result.data)
    found = result.ok and result.name == "get_product_detail" and isinstance(inner, dict) and inner.get("id")
    return inner if found else {}


def detail(story: Story, product_id: str = "") -> Thing:
    """The newest details of that product, or of the product looked at last."""
    for result in story.results():
        found = detail_in(result)
        if found and product_id in ("", found["id"]):
            return found
    return {}


def focus(story: Story) -> str:
    """The id of the product the talk is about: looked at or bought last, unless a new list came since."""
    for result in story.results():
        if looked_at := detail_in(result):
            return str(looked_at["id"])
        if result.name == "add_to_cart" and result.arguments.get("product_id"):
            return str(result.arguments["product_id"])
        if result.name == "search_products" and (found := products_in(result)):
            return str(found[0]["id"]) if len(found) == 1 else ""
    return ""


def cart(story: Story) -> Thing | None:
    """The cart as last shown; None when none was ever shown. An order or a deleted account empties it."""
    emptied = False
    for result in story.results():
        if result.name in ("create_order", "delete_account") and result.ok:
            emptied = True
        found = result.data if result.ok else result.error.get("details")
        if isinstance(found, dict) and found.get("cart_id") and isinstance(found.get("lines"), list):
            return found | {"lines": [], "total": 0} if emptied else found
    return None


def order(story: Story) -> Thing | None:
    """The order shown last."""
    for result in story.results():
        if result.ok and result.data.get("order_id"):
            return result.data
    return None


def order_id(story: Story, said: str) -> str:
    """The id of the order that is meant: as said, by its number, or the last one."""
    for result in story.results():
        if said and result.ok and str(result.data.get("number", "")).lower() == said.lower():
            return str(result.data["order_id"])
    return said or str((order(story) or {}).get("order_id", ""))


def stores(story: Story) -> list[Thing]:
    """The stores shown last."""
    for result in story.results():
        found = stores_in(result)
        if found:
            return found
    return []


def stores_in(result: Result) -> list[Thing]:
    listed = result.data.get("stores") if result.ok else None
    if listed is None and result.ok and result.name == "get_store_info":
        listed = [result.data.get("store", result.data)]
    return [thing for thing in things(listed) if thing.get("id")]


def called_so(things: list[Thing], words: str) -> list[Thing]:
    """The things whose name (in either language) or label holds all of `words`, best match first."""
    wanted = [word for word in words.lower().replace("'s", "").split() if word]
    if not wanted:
        return []
    return [thing for thing in things if all(word in _names(thing) for word in wanted)]


def skus(product: Thing) -> list[Thing]:
    """The sizes or variants of a product."""
    return [sku for sku in things(product.get("skus")) if sku.get("sku_id")]


def stock(sku: Thing) -> int:
    """How many there are; a sku that does not say counts as there."""
    left = sku.get("stock")
    return int(left) if isinstance(left, int | float) else int(sku.get("in_stock", True))


def sku_said(product: Thing, size: str, text: str) -> Thing:
    """The sku that was named by its size or label; empty when none was. Longer names win: "XL" before "L"."""
    plain = _plain(text)
    for sku in sorted(skus(product), key=lambda sku: -len(str(sku.get("label", "")))):
        names = {_plain(str(sku.get(key) or "")) for key in ("size", "label", "label_zh", "sku_id")} - {""}
        if size and _plain(size) in {_bare_size(name) for name in names}:
            return sku
        if not size and any(len(name) > 4 and name in plain for name in names):
            return sku
    return {}


def _names(thing: Thing) -> str:
    return " ".join(
        str(thing.get(key) or "") for key in ("name", "name_zh", "brand", "label", "label_zh", "category_zh")
    ).lower()


def _bare_size(name: str) -> str:
    """ "eu42", "size42" and "42码" are all 42."""
    return name.removeprefix("size").removeprefix("eu").removesuffix("码")


def _plain(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
