"""`/healthz`: this process runs. `/readyz`: what it needs answers too, within `PATIENCE_S` seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from weakref import WeakKeyDictionary

import structlog
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from django_q.conf import Conf
from django_q.status import Stat

from platform_site.db import db

log = structlog.get_logger(__name__)
PATIENCE_S = 2.0
RUNNING = (Conf.STARTING, Conf.WORKING, Conf.IDLE)
_ears: WeakKeyDictionary[asyncio.AbstractEventLoop, str] = WeakKeyDictionary()
"""One channel for each loop: a Redis layer never lets go of one it made."""


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Asks no database."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
async def readyz(request: HttpRequest) -> JsonResponse:
    """200 when everything answers, else 503; which does not, by name. Details are for the log."""
    names = list(PARTS)
    answers = await asyncio.gather(*(_ask(name, PARTS[name]) for name in names))
    ready = all(answers)
    body = {
        "ready": ready,
        **{name: "ok" if fine else "failed" for name, fine in zip(names, answers, strict=True)},
    }
    return JsonResponse(body, status=200 if ready else 503, headers={"Cache-Control": "no-store"})


async def _ask(name: str, question: Callable[[], Awaitable[None]]) -> bool:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await question()
    except Exception as error:  # noqa: BLE001  # whatever it is, the answer is "failed"
        log.warning("not ready", part=name, error=repr(error))
        return False
    return True


async def _database() -> None:
    await db(_select_one)


def _select_one() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


async def _layer() -> None:
    """A message to ourselves comes back."""
    layer = get_channel_layer()
    loop = asyncio.get_running_loop()
    if loop not in _ears:
        _ears[loop] = await layer.new_channel("ready")
    try:
        await layer.send(_ears[loop], {"type": "ready"})
        await layer.receive(_ears[loop])
    except BaseException:  # a time-out too: the layer has forgotten a channel whose receiver was cancelled
        _ears.pop(loop, None)
        raise


async def _queue() -> None:
    await db(_check_heartbeat)


def _check_heartbeat() -> None:
    """A cluster writes how it is into the cache every half second; it is kept there for three."""
    if not any(cluster.status in RUNNING for cluster in Stat.get_all()):
        raise RuntimeError(f"no queue cluster named {settings.Q_CLUSTER['name']!r} is running")


PARTS: dict[str, Callable[[], Awaitable[None]]] = {"database": _database, "layer": _layer, "queue": _queue}
