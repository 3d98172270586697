"""A tenant whose questions wait for reviewers, webhooks with secrets we know, and a round of the postman."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from platform_site.db import db
from platform_site.models import Notice, Tenant, User, Webhook
from platform_site.notices import outbox
from platform_site.tenancy import acting_for
from tests.review.queued import Desk, desk
from tests.tools.backend import Backend, Say, backend
from tools import executors
from tools.notices import planning, sending

__all__ = ["Desk", "desk"]


@pytest.fixture(autouse=True)
def _mail_stays_here(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.PUBLIC_URL = "https://sluice.example.org"


@pytest.fixture
def hook(desk: Desk, alice: User) -> Webhook:
    """It hears of everything."""
    return make_hook()


SECRETS: dict[str, str] = {}


def make_hook(name: str = "ops", url: str = "http://127.0.0.1:9/hook", **more: Any) -> Webhook:
    row = Webhook.objects.create(name=name, url=url, **{"kinds": list(planning.KINDS), **more})
    SECRETS[row.pk] = outbox.renew_secret(row, by=None)
    return row


def later(**time: float) -> datetime:
    return timezone.now() + timedelta(**time)


def plan(**time: float) -> list[Notice]:
    """What is planned so much later; every notice there then is."""
    planning.plan(later(**time))
    return list(Notice.objects.order_by("pk"))


def take(now: datetime) -> list[outbox.Parcel]:
    claimed = (outbox.claim(notice, now, planning.is_wanted) for notice in outbox.due(now))
    return [parcel for parcel in claimed if parcel]


def deliver(**time: float) -> list[outbox.Outcome]:
    """Plan, claim and send everything that is due then."""
    now = later(**time)
    planning.plan(now)
    parcels = take(now)

    async def all_of_them() -> list[outbox.Outcome]:
        try:
            return [await sending.send(parcel) for parcel in parcels]
        finally:
            await executors.close()

    outcomes = asyncio.run(all_of_them())
    for parcel, outcome in zip(parcels, outcomes, strict=True):
        outbox.settle(parcel, outcome, now)
    return outcomes


def mailed() -> list[str]:
    """To whom, in the order of their addresses."""
    return sorted(address for one in mail.outbox for address in one.to)


def received(hook: Webhook, *script: Say, act: Callable[[], Any]) -> Backend:
    """What a receiver that answers like this gets while `act` is done; the operator has listed it."""

    async def scenario() -> Backend:
        async with backend(*script) as served:
            await db(_point, hook, served.port)
            await db(_inside(hook, act))
            return served

    return asyncio.run(scenario())


def _point(hook: Webhook, port: int) -> None:
    tenant = Tenant.objects.get(pk=hook.tenant_id)
    Tenant.objects.filter(pk=tenant.pk).update(egress=[f"127.0.0.1:{port}"])
    with acting_for(tenant):
        Webhook.objects.filter(pk=hook.pk).update(url=f"http://127.0.0.1:{port}/hook?key=canary-in-url")


def _inside(hook: Webhook, act: Callable[[], Any]) -> Callable[[], Any]:
    def acting() -> Any:
        with acting_for(hook.tenant_id or ""):
            return act()

    return acting
