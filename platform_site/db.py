"""One hop to the database: async code awaits a whole verb, which runs in one of a few threads.

`await db(verb, …)` copies the context (so the tenant travels) and keeps the thread's connection. No transaction
spans an await; a verb is a plain function with its transaction inside.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import connections

from platform_site.env import env

P = ParamSpec("P")
R = TypeVar("R")

_threads = ThreadPoolExecutor(env.db_threads, thread_name_prefix="db")


async def db(verb: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `verb` in a database thread and wait for it."""
    call: Callable[P, Awaitable[R]] = database_sync_to_async(verb, thread_sensitive=False, executor=_threads)
    return await call(*args, **kwargs)


def close_connections() -> None:
    """Let go of the threads' connections: at the end of a process, or before the database is taken away."""
    all_there = Barrier(env.db_threads)

    def close() -> None:
        all_there.wait(timeout=5)
        connections.close_all()

    wait([_threads.submit(close) for _thread in range(env.db_threads)])
