"""Every address, by every method, as everybody: who may, can; who may not, reads nothing and writes nothing.

Generated from the URL resolver; what is expected stands in `http_table`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client, override_settings

from tests.walk.http_table import ROWS, Row, routes
from tests.walk.world import ABSENT, ROLES, World, make_world

pytestmark = [pytest.mark.django_db, pytest.mark.same_everywhere]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
WRITES = re.compile(r"^\s*(INSERT|UPDATE|DELETE)\b")
HOUSEKEEPING = re.compile(r'"(django_session|cache|platform_site_apitoken)"')
"""Tables that keep who is here, not what belongs to a tenant: sessions, counters of tries, when a token was used."""
AUDIT = re.compile(r'"platform_site_audit(entry|head)"')
BY_CHANCE = re.compile(rb'nonce="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"')
REFUSED = (401, 403, 404, 405)


@dataclass
class Answer:
    status: int
    where: str
    body: bytes
    wrote: list[str]

    @property
    def is_sign_in(self) -> bool:
        return self.status == 302 and self.where.startswith("/accounts/login/")


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Made once for all: every request is undone."""
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with django_db_blocker.unblock(), override_settings(PASSWORD_HASHERS=hashers), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def clients(world: World) -> dict[str, Client]:
    clients = {role: Client(raise_request_exception=False) for role in ROLES}
    for role, user in world.people.items():
        if user:
            clients[role].force_login(user)
    return clients


def ask(client: Client, method: str, row: Row, ids: dict[str, str]) -> Answer:
    """One request, undone afterwards."""
    url, body, kind = row.url.format(**ids), row.sends.get(method, {}), "application/json"
    sent: Any = {name: _filled(value, ids) for name, value in body.items()}
    if not url.startswith("/api/"):
        kind = "application/x-www-form-urlencoded"
    with transaction.atomic(), _noting_writes() as wrote:
        cookies = deepcopy(client.cookies)
        answer = _send(client, method, url, sent, kind)
        client.cookies = cookies
        transaction.set_rollback(True)
    if row.noted:
        wrote = [sql for sql in wrote if not AUDIT.search(sql)]
    return Answer(answer.status_code, answer.get("Location", ""), _content(answer), wrote)


def _send(client: Client, method: str, url: str, sent: Any, kind: str) -> Any:
    if any(isinstance(value, bytes) for value in sent.values()):
        files = {name: SimpleUploadedFile("a.png", value) for name, value in sent.items()}
        return client.post(url, files)
    if kind == "application/json":
        return getattr(client, method.lower())(url, sent if method != "GET" else None, content_type=kind)
    return client.generic(method, url, urlencode(sent).encode(), kind)


def _filled(value: Any, ids: dict[str, str]) -> Any:
    return value.format(**ids) if isinstance(value, str) and "{" in value else value


def _content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@contextmanager
def _noting_writes() -> Iterator[list[str]]:
    wrote: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if WRITES.match(sql) and not HOUSEKEEPING.search(sql):
            wrote.append(sql[:120])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield wrote


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    """A new address is not served before somebody has said here who may use it."""
    assert routes().keys() == ROWS.keys()


@pytest.mark.parametrize("pattern", sorted(ROWS))
def test_everybody_gets_what_the_table_says(world: World, clients: dict[str, Client], pattern: str) -> None:
    """T32, T33, T65: the named methods, role by role; who is refused, and whoever only reads, writes nothing."""
    row = ROWS[pattern]
    for method, who in row.methods.items():
        got = {role: ask(clients[role], method, row, world.ids) for role in ROLES}
        assert {role: answer.status for role, answer in got.items()} == who, f"{method} {row.url}"
        for role, answer in got.items():
            if method == "GET" or answer.status in REFUSED or answer.is_sign_in:
                assert answer.wrote == [], f"{method} {row.url} as {role}"


@pytest.mark.parametrize("pattern", sorted(ROWS))
def test_no_other_method_does_anything(world: World, clients: dict[str, Client], pattern: str) -> None:
    """T32: a method the table does not name is refused, or, where Django answers any, writes nothing."""
    row = ROWS[pattern]
    for method in set(METHODS) - row.methods.keys():
        for role in ("anonymous", "admin") if row.loose else ("anonymous", "removed", "member", "admin"):
            answer = ask(clients[role], method, row, world.ids)
            assert answer.wrote == [], f"{method} {row.url} as {role}"
            assert answer.status < 500, f"{method} {row.url} as {role}"
            assert row.loose or answer.status in REFUSED or answer.is_sign_in, f"{method} {row.url} as {role}"


def test_somebody_can() -> None:
    """Every "cannot" stands beside a "can": a method that refuses everybody shows nothing, unless it says why."""
    for pattern, row in ROWS.items():
        for method, who in row.methods.items():
            assert row.closed or any(
                status < 400 and (status != 302 or role != "anonymous") for role, status in who.items()
            ), f"{method} {pattern}"


@pytest.mark.parametrize("pattern", sorted(p for p in ROWS if "{slug}" in ROWS[p].url))
def test_a_tenant_one_is_not_in_looks_like_none(
    world: World, clients: dict[str, Client], pattern: str
) -> None:
    """T32, T35: to a stranger, and to who was a member once, the tenant answers like a name that is free."""
    row = ROWS[pattern]
    for method in row.methods:
        for role in ("stranger", "removed"):
            there = ask(clients[role], method, row, world.ids)
            nowhere = ask(clients[role], method, row, world.ids | {"slug": "nowhere"})
            assert _alike(there, nowhere, "acme", "nowhere"), f"{method} {row.url} as {role}"


THINGS = re.compile(r"\{(?!slug\b)(\w+)\}")


@pytest.mark.parametrize("pattern", sorted(p for p in ROWS if THINGS.search(ROWS[p].url)))
def test_another_tenants_thing_looks_like_none(
    world: World, clients: dict[str, Client], pattern: str
) -> None:
    """T32: under our own tenant's address, a real id of another tenant is answered like one that never was."""
    row = ROWS[pattern]
    (name,) = THINGS.findall(row.url)
    for method in row.methods:
        for role in ("member", "admin"):
            foreign = ask(clients[role], method, row, world.ids | {name: world.foreign[name]})
            absent = ask(clients[role], method, row, world.ids | {name: ABSENT})
            assert foreign.wrote == []
            assert _alike(foreign, absent, world.foreign[name], ABSENT), f"{method} {row.url} as {role}"


def _alike(one: Answer, other: Answer, *names: str) -> bool:
    """The same answer, but for the names that were asked for and what is made by chance."""

    def plain(answer: Answer) -> tuple[int, str, bytes]:
        where, body = answer.where, BY_CHANCE.sub(b"", answer.body)
        for name in names:
            where, body = where.replace(name, "*"), body.replace(name.encode(), b"*")
        return answer.status, where, body

    return plain(one) == plain(other)
