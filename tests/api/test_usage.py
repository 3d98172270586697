"""What requests to models came to, over HTTP: one's own, or the whole tenant's for who configures it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from agents.models import Agent
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.api.conftest import As
from tests.usage.made import set_limit, used

BILLION = 10**9


@pytest.fixture
def today(tenant: Tenant, other_tenant: Tenant, guide: Agent, bob: User, adam: User, charlie: User) -> date:
    day = timezone.now().date()
    with acting_for(tenant):
        used(bob, day, cost=1_500_000_000)
        used(bob, day - timedelta(days=3), model="large", cost=2 * BILLION)
        used(adam, day, agent="guide", is_estimate=True)
        used(bob, day - timedelta(days=60))
        set_limit("monthly_cost", 10)
        set_limit("monthly_tokens", 5_000, "user", bob.email)
        set_limit("concurrent_runs", 3)
    with acting_for(other_tenant):
        used(charlie, day, cost=999 * BILLION)
    return day


def test_the_last_thirty_days_by_day(program: As, adam: User, today: date) -> None:
    report = program(adam).get("usage").json()
    assert (report["from"], report["to"]) == (str(today - timedelta(days=29)), str(today))
    assert (report["by"], report["timezone"]) == ("day", "UTC")
    assert report["totals"] == {
        "requests": 3, "input_tokens": 3000, "output_tokens": 300, "cost": "3.5", "estimated": 1,
    }  # fmt: skip
    days = [(line["key"], line["requests"], line["cost"]) for line in report["results"]]
    assert days == [(str(today - timedelta(days=3)), 1, "2"), (str(today), 2, "1.5")]


@pytest.mark.parametrize(
    ("by", "names"), [("agent", ["helper", "guide"]), ("model", ["large", "demo"]), ("user", ["Bob", "Adam"])]
)
def test_by_agent_model_or_person_the_dearest_first(
    program: As, adam: User, today: date, by: str, names: list[str]
) -> None:
    results = program(adam).get("usage", by=by).json()["results"]
    assert [line["name"] for line in results] == names


def test_whoever_does_not_configure_sees_their_own(
    program: As, bob: User, rita: User, adam: User, today: date
) -> None:
    mine = program(bob).get("usage", by="user").json()
    assert mine["totals"]["cost"] == "3.5"
    assert [line["name"] for line in mine["results"]] == ["Bob"]
    assert [limit["kind"] for limit in mine["limits"]] == ["monthly_tokens"]
    assert program(rita).get("usage").json()["totals"]["requests"] == 0
    assert program(adam, "read").get("usage").json()["totals"]["requests"] == 1


def test_limits_and_how_far_they_are_used(program: As, adam: User, bob: User, today: date) -> None:
    limits = {limit["kind"]: limit for limit in program(adam).get("usage").json()["limits"]}
    assert limits["monthly_cost"]["amount"] == "10"
    assert limits["monthly_cost"]["reserved"] == "0"
    assert (limits["monthly_tokens"]["of"], limits["monthly_tokens"]["name"]) == ("user", "bob@acme.test")
    assert limits["concurrent_runs"]["used"] is None


@pytest.mark.parametrize("query", [{"by": "planet"}, {"from": "yesterday"}, {"from": "2026-02-02", "to": "2026-02-01"},
                                   {"from": "2020-01-01", "to": "2026-01-01"}, {"page": "2"}])  # fmt: skip
def test_what_makes_no_sense_is_refused(program: As, adam: User, query: dict[str, str]) -> None:
    answer = program(adam).get("usage", **query)
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_request"


def test_days_are_the_tenants(program: As, tenant: Tenant, adam: User, today: date) -> None:
    Tenant.objects.filter(pk=tenant.pk).update(timezone="Pacific/Kiritimati")
    report = program(adam).get("usage").json()
    assert report["timezone"] == "Pacific/Kiritimati"
    assert report["to"] in (str(today), str(today + timedelta(days=1)))


def test_an_agent_names_what_may_be_chosen_of_it(program: As, bob: User, guide: Agent) -> None:
    (agent,) = program(bob).get("agents").json()["results"]
    assert agent["models"] == ["demo"]
    assert agent["choices"] == [{"slug": "demo", "name": "demo", "images": False, "tools": True}]
    assert agent["presets"] == []
