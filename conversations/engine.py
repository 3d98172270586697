"""The story of a run: ask the model, carry out what it may do, tell it what came of it, until it has answered.

`advance` is the whole of it, read downwards. What writes rows stands in `steps` and `ending`; nothing here holds a
transaction while a model or a tool works. It is never cancelled from outside: `Moving.stop` ends what can be ended
at once (the upstream request, a read) and lets the rest of the step be written down.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext_lazy as _

from agents import router, trouble
from agents.notes import Note, Retrying, Switched
from agents.providers.base import ProviderError
from agents.stream import Reply, TextDelta
from conversations import compaction, ending, model_notes, no_answer, spending, steps
from conversations.models import RunStatus
from conversations.steps import Carried
from conversations.turn import Turn, spec_of
from conversations.whisperer import Whisperer
from platform_site.db import db
from tools import executors
from tools.executors import Failed, Finished, ToolContext, Unknown
from tools.gate.previewing import NoPreview, Preview, Previewing
from tools.models import ToolCall

log = logging.getLogger(__name__)
Stop = Literal["", "person", "shutdown", "lost"]
SIDE_BY_SIDE = 8
"""Calls of one reply carried out at a time."""


@dataclass(slots=True)
class Moving:
    """A run in this process, and the handle to stop it."""

    turn: Turn
    why: Stop = ""
    reply: Reply = field(default_factory=Reply)
    _ending: set[asyncio.Task[Any]] = field(default_factory=set)

    def stop(self, why: Stop) -> None:
        """End what can be ended at once; `advance` then writes down how far it came."""
        self.why = self.why or why
        for task in self._ending:
            task.cancel()

    def stoppable(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start `work` as a task that `stop` cancels."""
        task = asyncio.create_task(work)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        if self.why:
            task.cancel()
        return task

    @property
    def goes_on(self) -> bool:
        return not self.why and self.turn.run.status == RunStatus.RUNNING


async def advance(moving: Moving) -> None:
    """Move a claimed run until it has ended, waits for a person, or was stopped; or until another runner has it."""
    try:
        await _advance(moving)
    except ending.LostRun:
        log.warning("this run was taken over by another runner, or its person is gone")
        await db(ending.release, moving.turn)  # in the second case: whoever takes it up ends it


async def _advance(moving: Moving) -> None:
    turn = moving.turn
    while moving.goes_on:
        if turn.previews:
            await show_beforehand(moving)
        if turn.todo or turn.orphans:
            await carry_out(moving)
        elif not turn.run.reply:
            await db(steps.after_calls, turn)
        if moving.goes_on and turn.run.reply:
            await answer(moving)
        elif moving.goes_on:
            await wait_for_room(moving)
    if turn.run.status != RunStatus.RUNNING:
        if moving.why == "person":
            await db(ending.take_back_questions, turn)
    elif moving.why == "person":
        await db(ending.cancel, turn, moving.reply)
    else:
        await db(ending.release, turn)


async def wait_for_room(moving: Moving) -> None:
    """No more requests fit into this minute: wait for the next one."""
    waiting = moving.stoppable(asyncio.sleep(spending.seconds_to_wait(moving.turn)))
    await asyncio.wait({waiting})


async def answer(moving: Moving) -> None:
    """One reply of the model: streamed to who listens, then stored with the calls it makes."""
    turn = moving.turn
    moving.reply, turn.switched = Reply(), None
    try:
        finished = await compaction.make_room(moving) and await speak(moving)
    except ProviderError as error:
        moving.reply.is_awaited = False
        words = trouble.sentence(error, text_was_seen=bool(moving.reply.text_so_far()))
        await db(ending.fail, turn, no_answer.code_of(error.code), words, moving.reply)
        return
    if not finished:
        return
    if problem := no_answer.what_is_wrong(moving.reply):
        await db(ending.fail, turn, *problem, moving.reply)
    else:
        await db(steps.save_reply, turn, moving.reply, demo=turn.is_demo)
    moving.reply = Reply()


async def speak(moving: Moving) -> bool:
    """Stream the reply; False when it was stopped on the way."""
    listening = moving.stoppable(_listen(moving))
    await asyncio.wait({listening})
    if listening.cancelled():
        return False
    listening.result()
    return True


async def _listen(moving: Moving) -> None:
    turn = moving.turn
    whisperer = Whisperer(turn.topic, turn.run.reply)
    try:
        async with aclosing(router.speak(turn.request(), turn.models)) as stream:
            moving.reply.is_awaited = True
            async for event in stream:
                if isinstance(event, Retrying | Switched):
                    moving.reply = Reply(is_awaited=isinstance(event, Switched))
                    await _tell(turn, event)
                    continue
                moving.reply.add(event)
                if isinstance(event, TextDelta):
                    whisperer.say(event.text)
    finally:
        whisperer.close()


async def _tell(turn: Turn, note: Note) -> None:
    """Write a note down, and hear how that ended even when the run is stopped meanwhile."""
    telling = asyncio.create_task(db(model_notes.tell, turn, note))
    try:
        await asyncio.wait({telling})
    except asyncio.CancelledError:
        await asyncio.wait({telling})
        raise
    telling.result()


async def carry_out(moving: Moving) -> None:
    """Carry out the calls that are cleared to run, side by side; results keep the order of the calls."""
    turn = moving.turn
    shown = await take_previews(moving, steps.to_be_shown_again(turn))
    if not moving.goes_on:
        return
    ready = await db(steps.claim_calls, turn, shown)
    places = asyncio.Semaphore(SIDE_BY_SIDE)
    working = {_start(moving, call, places): call for call in ready}
    pending = set(working)
    while pending:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        carried = [Carried(working[task], _outcome(task)) for task in done]
        if moving.why in ("shutdown", "lost"):
            carried = [one for one in carried if not isinstance(one.outcome, Stopped)]
        await _record(turn, carried, last=not pending and not moving.why)
    if not ready and moving.goes_on:
        await db(steps.after_calls, turn)


async def show_beforehand(moving: Moving) -> None:
    """Find out what calls would do, and put the questions about them to people."""
    taken = await take_previews(moving, moving.turn.previews)
    if moving.goes_on:
        await db(steps.hold_previewed, moving.turn, taken)


async def take_previews(moving: Moving, calls: Sequence[ToolCall]) -> list[Preview | NoPreview]:
    """What these calls would do, as a read-only tool says."""
    if not calls:
        return []
    turn, places = moving.turn, asyncio.Semaphore(SIDE_BY_SIDE)
    begun = await db(steps.begin_previews, turn, calls)
    under_way = [one for one in begun if isinstance(one, Previewing)]
    tasks = [_start(moving, one.claimed.call, places) for one in under_way]
    if tasks:
        await asyncio.wait(tasks)
    carried = [(one, _outcome(task)) for one, task in zip(under_way, tasks, strict=True)]
    failed = [one for one in begun if isinstance(one, NoPreview)]
    return failed + await db(steps.finish_previews, carried)


async def _record(turn: Turn, carried: Sequence[Carried], *, last: bool) -> None:
    """Write down what happened, however long the database is away: a receipt that we hold must not be lost."""
    pause = 0.5
    while True:
        try:
            return await db(steps.settle, turn, carried, last=last)
        except (OperationalError, InterfaceError):
            log.exception("an outcome could not be written down; again in %g s", pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, 5.0)


class Stopped(Failed):
    """A read that was ended because the run was stopped."""


def _start(moving: Moving, call: ToolCall, places: asyncio.Semaphore) -> asyncio.Task[Finished]:
    spec = spec_of(call)
    work = _perform(moving, call, places)
    # A write that has been sent is waited for: its outcome must be recorded, whoever wants to stop.
    return moving.stoppable(work) if spec.read_only else asyncio.create_task(work)


async def _perform(moving: Moving, call: ToolCall, places: asyncio.Semaphore) -> Finished:
    turn = moving.turn
    async with places:
        if moving.why:
            return Failed("stopped", _("The turn was stopped before this was sent. Nothing was done."))
        try:
            who = ToolContext(turn.tenant, call.requester or turn.requester)
            return await executors.execute(spec_of(call), call, who)
        except Exception:
            # A bug of ours or of a handler: what it did before it broke, nobody knows.
            log.exception("a tool broke")
            return Unknown(_("Something broke on our side while this was being carried out."))


def _outcome(task: asyncio.Task[Finished]) -> Finished:
    if task.cancelled():
        return Stopped("stopped", _("The person stopped this before it finished."))
    return task.result()
