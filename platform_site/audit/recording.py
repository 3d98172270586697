"""`note`: one line in the tenant's audit log, in the transaction of the change it tells.

What is noted inside `recording` waits until its transaction is about to commit; only then is the tenant's head locked,
once for all notes, and they are numbered, linked and stored (three statements). So conversations of one tenant wait for
each other no longer than that. Outside of `recording` a note is stored at once, and the lock held until the commit.

A note lives among its transaction's `on_commit` callbacks until it is stored: a savepoint that is rolled back takes its
notes with it, as it takes its changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

import structlog
from django.db import connection, models, transaction
from django.utils import timezone

from platform_site import logs
from platform_site.audit import chain
from platform_site.audit.origin import Origin, origin
from platform_site.audit.rows import current_key, stored_key, values_of
from platform_site.audit.words import VERBS
from platform_site.models import AuditEntry, AuditHead, Membership, User
from platform_site.tenancy import acting_for, current_tenant_id

log = structlog.get_logger(__name__)
LONGEST = 1_000
"""Characters of a text among the details."""
_later: ContextVar[bool] = ContextVar("audit_later", default=False)


class NoTransaction(RuntimeError):
    """A note was made outside of the transaction of the change it tells."""


@dataclass(eq=False)
class Note:
    """An entry that waits to be numbered. Called by Django after the commit, when nothing is left to do."""

    tenant: str
    verb: str
    about: dict[str, Any]
    origin: Origin = field(default_factory=origin)
    time: datetime = field(default_factory=timezone.now)
    stored: bool = False

    def __call__(self) -> None:
        """An `on_commit` callback by form alone."""


@contextmanager
def recording() -> Iterator[None]:
    """A transaction whose notes are stored at its end. Inside another one, that one stores them."""
    with transaction.atomic():
        if _later.get():
            yield
            return
        token = _later.set(True)
        try:
            yield
        finally:
            _later.reset(token)
        _store_waiting()


def note(
    verb: str, thing: models.Model | None = None, *, by: User | None, behalf: User | None = None,
    before: str = "", after: str = "", **details: Any,
) -> None:  # fmt: skip
    """Note that `by` (None: the operator, or the system itself) did this to `thing`, on behalf of somebody.

    `before` and `after` are fingerprints (`audit.digest`). `details` are small, are seen by the tenant's admins, and
    never hold a secret, nor its fingerprint.
    """
    if not connection.in_atomic_block:
        raise NoTransaction(verb)
    if verb not in VERBS:
        raise ValueError(f"{verb} is not among audit.words.VERBS")
    about = {
        **_person("actor", by), **_person("behalf", behalf), **_thing(thing), "before": before, "after": after,
        "details": _details(details),
    }  # fmt: skip
    transaction.on_commit(Note(current_tenant_id(), verb, about))
    if not _later.get():
        _store_waiting()


def note_of_person(person: User, verb: str, *, by: User | None, **details: Any) -> None:
    """Note what concerns a person's account, in every tenant they take part in."""
    memberships = Membership.objects.across_tenants().filter(user=person, is_active=True)
    for tenant in memberships.order_by("tenant_id").values_list("tenant_id", flat=True):
        with acting_for(tenant):
            note(verb, person, by=by, **details)


def _person(column: str, person: User | None) -> dict[str, str]:
    return {column: person.pk, f"{column}_name": _plain(person.email, 254)} if person else {}


def _thing(thing: models.Model | None) -> dict[str, str]:
    if thing is None:
        return {}
    kind, name = str(thing._meta.model_name), _plain(str(thing), 200)
    return {"object_kind": kind, "object_id": str(thing.pk), "object_name": name}


def _details(details: dict[str, Any]) -> str:
    """As canonical JSON, with what looks like a secret masked: a second net below the callers' care."""
    said = {name: value for name, value in details.items() if value not in (None, "")}
    short = {name: value[:LONGEST] if isinstance(value, str) else value for name, value in said.items()}
    return _plain(chain.canonical(logs.hide_secrets(None, "", short)))


def _plain(text: str, longest: int | None = None) -> str:
    """What every database stores as it is."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()[:longest]


def _store_waiting() -> None:
    """Store the notes of this transaction that were not rolled back. Tenants in one order, so that nobody deadlocks."""
    callbacks = (entry[1] for entry in connection.run_on_commit)
    waiting = [one for one in callbacks if isinstance(one, Note) and not one.stored]
    for tenant, notes in groupby(sorted(waiting, key=attrgetter("tenant")), attrgetter("tenant")):
        with acting_for(tenant):
            _append(tenant, list(notes))


def _append(tenant: str, notes: list[Note]) -> None:
    row = _locked_head(tenant)
    key_id, key = current_key()
    entries = list(_linked(key_id, key, row, notes))
    AuditEntry.objects.bulk_create(entries)
    head = chain.Head(entries[-1].number, entries[-1].hash, key_id, "")
    # A head that somebody changed stays wrong: a right one after it would hide what they did.
    mac = chain.head_mac(key, tenant, head) if _is_intact(row) else ""
    AuditHead.objects.filter(pk=row.pk).update(count=head.length, hash=head.hash, key=key_id, mac=mac)
    for noted in notes:
        noted.stored = True


def _linked(key_id: str, key: bytes, head: AuditHead, notes: Iterable[Note]) -> Iterator[AuditEntry]:
    previous = head.hash
    for number, noted in enumerate(notes, head.count + 1):
        entry = AuditEntry(
            number=number, time=noted.time, verb=noted.verb, way=noted.origin.way, ip=_plain(noted.origin.ip, 45),
            request=noted.origin.request[:64], key=key_id, **noted.about,
        )  # fmt: skip
        entry.hash = previous = chain.link(key, previous, values_of(entry))
        yield entry


def _is_intact(row: AuditHead) -> bool:
    head = chain.Head(row.count, row.hash, row.key, row.mac)
    intact = chain.is_intact(head, str(row.tenant_id), stored_key)
    if not intact:
        log.critical("the audit head is not what was written there: run manage.py audit verify")
    return intact


def _locked_head(tenant: str) -> AuditHead:
    """The tenant's head, alone from here to the commit. The first entry makes it."""
    locked = AuditHead.objects.select_for_update()
    return locked.first() or locked.get_or_create(defaults=_first_head(tenant))[0]


def _first_head(tenant: str) -> dict[str, Any]:
    """Of nothing; or, where a head was taken away, one that stays wrong and goes on after the last entry there is."""
    last = AuditEntry.objects.order_by("-number").values("number", "hash").first()
    if last:
        return {"count": last["number"], "hash": last["hash"]}
    key_id, key = current_key()
    mac = chain.head_mac(key, tenant, chain.Head(0, "", key_id, ""))
    return {"key": key_id, "mac": mac}
