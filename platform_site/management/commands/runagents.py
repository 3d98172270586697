"""`manage.py runagents`: only the runner. For scale-out, beside any number of web processes."""

from __future__ import annotations

import asyncio
import signal
from contextlib import nullcontext
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from conversations.runner import Runner
from platform_site.setup.leases import has_database_alone
from platform_site.setup.only import CannotStart, only_one

GRACE_S = 3.0


class Command(BaseCommand):
    help = "Moves agents' runs until SIGINT or SIGTERM. Needs a database that several processes share (PostgreSQL)."

    def handle(self, *args: Any, **options: Any) -> None:
        # There `up` takes every lease at its start, so a second runner must not be there.
        alone = only_one(settings.DATA_DIR, "runagents") if has_database_alone() else nullcontext()
        try:
            with alone:
                asyncio.run(run_until_told())
        except CannotStart as error:
            raise CommandError(str(error)) from None


async def run_until_told() -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    runner = Runner(exclusive=has_database_alone())
    serving = asyncio.create_task(runner.serve())
    waiting = asyncio.create_task(told.wait())
    await asyncio.wait((serving, waiting), return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        waiting.cancel()
        await serving
        return
    await runner.drain(GRACE_S)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
