"""A used-up model is left alone for a while, a refused credential is told to the admins: known to every process."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.core.cache import cache

from agents import alerts, cooling
from agents.alerts import Alert
from agents.spec import ModelSpec
from platform_site import bell
from platform_site.models import Credential, Tenant, User
from platform_site.tenancy import acting_for

pytestmark = pytest.mark.django_db
MODEL = ModelSpec("m", "openai", "m-1", credential="c1", tenant="t1")
OTHERS = [
    ModelSpec("m", "openai", "m-1", credential="c2", tenant="t1"),
    ModelSpec("m", "openai", "m-1", credential="c1", tenant="t2"),
    ModelSpec("n", "openai", "m-1", credential="c1", tenant="t1"),
]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [time.time()]
    monkeypatch.setattr("time.time", lambda: now[0])
    return now


def test_a_used_up_model_rests_and_is_then_asked_again(clock: list[float]) -> None:
    """G1."""
    assert cooling.cool(MODEL, "quota_exhausted", 30) == 30
    assert cooling.cooling([MODEL]) == {"m": "quota_exhausted"}
    clock[0] += 31
    assert cooling.cooling([MODEL]) == {}


def test_it_rests_for_its_tenant_and_credential_alone(clock: list[float]) -> None:
    cooling.cool(MODEL, "quota_exhausted", 30)
    assert cooling.cooling(OTHERS) == {}


def test_where_the_provider_says_nothing_the_rest_grows_up_to_an_hour(clock: list[float]) -> None:
    rests = []
    for _ in range(8):
        rests.append(cooling.cool(MODEL, "quota_exhausted", None))
        clock[0] += rests[-1]
    assert rests == [60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_no_provider_says_more_than_an_hour(clock: list[float]) -> None:
    assert cooling.cool(MODEL, "rate_limited", 86_400) == 3_600


def test_a_cache_that_is_gone_costs_no_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """T75."""

    class Gone:
        def __getattr__(self, name: str) -> Any:
            raise ConnectionError("no cache")

    monkeypatch.setattr(cooling, "cache", Gone())
    assert cooling.cool(MODEL, "quota_exhausted", 30) == 0
    assert cooling.cooling([MODEL]) == {}


# Alerts


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[bell.Notice]:
    notices: list[bell.Notice] = []
    monkeypatch.setattr(bell, "notify", notices.append)
    monkeypatch.setattr(alerts, "_open_here", set())
    return notices


@pytest.fixture
def refused(inside: Tenant) -> ModelSpec:
    credential = Credential.objects.create(slug="key", provider="openai")
    return ModelSpec("gpt", "openai", "gpt-1", credential=credential.pk, tenant=inside.pk)


def test_owners_and_admins_hear_of_it_once_in_ten_minutes(
    refused: ModelSpec, rung: list[bell.Notice], alice: User, adam: User, rita: User, bob: User
) -> None:
    assert alerts.credential_refused(refused, "401: no such key")
    assert not alerts.credential_refused(refused, "401: no such key")
    assert {notice.user for notice in rung} == {alice.pk, adam.pk}
    assert {notice.kind for notice in rung} == {"alert"}
    assert "no such key" not in str(rung), "the provider's words are for the console"
    (alert,) = alerts.open_alerts()
    assert (alert.credential, alert.provider, alert.model) == ("key", "openai", "gpt")
    assert alert.detail == "401: no such key"


def test_another_tenant_sees_nothing_of_it(
    refused: ModelSpec, rung: list[bell.Notice], other_tenant: Tenant
) -> None:
    alerts.credential_refused(refused, "")
    with acting_for(other_tenant):
        assert alerts.open_alerts() == []
    assert len(alerts.open_alerts()) == 1


def test_it_is_over_when_the_credential_is_changed_or_accepted(
    refused: ModelSpec, rung: list[bell.Notice]
) -> None:
    alerts.credential_refused(refused, "")
    assert alerts.is_open(refused)
    alerts.answered(refused)
    assert alerts.open_alerts() == []
    assert not alerts.is_open(refused)
    assert alerts.credential_refused(refused, ""), "a new trouble is a new alert"
    Credential.objects.get().save()
    assert alerts.open_alerts() == []


def test_the_consoles_first_page_shows_it(
    refused: ModelSpec, rung: list[bell.Notice], client: Any, adam: User
) -> None:
    alerts.credential_refused(refused, "401: <script>no such key</script>")
    client.force_login(adam)
    page = client.get(f"/t/{refused_tenant(refused)}/admin/").content.decode()
    assert "refuses the credential “key”" in page
    assert "&lt;script&gt;no such key" in page
    cache.clear()
    assert "refuses the credential" not in client.get(f"/t/{refused_tenant(refused)}/admin/").content.decode()


def refused_tenant(model: ModelSpec) -> str:
    return Tenant.objects.get(pk=model.tenant).slug


def test_an_alert_says_when() -> None:
    assert Alert("", "openai", "m", "", 0.0).when.isoformat() == "1970-01-01T00:00:00+00:00"
