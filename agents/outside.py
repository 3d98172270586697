"""What the router needs of the world beside the providers: time, chance, and what all processes know. Tests bring
their own, so that no test waits."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from agents import alerts, cooling
from agents.providers.base import ProviderError
from agents.spec import ModelSpec
from platform_site.db import db


@dataclass(frozen=True, slots=True)
class Outside:
    """Seconds throughout. `cooling`: the error's code by slug, of models to be left alone; `rest` leaves one alone."""

    sleep: Callable[[float], Awaitable[None]]
    now: Callable[[], float]
    chance: Callable[[], float]
    cooling: Callable[[Sequence[ModelSpec]], Awaitable[dict[str, str]]]
    rest: Callable[[ModelSpec, str, float | None], Awaitable[None]]
    refused: Callable[[ModelSpec, ProviderError], Awaitable[None]]
    answered: Callable[[ModelSpec], Awaitable[None]]


async def _cooling(models: Sequence[ModelSpec]) -> dict[str, str]:
    """An agent with one model asks it whatever was noted, so that nothing has to be looked up."""
    return await db(cooling.cooling, models) if len(models) > 1 else {}


async def _rest(model: ModelSpec, code: str, seconds: float | None) -> None:
    await db(cooling.cool, model, code, seconds)


async def _refused(model: ModelSpec, error: ProviderError) -> None:
    await db(alerts.credential_refused, model, error.detail or str(error.message))


async def _answered(model: ModelSpec) -> None:
    if alerts.is_open(model):
        await db(alerts.answered, model)


THE_WORLD = Outside(
    sleep=asyncio.sleep, now=time.monotonic, chance=random.random, cooling=_cooling, rest=_rest,
    refused=_refused, answered=_answered,
)  # fmt: skip
