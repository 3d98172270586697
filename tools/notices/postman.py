"""The postman: now and then plans what is due; each second claims what waits, and carries a bounded number at once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter

from django.utils import timezone

from platform_site.db import db
from platform_site.notices import outbox
from platform_site.notices.outbox import Outcome, Parcel, WebhookParcel
from tools.notices import planning
from tools.notices.sending import send

log = logging.getLogger(__name__)
PLAN_EVERY_S = 3.0
ROOM = 8
ROOM_EACH = 2
"""Of one webhook: a receiver that hangs shall not hold up all others."""


class Postman:
    """One a process. It shares nothing with others but the rows."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy: Counter[str] = Counter()
        self._planned_at = -PLAN_EVERY_S
        self._is_resting = False

    async def look(self) -> None:
        """One round. Returns as soon as what it took on is on its way."""
        if self._is_resting:
            return
        if time.monotonic() - self._planned_at >= PLAN_EVERY_S:
            self._planned_at = time.monotonic()
            await db(planning.plan, timezone.now())
        room = ROOM - len(self._tasks)
        if room <= 0:
            return
        for parcel in await db(take, room, Counter(self._busy)):
            task = asyncio.create_task(self._carry(parcel))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def rest(self, grace_s: float) -> None:
        """Let what is on its way arrive; what does not is sent again by somebody else, under the same id."""
        self._is_resting = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=grace_s)

    async def _carry(self, parcel: Parcel) -> None:
        target = _target(parcel)
        self._busy[target] += 1
        try:
            await db(_settle, parcel, await send(parcel))
        except Exception:
            # Its lease ends, and it is sent again.
            log.exception("what came of a notice could not be written down")
        finally:
            self._busy[target] -= 1


def take(room: int, busy: Counter[str]) -> list[Parcel]:
    """Claim at most `room` notices, no more than a few for one receiver."""
    now, taken = timezone.now(), list[Parcel]()
    full = [target for target, count in busy.items() if count >= ROOM_EACH]
    for notice in outbox.due(now, full):
        target = notice.webhook_id or ""
        if target and busy[target] >= ROOM_EACH:
            continue
        parcel = outbox.claim(notice, now, planning.is_wanted)
        if parcel:
            taken.append(parcel)
            busy[target] += 1
        if len(taken) >= room:
            break
    return taken


def _target(parcel: Parcel) -> str:
    return parcel.webhook if isinstance(parcel, WebhookParcel) else ""


def _settle(parcel: Parcel, outcome: Outcome) -> bool:
    return outbox.settle(parcel, outcome, timezone.now())
