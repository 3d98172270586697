"""Limits and presets in the configuration file, and what the audit log says of limits."""

from __future__ import annotations

from typing import Any

import pytest

from agents.usage.config import apply_limits, export_limits
from agents.usage.models import UsageLimit
from platform_site.errors import BadDefinition
from platform_site.models import AuditEntry, Tenant, User
from platform_site.setup.config_file import BadConfiguration, apply_file, export_tenant
from platform_site.setup.config_review import look

TENANT = {"tenant": {"slug": "acme", "name": "Acme"}}
LIMITS: list[dict[str, Any]] = [
    {"kind": "concurrent_runs", "amount": 8},
    {"kind": "monthly_cost", "amount": 12.5},
    {"kind": "monthly_cost", "amount": 2, "agent": "writer"},
    {"kind": "monthly_tokens", "amount": 1_000_000, "user": "bob@acme.test"},
    {"kind": "requests_per_minute", "amount": 60, "model": "demo"},
]
FILE = TENANT | {
    "models": [{"slug": "demo", "provider": "demo", "name": "demo"}],
    "agents": [
        {"slug": "writer", "name": "Writer", "instructions": "Write.", "models": ["demo"], "tools": [],
         "presets": {"premium": {"models": ["demo"], "settings": {"temperature": 0.5}}}},
    ],
    "limits": LIMITS,
}  # fmt: skip


def test_what_was_applied_is_exported_and_changes_nothing_when_applied_again(
    tenant: Tenant, bob: User
) -> None:
    report = apply_file(FILE, None)
    assert [change.outcome for change in report.changes if change.section == "limits"] == ["created"] * 5
    exported = export_tenant(tenant)
    assert sorted(map(str, exported["limits"])) == sorted(map(str, LIMITS))
    assert exported["agents"][0]["presets"]["premium"]["settings"] == {"temperature": 0.5}
    again = apply_file(exported, None)
    assert {change.outcome for change in again.changes} == {"unchanged"}


@pytest.mark.usefixtures("inside")
def test_an_amount_of_null_lifts_a_limit_and_what_is_not_named_stays() -> None:
    apply_limits([{"kind": "monthly_cost", "amount": 1}, {"kind": "concurrent_runs", "amount": 2}], None)
    lift = [{"kind": "monthly_cost", "amount": None}]
    assert apply_limits(lift, None) == [("monthly_cost", "changed")]
    assert apply_limits(lift, None) == [("monthly_cost", "unchanged")]
    assert export_limits() == [{"kind": "concurrent_runs", "amount": 2}]


@pytest.mark.usefixtures("inside")
def test_a_persons_limit_is_lifted_however_the_address_is_written(bob: User) -> None:
    apply_limits([{"kind": "monthly_tokens", "amount": 5, "user": "Bob@ACME.test"}], None)
    lift = {"kind": "monthly_tokens", "amount": None, "user": "Bob@ACME.test"}
    assert apply_limits([lift], None) == [("monthly_tokens user bob@acme.test", "changed")]
    assert not UsageLimit.objects.exists()


def test_an_agent_and_a_model_of_one_name_have_limits_of_their_own(tenant: Tenant) -> None:
    both = [{"kind": "monthly_tokens", "amount": 5, of: "writer"} for of in ("agent", "model")]
    models = [*FILE["models"], {"slug": "writer", "provider": "demo", "name": "demo"}]  # type: ignore[misc]
    apply_file(FILE | {"models": models, "limits": both}, None)
    exported = export_tenant(tenant)
    assert exported["limits"] == both
    assert {change.outcome for change in apply_file(exported, None).changes} == {"unchanged"}
    exported["limits"][1]["amount"] = 7
    (entry,) = look(exported, tenant, None).entries
    assert entry.name == "monthly_tokens model writer"
    assert [(place.path, place.before, place.now) for place in entry.places] == [("amount", "5", "7")]


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"kind": "monthly_cost", "amount": 0}, "$.limits[0].amount"),
        ({"kind": "monthly_tokens", "amount": 1.5}, "$.limits[0].amount"),
        ({"kind": "monthly_tokens", "amount": 5, "agent": "nobody"}, "$.limits[0].agent"),
        ({"kind": "monthly_tokens", "amount": 5, "user": "charlie@globex.test"}, "$.limits[0].user"),
        ({"kind": "concurrent_runs", "amount": 5, "model": "demo"}, "$.limits[0].model"),
        ({"kind": "monthly_tokens", "amount": 5, "user": "a", "agent": "b"}, "$.limits[0]"),
        ({"kind": "yearly", "amount": 5}, "$.limits[0].kind"),
    ],
)
def test_what_cannot_be_a_limit_is_told_by_its_path(charlie: User, entry: dict[str, Any], path: str) -> None:
    with pytest.raises(BadDefinition) as bad:
        apply_limits([entry], None)
    assert bad.value.errors[0]["path"] == path
    assert not UsageLimit.objects.exists()


def test_the_files_form_is_checked_as_well(tenant: Tenant) -> None:
    with pytest.raises(BadConfiguration):
        apply_file(TENANT | {"limits": [{"kind": "monthly_cost", "amount": 5, "per": "month"}]}, None)


@pytest.mark.usefixtures("inside")
def test_a_limit_that_is_set_changed_or_lifted_stands_in_the_audit_log(adam: User) -> None:
    for amount in (5, 5, 7, None):
        apply_limits([{"kind": "monthly_cost", "amount": amount}], adam)
    noted = AuditEntry.objects.filter(verb__startswith="limit.").order_by("number")
    assert list(noted.values_list("verb", "actor")) == [
        ("limit.saved", adam.pk), ("limit.saved", adam.pk), ("limit.deleted", adam.pk),
    ]  # fmt: skip
    assert [entry.before != "" for entry in noted] == [False, True, True]
    assert '"amount":"7"' in noted[1].details
