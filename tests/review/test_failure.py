"""One failure: what was wrong and where, what was mended, the attempts around it; and marking it as known."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.review.seen import HOME, Reader
from tests.review.week import FENCED, QUOTED, SMART, Week
from tools.models import CallAttempt, ToolCall


def one_of(week: Week, keyword: str) -> CallAttempt:
    return next(one for one in week.failed if one.errors[0]["keyword"] == keyword)


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))


def test_errors_are_told_and_marked_at_their_place(reviewer: Reader, week: Week) -> None:
    page = reviewer.context(f"failures/{one_of(week, 'enum').pk}/")
    places = {line.text: line.errors for line in page["lines"] if line.errors}
    assert places == {'"size": "XXL"': [1], '"address": "Main St"': [2]}
    html = reviewer.open(f"failures/{one_of(week, 'enum').pk}/")
    assert 'id="error-1"' in html and 'href="#error-1"' in html
    assert "Use one of S, M." in html


def test_what_is_missing_stands_where_it_should(reviewer: Reader, week: Week) -> None:
    lines = reviewer.context(f"failures/{one_of(week, 'required').pk}/")["lines"]
    assert [(line.text, line.depth) for line in lines if line.missing] == [("query", 1)]


def test_raw_and_mended_stand_side_by_side_with_what_changed(reviewer: Reader, week: Week) -> None:
    row = next(one for one in week.attempts if one.raw == SMART)
    page = reviewer.context(f"failures/{row.pk}/")
    assert "".join(part.text for part in page["raw"]) == SMART
    assert "".join(part.text for part in page["mended"]) == QUOTED
    assert {part.text for part in page["raw"] if part.changed} == {"“", "”", "'"}
    assert "Quotes put right" in reviewer.open(f"failures/{row.pk}/")


def test_a_coercion_shows_the_values_it_is_about(reviewer: Reader, week: Week) -> None:
    row = next(one for one in week.attempts if one.raw == FENCED)
    mends = reviewer.context(f"failures/{row.pk}/")["mends"]
    assert [(mend["name"], mend["before"], mend["after"]) for mend in mends if mend["name"].startswith("Text")] == [
        ("Text read as a number", '"500"', "500")
    ]  # fmt: skip


def test_hidden_characters_are_made_visible(reviewer: Reader, week: Week) -> None:
    """T04."""
    page = reviewer.open(f"failures/{one_of(week, 'truncated').pk}/")
    assert 'shoes<span class="hidden-mark">ZWSP</span>' in page


def test_the_whole_chain_is_told_in_order(reviewer: Reader, week: Week) -> None:
    first = next(one for one in week.wishes if one.chain_result == "by_person")
    chain = [one for one in week.attempts if one.chain == first.chain]
    for one in chain:
        shown = reviewer.context(f"failures/{one.pk}/")["chain"]
        assert [listed.attempt.pk for listed in shown] == [row.pk for row in chain]
    told = text_of(reviewer.open(f"failures/{first.pk}/"))
    assert "Sent back to the model" in told and "Filled in by a person" in told
    assert "Corrected by a person" in told


def test_it_opens_in_the_playground(reviewer: Reader, week: Week) -> None:
    row = week.failed[0]
    assert f'href="{HOME}playground/?attempt={row.pk}"' in reviewer.open(f"failures/{row.pk}/")


def test_links_into_the_console_are_for_who_may_go_there(reviewer: Reader, adam: User, week: Week) -> None:
    row = next(one for one in week.failed if one.version)
    page = f"failures/{row.pk}/"
    link = f'href="/t/acme/admin/tools/tool/{row.version.tool_id}/versions/"'
    assert link in Reader.of(adam).open(page)
    assert "/t/acme/admin/" not in reviewer.open(page)


@pytest.mark.parametrize(
    "raw", ['{"query": "a", "query": "b"}', '{"limit": Infinity}', '{"query": "a\\ud800"}']
)
def test_what_the_pipeline_never_read_is_not_shown_as_read(reviewer: Reader, week: Week, raw: str) -> None:
    row = week.failed[0]
    CallAttempt.objects.across_tenants().filter(pk=row.pk).update(raw=raw, mended="")
    page = reviewer.context(f"failures/{row.pk}/")
    assert (page["lines"], page["checked"]) == ([], [])
    assert "As read" not in reviewer.open(f"failures/{row.pk}/")


def test_what_was_filled_in_is_shown_as_checked(reviewer: Reader, week: Week) -> None:
    """As the pipeline took it, not as somebody who decided changed it later."""
    row = next(one for one in week.attempts if one.outcome == "valid" and one.call_id)
    checked = {"query": "shoes", "limit": 8}
    CallAttempt.objects.across_tenants().filter(pk=row.pk).update(raw='{"query": "shoes"}', mended="")
    calls = ToolCall.objects.across_tenants().filter(pk=row.call_id)
    calls.update(arguments={"query": "boots"}, proposed_arguments=checked)
    page = reviewer.context(f"failures/{row.pk}/")
    assert json.loads("".join(line.text for line in page["checked"])) == checked
    calls.update(proposed_arguments={"query": "shoes"})
    assert "As read and as checked" in reviewer.open(f"failures/{row.pk}/")


def test_only_what_was_wrong_can_be_marked_as_known(reviewer: Reader, week: Week) -> None:
    right = next(one for one in week.attempts if one.outcome == "valid")
    assert "Mark as known" not in reviewer.open(f"failures/{right.pk}/")
    assert "Mark as known" in reviewer.open(f"failures/{week.failed[0].pk}/")


def test_a_time_says_its_zone_and_ends_in_one_full_stop(reviewer: Reader, rita: User, week: Week) -> None:
    User.objects.filter(pk=rita.pk).update(timezone="Asia/Shanghai")
    page = mark(reviewer, week.failed[0])
    assert re.search(r'title="[^"]+ CST \(Asia/Shanghai\)">', page)
    assert "m..<" not in page


BROKEN: list[dict[str, Any]] = [
    {"raw": ""}, {"raw": "[" * 60_000}, {"raw": "1" * 20_000}, {"raw": "\ufeff{}", "mended": "{}"},
    {"raw": '{"a": "\\ud800"}'}, {"raw": "{'a'}" * 9_000, "mended": '{"a"}' * 9_000},
    {"raw": "[" + "1," * 30_000 + "1]"}, {"errors": [{}], "raw": "7"},
    {"flags": [{"name": "brackets"}, {"name": "rule:x", "detail": "y"}]},
    {"flags": [{"name": "coerced", "path": "$", "before": None}]},
    {"errors": [{"path": "$.a[0].b", "keyword": "type"}], "raw": '{"a": 1}'},
]  # fmt: skip


@pytest.mark.parametrize("values", BROKEN)
def test_whatever_was_sent_can_be_looked_at(reviewer: Reader, week: Week, values: dict[str, Any]) -> None:
    """Never an error, and never a page of many megabytes."""
    row = week.failed[0]
    CallAttempt.objects.across_tenants().filter(pk=row.pk).update(**values)
    assert len(reviewer.open(f"failures/{row.pk}/")) < 2_000_000


# Known


def mark(reader: Reader, row: CallAttempt, **sent: str) -> str:
    answer = reader.client.post(f"{HOME}failures/{row.pk}/known/", sent, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_known_failure_leaves_the_inbox_and_comes_back(reviewer: Reader, rita: User, week: Week) -> None:
    row = week.failed[0]
    page = mark(reviewer, row, note="A bug in the model's template.")
    assert "Marked by Rita" in page and "A bug in the model&#x27;s template." in page
    assert row.pk not in reviewer.ids() and row.pk in reviewer.ids("known=yes")
    mark(reviewer, row, undo="1")
    assert row.pk in reviewer.ids()
    assert CallAttempt.objects.across_tenants().get(pk=row.pk).known_by is None


def test_all_with_the_same_fault_are_marked_at_once_if_asked(reviewer: Reader, week: Week) -> None:
    row = one_of(week, "additionalProperties")
    same = {
        fault.attempt_id for fault in week.faults
        if (fault.attempt.tool, fault.field, fault.kind) == (row.tool, "$.prize_max", "unknown_argument")
    }  # fmt: skip
    assert len(same) > 1
    assert f"{len(same)} failures marked as known." in mark(reviewer, row, similar="1")
    assert set(reviewer.ids("known=yes")) == same


def test_the_first_who_marks_it_stays_named(reviewer: Reader, adam: User, week: Week) -> None:
    row = week.failed[0]
    mark(reviewer, row, note="Mine.")
    assert "Marked by Rita" in mark(Reader.of(adam), row, note="No, mine.")


def test_members_and_forged_forms_mark_nothing(bob: User, rita: User, week: Week) -> None:
    """T33, T66: only reviewers, and only from our own page."""
    row, forged = week.failed[0], Client(enforce_csrf_checks=True)
    forged.force_login(rita)
    answers = [browser.post(f"{HOME}failures/{row.pk}/known/") for browser in (Reader.of(bob).client, forged)]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert CallAttempt.objects.across_tenants().get(pk=row.pk).known_at is None


def test_nothing_next_door_is_marked(
    reviewer: Reader, week: Week, next_door: Week, other_tenant: Tenant
) -> None:
    """T32: not by its id, and not for being alike."""
    mark(reviewer, one_of(week, "required"), similar="1")
    answer = reviewer.client.post(f"{HOME}failures/{next_door.failed[0].pk}/known/")
    assert answer.status_code == 404
    with acting_for(other_tenant):
        assert not CallAttempt.objects.exclude(known_at=None).exists()
