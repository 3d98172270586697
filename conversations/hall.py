"""Everybody who is connected to this process: counted, and asked every few seconds whether they still may be here.

A person who was demoted, deactivated, removed, or changed their password, and a token that was revoked, lose their
open sockets within `LOOK_S` seconds; one query for all of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING

from conversations.feed import the_feeds
from conversations.groups.watching import still_taking_part
from platform_site import access, bell, metrics
from platform_site.db import db

if TYPE_CHECKING:
    from conversations.consumers import Connection

log = logging.getLogger(__name__)
LOOK_S = 3.0
UNAUTHENTICATED = 4401

_here: set[Connection] = set()
_services: dict[str, asyncio.Task[None]] = {}


def open_doors() -> None:
    """Start what every process with sockets or runs needs beside them, once a process."""
    for name, work in (("relay", bell.relay), ("tail", the_feeds.tail), ("watch", watch)):
        task = _services.get(name)
        if task is None or task.done():
            _services[name] = asyncio.create_task(_for_ever(name, work))


async def close_doors() -> None:
    """End what `open_doors` started. Asked more than once: redis-py may swallow a cancellation."""
    tasks = set(_services.values())
    _services.clear()
    while tasks:
        for task in tasks:
            task.cancel()
        _, tasks = await asyncio.wait(tasks, timeout=0.2)


async def _for_ever(name: str, work: Callable[[], Coroutine[None, None, None]]) -> None:
    while True:
        try:
            await work()
            return
        except Exception:
            log.exception("the %s broke; again in a second", name)
            await asyncio.sleep(1)


def enter(connection: Connection) -> None:
    _here.add(connection)
    metrics.SOCKETS.set(len(_here))


def leave(connection: Connection) -> None:
    _here.discard(connection)
    metrics.SOCKETS.set(len(_here))


async def watch() -> None:
    """For ever: let go of whoever may not be here any more, and note changed roles."""
    while True:
        await asyncio.sleep(LOOK_S)
        await _look()


async def _look() -> None:
    everybody = list(_here)
    if not everybody:
        return
    standing = await db(access.still_here, [connection.actor for connection in everybody])
    for connection, actor in zip(everybody, standing, strict=True):
        if actor is None:
            await connection.close(UNAUTHENTICATED)
        else:
            connection.actor = actor
    await _end_lost_places(everybody)


async def _end_lost_places(connections: list[Connection]) -> None:
    """Nobody goes on following a conversation they were removed from, or that was deleted."""
    places = [(one, (one.actor.user.pk, topic)) for one in connections for topic in one.outlet.following]
    if not places:
        return
    kept = await db(still_taking_part, [place for _, place in places])
    for connection, place in places:
        if place not in kept and place[1] in connection.outlet.following:
            connection.end_following(place[1], "removed")
