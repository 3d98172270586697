"""The insights page: numbers that are right, and rows behind each of them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.review.seen import Reader, linked
from tests.review.week import Week, make_week
from tools.models import AttemptSource, CallAttempt, ChainResult
from tools.review.chart import chart
from tools.review.counts import Tally
from tools.review.filters import Filters
from tools.review.shares import share


def test_wishes_are_counted_by_how_they_ended(reviewer: Reader, week: Week) -> None:
    """A chain of attempts is one wish; the denominator is all of them."""
    page = reviewer.context("insights/?days=30")
    expected = Counter(one.chain_result for one in week.wishes)
    assert {part.result: part.count for part in page["parts"] if part.count} == dict(expected)
    assert page["total"].total == len(week.wishes) == 90
    right = next(part for part in page["parts"] if part.result == ChainResult.FIRST_PASS)
    assert right.share == f"{100 * expected['first_pass'] / 90:.0f}%"


def test_corrections_are_told_apart_by_how_many_it_took(reviewer: Reader, week: Week) -> None:
    lengths = Counter(one.chain_length - 1 for one in week.wishes if one.chain_result == "corrected")
    shown = reviewer.context("insights/?days=30")["lengths"]
    assert {times: found for times, found, _query in shown} == lengths


def test_tools_versions_and_models_are_counted(reviewer: Reader, week: Week) -> None:
    tables = reviewer.context("insights/?days=30")["tables"]
    tools, versions, models = [{line.name: line.total for line in lines} for _title, _head, lines in tables]
    assert tools == Counter(one.tool for one in week.wishes)
    assert models == Counter(one.model for one in week.wishes)
    assert versions == Counter(f"{one.tool} {one.version}" for one in week.wishes if one.version)


def test_faults_are_counted_by_kind_and_by_field(reviewer: Reader, week: Week) -> None:
    """By attempts: one that has two faults of a kind counts once there."""
    page = reviewer.context("insights/?days=30")
    assert page["failed"] == len(week.failed)
    by_kind = Counter(kind for kind, _id in {(fault.kind, fault.attempt_id) for fault in week.faults})
    assert sorted(fact.count for fact in page["kinds"]) == sorted(by_kind.values())
    spots = Counter((fault.attempt.tool, fault.field, fault.kind) for fault in week.faults)
    assert {(fact.tool, fact.field): fact.count for fact in page["spots"]} == {
        (tool, field): found for (tool, field, _kind), found in spots.items()
    }  # fmt: skip


def test_every_number_leads_to_exactly_its_rows(reviewer: Reader, week: Week, next_door: Week) -> None:
    """Also when some of them are marked as known; and nothing of next door's is counted (T32)."""
    CallAttempt.objects.across_tenants().filter(pk=week.failed[0].pk).update(known_at=timezone.now())
    links = linked(reviewer.open("insights/?days=7"))
    assert len(links) > 60
    assert [reviewer.count(query) for _number, query in links] == [number for number, _query in links]


@pytest.mark.parametrize(
    "narrow", ["tool=place_order", "model=demo", "agent=buyer", "tool=place_order&model=demo"]
)
def test_insights_of_one_tool_model_or_agent(reviewer: Reader, week: Week, narrow: str) -> None:
    wanted = dict(pair.split("=") for pair in narrow.split("&"))
    expected = [
        one for one in week.wishes if all(getattr(one, name) == value for name, value in wanted.items())
    ]
    page = reviewer.open(f"insights/?days=30&{narrow}")
    assert reviewer.context(f"insights/?days=30&{narrow}")["total"].total == len(expected)
    some = linked(page)[::5]
    assert [reviewer.count(query) for _number, query in some] == [number for number, _query in some]


def test_days_are_those_of_the_reader(reviewer: Reader, tenant: Tenant, rita: User, bob: User) -> None:
    """An hour before midnight in London, in Shanghai the next day has begun; DST changes no day's rows."""
    User.objects.filter(pk=rita.pk).update(timezone="Asia/Shanghai")
    today = timezone.localdate(timezone=timezone.get_fixed_timezone(8 * 60))
    late = datetime.combine(today - timedelta(days=3), datetime.min.time(), UTC) + timedelta(hours=16)
    with acting_for(tenant):
        week = make_week(bob, wishes=12)
    CallAttempt.objects.across_tenants().update(created_at=late)
    bars = reviewer.context("insights/?days=7")["chart"].bars
    assert {bar.day: bar.line.total for bar in bars if bar.line.total} == {
        today - timedelta(days=2): len(week.wishes)
    }
    assert [bar.day for bar in bars] == [today - timedelta(days=6 - at) for at in range(7)]


@pytest.mark.parametrize("asked", ["", "8", "-7", "999999", "x", "٧"])
def test_another_range_than_offered_is_thirty_days(reviewer: Reader, week: Week, asked: str) -> None:
    assert reviewer.context(f"insights/?days={asked}")["range_days"] == 30


def test_the_chart_begins_with_the_first_day_that_has_something(reviewer: Reader, week: Week) -> None:
    """A range that reaches further back is not drawn as a plain; a week is shown at least."""
    bars = reviewer.context("insights/?days=90")["chart"].bars
    assert 7 <= len(bars) <= 8
    assert bars[-1].day == timezone.localdate()
    assert len(reviewer.context("insights/?days=7")["chart"].bars) == 7


def test_what_a_person_was_asked_has_a_whole_of_its_own(reviewer: Reader, week: Week) -> None:
    """Of those that were asked: corrected, dropped, still open."""
    asked = {one.chain for one in week.attempts if one.next_step == "asked"}
    ends = Counter(one.chain_result for one in week.wishes if one.chain in asked)
    shown = reviewer.context("insights/?days=30")["asked_about"]
    assert shown["total"] == len(asked) > 0
    assert [found for _name, found, _share, _query in shown["ends"]] == [
        ends["by_person"], ends["gave_up"], ends["open"],
    ]  # fmt: skip
    assert sum(reviewer.count(query) for *_told, query in shown["ends"]) == reviewer.count(shown["query"])
    assert "A person was asked" in reviewer.open(f"failures/?{shown['query']}")


def test_the_time_before_is_compared(reviewer: Reader, week: Week) -> None:
    """Half of last week's wishes, all of them right, against this week's."""
    now = [one for one in week.wishes if one.created_at > timezone.now() - timedelta(days=3)]
    before = {one.chain for one in week.wishes} - {one.chain for one in now}
    rows = CallAttempt.objects.across_tenants().filter(chain__in=before)
    rows.update(created_at=timezone.now() - timedelta(days=10))
    rows.filter(number=1).update(chain_result=ChainResult.FIRST_PASS)
    right = 100 * sum(one.chain_result == "first_pass" for one in now) / len(now)
    assert reviewer.context("insights/?days=7")["gain"] == round(right - 100)


def test_playground_tries_count_only_when_asked(reviewer: Reader, week: Week) -> None:
    chain = week.wishes[0].chain
    CallAttempt.objects.across_tenants().filter(chain=chain).update(source=AttemptSource.PLAYGROUND)
    totals = [reviewer.context(f"insights/?days=30{more}")["total"].total for more in ("", "&playground=1")]
    assert totals == [89, 90]


def test_nothing_to_count_is_said(reviewer: Reader, tenant: Tenant) -> None:
    assert "No calls in this time" in reviewer.open("insights/")


def test_the_chart_has_words_and_a_table_beside_it(reviewer: Reader, week: Week) -> None:
    page = reviewer.open("insights/?days=7")
    assert '<title id="chart-title">' in page and '<desc id="chart-about">' in page
    assert page.count('<th scope="row">') >= 7


def test_it_takes_the_same_few_queries_however_many_rows(reviewer: Reader, tenant: Tenant, bob: User) -> None:
    counts = []
    for _more in range(2):
        with acting_for(tenant):
            make_week(bob, wishes=30)
        with CaptureQueriesContext(connection) as queries:
            reviewer.open("insights/?days=90")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 15


def test_bars_fill_their_places() -> None:
    day = date(2026, 3, 1)
    drawn = chart({day: Tally(Counter(first_pass=6, gave_up=2)), day + timedelta(days=1): Tally()}, Filters())
    first, second = drawn.bars
    assert (drawn.top, second.segments) == (10, [])
    assert [(one.result, one.y, one.height) for one in first.segments] == [
        ("first_pass", "40.000%", "60.000%"), ("gave_up", "20.000%", "20.000%"),
    ]  # fmt: skip


SHARES = ((0, 0, "0%"), (0, 9, "0%"), (1, 900, "<1%"), (899, 900, ">99%"), (9, 9, "100%"), (1, 3, "33%"))


@pytest.mark.parametrize(("count", "of", "said"), SHARES)
def test_shares_neither_hide_nor_round_to_all(count: int, of: int, said: str) -> None:
    assert share(count, of) == said
