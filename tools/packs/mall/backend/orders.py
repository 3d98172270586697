"""Orders: made from a cart, looked up, cancelled.

Placing one checks price and stock, takes the goods off the shelf, writes the order and empties the cart, all
in the caller's transaction. A price that differs from what the person saw last, in a preview or else in the
cart, places nothing: the cart takes the new price over and the person is asked again.
"""

import secrets
import sqlite3
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from . import accounts, carts, quotes
from .accounts import Account
from .carts import Cart, Line
from .catalogue import Catalogue
from .errors import Refusal
from .identity import Acting
from .money import CURRENCY, yuan
from .repricing import PriceChange, price_changes, take_over
from .shelf import look, out_of_stock

STATUSES = ("placed", "shipped", "delivered", "cancelled")


@dataclass(frozen=True)
class Order:
    number: int
    id: str
    status: str
    lines: tuple[Line, ...]
    total: int
    address: str
    recipient: str | None
    phone: str | None
    at: str

    @property
    def shown_number(self) -> str:
        """What people call the order."""
        return f"M{self.number:06d}"


@dataclass(frozen=True)
class Preview:
    """What ordering a cart would come to."""

    cart: Cart
    changes: list[PriceChange]
    in_stock: bool
    account: Account


def place(tx: sqlite3.Connection, catalogue: Catalogue, acting: Acting, cart_id: str) -> Order | Refusal:
    """Order what is in the cart. A changed price is returned, not raised: the cart's new prices must stay."""
    cart = quotes.as_quoted(tx, _cart_to_order(tx, catalogue, acting, cart_id))
    changes = price_changes(tx, cart)
    quotes.forget(tx, cart.id)
    if changes:
        return take_over(tx, cart, changes)
    for line in cart.lines:
        _take(tx, catalogue, line)
    order_id = _write(tx, acting, cart)
    carts.empty(tx, cart.id)
    return my_order(tx, catalogue, acting, order_id)


def preview(tx: sqlite3.Connection, catalogue: Catalogue, acting: Acting, cart_id: str) -> Preview:
    """What an order of this cart would be now, at current prices, which count as seen from then on."""
    cart = _cart_to_order(tx, catalogue, acting, cart_id)
    shelves = {line.product.id: look(tx, line.product) for line in cart.lines}
    lines = tuple(replace(line, price=shelves[line.product.id].price) for line in cart.lines)
    shown = Cart(cart.id, lines)
    quotes.quote(tx, shown)
    return Preview(
        cart=shown,
        changes=price_changes(tx, cart),
        in_stock=all(shelves[line.product.id].stock[line.sku.sku_id] >= line.quantity for line in lines),
        account=accounts.delivery(tx, acting),
    )


def cancel(tx: sqlite3.Connection, catalogue: Catalogue, acting: Acting, order_id: str) -> Order:
    """Cancel an order that has not left yet, and put its goods back."""
    order = my_order(tx, catalogue, acting, order_id)
    moved = tx.execute(
        "UPDATE orders SET status = 'cancelled' WHERE order_id = ? AND status = 'placed'", (order.id,)
    )
    if moved.rowcount == 0:
        raise Refusal(
            409,
            "order_not_cancellable",
            f"The order is {order.status} already, so it cannot be cancelled. The goods can be"
            " returned in the store. Tell the person.",
            details={"order_id": order.id, "status": order.status},
        )
    for line in order.lines:
        _put_back(tx, line)
    return my_order(tx, catalogue, acting, order_id)


def my_order(tx: sqlite3.Connection, catalogue: Catalogue, acting: Acting, order_id: str) -> Order:
    """The order of that id if it belongs to the acting person."""
    row = tx.execute(
        "SELECT * FROM orders WHERE order_id = ? AND tenant = ? AND user = ?",
        (order_id, acting.tenant, acting.user),
    ).fetchone()
    if row is None:
        mine = my_orders(tx, catalogue, acting)[:5]
        raise Refusal(
            404,
            "order_not_found",
            f"The person has no order with the id {order_id!r}. Ask which one, or take one of suggestions.",
            suggestions=[{"order_id": order.id, "status": order.status} for order in mine],
        )
    return _read(tx, catalogue, row)


def my_orders(tx: sqlite3.Connection, catalogue: Catalogue, acting: Acting) -> list[Order]:
    """The person's orders, newest first, at most fifty."""
    rows = tx.execute(
        "SELECT * FROM orders WHERE tenant = ? AND user = ? ORDER BY number DESC LIMIT 50",
        (acting.tenant, acting.user),
    ).fetchall()
    return [_read(tx, catalogue, row) for row in rows]


def move(tx: sqlite3.Connection, order_id: str, status: str) -> bool:
    """The shop's own hand: an order has been shipped or delivered. A cancelled one stays cancelled."""
    moved = tx.execute(
        "UPDATE orders SET status = ? WHERE order_id = ? AND status != 'cancelled'", (status, order_id)
    )
    return moved.rowcount == 1


def view(order: Order) -> dict[str, Any]:
    return {
        "order_id": order.id,
        "number": order.shown_number,
        "status": order.status,
        "lines": [line.view() for line in order.lines],
        "total": yuan(order.total),
        "address": order.address,
        "recipient": order.recipient,
        "phone": order.phone,
        "placed_at": order.at,
    }


def preview_view(shown: Preview) -> dict[str, Any]:
    return carts.view(shown.cart) | {
        "currency": CURRENCY,
        "price_changes": [change.view() for change in shown.changes],
        "in_stock": shown.in_stock,
        "address": shown.account.ships_to,
        "recipient": shown.account.recipient,
        "phone": shown.account.phone,
    }


def _cart_to_order(tx: sqlite3.Connection, catalogue: Catalogue, acting: Acting, cart_id: str) -> Cart:
    cart = carts.my_cart(tx, catalogue, acting, cart_id)
    if not cart.lines:
        raise Refusal(
            409, "cart_empty", "The cart is empty, so there is nothing to order. Add something first."
        )
    return cart


def _take(tx: sqlite3.Connection, catalogue: Catalogue, line: Line) -> None:
    taken = tx.execute(
        "UPDATE stock SET stock = stock - ? WHERE product_id = ? AND sku_id = ? AND stock >= ?",
        (line.quantity, line.product.id, line.sku.sku_id, line.quantity),
    )
    if taken.rowcount == 0:
        raise out_of_stock(tx, catalogue, look(tx, line.product), line.sku, line.quantity)


def _put_back(tx: sqlite3.Connection, line: Line) -> None:
    tx.execute(
        "UPDATE stock SET stock = stock + ? WHERE product_id = ? AND sku_id = ?",
        (line.quantity, line.product.id, line.sku.sku_id),
    )


def _write(tx: sqlite3.Connection, acting: Acting, cart: Cart) -> str:
    account = accounts.delivery(tx, acting)
    order_id = f"order_{secrets.token_hex(6)}"
    tx.execute(
        "INSERT INTO orders (order_id, tenant, user, status, total, address, recipient, phone, at)"
        " VALUES (?, ?, ?, 'placed', ?, ?, ?, ?, ?)",
        (
            order_id,
            acting.tenant,
            acting.user,
            cart.total,
            account.ships_to,
            account.recipient,
            account.phone,
            datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    )
    tx.executemany(
        "INSERT INTO order_lines VALUES (?, ?, ?, ?, ?)",
        [(order_id, line.product.id, line.sku.sku_id, line.quantity, line.price) for line in cart.lines],
    )
    return order_id


def _read(tx: sqlite3.Connection, catalogue: Catalogue, row: sqlite3.Row) -> Order:
    lines = tx.execute(
        "SELECT product_id, sku_id, quantity, price FROM order_lines WHERE order_id = ? ORDER BY rowid",
        (row["order_id"],),
    )
    return Order(
        number=row["number"],
        id=row["order_id"],
        status=row["status"],
        lines=carts.lines_of(catalogue, lines),
        total=row["total"],
        address=row["address"],
        recipient=row["recipient"],
        phone=row["phone"],
        at=row["at"],
    )
