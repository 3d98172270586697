"""Is the process up, is everything it needs up, and how much is going on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.test import Client
from django_q.conf import Conf
from pydantic import SecretStr

from platform_site import health, metrics
from platform_site.env import env
from platform_site.models import Tenant, Topic
from platform_site.tenancy import acting_for


class Cluster:
    """A queue cluster as its heartbeat tells of it."""

    def __init__(self, status: Any = Conf.IDLE) -> None:
        self.status = status


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> list[Cluster]:
    clusters = [Cluster()]
    monkeypatch.setattr(health.Stat, "get_all", lambda: clusters)
    return clusters


def test_healthz_asks_no_database(client: Client) -> None:
    """The `db` fixture is missing on purpose: a query would fail."""
    assert client.get("/healthz").content == b"ok\n"
    assert client.post("/healthz").status_code == 405


@pytest.mark.django_db(transaction=True)
def test_readyz_names_each_part(client: Client, cluster: list[Cluster]) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "layer": "ok", "queue": "ok"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("status", [None, Conf.STOPPED, Conf.STOPPING])
def test_without_a_running_queue_it_is_not_ready(client: Client, cluster: list[Cluster], status: Any) -> None:
    cluster[:] = [Cluster(status)] if status else []
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "database": "ok", "layer": "ok", "queue": "failed"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("part", list(health.PARTS))
def test_one_part_that_hangs_or_fails_does_not_hide_the_others(
    part: str, client: Client, cluster: list[Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs() -> None:
        await asyncio.Event().wait()

    async def fails() -> None:
        raise OSError("secret address refused")

    monkeypatch.setattr(health, "PATIENCE_S", 0.2)
    for broken in (hangs, fails):
        monkeypatch.setitem(health.PARTS, part, broken)
        answer = client.get("/readyz")
        assert answer.status_code == 503
        told = answer.json()
        assert told.pop("ready") is False
        assert [name for name, state in told.items() if state == "failed"] == [part]
        assert "secret" not in answer.content.decode()


# Metrics


@pytest.mark.django_db
def test_metrics_count_without_naming_a_tenant(client: Client, tenant: Tenant, other_tenant: Tenant) -> None:
    for one in (tenant, other_tenant):
        with acting_for(one):
            Topic.objects.create(last_seq=3)
    metrics.SOCKETS.set(2)
    text = client.get("/metrics").content.decode()
    assert "sluice_sockets 2.0" in text
    assert 'sluice_events{topics="all"} 6.0' in text
    assert 'sluice_runs{status="queued"} 0.0' in text
    assert 'sluice_confirmations_pending{status="pending"} 0.0' in text
    assert 'sluice_calls_open{status="held"} 0.0' in text
    for name in ("acme", "globex", tenant.pk):
        assert name not in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "request_of",
    [
        {"REMOTE_ADDR": "192.0.2.1"},
        {"REMOTE_ADDR": ""},
        {"headers": {"X-Forwarded-For": "192.0.2.1"}},
        {"headers": {"Forwarded": "for=192.0.2.1"}},
        {"REMOTE_ADDR": "192.0.2.1", "headers": {"Authorization": "Bearer "}},
        {"REMOTE_ADDR": "192.0.2.1", "headers": {"Authorization": "Bearer guess"}},
    ],
)
def test_metrics_are_for_this_machine_alone(client: Client, request_of: dict[str, Any]) -> None:
    """A proxy on this machine connects from here on behalf of others."""
    assert client.get("/metrics", **request_of).status_code == 404


@pytest.mark.django_db
def test_the_operators_token_opens_metrics_from_anywhere(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(env, "metrics_token", SecretStr("let-me-see"))
    for raw, status in (("let-me-see", 200), ("guess", 404), ("", 404)):
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {raw}"}, REMOTE_ADDR="192.0.2.1")
        assert answer.status_code == status
