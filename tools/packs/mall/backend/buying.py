"""The writes: cart, orders, account. Each runs inside the one transaction that `effects.perform` opened."""

import sqlite3

from . import accounts, carts, orders, quotes, ui
from .calls import Call
from .carts import MOST_OF_ONE, Cart
from .effects import Answer
from .errors import Refusal
from .shop import Shop


def add_to_cart(tx: sqlite3.Connection, shop: Shop, call: Call) -> Answer:
    fields = call.fields.only("product_id", "quantity", "sku_id")
    cart = carts.add(
        tx,
        shop.catalogue,
        call.acting,
        product_id=fields.text("product_id"),
        sku_id=fields.optional_text("sku_id"),
        quantity=fields.integer("quantity", lowest=1, highest=MOST_OF_ONE),
    )
    quotes.forget(tx, cart.id)
    return _cart_answer(cart)


def remove_from_cart(tx: sqlite3.Connection, shop: Shop, call: Call) -> Answer:
    fields = call.fields.only("cart_id", "product_id", "sku_id")
    cart = carts.remove(
        tx,
        shop.catalogue,
        call.acting,
        cart_id=fields.text("cart_id"),
        product_id=fields.text("product_id"),
        sku_id=fields.optional_text("sku_id"),
    )
    quotes.forget(tx, cart.id)
    return _cart_answer(cart)


def clear_cart(tx: sqlite3.Connection, shop: Shop, call: Call) -> Answer:
    fields = call.fields.only("cart_id")
    cart = carts.clear(tx, shop.catalogue, call.acting, fields.text("cart_id"))
    quotes.forget(tx, cart.id)
    return _cart_answer(cart)


def create_order(tx: sqlite3.Connection, shop: Shop, call: Call) -> Answer:
    fields = call.fields.only("cart_id")
    placed = orders.place(tx, shop.catalogue, call.acting, fields.text("cart_id"))
    if isinstance(placed, Refusal):
        return Answer(placed.status, placed.body())
    return Answer(200, orders.view(placed) | {"ui": [ui.order(placed)]})


def cancel_order(tx: sqlite3.Connection, shop: Shop, call: Call) -> Answer:
    call.fields.only()
    order = orders.cancel(tx, shop.catalogue, call.acting, call.path["order_id"])
    return Answer(200, orders.view(order) | {"ui": [ui.order(order)]})


def modify_address(tx: sqlite3.Connection, shop: Shop, call: Call) -> Answer:
    fields = call.fields.only("address", "recipient", "phone")
    account = accounts.change_address(
        tx,
        call.acting,
        address=fields.text("address", longest=200),
        recipient=fields.optional_text("recipient", longest=60),
        phone=fields.optional_text("phone", longest=30),
    )
    note = "Later orders go to this address; orders already placed keep theirs."
    return Answer(200, accounts.view(account, call.acting) | {"message": note})


def delete_account(tx: sqlite3.Connection, shop: Shop, call: Call) -> Answer:
    call.fields.only()
    accounts.delete(tx, call.acting)
    note = "The account was deleted and its cart emptied. Nothing can be bought with it any more."
    return Answer(200, {"deleted": True, "message": note})


def _cart_answer(cart: Cart) -> Answer:
    return Answer(200, carts.view(cart) | {"ui": [ui.cart(cart)]})
