"""What stands on the shelf now: current price and stock of a product, and finding a product or a size by
name."""

import difflib
import sqlite3
from dataclasses import dataclass

from .catalogue import Catalogue, Product, Sku
from .errors import Refusal
from .money import yuan


@dataclass(frozen=True)
class Shelf:
    """A product with its price (in fen) and its stock by sku at this moment."""

    product: Product
    price: int
    stock: dict[str, int]

    @property
    def in_stock(self) -> bool:
        return any(self.stock.values())

    def skus_in_stock(self) -> list[Sku]:
        return [sku for sku in self.product.skus if self.stock[sku.sku_id] > 0]

    def sizes(self) -> list[str]:
        """The sizes one can have now; none for a product without sizes."""
        return [sku.size for sku in self.skus_in_stock() if sku.size is not None]


def look(tx: sqlite3.Connection, product: Product) -> Shelf:
    (price,) = tx.execute("SELECT price FROM prices WHERE product_id = ?", (product.id,)).fetchone()
    rows = tx.execute("SELECT sku_id, stock FROM stock WHERE product_id = ?", (product.id,))
    return Shelf(product, price, dict(map(tuple, rows)))


def look_at_all(tx: sqlite3.Connection, catalogue: Catalogue) -> list[Shelf]:
    """Every product, with two queries in all."""
    prices = dict(map(tuple, tx.execute("SELECT product_id, price FROM prices")))
    stock: dict[str, dict[str, int]] = {}
    for product_id, sku_id, count in tx.execute("SELECT product_id, sku_id, stock FROM stock"):
        stock.setdefault(product_id, {})[sku_id] = count
    return [Shelf(p, prices[p.id], stock[p.id]) for p in catalogue.products.values()]


def find_product(catalogue: Catalogue, product_id: str) -> Product:
    product = catalogue.products.get(product_id)
    if product is None:
        raise product_not_found(catalogue, product_id)
    return product


def product_not_found(catalogue: Catalogue, product_id: str) -> Refusal:
    near = near_products(catalogue, product_id)
    return Refusal(
        404,
        "product_not_found",
        f"There is no product with the id {product_id!r}. Search for it, or use an id of the suggestions.",
        suggestions=[{"id": p.id, "name": p.name, "name_zh": p.name_zh} for p in near],
        details={"searches": [c.name for c in list(catalogue.categories.values())[:4]]},
    )


def near_products(catalogue: Catalogue, text: str) -> list[Product]:
    """The products whose id or name reads most like `text`."""
    wanted = text.casefold()
    names = {name.casefold(): p for p in catalogue.products.values() for name in (p.name_zh, p.name, p.id)}
    close = difflib.get_close_matches(wanted, names, n=6, cutoff=0.45)
    return list({names[name].id: names[name] for name in close}.values())[:3]


def choose_sku(shelf: Shelf, wanted: str | None) -> Sku:
    """The size that is meant. A product with one sku needs no choice."""
    skus = shelf.product.skus
    if wanted is None:
        if len(skus) == 1:
            return skus[0]
        raise _size_refused(shelf, "size_needed", f"{shelf.product.name} comes in several sizes or variants.")
    plain = _plain(wanted)
    for sku in skus:
        if plain and plain in {
            _plain(sku.sku_id),
            _plain(sku.size or ""),
            _plain(sku.label),
            _plain(sku.label_zh),
        }:
            return sku
    raise _size_refused(shelf, "size_unknown", f"{shelf.product.name} has no size or variant {wanted!r}.")


def out_of_stock(
    tx: sqlite3.Connection, catalogue: Catalogue, shelf: Shelf, sku: Sku, wanted: int
) -> Refusal:
    left = shelf.stock[sku.sku_id]
    name = shelf.product.name if sku.size is None else f"{shelf.product.name} ({sku.label})"
    stand = f"Only {left} of {name} left, {wanted} wanted." if left else f"{name} is out of stock."
    others = [look(tx, other) for other in catalogue.similar(shelf.product)]
    suggestions = [
        {"id": o.product.id, "name": o.product.name, "name_zh": o.product.name_zh, "price": yuan(o.price)}
        for o in others
        if o.in_stock
    ]
    return Refusal(
        409,
        "out_of_stock",
        f"{stand} Offer the person a smaller quantity, another size, or one of the similar products.",
        suggestions=suggestions[:3],
        details={
            "product_id": shelf.product.id,
            "sku_id": sku.sku_id,
            "stock": left,
            "sizes_in_stock": shelf.sizes(),
        },
    )


def _size_refused(shelf: Shelf, code: str, stand: str) -> Refusal:
    choices = [
        {"sku_id": sku.sku_id, "label": sku.label, "label_zh": sku.label_zh} for sku in shelf.skus_in_stock()
    ]
    listing = ", ".join(choice["sku_id"] for choice in choices) or "none"
    return Refusal(
        422,
        code,
        f"{stand} Ask the person which one, then give its sku_id. In stock: {listing}.",
        suggestions=choices,
        details={"product_id": shelf.product.id, "sizes_in_stock": shelf.sizes()},
    )


def _plain(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
