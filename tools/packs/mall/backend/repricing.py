"""Prices that moved since the person saw the cart: noticing them, and taking them over into the cart."""

import sqlite3
from dataclasses import dataclass, replace
from typing import Any

from .carts import Cart, Line
from .errors import Refusal
from .money import yuan
from .shelf import look


@dataclass(frozen=True)
class PriceChange:
    """A line whose price is no longer the one the person saw."""

    line: Line
    new_price: int

    def view(self) -> dict[str, Any]:
        return {
            "product_id": self.line.product.id,
            "sku_id": self.line.sku.sku_id,
            "name": self.line.product.name,
            "name_zh": self.line.product.name_zh,
            "quantity": self.line.quantity,
            "old_price": yuan(self.line.price),
            "new_price": yuan(self.new_price),
        }


def price_changes(tx: sqlite3.Connection, cart: Cart) -> list[PriceChange]:
    prices = [(line, look(tx, line.product).price) for line in cart.lines]
    return [PriceChange(line, price) for line, price in prices if price != line.price]


def take_over(tx: sqlite3.Connection, cart: Cart, changes: list[PriceChange]) -> Refusal:
    """Write the new prices into the cart, so that ordering it again works once the person agreed."""
    for change in changes:
        tx.execute(
            "UPDATE cart_lines SET price = ? WHERE cart_id = ? AND product_id = ? AND sku_id = ?",
            (change.new_price, cart.id, change.line.product.id, change.line.sku.sku_id),
        )
    moved = {change.line: replace(change.line, price=change.new_price) for change in changes}
    now = Cart(cart.id, tuple(moved.get(line, line) for line in cart.lines))
    return Refusal(
        409,
        "price_changed",
        "Prices changed since the person saw them. Nothing was ordered and the cart now shows the new prices."
        " Tell the person the old and the new price and ask again whether to order.",
        details={
            "cart_id": cart.id,
            "lines": [change.view() for change in changes],
            "total": yuan(now.total),
        },
    )
