"""The queue takes ids alone; the daily sweep forgets what is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ, Schedule

from platform_site import jobs, tasks, tokens
from platform_site.models import ApiToken, IdempotentReply, Tenant, User
from platform_site.tenancy import acting_for

pytestmark = pytest.mark.django_db


def test_a_job_is_a_path_and_ids() -> None:
    """T59"""
    jobs.enqueue("platform_site.tasks.sweep", "id1", "id2")
    task = OrmQ.objects.get().task
    assert (task["func"], task["args"]) == ("platform_site.tasks.sweep", ("id1", "id2"))


@pytest.mark.parametrize("data", [{"secret": 1}, b"bytes", None, 3, ["id"]])
def test_a_job_carries_no_data(data: Any) -> None:
    """T59"""
    with pytest.raises(TypeError):
        jobs.enqueue("platform_site.tasks.sweep", data)
    assert not OrmQ.objects.exists()


def test_a_job_of_a_transaction_that_failed_was_never_enqueued() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        jobs.enqueue("platform_site.tasks.sweep")
        _ = 1 / 0
    assert not OrmQ.objects.exists()


def test_schedules_are_made_once_and_lead_to_functions() -> None:
    jobs.schedule_defaults()
    jobs.schedule_defaults()
    assert Schedule.objects.count() == len(jobs.DAILY) + len(jobs.OFTEN)
    assert all(callable(import_string(schedule.func)) for schedule in Schedule.objects.all())


def aged(rows: Any, **columns: Any) -> None:
    assert rows.update(**columns) == 1


def test_the_sweep_forgets_what_is_over_in_every_tenant(
    tenant: Tenant, other_tenant: Tenant, bob: User
) -> None:
    now = timezone.now()
    for one in (tenant, other_tenant):
        with acting_for(one):
            for key, age in (("old", timedelta(hours=25)), ("new", timedelta(hours=23))):
                IdempotentReply.objects.create(user=bob, key=key, request_hash="x")
                aged(IdempotentReply.objects.filter(key=key), created_at=now - age)
            for name, column, days in (
                ("expired long ago", "expires_at", 91),
                ("revoked long ago", "revoked_at", 91),
                ("expired", "expires_at", 89),
                ("revoked", "revoked_at", 89),
            ):
                tokens.make(bob, name, ["read"])
                aged(ApiToken.objects.filter(name=name), **{column: now - timedelta(days=days)})
            tokens.make(bob, "alive", ["read"])
    for _ in range(2):
        Client().force_login(bob, settings.AUTHENTICATION_BACKENDS[0])
    first = Session.objects.first()
    assert first is not None
    aged(Session.objects.filter(pk=first.pk), expire_date=now - timedelta(seconds=1))

    assert tasks.sweep() == {"replies": 2, "sessions": 1, "tokens": 4}
    assert tasks.sweep() == {"replies": 0, "sessions": 0, "tokens": 0}
    assert Session.objects.count() == 1
    for one in (tenant, other_tenant):
        with acting_for(one):
            assert [reply.key for reply in IdempotentReply.objects.all()] == ["new"]
            assert {token.name for token in ApiToken.objects.all()} == {"alive", "expired", "revoked"}
