"""The runner: finds queued runs, claims them, keeps a bounded number moving, and looks after the clock.

It pulls; nobody pushes. A claimed run carries a lease that a heartbeat extends; a run whose lease ran out is taken
over by whoever sees it first. One runner a process; any number of processes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from agents.providers import clients
from agents.trouble import WORDS
from conversations import chores, ending, engine, hall, jobs, spending, steps, titles, watch
from conversations.engine import Moving
from conversations.models import Run, RunStatus
from conversations.reminders.ticker import Ticker
from conversations.uploads_sweep import Sweep
from conversations.whisperer import say_again
from platform_site import bell
from platform_site.audit.origin import coming_from
from platform_site.db import db
from platform_site.env import env
from platform_site.ids import new_id
from platform_site.logs import bound
from platform_site.tenancy import acting_for
from tools import executors, gate
from tools.jobs import sweeping
from tools.notices.postman import Postman

log = logging.getLogger(__name__)
LOOK_S = 1.0
SELDOM_S = 15.0
"""How often each chore is looked at whatever a look around says."""
HEARTBEAT_S = 3.0
Work = Callable[[], Awaitable[None]]


class Runner:
    """Moves runs in this process. `exclusive`: no other process runs on this database, so old leases are void."""

    def __init__(self, *, exclusive: bool = False) -> None:
        self.name = new_id()
        self.exclusive = exclusive
        self.postman = Postman()
        self.moving: dict[str, Moving] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._besides: set[asyncio.Task[None]] = set()
        self._claiming: set[str] = set()
        self._look, self._tend, self._post = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._behind = False  # a run could not begin when it was heard of
        self._draining = False
        self._sweep = Sweep()
        self._ticker = Ticker()

    async def serve(self) -> None:
        """Run until cancelled."""
        if self.exclusive:
            await db(void_leases)
        bell.the_bell.listen("runs", self._hear)
        hall.open_doors()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._every(LOOK_S, self._look_around))
                group.create_task(self._every(HEARTBEAT_S, self._heartbeat))
                group.create_task(self._every(SELDOM_S, self._look_for_runs, self._look))
                group.create_task(self._every(SELDOM_S, self._tick, self._tend))
                group.create_task(self._every(SELDOM_S, self._ticker.look, self._ticker.sooner))
                group.create_task(self._every(SELDOM_S, self.postman.look, self._post))
        finally:
            bell.the_bell.forget("runs", self._hear)
            await executors.close()
            await clients.close()

    async def drain(self, grace_s: float) -> None:
        """Stop claiming; give what moves `grace_s` seconds to end, then leave the rest to another runner."""
        self._draining = True
        for task in self._besides:
            task.cancel()
        await asyncio.gather(self.postman.rest(grace_s), self._rest(grace_s))
        for moving in self.moving.values():
            moving.stop("shutdown")
        await self._rest(grace_s)

    async def _rest(self, grace_s: float) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=grace_s)

    def _hear(self, what: bell.Heard) -> None:
        """A run was queued or should stop; or somebody wants to hear a message from its beginning."""
        if not isinstance(what, bell.Notice):
            return
        if what.kind == "recap":
            say_again(what.data["topic"])
        elif what.kind == "run":
            run = what.data["run"]
            if run in self.moving:
                self._spawn(self._stop_if_asked(run))
            elif run and self._has_room():
                self._begin(run, what.data["tenant"])
            else:
                self._behind = True
                self._look.set()

    def _has_room(self) -> bool:
        return not self._draining and len(self._claiming) + len(self.moving) < env.runner_concurrency

    async def _look_around(self) -> None:
        """Wake whoever may have something to do; while there is nothing, this is all that is asked."""
        there = await db(chores.seen, timezone.now())
        wanted = {
            self._look: there.runs,
            self._tend: there.calls or there.jobs,
            self._post: there.calls or there.notices,
            self._ticker.sooner: there.reminders or self._ticker.since or self._ticker.ours,
        }
        for chore, is_there in wanted.items():
            if is_there:
                chore.set()

    async def _look_for_runs(self) -> None:
        room = env.runner_concurrency - len(self.moving) - len(self._claiming)
        if self._draining or room <= 0:
            return
        for run, tenant in await db(waiting_runs, room):
            self._begin(run, tenant)

    def _begin(self, run: str, tenant: str) -> None:
        if run not in self.moving and run not in self._claiming:
            self._claiming.add(run)
            self._spawn(self._move(run, tenant))

    async def _move(self, run: str, tenant: str) -> None:
        """Claim one run and see it through."""
        with acting_for(tenant), coming_from("system"), bound(run=run):
            try:
                turn = await db(steps.claim, run, self.name)
            except DatabaseError:
                raise
            except Exception:
                log.exception("a run could not be begun")
                return await db(ending.give_up, run)
            finally:
                self._claiming.discard(run)
            if turn is None:
                self._behind = True
                return
            self.moving[run] = moving = Moving(turn)
            try:
                await engine.advance(moving)
            except Exception:
                log.exception("a run broke")
                await _fail(moving)
            finally:
                del self.moving[run]
                self._look_again()
            if not self._draining:
                self._beside(titles.make(turn))

    def _look_again(self) -> None:
        """A place is free, or a conversation: at once if a run was put off for it, else at the next look."""
        if self._behind:
            self._behind = False
            self._look.set()

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        """What is done after a run, that nobody waits for and that is dropped when the process ends."""
        task = asyncio.create_task(work)
        self._besides.add(task)
        task.add_done_callback(self._besides.discard)

    async def _stop_if_asked(self, run: str) -> None:
        if await db(stops_wanted, [run]) and run in self.moving:
            self.moving[run].stop("person")

    async def _heartbeat(self) -> None:
        if not self.moving:
            return
        kept = await db(keep_leases, self.name, list(self.moving))
        for run, moving in list(self.moving.items()):
            if run not in kept:
                moving.stop("lost")
            elif kept[run]:
                moving.stop("person")

    async def _tick(self) -> None:
        await db(gate.expire, timezone.now())
        await db(watch.look_after, timezone.now())
        await db(sweeping.look_after, timezone.now())
        await db(jobs.tell_outcomes)
        await db(self._sweep.look, timezone.now())

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("a run's task broke", exc_info=error)

    async def _every(self, seconds: float, work: Work, sooner: asyncio.Event | None = None) -> None:
        """Do `work` every `seconds`, or sooner when the event is set; a failure is logged and tried again."""
        while True:
            try:
                await work()
            except Exception:
                log.exception("the runner could not look after its runs")
            try:
                async with asyncio.timeout(seconds):
                    await (sooner or asyncio.Event()).wait()
            except TimeoutError:
                pass
            if sooner:
                sooner.clear()


async def _fail(moving: Moving) -> None:
    """End a run that broke. Where even its reply cannot be stored it ends without: taken up again it would break again,
    and ask the model each time. A database that is away is waited for by whoever takes the run over."""
    try:
        await db(ending.fail, moving.turn, "internal", WORDS["internal"], moving.reply)
    except (OperationalError, InterfaceError, ending.LostRun):
        raise
    except Exception:
        log.exception("the reply of a run that broke could not be stored")
        await db(ending.give_up, moving.turn.run.pk)


def waiting_runs(room: int) -> list[tuple[str, str]]:
    """(run, tenant) of runs to claim, oldest first: queued where nothing moves, or left by a dead runner.

    Those that a limit keeps waiting are passed over, so that they take nobody's place.
    """
    passed, known = Q(), set[str]()
    while True:
        found = _waiting(room, passed)
        new = {tenant for _run, tenant in found} - known
        full = spending.without_place(new)
        if not full:
            return found
        passed, known = passed | full, known | new


def _waiting(room: int, passed: Q) -> list[tuple[str, str]]:
    runs = Run.objects.across_tenants()
    earlier = Q(status=RunStatus.RUNNING) | Q(status=RunStatus.QUEUED, created_at__lt=OuterRef("created_at"))
    queued = Q(status=RunStatus.QUEUED) & ~Q(
        Exists(runs.filter(earlier, conversation=OuterRef("conversation")))
    )
    orphaned = Q(status=RunStatus.RUNNING, lease_until__lt=timezone.now())
    if passed:
        queued &= ~passed
    found = runs.filter(queued | orphaned).order_by("created_at", "pk")[:room]
    return list(found.values_list("pk", "tenant_id"))


def void_leases() -> None:
    """No other process moves runs here: what stands at running was left by one that died."""
    past = timezone.now() - timedelta(seconds=1)
    Run.objects.across_tenants().filter(status=RunStatus.RUNNING).update(lease_until=past)


def keep_leases(runner: str, runs: list[str]) -> dict[str, bool]:
    """Extend this runner's leases of these runs; for each that is still its own: whether it should stop."""
    mine = Run.objects.across_tenants().filter(pk__in=runs, runner=runner, status=RunStatus.RUNNING)
    mine.update(lease_until=timezone.now() + steps.LEASE)
    return dict(mine.values_list("pk", "stop_requested"))


def stops_wanted(runs: list[str]) -> list[str]:
    wanted = Run.objects.across_tenants().filter(pk__in=runs, stop_requested=True)
    return list(wanted.values_list("pk", flat=True))
