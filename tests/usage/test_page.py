"""The usage page: what it shows, to whom, and how limits are set there."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agents.models import UsageEntry, UsageLimit
from platform_site.models import AuditEntry, Tenant, User
from platform_site.tenancy import acting_for
from tests.api.made import make_agent
from tests.usage.made import set_limit, used

HOME = "/t/acme/usage/"
BILLION = 10**9


@pytest.fixture
def today(tenant: Tenant) -> date:
    return timezone.now().date()


@pytest.fixture
def month(tenant: Tenant, other_tenant: Tenant, bob: User, adam: User, charlie: User, today: date) -> None:
    """Bob and Adam asked two agents; last month and the tenant next door are not to be seen."""
    with acting_for(tenant):
        make_agent("helper")
        used(bob, today, cost=3 * BILLION)
        used(bob, today, model="large", agent="guide", cost=6 * BILLION)
        used(adam, today, cost=1 * BILLION, is_estimate=True)
        used(None, today, is_reserved=True, cost=500 * BILLION)
        used(bob, today - timedelta(days=40), cost=77 * BILLION)
    with acting_for(other_tenant):
        used(charlie, today, agent="theirs", cost=999 * BILLION)


def as_(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_a_month_in_numbers(month: None, alice: User) -> None:
    answer = as_(alice).get(HOME)
    assert answer.status_code == 200
    said = text(answer)
    assert "Cost 10.00 Requests 3 Tokens read 3,000 Tokens written 300" in said
    assert "1 request was broken off" in said
    assert "theirs" not in said
    assert "999" not in said


def test_by_agent_model_and_person_with_shares_the_dearest_first(month: None, alice: User) -> None:
    tables = {str(head): lines for _caption, head, lines in as_(alice).get(HOME).context["tables"]}
    told = {head: [(one.line.name, one.share) for one in lines] for head, lines in tables.items()}
    assert told == {
        "Agent": [("guide", "60%"), ("helper", "40%")],
        "Model": [("large", "60%"), ("demo", "40%")],
        "Person": [("Bob", "90%"), ("Adam", "10%")],
    }


def test_filters_narrow_every_number(month: None, alice: User, bob: User, adam: User, today: date) -> None:
    def cost(query: str) -> int:
        return int(as_(alice).get(HOME + query).context["total"].cost)

    assert cost(f"?user={adam.pk}") == BILLION
    assert cost("?model=large") == 6 * BILLION
    assert cost("?agent=helper") == 4 * BILLION
    assert cost("?period=90") == 87 * BILLION
    assert cost(f"?start={today - timedelta(days=40)}&end={today - timedelta(days=39)}") == 77 * BILLION
    assert cost("?agent=theirs") == 0


def test_the_chart_has_a_bar_for_each_day_and_ends_today(month: None, alice: User, today: date) -> None:
    chart = as_(alice).get(HOME + "?period=30").context["chart"]
    assert len(chart.bars) == 30
    assert (chart.bars[-1].day, chart.top) == (today, 10 * BILLION)
    assert (chart.bars[-1].y, chart.bars[-1].height) == ("0.000%", "100.000%")
    assert [bar for bar in chart.bars[:-1] if bar.sums.requests] == []


def test_a_month_without_requests_says_so(alice: User) -> None:
    assert "No requests in this time" in text(as_(alice).get(HOME))


@pytest.mark.parametrize("path", ["", "usage.csv"])
def test_members_and_reviewers_are_told_that_it_is_not_for_them(
    month: None, alice: User, rita: User, bob: User, charlie: User, path: str
) -> None:
    assert as_(alice).get(HOME + path).status_code == 200
    for user in (bob, rita):
        answer = as_(user).get(HOME + path)
        assert answer.status_code == 403
        assert b"guide" not in answer.content
    assert as_(charlie).get(HOME + path).status_code == 404


def test_the_table_for_spreadsheets_has_no_formulas_in_it(
    month: None, tenant: Tenant, adam: User, today: date
) -> None:
    """T72: people choose their names themselves."""
    mallory = User.objects.create_user("mallory@acme.test", name='=HYPERLINK("http://evil.test")')
    with acting_for(tenant):
        used(mallory, today, cost=BILLION // 2)
    answer = as_(adam).get(HOME + "usage.csv")
    assert answer["Content-Disposition"].startswith('attachment; filename="usage-acme-')
    rows = list(csv.DictReader(io.StringIO(answer.content.decode().removeprefix("\ufeff"))))
    assert len(rows) == 4
    hers = next(row for row in rows if row["email"] == "mallory@acme.test")
    assert hers["person"] == '\'=HYPERLINK("http://evil.test")'
    assert (hers["cost"], hers["requests"], hers["input_tokens"]) == ("0.5", "1", "1000")


def test_an_admin_sets_changes_and_lifts_a_limit(month: None, tenant: Tenant, adam: User) -> None:
    client = as_(adam)
    fields = {"kind": "monthly_cost", "subject": "tenant:", "amount": "20"}
    assert client.post(HOME + "limits/", fields).status_code == 302
    (row,) = client.get(HOME).context["limits"]
    assert (row.amount, row.share, row.tone) == ("20", "50%", "good")
    client.post(HOME + "limits/", fields | {"amount": "12.5"})
    assert client.get(HOME).context["limits"][0].tone == "warn"
    client.post(HOME + "limits/", fields | {"amount": "9"})
    said = text(client.get(HOME))
    assert "10.00 of 9.00" in said
    assert "Reached" in said
    assert client.post(f"{HOME}limits/{row.limit.id}/lift/").status_code == 302
    assert client.get(HOME).context["limits"] == []
    with acting_for(tenant):
        verbs = AuditEntry.objects.filter(verb__startswith="limit.").order_by("number")
        assert [(entry.verb, entry.actor) for entry in verbs] == [
            *[("limit.saved", adam.pk)] * 3,
            ("limit.deleted", adam.pk),
        ]


def test_a_limit_for_one_person_is_given_by_their_address(month: None, adam: User, bob: User) -> None:
    client = as_(adam)
    fields = {"kind": "monthly_tokens", "subject": "user:bob@acme.test", "amount": "5000"}
    client.post(HOME + "limits/", fields)
    (row,) = client.get(HOME).context["limits"]
    assert (row.limit.name, row.called, row.used) == (bob.pk, "bob@acme.test", 2_200)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"amount": "0"}, "more than 0"),
        ({"amount": "much"}, "Enter a number"),
        ({"subject": "user:charlie@globex.test"}, "nobody here has the address"),
        ({"subject": "planet:earth"}, "Enter a valid value"),
        ({"kind": "concurrent_runs", "amount": "1.5"}, "whole number"),
    ],
)
def test_what_cannot_be_a_limit_is_said_and_what_was_filled_in_stays(
    tenant: Tenant, charlie: User, adam: User, fields: dict[str, str], words: str
) -> None:
    given = {"kind": "monthly_cost", "subject": "tenant:", "amount": "20"} | fields
    answer = as_(adam).post(HOME + "limits/", given)
    assert answer.status_code == 400
    assert words in text(answer)
    assert f'value="{given["amount"]}"' in answer.content.decode()
    assert not UsageLimit.objects.across_tenants().exists()


@pytest.mark.parametrize("who", ["bob", "rita", "charlie"])
def test_nobody_else_sets_or_lifts_limits(tenant: Tenant, who: str, request: pytest.FixtureRequest) -> None:
    with acting_for(tenant):
        limit = set_limit("monthly_cost", 5)
    client = as_(request.getfixturevalue(who))
    fields = {"kind": "monthly_cost", "subject": "tenant:", "amount": "500"}
    for path in ("limits/", f"limits/{limit.id}/lift/"):
        assert client.post(HOME + path, fields).status_code in (403, 404)
    assert UsageLimit.objects.across_tenants().get().amount == 5 * BILLION


def test_looking_gives_back_what_lapsed(tenant: Tenant, adam: User, today: date) -> None:
    with acting_for(tenant):
        limit = set_limit("monthly_tokens", 1_000)
        UsageLimit.objects.update(reserved=400)
        held = [[limit.id, limit.period, 400]]
        past = timezone.now() - timedelta(seconds=1)
        used(None, today, is_reserved=True, lapses_at=past, held=held)
    assert as_(adam).get(HOME).context["limits"][0].reserved == 0
    assert not UsageEntry.objects.across_tenants().exists()
