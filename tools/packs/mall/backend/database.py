"""The backend's SQLite file: its tables, and one short transaction per request.

Every write is one `BEGIN IMMEDIATE … COMMIT`; a process that is killed leaves all of an effect or nothing of
it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from .catalogue import Catalogue

TABLES = """
CREATE TABLE IF NOT EXISTS prices (product_id TEXT PRIMARY KEY, price INTEGER NOT NULL CHECK (price > 0));
CREATE TABLE IF NOT EXISTS stock (
    product_id TEXT NOT NULL, sku_id TEXT NOT NULL, stock INTEGER NOT NULL CHECK (stock >= 0),
    PRIMARY KEY (product_id, sku_id)
);
CREATE TABLE IF NOT EXISTS accounts (
    tenant TEXT NOT NULL, user TEXT NOT NULL, address TEXT, recipient TEXT, phone TEXT, deleted_at TEXT,
    PRIMARY KEY (tenant, user)
);
CREATE TABLE IF NOT EXISTS carts (
    cart_id TEXT PRIMARY KEY, tenant TEXT NOT NULL, user TEXT NOT NULL, UNIQUE (tenant, user)
);
CREATE TABLE IF NOT EXISTS cart_lines (
    cart_id TEXT NOT NULL REFERENCES carts, product_id TEXT NOT NULL, sku_id TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0), price INTEGER NOT NULL,
    PRIMARY KEY (cart_id, product_id, sku_id)
);
CREATE TABLE IF NOT EXISTS quotes (
    cart_id TEXT NOT NULL REFERENCES carts, product_id TEXT NOT NULL, sku_id TEXT NOT NULL, price INTEGER NOT NULL,
    PRIMARY KEY (cart_id, product_id, sku_id)
);
CREATE TABLE IF NOT EXISTS orders (
    number INTEGER PRIMARY KEY AUTOINCREMENT, order_id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL, user TEXT NOT NULL, status TEXT NOT NULL, total INTEGER NOT NULL,
    address TEXT NOT NULL, recipient TEXT, phone TEXT, at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS orders_of_user ON orders (tenant, user);
CREATE TABLE IF NOT EXISTS order_lines (
    order_id TEXT NOT NULL REFERENCES orders (order_id), product_id TEXT NOT NULL, sku_id TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0), price INTEGER NOT NULL,
    PRIMARY KEY (order_id, product_id, sku_id)
);
CREATE TABLE IF NOT EXISTS effects (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, tenant TEXT NOT NULL, user TEXT NOT NULL,
    call TEXT NOT NULL, idempotency_key TEXT, operation TEXT NOT NULL, body TEXT NOT NULL,
    result_status INTEGER NOT NULL, fingerprint TEXT NOT NULL, answer TEXT NOT NULL,
    UNIQUE (tenant, user, idempotency_key)
);
"""


class Database:
    """Opens a connection per transaction, so that any thread may ask at any time."""

    def __init__(self, path: Path, catalogue: Catalogue) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        # This one stays open: SQLite folds the write-ahead log away whenever the last connection closes.
        self._anchor = self._connect()
        self._anchor.execute("PRAGMA journal_mode = WAL")
        self._anchor.executescript(f"BEGIN IMMEDIATE; {TABLES} COMMIT;")
        with self.writing() as tx:
            _stock_the_shelves(tx, catalogue)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A consistent view that writes nothing."""
        with closing(self._connect()) as connection:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end, undone by any exception."""
        with closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def close(self) -> None:
        self._anchor.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        return connection


def _stock_the_shelves(tx: sqlite3.Connection, catalogue: Catalogue) -> None:
    """Opening price and stock of products that the file does not know yet; those it knows keep theirs."""
    products = catalogue.products.values()
    tx.executemany("INSERT OR IGNORE INTO prices VALUES (?, ?)", [(p.id, p.price) for p in products])
    tx.executemany(
        "INSERT OR IGNORE INTO stock VALUES (?, ?, ?)",
        [(p.id, sku.sku_id, sku.stock) for p in products for sku in p.skus],
    )
