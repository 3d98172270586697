"""Carrying out a write at most once per idempotency key.

In one transaction: look whether the key was used; if so give its stored answer; if not run the operation and
store its answer with a row of the effects log. A refusal by the operation (out of stock, price changed) is an
answer too and is stored, so that a repeated call cannot turn into an order at a price nobody saw. Only a
request that was not understood (`bad_request`) leaves no trace.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .accounts import check_not_deleted
from .database import Database
from .errors import Refusal
from .identity import Acting


@dataclass(frozen=True)
class Answer:
    """A status and the JSON that goes with it."""

    status: int
    body: dict[str, Any]


@dataclass(frozen=True)
class Effect:
    """A write that somebody asks for."""

    acting: Acting
    key: str | None
    operation: str
    path: str
    """Method and path: a key is for one of them only."""
    body: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        canonical = json.dumps([self.path, self.body], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()


@dataclass(frozen=True)
class Outcome:
    status: int
    text: str
    replayed: bool


Operation = Callable[[sqlite3.Connection], Answer]


def perform(database: Database, effect: Effect, operation: Operation) -> Outcome:
    """Run the operation once, or give the answer it had the first time."""
    with database.writing() as tx:
        before = _stored(tx, effect)
        if before is not None:
            return before
        answer = _run(tx, effect, operation)
        text = json.dumps(answer.body, ensure_ascii=False)
        _store(tx, effect, answer.status, text)
        return Outcome(answer.status, text, replayed=False)


def _stored(tx: sqlite3.Connection, effect: Effect) -> Outcome | None:
    if effect.key is None:
        return None
    row = tx.execute(
        "SELECT result_status, answer, fingerprint FROM effects"
        " WHERE tenant = ? AND user = ? AND idempotency_key = ?",
        (effect.acting.tenant, effect.acting.user, effect.key),
    ).fetchone()
    if row is None:
        return None
    if row["fingerprint"] != effect.fingerprint:
        raise Refusal(
            422,
            "idempotency_conflict",
            "This Idempotency-Key was used for another request. Use a new key for a new request.",
        )
    return Outcome(row["result_status"], row["answer"], replayed=True)


def _run(tx: sqlite3.Connection, effect: Effect, operation: Operation) -> Answer:
    tx.execute("SAVEPOINT operation")
    try:
        check_not_deleted(tx, effect.acting)
        return operation(tx)
    except Refusal as refusal:
        if refusal.code == "bad_request":
            raise
        tx.execute("ROLLBACK TO operation")
        return Answer(refusal.status, refusal.body())


def _store(tx: sqlite3.Connection, effect: Effect, status: int, answer: str) -> None:
    tx.execute(
        "INSERT INTO effects (at, tenant, user, call, idempotency_key, operation, body, result_status,"
        " fingerprint, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            datetime.now(UTC).isoformat(),
            effect.acting.tenant,
            effect.acting.user,
            effect.acting.call,
            effect.key,
            effect.operation,
            json.dumps(effect.body, ensure_ascii=False),
            status,
            effect.fingerprint,
            answer,
        ),
    )


def after(tx: sqlite3.Connection, number: int, limit: int = 5_000) -> list[dict[str, Any]]:
    """The log's rows behind `number`, oldest first."""
    rows = tx.execute(
        "SELECT id, at, tenant, user, call, idempotency_key, operation, body, result_status"
        " FROM effects WHERE id > ? ORDER BY id LIMIT ?",
        (number, limit),
    )
    return [dict(row) | {"body": json.loads(row["body"])} for row in rows]
