"""T36: the tenant travels with the work and never stays behind in a thread, a task or a worker that serves another."""

from __future__ import annotations

import asyncio
import random
import threading

import pytest
from asgiref.sync import async_to_sync, sync_to_async

from platform_site.db import db
from platform_site.models import Credential, Tenant
from platform_site.scope import acting_tenant
from platform_site.tenancy import NoTenant, acting_for, current_tenant_id
from tests.platform_site.test_ledger import side_by_side

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tenants() -> list[Tenant]:
    made = [Tenant.objects.create(slug=f"t{n}", name=f"T{n}") for n in range(4)]
    for tenant in made:
        with acting_for(tenant):
            Credential.objects.create(slug=tenant.slug, provider="http")
    return made


def whose() -> str:
    return Credential.objects.get().slug


def test_two_hundred_interleaved_tasks_each_keep_their_tenant(tenants: list[Tenant]) -> None:
    async def one(tenant: Tenant) -> None:
        with acting_for(tenant):
            for _ in range(2):
                await asyncio.sleep(0)
                assert await db(whose) == tenant.slug
                assert await sync_to_async(whose)() == tenant.slug
                inner = asyncio.create_task(db(whose))
                assert await inner == tenant.slug

    async def scenario() -> None:
        order = [random.Random(7).choice(tenants) for _ in range(200)]
        await asyncio.gather(*map(one, order))
        assert acting_tenant.get() is None

    async_to_sync(scenario)()


def test_a_database_thread_forgets_the_tenant_it_served(tenants: list[Tenant]) -> None:
    async def scenario() -> None:
        with acting_for(tenants[0]):
            await asyncio.gather(*(db(whose) for _ in range(20)))
        for _ in range(20):
            with pytest.raises(NoTenant):
                await db(whose)

    async_to_sync(scenario)()


def test_a_task_that_outlives_the_scope_keeps_its_own_tenant(tenants: list[Tenant]) -> None:
    async def scenario() -> None:
        with acting_for(tenants[0]):
            late = asyncio.create_task(later())
        with acting_for(tenants[1]):
            assert await late == tenants[0].pk

    async def later() -> str:
        await asyncio.sleep(0)
        return current_tenant_id()

    async_to_sync(scenario)()


def test_a_new_thread_has_no_tenant(tenants: list[Tenant]) -> None:
    found: list[str | None] = []
    with acting_for(tenants[0]):
        thread = threading.Thread(target=lambda: found.append(acting_tenant.get()))
        thread.start()
        thread.join()
    assert found == [None]


def test_threads_side_by_side_see_each_their_own(tenants: list[Tenant]) -> None:
    def work(tenant: Tenant) -> None:
        for _ in range(25):
            with acting_for(tenant):
                assert whose() == tenant.slug
            assert acting_tenant.get() is None

    side_by_side(*[lambda tenant=tenant: work(tenant) for tenant in tenants * 2])


def test_the_tenant_is_gone_after_a_failed_task(tenants: list[Tenant]) -> None:
    async def scenario() -> None:
        with pytest.raises(ZeroDivisionError), acting_for(tenants[0]):
            await db(lambda: 1 / 0)
        assert acting_tenant.get() is None

    async_to_sync(scenario)()
