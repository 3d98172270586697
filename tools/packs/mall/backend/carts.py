"""Shopping carts: one per person, with the price each line had when it was added.

The remembered price is what the person saw; `orders` compares it with the current one before anything is
sold.
"""

import secrets
import sqlite3
from dataclasses import dataclass
from typing import Any

from .catalogue import Catalogue, Product, Sku
from .errors import Refusal, bad_request
from .identity import Acting
from .money import yuan
from .shelf import Shelf, choose_sku, find_product, look, out_of_stock

MOST_OF_ONE = 99


@dataclass(frozen=True)
class Line:
    """So many of one sku, at the price (in fen) that is remembered."""

    product: Product
    sku: Sku
    quantity: int
    price: int

    @property
    def total(self) -> int:
        return self.quantity * self.price

    def view(self) -> dict[str, Any]:
        return {
            "product_id": self.product.id,
            "sku_id": self.sku.sku_id,
            "name": self.product.name,
            "name_zh": self.product.name_zh,
            "label": self.sku.label,
            "label_zh": self.sku.label_zh,
            "quantity": self.quantity,
            "price": yuan(self.price),
            "total": yuan(self.total),
        }


@dataclass(frozen=True)
class Cart:
    id: str
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        return sum(line.total for line in self.lines)


def my_cart(tx: sqlite3.Connection, catalogue: Catalogue, acting: Acting, cart_id: str) -> Cart:
    """The cart of that id if it belongs to the acting person."""
    found = tx.execute(
        "SELECT 1 FROM carts WHERE cart_id = ? AND tenant = ? AND user = ?",
        (cart_id, acting.tenant, acting.user),
    ).fetchone()
    if found is None:
        raise Refusal(
            404,
            "cart_not_found",
            f"The person has no cart with the id {cart_id!r}. Adding to the cart gives the right cart_id.",
        )
    return _read(tx, catalogue, cart_id)


def add(
    tx: sqlite3.Connection,
    catalogue: Catalogue,
    acting: Acting,
    product_id: str,
    sku_id: str | None,
    quantity: int,
) -> Cart:
    """Put so many of a sku into the person's cart; what is there already adds up."""
    shelf = look(tx, find_product(catalogue, product_id))
    sku = choose_sku(shelf, sku_id)
    cart_id = _cart_id(tx, acting)
    wanted = quantity + _quantity(tx, cart_id, shelf, sku)
    if wanted > shelf.stock[sku.sku_id]:
        raise out_of_stock(tx, catalogue, shelf, sku, wanted)
    if wanted > MOST_OF_ONE:
        raise bad_request(
            "quantity", f"At most {MOST_OF_ONE} of one thing are sold; {wanted} would be in the cart."
        )
    tx.execute(
        "INSERT INTO cart_lines VALUES (?, ?, ?, ?, ?) ON CONFLICT (cart_id, product_id, sku_id)"
        " DO UPDATE SET quantity = excluded.quantity, price = excluded.price",
        (cart_id, shelf.product.id, sku.sku_id, wanted, shelf.price),
    )
    return _read(tx, catalogue, cart_id)


def remove(
    tx: sqlite3.Connection,
    catalogue: Catalogue,
    acting: Acting,
    cart_id: str,
    product_id: str,
    sku_id: str | None,
) -> Cart:
    """Take a line out of the cart. With several sizes of the product in it, the size must be named."""
    cart = my_cart(tx, catalogue, acting, cart_id)
    line = _line_meant(tx, cart, product_id, sku_id)
    tx.execute(
        "DELETE FROM cart_lines WHERE cart_id = ? AND product_id = ? AND sku_id = ?",
        (cart.id, line.product.id, line.sku.sku_id),
    )
    return _read(tx, catalogue, cart.id)


def clear(tx: sqlite3.Connection, catalogue: Catalogue, acting: Acting, cart_id: str) -> Cart:
    cart = my_cart(tx, catalogue, acting, cart_id)
    empty(tx, cart.id)
    return Cart(cart.id, ())


def empty(tx: sqlite3.Connection, cart_id: str) -> None:
    tx.execute("DELETE FROM cart_lines WHERE cart_id = ?", (cart_id,))


def view(cart: Cart) -> dict[str, Any]:
    return {"cart_id": cart.id, "lines": [line.view() for line in cart.lines], "total": yuan(cart.total)}


def lines_of(catalogue: Catalogue, rows: sqlite3.Cursor) -> tuple[Line, ...]:
    """Rows of (product_id, sku_id, quantity, price) as lines."""
    lines = []
    for product_id, sku_id, quantity, price in rows:
        product = catalogue.products[product_id]
        sku = next(sku for sku in product.skus if sku.sku_id == sku_id)
        lines.append(Line(product, sku, quantity, price))
    return tuple(lines)


def _read(tx: sqlite3.Connection, catalogue: Catalogue, cart_id: str) -> Cart:
    rows = tx.execute(
        "SELECT product_id, sku_id, quantity, price FROM cart_lines WHERE cart_id = ? ORDER BY rowid",
        (cart_id,),
    )
    return Cart(cart_id, lines_of(catalogue, rows))


def _cart_id(tx: sqlite3.Connection, acting: Acting) -> str:
    mine = (acting.tenant, acting.user)
    tx.execute("INSERT OR IGNORE INTO carts VALUES (?, ?, ?)", (f"cart_{secrets.token_hex(6)}", *mine))
    (cart_id,) = tx.execute("SELECT cart_id FROM carts WHERE tenant = ? AND user = ?", mine).fetchone()
    return str(cart_id)


def _quantity(tx: sqlite3.Connection, cart_id: str, shelf: Shelf, sku: Sku) -> int:
    row = tx.execute(
        "SELECT quantity FROM cart_lines WHERE cart_id = ? AND product_id = ? AND sku_id = ?",
        (cart_id, shelf.product.id, sku.sku_id),
    ).fetchone()
    return row["quantity"] if row else 0


def _line_meant(tx: sqlite3.Connection, cart: Cart, product_id: str, sku_id: str | None) -> Line:
    lines = [line for line in cart.lines if line.product.id == product_id]
    if sku_id is not None and lines:
        wanted = choose_sku(look(tx, lines[0].product), sku_id)
        lines = [line for line in lines if line.sku == wanted]
    if not lines:
        raise _not_in_cart(cart, product_id)
    if len(lines) > 1:
        choices = [{"sku_id": line.sku.sku_id, "label": line.sku.label} for line in lines]
        raise Refusal(
            422,
            "size_needed",
            "The cart holds several sizes of it. Ask which one and give its sku_id.",
            suggestions=choices,
        )
    return lines[0]


def _not_in_cart(cart: Cart, product_id: str) -> Refusal:
    return Refusal(
        404,
        "product_not_found",
        f"The cart does not hold {product_id!r}. Use a product_id and sku_id that are in the cart.",
        suggestions=[{"product_id": line.product.id, "sku_id": line.sku.sku_id} for line in cart.lines],
    )
