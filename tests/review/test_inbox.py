"""The validation-failure inbox: what is listed, filtered, paged, and for whom."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.review.seen import HOME, Reader
from tests.review.week import Week, make_week
from tools.models import AttemptOutcome, AttemptSource, CallAttempt, ChainResult


def newest_first(attempts: list[CallAttempt]) -> list[str]:
    return [one.pk for one in sorted(attempts, key=lambda one: (one.created_at, one.pk), reverse=True)]


def test_failed_attempts_are_listed_newest_first_on_as_many_pages_as_it_takes(
    reviewer: Reader, tenant: Tenant, bob: User
) -> None:
    with acting_for(tenant):
        week = make_week(bob, wishes=300)
    assert len(week.failed) > 60
    assert reviewer.ids() == newest_first(week.failed)


def test_one_can_go_back_to_the_newer_page(reviewer: Reader, tenant: Tenant, bob: User) -> None:
    with acting_for(tenant):
        make_week(bob, wishes=300)
    first = reviewer.context("failures/?")
    second = reviewer.context("failures/?" + first["shown"].older)
    back = reviewer.context("failures/?" + second["shown"].newer)
    assert back["shown"].rows == first["shown"].rows
    assert (back["shown"].newer, first["shown"].newer) == ("", "")


FILTERS: dict[str, Callable[[CallAttempt, Week], bool]] = {
    "tool=place_order": lambda one, week: one.tool == "place_order",
    "kind=enum": lambda one, week: any(fault.kind == "enum" for fault in faults(one, week)),
    "field=$.items[].size": lambda one, week: any(
        fault.field == "$.items[].size" for fault in faults(one, week)
    ),
    "kind=rule&field=$.items[].size": lambda one, week: False,
    "model=llama-local-8b": lambda one, week: one.model == "llama-local-8b",
    "agent=buyer": lambda one, week: one.agent == "buyer",
    "show=unknown_tool": lambda one, week: one.outcome == AttemptOutcome.UNKNOWN_TOOL,
    "show=rejected": lambda one, week: one.outcome == AttemptOutcome.REJECTED,
    "result=by_person": lambda one, week: one.chain_result == ChainResult.BY_PERSON,
    "result=corrected&length=3": lambda one, week: one.chain_result == "corrected" and one.chain_length == 3,
    "tool=nothing_like_that": lambda one, week: False,
}


def faults(attempt: CallAttempt, week: Week) -> list[Any]:
    return [fault for fault in week.faults if fault.attempt_id == attempt.pk]


@pytest.mark.parametrize("query", FILTERS)
def test_filters_narrow_the_list(reviewer: Reader, week: Week, query: str) -> None:
    """Each filter leaves exactly the rows it names; two that never meet in one fault leave nothing."""
    expected = newest_first([one for one in week.failed if FILTERS[query](one, week)])
    assert reviewer.ids(query) == expected
    assert reviewer.count(query) == len(expected)


@pytest.mark.parametrize(("show", "outcomes"), [("mended", ["mended"]), ("valid", ["valid"])])
def test_what_did_not_fail_can_be_listed_too(
    reviewer: Reader, week: Week, show: str, outcomes: list[str]
) -> None:
    expected = [one for one in week.listed if one.outcome in outcomes]
    assert reviewer.ids(f"show={show}") == newest_first(expected)


def test_all_attempts_are_in_one_list(reviewer: Reader, week: Week) -> None:
    assert reviewer.ids("show=all") == newest_first(week.listed)


def test_a_version_of_a_tool_is_a_filter(reviewer: Reader, week: Week) -> None:
    version = next(one.version for one in week.failed if one.version)
    expected = [one for one in week.failed if one.version_id == version.pk]
    assert reviewer.ids(f"version={version.pk}") == newest_first(expected)


def test_days_begin_and_end_where_the_reader_is(reviewer: Reader, week: Week, rita: User) -> None:
    """Half past five in the afternoon in London is the next day in Shanghai; so it is in a file."""
    CallAttempt.objects.across_tenants().update(created_at=datetime(2026, 7, 1, 16, 30, tzinfo=UTC))
    everything = "show=all&start=2026-07-02&end=2026-07-02"
    for zone, there in (("Europe/London", 0), ("Asia/Shanghai", len(week.listed))):
        User.objects.filter(pk=rita.pk).update(timezone=zone)
        assert reviewer.count(everything) == there
        file = b"".join(reviewer.client.get(f"{HOME}failures/export.json?{everything}").streaming_content)
        assert len(json.loads(file)["results"]) == there


def test_playground_tries_are_left_out_unless_asked_for(reviewer: Reader, week: Week) -> None:
    tried = week.failed[0]
    CallAttempt.objects.across_tenants().filter(pk=tried.pk).update(source=AttemptSource.PLAYGROUND)
    assert tried.pk not in reviewer.ids()
    assert tried.pk in reviewer.ids("playground=1")


NONSENSE = (
    "start=yesterday&end=2026-13-45", "show=everything&known=maybe&result=x", "length=-1", "length=99999999999",
    "before=never&after=x_y", "before=2026-01-01T00:00:00_a", "start=0001-01-01&end=9999-12-31", "tool=%00",
)  # fmt: skip


@pytest.mark.parametrize("query", NONSENSE)
def test_what_makes_no_sense_counts_as_not_asked(reviewer: Reader, week: Week, query: str) -> None:
    assert reviewer.ids(query) == newest_first(week.failed)


def test_an_empty_inbox_says_what_will_come_here(reviewer: Reader, tenant: Tenant) -> None:
    assert "Nothing waits here" in reviewer.open("failures/")


def test_filters_that_leave_nothing_can_be_cleared(reviewer: Reader, week: Week) -> None:
    page = reviewer.open("failures/?tool=nothing")
    assert "Nothing matches" in page and 'href="?"' in page


def test_a_page_takes_the_same_few_queries_however_many_rows(
    reviewer: Reader, tenant: Tenant, bob: User
) -> None:
    counts = []
    for _more in range(2):
        with acting_for(tenant):
            make_week(bob, wishes=30)
        with CaptureQueriesContext(connection) as queries:
            reviewer.open("failures/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12


def test_what_models_wrote_is_shown_as_text(reviewer: Reader, week: Week) -> None:
    """T70: names and messages come from outside; nothing of them is markup, and nothing hides."""
    one = week.failed[0]
    errors = [{"path": "$.<b>", "keyword": "type", "message": "<script>alert(1)</script>\u202e"}]
    rows = CallAttempt.objects.across_tenants().filter(pk=one.pk)
    rows.update(tool='<img src="x">', model="\u200bm", errors=errors)
    page = reviewer.open("failures/") + reviewer.open(f"failures/{one.pk}/")
    assert "<script>alert" not in page and '<img src="x">' not in page and "$.<b>" not in page
    assert '<span class="hidden-mark">RLO</span>' in page and '<span class="hidden-mark">ZWSP</span>' in page


# Who may look


@pytest.mark.parametrize("path", ["failures/", "failures/export.json", "failures/export.csv", "insights/"])
@pytest.mark.parametrize("who", ["alice", "adam", "rita"])
def test_owners_admins_and_reviewers_look(request: Any, week: Week, who: str, path: str) -> None:
    assert Reader.of(request.getfixturevalue(who)).client.get(HOME + path).status_code == 200


@pytest.mark.parametrize("path", ["failures/", "failures/export.json", "failures/export.csv", "insights/"])
def test_members_are_told_that_it_is_not_for_them(bob: User, week: Week, path: str) -> None:
    """T33: other people's arguments are not for everybody in the tenant."""
    answer = Reader.of(bob).client.get(HOME + path)
    assert answer.status_code == 403
    assert "$.query" not in answer.content.decode()


def test_links_to_the_pages_are_there_for_whom_they_are(bob: User, rita: User, week: Week) -> None:
    there = [
        f'href="{HOME}"' in Reader.of(who).client.get("/t/acme/").content.decode() for who in (bob, rita)
    ]
    assert there == [False, True]


def test_another_tenants_failures_are_not_here(reviewer: Reader, week: Week, next_door: Week) -> None:
    """T32: not on the list, not among what the filters offer, not under their own address."""
    CallAttempt.objects.across_tenants().filter(chain=next_door.failed[0].chain).update(tool="zzforeign")
    page = reviewer.open("failures/?show=all")
    assert "zzforeign" not in page
    assert reviewer.count("show=all") == len(week.listed)
    answers = [reviewer.client.get(f"{HOME}failures/{id_}/") for id_ in (next_door.failed[0].pk, "0" * 32)]
    assert [answer.status_code for answer in answers] == [404, 404]


def test_the_policy_finds_nothing_inline(reviewer: Reader, week: Week) -> None:
    """T69: bars and marks have their lengths in attributes; no style, no script, no handler stands in the page."""
    pages = ("failures/", f"failures/{week.failed[0].pk}/", "insights/?days=90")
    for path in pages:
        page = reviewer.open(path)
        assert " style=" not in page and "<style" not in page and "onclick" not in page
        assert "unsafe" not in reviewer.client.get(HOME + path)["Content-Security-Policy"]


def test_rows_that_come_meanwhile_shift_no_page(reviewer: Reader, tenant: Tenant, bob: User) -> None:
    with acting_for(tenant):
        make_week(bob, wishes=300, until=timezone.now() - timedelta(days=1))
        older = reviewer.context("failures/?")["shown"].older
        before = reviewer.context("failures/?" + older)["shown"].rows
        make_week(bob, wishes=30, days=1)
    assert reviewer.context("failures/?" + older)["shown"].rows == before
