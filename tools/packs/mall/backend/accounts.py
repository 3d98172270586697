"""A person's account at the mall: where orders go, and that it was deleted. It exists from the first write
on."""

import sqlite3
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from .errors import Refusal
from .identity import Acting

PICK_UP = "Pick-up at the service desk, floor 1 (一楼服务台自提)"


@dataclass(frozen=True)
class Account:
    address: str | None
    recipient: str | None
    phone: str | None
    deleted: bool

    @property
    def ships_to(self) -> str:
        """An account without an address picks its orders up."""
        return self.address or PICK_UP


def look(tx: sqlite3.Connection, acting: Acting) -> Account:
    row = tx.execute(
        "SELECT address, recipient, phone, deleted_at FROM accounts WHERE tenant = ? AND user = ?",
        (acting.tenant, acting.user),
    ).fetchone()
    if row is None:
        return Account(None, None, None, deleted=False)
    return Account(row["address"], row["recipient"], row["phone"], deleted=row["deleted_at"] is not None)


def delivery(tx: sqlite3.Connection, acting: Acting) -> Account:
    """Where an order made now goes; without another recipient it is for the person who orders."""
    account = look(tx, acting)
    return replace(account, recipient=account.recipient or acting.name or None)


def check_not_deleted(tx: sqlite3.Connection, acting: Acting) -> None:
    if look(tx, acting).deleted:
        raise Refusal(
            403,
            "account_deleted",
            "This account was deleted, so nothing can be bought or changed with it. Tell the person.",
        )


def change_address(
    tx: sqlite3.Connection, acting: Acting, address: str, recipient: str | None, phone: str | None
) -> Account:
    """A new address; recipient and phone stay as they are unless given."""
    tx.execute(
        "INSERT INTO accounts (tenant, user, address, recipient, phone) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (tenant, user) DO UPDATE SET address = excluded.address,"
        " recipient = coalesce(excluded.recipient, recipient), phone = coalesce(excluded.phone, phone)",
        (acting.tenant, acting.user, address, recipient, phone),
    )
    return look(tx, acting)


def delete(tx: sqlite3.Connection, acting: Acting) -> None:
    """Forget what the account held and empty its cart. Orders stay: the shop must keep them."""
    mine = (acting.tenant, acting.user)
    tx.execute(
        "INSERT INTO accounts (tenant, user, deleted_at) VALUES (?, ?, ?) ON CONFLICT (tenant, user)"
        " DO UPDATE SET address = NULL, recipient = NULL, phone = NULL, deleted_at = excluded.deleted_at",
        (*mine, datetime.now(UTC).isoformat()),
    )
    tx.execute(
        "DELETE FROM cart_lines WHERE cart_id IN (SELECT cart_id FROM carts WHERE tenant = ? AND user = ?)",
        mine,
    )


def view(account: Account, acting: Acting) -> dict[str, Any]:
    if account.deleted:
        return {"deleted": True}
    return {
        "name": acting.name,
        "email": acting.email,
        "address": account.ships_to,
        "recipient": account.recipient,
        "phone": account.phone,
        "deleted": False,
    }
