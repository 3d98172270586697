"""What a queue worker does with one call: begin it, carry it out by the same executors as every other, settle it.

A read is ended where it stands when somebody cancels it. A write is asked to end, and waited for: its outcome must be
recorded, whoever does not want it any more.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext_lazy as _

from platform_site.db import db
from platform_site.ids import new_id
from tools import executors, gate
from tools.executors import Failed, Finished, ToolContext, Unknown
from tools.gate.telling import words_for
from tools.jobs.beginning import Begun, begin
from tools.jobs.progress import Kept
from tools.jobs.pulse import Pulse
from tools.jobs.sweeping import BROKEN
from tools.jobs.telling import writing
from tools.models import Job

log = logging.getLogger(__name__)
LONGEST_PAUSE_S = 5.0


async def carry_out(call_id: str) -> bool:
    """See one call through, acting for its tenant; False when there was nothing to do."""
    begun = await db(begin, call_id, new_id())
    if begun is None:
        return False
    kept = Kept()
    await _record(begun, kept, await _watched(begun, kept))
    return True


async def _watched(begun: Begun, kept: Kept) -> Finished:
    """Carry it out with a pulse beside it."""
    loop, work = asyncio.get_running_loop(), asyncio.create_task(_perform(begun, kept))

    def end() -> None:
        loop.call_soon_threadsafe(_end, begun, work)

    pulse = Pulse(begun, kept, end)
    pulse.start()
    try:
        await asyncio.wait({work})
    finally:
        await asyncio.to_thread(pulse.stop)
    if work.cancelled():
        return Failed("cancelled", _("It was cancelled before it finished. Nothing was changed."))
    return work.result()


def _end(begun: Begun, work: asyncio.Task[Finished]) -> None:
    if begun.spec.read_only:
        work.cancel()


async def _perform(begun: Begun, kept: Kept) -> Finished:
    call = begun.call
    assert call.requester is not None, "a call that was claimed is somebody's"
    with words_for(call.requester):
        try:
            who = ToolContext(call.tenant, call.requester, reporter=kept)
            return await executors.execute(begun.spec, call, who)
        except Exception:
            # A bug of ours or of a handler: what it did before it broke, nobody knows.
            log.exception("a tool broke")
            return Unknown(BROKEN)


async def _record(begun: Begun, kept: Kept, outcome: Finished) -> None:
    """Write down what happened, however long the database is away: a receipt that we hold must not be lost."""
    pause = 0.5
    while True:
        try:
            return await db(_settle, begun, kept, outcome)
        except (OperationalError, InterfaceError):
            log.exception("an outcome could not be written down; again in %g s", pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)


def _settle(begun: Begun, kept: Kept, outcome: Finished) -> None:
    with writing(begun.call) as told:
        mine = Job.objects.filter(pk=begun.call.pk, worker=begun.worker)
        if mine.update(**asdict(kept.now), worker="", lease_until=None):
            gate.settle(told, begun.call, outcome)
        else:
            log.error("the job %s was lost while it worked; it ended as %s", begun.call.pk, outcome.status)
