"""Models that are used up, or down, are left alone for a while, by every process: a line in the shared cache.

The wait is what the caller says, else a minute that doubles each time up to an hour. A cache that cannot be reached
costs a request to a model that is used up, never a reply.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterable, Mapping
from typing import TypedDict

from django.core.cache import cache

from agents.spec import ModelSpec
from platform_site.scope import acting_tenant

log = logging.getLogger(__name__)
FIRST_S = 60.0
LONGEST_S = 3_600.0
REMEMBERED_S = 900.0
"""So long after it ended, a cool-down still counts: the next one is longer."""


class Line(TypedDict):
    """What the cache keeps: seconds since 1970, how many cool-downs in a row, and the error's code."""

    until: float
    times: int
    code: str


def cool(model: ModelSpec, code: str, retry_after: float | None) -> float:
    """Leave the model alone from now on; returns for how many seconds."""
    try:
        before: Line | None = cache.get(_key(model))
        times = before["times"] if before else 0
        wait = retry_after if retry_after else FIRST_S * 2 ** min(times, 10)
        wait = min(LONGEST_S, max(1.0, wait))
        line = Line(until=time.time() + wait, times=times + 1, code=code)
        cache.set(_key(model), line, wait + REMEMBERED_S)
    except Exception:
        log.exception("a used-up model could not be noted")
        return 0.0
    return wait


def cooling(models: Iterable[ModelSpec]) -> dict[str, str]:
    """Which of these are left alone now: the error's code by the model's slug."""
    slugs = {_key(model): model.slug for model in models}
    try:
        lines: Mapping[str, Line] = cache.get_many(slugs)
    except Exception:
        log.exception("whether models are used up could not be read")
        return {}
    now = time.time()
    return {slugs[key]: line["code"] for key, line in lines.items() if line["until"] > now}


def _key(model: ModelSpec) -> str:
    """By tenant, model and credential: another key has a quota of its own."""
    what = f"{model.tenant or acting_tenant.get()} {model.slug} {model.credential}"
    return f"cooling:{hashlib.sha256(what.encode()).hexdigest()}"
