"""The prices people were shown before they were asked to order: what they agree to is what the order takes.

A preview quotes the cart's lines; the cart itself goes on saying what each line cost when it was added, so that the
next preview shows the same. An order compares the quote with the shelf, or, where nothing was quoted, the cart.
"""

import sqlite3
from dataclasses import replace

from .carts import Cart, Line


def quote(tx: sqlite3.Connection, shown: Cart) -> None:
    """Remember the prices of a preview, in the place of those of the last one."""
    forget(tx, shown.id)
    tx.executemany(
        "INSERT INTO quotes VALUES (?, ?, ?, ?)",
        [(shown.id, line.product.id, line.sku.sku_id, line.price) for line in shown.lines],
    )


def as_quoted(tx: sqlite3.Connection, cart: Cart) -> Cart:
    """The cart at the prices the person saw last."""
    rows = tx.execute("SELECT product_id, sku_id, price FROM quotes WHERE cart_id = ?", (cart.id,))
    prices = {(product_id, sku_id): price for product_id, sku_id, price in rows}

    def seen(line: Line) -> Line:
        return replace(line, price=prices.get((line.product.id, line.sku.sku_id), line.price))

    return Cart(cart.id, tuple(seen(line) for line in cart.lines))


def forget(tx: sqlite3.Connection, cart_id: str) -> None:
    """What was shown is no longer what the person saw last: the cart changed, or they were told of other prices."""
    tx.execute("DELETE FROM quotes WHERE cart_id = ?", (cart_id,))
