"""A new sealing key for everything that is sealed: begun, gone on with after an interruption, ended.

`rotate` makes a new key the one that seals, then seals each text anew, a few rows a transaction. Old keys stay until
`forget`, so whoever reads meanwhile can. Where it was interrupted it goes on: while an older key still holds something,
no newer one is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db import transaction
from django.db.models import Model

from platform_site import audit, keyring, secrets
from platform_site.models import Tenant
from platform_site.sealed_fields import FIELDS, SealedField
from platform_site.tenancy import acting_for

ROWS_AT_ONCE = 50
MOST_PASSES = 5
SETTLED_S = 60.0
"""Longer than a transaction in which something was still sealed with the key before."""
State = Literal["current", "older", "plain", "lost"]


class NotYet(Exception):
    """An old key cannot be forgotten now; the message says why."""


@dataclass
class Found:
    """What is sealed: how many texts of each kind and key, and which of them open no more."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    states: Counter[State] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)


def look() -> Found:
    """Open every sealed text once."""
    found = Found()
    for kind, _tenant, row in _rows():
        for key, text in kind.texts(row).items():
            state = _state(kind, row, text)
            found.states[state] += 1
            found.counts[kind.model, secrets.key_id_of(text) if state != "plain" else "not sealed"] += 1
            if state == "lost":
                found.lost.append(" ".join(filter(None, (kind.model, str(row.pk), key))))
    return found


def prepare() -> str:
    """A new key that does not seal yet, to be copied to every machine first; its id."""
    path = secrets.key_file()
    with keyring.alone(path):
        return keyring.add(path)


def begin() -> tuple[str, bool]:
    """Make a new key the one that seals, unless an older one still holds something; its id, and whether it is new."""
    path = secrets.key_file()
    if look().states["older"]:
        return secrets.current_key_id(), False
    key_id = keyring.newest(path)
    if key_id == secrets.current_key_id():
        key_id = keyring.add(path)
    keyring.use(path, key_id)
    return key_id, True


def reseal() -> Counter[str]:
    """Seal with the current key what is not; how many texts of each kind. Repeated until nothing is found."""
    done: Counter[str] = Counter()
    for _pass in range(MOST_PASSES):
        this_time = _reseal_once()
        done += this_time
        if not this_time:
            break
    return done


def forget() -> list[str]:
    """Forget the old keys; their ids. Raises `NotYet` while one of them may still be needed."""
    path = secrets.key_file()
    if look().states["older"]:
        raise NotYet("something is still sealed with an old key: run `manage.py secrets rotate`")
    if (waited := keyring.used_for(path)) < SETTLED_S:
        raise NotYet(f"the new key seals for {waited:.0f} s only: try again in {SETTLED_S - waited:.0f} s")
    return keyring.forget_others(path)


def _reseal_once() -> Counter[str]:
    done: Counter[str] = Counter()
    for kind in FIELDS:
        for tenant in Tenant.objects.order_by("pk") if kind.is_tenants else [None]:
            with acting_for(tenant) if tenant else nullcontext():
                rows = list(kind.rows())
                for start in range(0, len(rows), ROWS_AT_ONCE):
                    some = rows[start : start + ROWS_AT_ONCE]
                    done[kind.model] += _reseal_some(kind, some, tenant)
    return +done


def _reseal_some(kind: SealedField, rows: list[Model], tenant: Tenant | None) -> int:
    """One transaction; how many texts were sealed anew."""
    with audit.recording() if tenant else transaction.atomic():
        count = sum(_reseal_one(kind, row) for row in rows)
        if count and tenant:
            audit.note(
                "secrets.resealed", tenant, by=None, kind=kind.model, count=count,
                sealed_by=secrets.current_key_id(),
            )  # fmt: skip
    return count


def _reseal_one(kind: SealedField, row: Model) -> int:
    """A row that somebody changed meanwhile is left as they saved it; the next pass looks at it."""
    place = kind.place_of(row)
    fresh = {
        key: secrets.seal(_plain(text, place), place)
        for key, text in kind.texts(row).items()
        if _state(kind, row, text) in ("older", "plain")
    }
    if not fresh:
        return 0
    unchanged = kind.table._default_manager.filter(pk=row.pk, **{kind.column: getattr(row, kind.column)})
    return len(fresh) * unchanged.update(**{kind.column: kind.with_texts(row, fresh)})


def _plain(text: str, place: str) -> str:
    return secrets.open_sealed(text, place) if secrets.is_sealed(text) else text


def _state(kind: SealedField, row: Model, text: str) -> State:
    if kind.inside and not secrets.is_sealed(text):
        return "plain"
    try:
        secrets.open_sealed(text, kind.place_of(row))
    except secrets.CannotOpen:
        return "lost"
    return "current" if secrets.key_id_of(text) == secrets.current_key_id() else "older"


def _rows() -> Iterator[tuple[SealedField, Tenant | None, Any]]:
    """All of them. Read as lists: no scope is open while this generator waits."""
    for kind in FIELDS:
        for tenant in Tenant.objects.order_by("slug") if kind.is_tenants else [None]:
            for row in _rows_of(kind, tenant):
                yield kind, tenant, row


def _rows_of(kind: SealedField, tenant: Tenant | None) -> list[Any]:
    if tenant is None:
        return list(kind.rows())
    with acting_for(tenant):
        return list(kind.rows())
