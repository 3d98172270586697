"""`audit.note`: one entry, in the transaction of the change it tells, cheap, and never changed again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from platform_site import audit, keyring, ledger
from platform_site.append_only import AppendOnly
from platform_site.audit.chain import Broken
from platform_site.audit.verifying import Sound, verify
from platform_site.models import AuditEntry, AuditHead, Tenant, Topic, User
from platform_site.tenancy import NoTenant, acting_for
from tests.audit.conftest import log_of, verbs_of

pytestmark = pytest.mark.django_db
ON, OFF = "tool.switched_on", "tool.switched_off"


def test_an_entry_says_who_what_which_and_from_where(inside: Tenant, alice: User, bob: User) -> None:
    with audit.coming_from("console", "192.0.2.7", "request-1"), audit.recording():
        audit.note(
            "member.role_changed", bob, by=alice, behalf=bob, before=audit.digest(1), after="f" * 64, was="member",
            now="admin", nothing=None, list=[1, True],
        )  # fmt: skip
    (entry,) = log_of(inside)
    assert (entry.number, entry.verb) == (1, "member.role_changed")
    assert (entry.actor, entry.actor_name) == (alice.pk, "alice@acme.test")
    assert (entry.behalf, entry.behalf_name) == (bob.pk, "bob@acme.test")
    assert (entry.object_kind, entry.object_id, entry.object_name) == ("user", bob.pk, "Bob")
    assert (entry.way, entry.ip, entry.request) == ("console", "192.0.2.7", "request-1")
    assert json.loads(entry.details) == {"was": "member", "now": "admin", "list": [1, True]}
    assert len(entry.before) == len(entry.after) == len(entry.hash) == 64
    assert verify() == Sound(1)


def test_what_nobody_did_was_done_by_the_system(inside: Tenant) -> None:
    with audit.recording():
        audit.note("call.expired", by=None)
    (entry,) = log_of(inside)
    assert (entry.actor, entry.actor_name, entry.way, entry.object_kind) == ("", "", "system", "")


def test_a_change_and_its_note_stand_or_fall_together(inside: Tenant, alice: User) -> None:
    """T64: what was rolled back was never noted, and what was noted is there."""
    with pytest.raises(ZeroDivisionError), audit.recording():
        audit.note(ON, by=alice)
        _ = 1 / 0
    assert log_of(inside) == []
    with audit.recording():
        audit.note(OFF, by=alice)
    assert verbs_of(inside) == [OFF]
    assert verify() == Sound(1)


def test_a_savepoint_takes_its_notes_with_it(inside: Tenant, alice: User) -> None:
    """T64: an inner failure that was caught leaves no entry of what it undid."""
    with audit.recording():
        audit.note(ON, by=alice)
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            audit.note("tool.version_saved", by=alice)
            _ = 1 / 0
        with pytest.raises(ZeroDivisionError), audit.recording():
            audit.note("tool.version_saved", by=alice)
            _ = 1 / 0
        audit.note(OFF, by=alice)
    assert verbs_of(inside) == [ON, OFF]
    assert verify() == Sound(2)


@pytest.mark.django_db(transaction=True)
def test_outside_of_a_transaction_nothing_is_noted(inside: Tenant) -> None:
    with pytest.raises(audit.NoTransaction):
        audit.note(ON, by=None)
    with transaction.atomic():
        audit.note(ON, by=None)
    assert verbs_of(inside) == [ON]


def test_a_verb_nobody_knows_is_a_bug(inside: Tenant) -> None:
    with pytest.raises(ValueError, match="exploded"), audit.recording():
        audit.note("tool.exploded", by=None)


def test_without_a_tenant_there_is_no_log(tenant: Tenant) -> None:
    with pytest.raises(NoTenant), audit.recording():
        audit.note(ON, by=None)


def test_all_notes_of_a_transaction_cost_three_statements(inside: Tenant, alice: User) -> None:
    """Lock the head, insert, move the head; and nothing at all where nothing is noted."""
    with audit.recording():
        audit.note(ON, by=alice)
    for count in (1, 5):
        with CaptureQueriesContext(connection) as queries, audit.recording():
            for _ in range(count):
                audit.note(OFF, by=alice)
        asked = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
        assert [sql.split()[0] for sql in asked] == ["SELECT", "INSERT", "UPDATE"]
    topic = Topic.objects.create()
    with CaptureQueriesContext(connection) as queries, ledger.writing(topic.pk):
        pass
    assert [q["sql"].split()[0] for q in queries if "SAVEPOINT" not in q["sql"]] == ["SELECT"]


def test_the_head_is_locked_only_at_the_end(inside: Tenant, alice: User) -> None:
    """Notes wait for the end of the outermost transaction, also those of verbs within."""
    with audit.recording():
        audit.note(ON, by=alice)
        with audit.recording():
            audit.note(OFF, by=alice)
        assert log_of(inside) == []
    assert verbs_of(inside) == [ON, OFF]


def test_a_conversations_transaction_stores_its_notes(inside: Tenant, alice: User) -> None:
    topic = Topic.objects.create()
    with ledger.writing(topic.pk):
        audit.note(ON, by=alice)
        assert log_of(inside) == []
    assert verbs_of(inside) == [ON]


def test_tenants_have_chains_of_their_own(tenant: Tenant, other_tenant: Tenant, alice: User) -> None:
    """One transaction may note in several; each counts from 1."""
    with audit.recording():
        for one in (other_tenant, tenant, tenant):
            with acting_for(one):
                audit.note(ON, by=alice)
    for one, count in ((tenant, 2), (other_tenant, 1)):
        assert [entry.number for entry in log_of(one)] == list(range(1, count + 1))
        with acting_for(one):
            assert verify() == Sound(count)


def test_entries_are_never_changed_by_the_orm(inside: Tenant, alice: User) -> None:
    with audit.recording():
        audit.note(ON, by=alice)
    (entry,) = log_of(inside)
    entry.verb = OFF
    for attempt in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(verb=OFF),
        lambda: AuditEntry.objects.across_tenants().filter(pk=entry.pk).update(verb=OFF),
        lambda: AuditEntry.objects.bulk_update([entry], ["verb"]),
        lambda: AuditEntry.objects.bulk_create([entry], ignore_conflicts=True),
        lambda: AuditEntry.objects.bulk_create(
            [entry], update_conflicts=True, unique_fields=["tenant", "number"], update_fields=["verb"]
        ),
    ):
        with pytest.raises(AppendOnly), transaction.atomic():
            attempt()
    assert verbs_of(inside) == [ON]


def test_what_looks_like_a_secret_is_masked(inside: Tenant) -> None:
    """T61: callers give none; should one slip through, it is not kept."""
    with audit.recording():
        audit.note(ON, by=None, api_key="canary-1", said="password=canary-2", deep={"token": "canary-3"})
    (entry,) = log_of(inside)
    assert "canary" not in entry.details


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "鞋 ☂ \U0001f600", "x" * 5000])
def test_any_text_can_be_noted_and_verifies(inside: Tenant, text: str) -> None:
    user = User(pk="u1", email=text, name=text)
    with audit.coming_from("page", text, "r"), audit.recording():
        audit.note("member.added", user, by=user, said=text)
    assert verify() == Sound(1)


def test_a_newer_key_takes_over_and_older_entries_verify(inside: Tenant, data_dir: Any) -> None:
    """T62, T63: the key is made from the sealing key; each entry names the one it was made with."""
    with audit.recording():
        audit.note(ON, by=None)
    stored = json.loads((data_dir / "keys" / "sealing.json").read_text())
    newer = {"current": "k2", "keys": {**stored["keys"], "k2": json.loads(keyring.first())["keys"]["k1"]}}
    write_keys(data_dir, newer)
    with audit.recording():
        audit.note(OFF, by=None)
    assert [entry.key for entry in log_of(inside)] == ["k1", "k2"]
    assert verify() == Sound(2)
    write_keys(data_dir, {"current": "k2", "keys": {"k2": newer["keys"]["k2"]}})
    assert isinstance(verify(), Broken), "the old key was taken away"


def write_keys(data_dir: Any, keys: Any) -> None:
    (data_dir / "keys" / "sealing.json").write_text(json.dumps(keys))


def test_a_head_that_was_changed_is_not_mended_by_what_comes_after(inside: Tenant) -> None:
    """T63: work goes on, the hole stays to be seen: an end cut off with the head made to fit, then new entries."""
    for _ in range(3):
        with audit.recording():
            audit.note(ON, by=None)
    first = log_of(inside)[0]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM platform_site_auditentry WHERE number > 1")
    AuditHead.objects.update(count=1, hash=first.hash)
    with audit.recording():
        audit.note(OFF, by=None)
    assert verbs_of(inside) == [ON, OFF]
    assert isinstance(verify(), Broken)


def test_a_head_that_was_taken_away_is_not_mended_either(inside: Tenant) -> None:
    """T63"""
    with audit.recording():
        audit.note(ON, by=None)
    AuditHead.objects.all().delete()
    assert isinstance(verify(), Broken)
    with audit.recording():
        audit.note(OFF, by=None)
    assert verbs_of(inside) == [ON, OFF]
    assert isinstance(verify(), Broken)
