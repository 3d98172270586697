"""The audit log in the console and over HTTP: filters, files, one tenant's alone, for owners and admins."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from platform_site import audit, tokens
from platform_site.admin_site import site
from platform_site.audit import admin
from platform_site.models import AuditEntry, Tenant, User
from platform_site.tenancy import acting_for
from tests.audit.conftest import log_of, verbs_of

pytestmark = pytest.mark.django_db
LIST = "/t/acme/admin/platform_site/auditentry/"
NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture
def told(tenant: Tenant, other_tenant: Tenant, alice: User, bob: User) -> None:
    with acting_for(tenant), audit.coming_from("console", "192.0.2.7", "request-1"), audit.recording():
        audit.note("tool.switched_off", bob, by=alice, said=NASTY)
        audit.note("call.denied", tenant, by=bob, reason='=HYPERLINK("http://evil")')
        audit.note("call.expired", by=None)
    with acting_for(other_tenant), audit.recording():
        audit.note("tool.switched_on", other_tenant, by=bob, said="zzforeign")


@pytest.fixture
def console(told: None, alice: User) -> Client:
    browser = Client()
    browser.force_login(alice)
    return browser


def shown(console: Client, **query: str) -> list[str]:
    return [entry.verb for entry in console.get(LIST, query).context["cl"].result_list]


def test_it_says_what_agents_did_for_people(tenant: Tenant, alice: User, bob: User) -> None:
    page = admin.AuditEntryAdmin(AuditEntry, site)
    with acting_for(tenant), audit.recording():
        audit.note("call.claimed", tenant, by=None, behalf=bob)
        audit.note("call.expired", tenant, by=None, behalf=bob)
        audit.note("call.denied", tenant, by=alice, behalf=bob)
    with acting_for(tenant):
        entries = log_of(tenant)
    assert [page.who(entry) for entry in entries[-3:]] == ["Agent", "System", alice.email]


def test_the_newest_stands_first_and_everything_can_be_filtered(
    console: Client, alice: User, bob: User
) -> None:
    assert shown(console) == ["call.expired", "call.denied", "tool.switched_off"]
    assert shown(console, who=alice.pk) == ["tool.switched_off"]
    assert shown(console, who="-") == ["call.expired"]
    assert shown(console, verb="call.denied") == ["call.denied"]
    assert shown(console, object_kind="tenant") == ["call.denied"]
    assert shown(console, q=bob.pk) == ["tool.switched_off"]
    assert shown(console, q="192.0.2.7") == ["call.expired", "call.denied", "tool.switched_off"]
    tomorrow = timezone.now() + timedelta(days=1)
    assert shown(console, time__gte=tomorrow.isoformat()) == []
    assert len(shown(console, time__lt=tomorrow.isoformat())) == 3


def test_an_entry_is_shown_whole_as_text(console: Client, tenant: Tenant) -> None:
    """T69: whatever was written into it."""
    entry = log_of(tenant)[0]
    page = console.get(f"{LIST}{entry.pk}/change/").content.decode()
    assert "<img src=x" not in page and "&lt;img src=x" in page
    for said in ("alice@acme.test", "192.0.2.7", "request-1", entry.hash, "Tool switched off"):
        assert said in page


def test_nothing_of_another_tenant_is_seen(console: Client, other_tenant: Tenant) -> None:
    """T33"""
    foreign = log_of(other_tenant)[0]
    assert console.get(f"{LIST}{foreign.pk}/change/").status_code == 404
    assert shown(console, q=foreign.object_id) == shown(console, q="Globex") == []
    for page in (LIST, LIST + "export/csv/", LIST + "export/json/"):
        assert "zzforeign" not in console.get(page).content.decode()


def test_only_owners_and_admins_look(told: None, rita: User, bob: User, adam: User) -> None:
    for user, status in ((adam, 200), (rita, 403), (bob, 403)):
        browser = Client()
        browser.force_login(user)
        for page in (LIST, LIST + "export/csv/"):
            assert browser.get(page).status_code == status


def test_a_spreadsheet_runs_nothing_of_the_file(console: Client, tenant: Tenant) -> None:
    """CSV: a cell that begins like a formula is text."""
    with acting_for(tenant), audit.coming_from("page", "+1"), audit.recording():
        audit.note(
            "member.added", User(pk="@x", email="=1+1@acme.test", name="-2"), by=User(pk="u", email="=cmd|x")
        )
    answer = console.get(LIST + "export/csv/")
    assert answer["Content-Disposition"] == 'attachment; filename="acme-audit.csv"'
    rows = list(csv.reader(io.StringIO(answer.content.decode(), newline="")))
    assert len(rows) == 5 and len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
    assert "'=cmd|x" in rows[1] and "'-2" in rows[1]


def test_a_file_has_what_the_filters_leave_and_is_itself_noted(
    console: Client, tenant: Tenant, alice: User
) -> None:
    answer = console.get(LIST + "export/json/", {"verb": "call.denied"})
    (entry,) = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert (entry["verb"], entry["actor_name"]) == ("call.denied", "bob@acme.test")
    assert entry["details"] == {"reason": '=HYPERLINK("http://evil")'}
    noted = log_of(tenant)[-1]
    assert (noted.verb, noted.actor, json.loads(noted.details)) == (
        "audit.exported", alice.pk, {"form": "json", "entries": 1},
    )  # fmt: skip
    assert console.get(LIST + "export/xlsx/").status_code == 404


def test_a_file_is_never_cut_short_in_silence(console: Client, tenant: Tenant, monkeypatch: Any) -> None:
    monkeypatch.setattr(admin, "MOST", 2)
    answer = console.get(LIST + "export/csv/", follow=True)
    assert "more than 2 entries" in answer.content.decode()
    assert console.get(LIST + "export/csv/", {"verb": "call.denied"})["Content-Type"].startswith("text/csv")


def test_the_list_is_cheap(console: Client, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(12):
        console.get(LIST)


# Over HTTP


def ask(user: User, *scopes: str, **query: Any) -> Any:
    with acting_for(Tenant.objects.get(slug="acme")):
        _token, raw = tokens.make(user, "program", scopes or ["configure"])
    return Client().get("/api/v1/t/acme/audit", query, headers={"Authorization": f"Bearer {raw}"})


def test_programs_read_it_part_by_part(told: None, tenant: Tenant, alice: User) -> None:
    seen: list[int] = []
    cursor = None
    while cursor != "":
        part = ask(alice, limit=2, **({"cursor": cursor} if cursor else {})).json()
        seen += [entry["number"] for entry in part["results"]]
        cursor = part["next"] or ""
    assert seen == sorted(seen, reverse=True) and seen[-3:] == [3, 2, 1]


def test_programs_filter_it(told: None, alice: User, bob: User, tenant: Tenant) -> None:
    def verbs(**query: Any) -> list[str]:
        return [entry["verb"] for entry in ask(alice, **query).json()["results"]]

    assert verbs(verb="call.") == ["call.expired", "call.denied"]
    assert verbs(verb="call.denied") == verbs(who=bob.pk) == verbs(kind="tenant") == ["call.denied"]
    assert verbs(thing=bob.pk) == ["tool.switched_off"]
    soon = (timezone.now() + timedelta(minutes=1)).isoformat()
    assert verbs(since=soon) == [] and "call.denied" in verbs(until=soon)
    for wrong in ({"since": "yesterday"}, {"since": "2026-01-01T00:00:00"}, {"who": "\0"}, {"colour": "red"}):
        assert ask(alice, **wrong).status_code == 400


def test_an_entry_over_http(told: None, alice: User, bob: User) -> None:
    (entry,) = ask(alice, verb="tool.switched_off").json()["results"]
    assert entry["who"] == {"id": alice.pk, "name": "alice@acme.test"}
    assert entry["thing"] == {"kind": "user", "id": bob.pk, "name": "Bob"}
    assert (entry["way"], entry["ip"], entry["request"]) == ("console", "192.0.2.7", "request-1")
    assert entry["on_behalf_of"] is None and entry["details"] == {"said": NASTY}
    stored = AuditEntry.objects.across_tenants().get(pk=entry["id"])
    assert entry["link"] == {"key": "k1", "hash": stored.hash}


def test_it_asks_for_the_right_to_configure(
    told: None, alice: User, rita: User, bob: User, charlie: User
) -> None:
    assert ask(alice).status_code == 200
    assert ask(alice, "read", "chat", "review").status_code == 403
    assert ask(rita).status_code == ask(bob).status_code == 403


def test_reading_it_is_not_noted(told: None, console: Client, alice: User, tenant: Tenant) -> None:
    """T65: only taking it out is; looking changes nothing."""
    before = verbs_of(tenant)
    console.get(LIST)
    assert verbs_of(tenant) == before


@pytest.mark.parametrize("query", ["time__gte=x", "time__year=0", "time__year=99999999999999999999"])
def test_a_file_of_filters_that_mean_nothing_leads_back_to_the_list(console: Client, query: str) -> None:
    answer = console.get(f"{LIST}export/csv/?{query}")
    assert (answer.status_code, answer["Location"]) == (302, LIST + "?e=1")
