"""`manage.py apply` and `export`: a tenant's configuration in and out, all or nothing."""

from __future__ import annotations

import io
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agents.models import Agent
from platform_site.models import AuditEntry, Credential, Membership, Tenant, User
from platform_site.notices.models import Webhook
from platform_site.notices.outbox import secret_of
from platform_site.setup.config_file import BadConfiguration, apply_file, export_tenant
from platform_site.tenancy import acting_for
from tools.models import ReviewerGroup, Tool, ToolVersion

pytestmark = pytest.mark.django_db

DOCUMENT: dict[str, Any] = {
    "tenant": {"slug": "shop", "name": "Shop", "locale": "zh-hans", "timezone": "Asia/Shanghai",
               "egress": ["127.0.0.1:9"]},
    "people": [{"email": "Olga@shop.test", "name": "Olga", "password": "not-so-secret-9", "role": "owner"}],
    "credentials": [
        {"slug": "api", "provider": "http", "base_url": "http://127.0.0.1:9", "api_key": "sk-secret"},
        {"slug": "gpt", "provider": "openai", "api_key_env": "OPENAI_API_KEY"},
    ],
    "models": [
        {"slug": "demo", "provider": "demo", "name": "demo"},
        {"slug": "big", "provider": "openai", "credential": "gpt", "name": "gpt-x", "images": True, "tools": True,
         "price": {"input": 1.25, "output": 10}},
    ],
    "tools": [
        {
            "name": "find", "description": "Finds things.", "domain": "shop", "risk": "SAFE", "read_only": True,
            "schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"],
                       "additionalProperties": False},
            "executor": {"kind": "http", "method": "GET", "url": "http://127.0.0.1:9/find", "credential": "api",
                         "headers": {"X-Shop": "one"}},
            "timeout_s": 5, "rate_limit": "30/m", "untrusted": True,
        },
        {
            "name": "buy", "description": "Buys a thing.", "risk": "CRITICAL", "idempotent": True, "run": "inline",
            "schema": {"type": "object", "properties": {"id": {"type": "string"}, "count": {"type": "integer"}},
                       "required": ["id", "count"], "additionalProperties": False},
            "executor": {"kind": "http", "method": "POST", "url": "http://127.0.0.1:9/buy/{id}"},
            "confirmation": {"by": "user", "proof": "password", "decide_within_s": 600,
                             "execute_within_s": 60, "votes": 1},
            "rules": [{"name": "not-too-many", "when": "args.count > 0", "check": "args.count < 10", 
                       "severity": "confirm", "message": "That is a lot.", "fix": "Buy fewer."}],
            "templates": {"count": "One piece."},
            "preview": {"tool": "find"},
        },
    ],
    "groups": [
        {"slug": "money", "name": "Money", "members": ["olga@shop.test"], "tools": ["buy"], "domains": ["shop"]},
    ],
    "agents": [
        {"slug": "guide", "name": "Guide", "instructions": "Help people buy.", "models": ["demo", "big"],
         "tools": ["find", "buy"], "max_rounds": 7, "kind": "chat",
         "scenarios": [{"slug": "browse", "name": "Browse", "instructions": "Only look.", "tools": ["find"]}],
         "suggestions": ["What is new?"]},
    ],
    "limits": [{"kind": "monthly_cost", "amount": 50}, {"kind": "requests_per_minute", "amount": 20, "model": "big"}],
    "webhooks": [{"name": "ops", "url": "https://hooks.shop.test/in", "kinds": ["reminder"], "enabled": False,
                  "secret": "sk-secret-of-the-hook"}],
}  # fmt: skip


def document(**changes: Any) -> dict[str, Any]:
    return {**deepcopy(DOCUMENT), **changes}


def test_every_key_of_the_form_is_taken() -> None:
    report = apply_file(document(), author=None)
    assert {change.outcome for change in report.changes} == {"created"}
    assert [change.section for change in report.changes] == [
        "tenant", "people", "credentials", "credentials", "models", "models", "tools", "tools", "groups",
        "agents", "limits", "limits", "webhooks",
    ]  # fmt: skip
    with acting_for(report.tenant):
        assert Tool.objects.count() == 2
        assert Agent.objects.get().current is not None
        assert Membership.objects.get().role == "owner"
    assert User.objects.get(email="olga@shop.test").check_password("not-so-secret-9")


def test_applying_twice_changes_nothing() -> None:
    apply_file(document(), author=None)
    report = apply_file(document(), author=None)
    assert {change.outcome for change in report.changes} == {"unchanged"}
    with acting_for(report.tenant):
        assert ToolVersion.objects.count() == 2


def test_applying_an_export_changes_nothing() -> None:
    tenant = apply_file(document(), author=None).tenant
    exported = json.loads(json.dumps(export_tenant(tenant)))
    report = apply_file(exported, author=None)
    assert {change.outcome for change in report.changes} == {"unchanged"}
    assert export_tenant(tenant) == exported


def test_an_export_makes_the_same_tenant_elsewhere() -> None:
    exported = export_tenant(apply_file(document(), author=None).tenant)
    copy = {**exported, "tenant": {**exported["tenant"], "slug": "copy"}}
    again = export_tenant(apply_file(copy, author=None).tenant)
    assert {**again, "tenant": exported["tenant"]} == exported


def test_an_export_holds_no_secret() -> None:
    text = json.dumps(export_tenant(apply_file(document(), author=None).tenant))
    assert "sk-secret" not in text
    assert "not-so-secret-9" not in text
    assert "hooks.shop.test" not in text, "an address may hold a key"


def test_a_credential_without_a_key_keeps_the_one_it_has() -> None:
    tenant = apply_file(document(), author=None).tenant
    apply_file(export_tenant(tenant), author=None)
    with acting_for(tenant):
        assert Credential.objects.get(slug="api").sealed


def test_a_webhooks_secret_is_the_one_that_was_given_until_another_is() -> None:
    tenant = apply_file(document(), author=None).tenant
    apply_file(export_tenant(tenant), author=None)
    with acting_for(tenant):
        assert secret_of(Webhook.objects.get()) == "sk-secret-of-the-hook"
    changed = document()
    changed["webhooks"][0] |= {"secret": "another-secret-of-it", "enabled": True}
    report = apply_file(changed, author=None)
    assert [change.name for change in report.changes if change.outcome == "changed"] == ["ops"]
    with acting_for(tenant):
        hook = Webhook.objects.get()
        assert secret_of(hook) == "another-secret-of-it" and hook.is_enabled


def test_a_webhook_without_a_secret_gets_one() -> None:
    tenant = apply_file(
        document(webhooks=[{"name": "ops", "url": "https://hooks.shop.test"}]), author=None
    ).tenant
    with acting_for(tenant):
        hook = Webhook.objects.get()
        assert secret_of(hook).startswith("whsec_") and hook.is_enabled
        assert hook.kinds == ["confirmation_waiting", "confirmation_expiring", "reminder"]


def test_how_long_a_decision_waits_before_people_are_told() -> None:
    waits = document()["tenant"] | {"notify_after_s": 60}
    assert apply_file(document(tenant=waits), author=None).tenant.notify_after_s == 60
    for wrong in (-60, 30, 90_000):
        with pytest.raises(BadConfiguration, match="notify_after_s"):
            apply_file(document(tenant=waits | {"notify_after_s": wrong}), author=None)


def test_a_changed_tool_gets_a_new_version_and_the_others_do_not() -> None:
    apply_file(document(), author=None)
    changed = document()
    changed["tools"][0]["description"] = "Finds things, better."
    report = apply_file(changed, author=None)
    assert [(change.section, change.name) for change in report.changes if change.outcome == "changed"] == [
        ("tools", "find")
    ]
    with acting_for(report.tenant):
        assert sorted(ToolVersion.objects.values_list("tool__name", "number")) == [
            ("buy", 1),
            ("find", 1),
            ("find", 2),
        ]


def test_what_the_document_does_not_name_stays() -> None:
    apply_file(document(), author=None)
    report = apply_file({"tenant": {"slug": "shop", "name": "The Shop"}}, author=None)
    assert [(change.section, change.outcome) for change in report.changes] == [("tenant", "changed")]
    with acting_for(report.tenant):
        assert (Tool.objects.count(), Agent.objects.count()) == (2, 1)
    assert report.tenant.timezone == "Asia/Shanghai"


@pytest.mark.parametrize(
    ("section", "entry", "path"),
    [
        ("tools", {"name": "bad", "description": "x", "risk": "HUGE", "schema": {"type": "object"},
                   "executor": {"kind": "http", "method": "GET", "url": "http://h.test/"}}, "tools[0] (bad).risk"),
        ("agents", {"slug": "bad", "name": "B", "instructions": "", "models": ["absent"], "tools": []},
         "agents[0] (bad)"),
        ("models", {"slug": "bad", "provider": "openai", "credential": "absent", "name": "m"}, "models[0] (bad)"),
        ("people", {"email": "x@shop.test", "role": "king"}, "people[0] (x@shop.test).role"),
        ("credentials", {"slug": "bad", "provider": "nobody"}, "credentials[0] (bad).provider"),
        ("webhooks", {"name": "bad", "url": "ftp://h.test"}, "webhooks[0] (bad).url"),
        ("webhooks", {"name": "bad", "url": "https://h.test", "secret": "short"}, "webhooks[0] (bad).secret"),
        ("webhooks", {"name": " bad", "url": "https://h.test"}, "webhooks[0] ( bad).name"),
        ("webhooks", {"name": "bad", "url": "https://h.test", "kinds": ["test"]}, "webhooks[0] (bad).kinds"),
    ],
)  # fmt: skip
def test_one_bad_entry_leaves_nothing_applied_and_is_named(
    section: str, entry: dict[str, Any], path: str
) -> None:
    with pytest.raises(BadConfiguration) as caught:
        apply_file(document(**{section: [entry]}), author=None)
    assert caught.value.faults[0].path.startswith(path)
    assert not Tenant.objects.filter(slug="shop").exists()
    assert not User.objects.filter(email="olga@shop.test").exists()


def test_an_unknown_key_is_named_and_nothing_applied() -> None:
    wrong = document()
    wrong["tools"][0]["desciption"] = "x"
    with pytest.raises(
        BadConfiguration, match=r"tools\[0\] \(find\).desciption: .* did you mean “description”"
    ):
        apply_file(wrong, author=None)
    assert not Tenant.objects.filter(slug="shop").exists()


def test_a_tenants_admin_cannot_configure_another_tenant(
    tenant: Tenant, adam: User, other_tenant: Tenant
) -> None:
    """T34: a document that names somebody else's tenant is refused before anything is read of it."""
    with pytest.raises(BadConfiguration, match="you do not configure"):
        apply_file({"tenant": {"slug": other_tenant.slug, "name": "Mine now"}}, author=adam)
    other_tenant.refresh_from_db()
    assert other_tenant.name == "Globex"


def test_a_member_cannot_configure_their_own_tenant(tenant: Tenant, bob: User) -> None:
    """T05."""
    with pytest.raises(BadConfiguration, match="you do not configure"):
        apply_file({"tenant": {"slug": tenant.slug, "name": "Bob's"}}, author=bob)


def test_a_tenants_admin_cannot_open_private_hosts(tenant: Tenant, adam: User) -> None:
    """T48: which private addresses tools may reach is the operator's to say."""
    with pytest.raises(BadConfiguration, match="tenant"):
        apply_file(
            {"tenant": {"slug": tenant.slug, "name": tenant.name, "egress": ["127.0.0.1:22"]}}, author=adam
        )
    tenant.refresh_from_db()
    assert tenant.egress == []


def test_the_commands_carry_a_tenant_from_one_to_the_other(tmp_path: Path) -> None:
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(DOCUMENT))
    assert "created   tools       find" in output_of("apply", str(file))
    file.write_text(output_of("export", "shop"))
    assert output_of("apply", str(file)) == "Tenant shop: 0 created, 0 changed, 12 unchanged.\n"


def test_standard_input_is_read_for_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"tenant": {"slug": "piped", "name": "Piped"}})))
    assert "created   tenant      piped" in output_of("apply", "-")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[1]", "Nothing was applied"),
        ('{"tenant": {"slug": "x", "name": "X"}, "tool": []}', "did you mean “tools”?"),
    ],
)
def test_a_file_that_cannot_be_applied_is_answered_plainly(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(CommandError, match=said.replace("?", r"\?")):
        call_command("apply", str(file))


def test_a_file_that_is_not_there_is_said_so() -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("apply", "/nowhere.json")


def test_an_export_of_an_unknown_tenant_lists_those_there_are(tenant: Tenant) -> None:
    with pytest.raises(CommandError, match="Tenants: acme"):
        call_command("export", "acne")


def output_of(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


# Reviewer groups


def group_of(tenant: Tenant) -> ReviewerGroup:
    with acting_for(tenant):
        return ReviewerGroup.objects.get()


def test_a_group_is_what_the_document_says() -> None:
    tenant = apply_file(document(), author=None).tenant
    olga = User.objects.get(email="olga@shop.test")
    assert (group_of(tenant).members, group_of(tenant).tools) == ([olga.pk], ["buy"])
    changed = document()
    changed["groups"][0] |= {"tools": [], "members": []}
    report = apply_file(changed, author=None)
    assert [(one.section, one.outcome) for one in report.changes if one.outcome != "unchanged"] == [
        ("groups", "changed")
    ]
    assert (group_of(tenant).members, group_of(tenant).tools, group_of(tenant).domains) == ([], [], ["shop"])
    with acting_for(tenant):
        last = AuditEntry.objects.filter(verb="group.saved").latest("number")
    assert '"changed":["members","tools"]' in last.details


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"members": ["nobody@shop.test"]}, "Nobody with the address nobody@shop.test"),
        ({"tools": ["bye"]}, "no tool bye"),
        ({"domains": ["shpo"]}, "No tool belongs to the group of tools shpo"),
        ({"slug": "two words"}, ""),
    ],
)
def test_what_a_group_names_has_to_be_there(wrong: dict[str, Any], told: str) -> None:
    """A misspelt name would protect nothing."""
    bad = document()
    bad["groups"][0] |= wrong
    with pytest.raises(BadConfiguration) as refused:
        apply_file(bad, author=None)
    assert told in str(refused.value) and "groups[0]" in str(refused.value)
    assert not Tenant.objects.filter(slug="shop").exists()


def test_who_left_stays_a_member_without_being_exported() -> None:
    tenant = apply_file(document(), author=None).tenant
    with acting_for(tenant):
        ben = User.objects.create_user("ben@shop.test", "a-password-of-my-own")
        gone = Membership.objects.create(user=ben, role="reviewer")
        ReviewerGroup.objects.update(members=sorted([*group_of(tenant).members, ben.pk]))
        Membership.objects.filter(pk=gone.pk).update(is_active=False)
    exported = export_tenant(tenant)
    assert exported["groups"][0]["members"] == ["olga@shop.test"]
    assert {change.outcome for change in apply_file(exported, author=None).changes} == {"unchanged"}
    assert ben.pk in group_of(tenant).members


def test_a_tool_that_nobody_can_approve_is_a_warning(tmp_path: Path) -> None:
    wanted = document(tools=[DOCUMENT["tools"][0], DOCUMENT["tools"][1] | {"confirmation": None}])
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(wanted))
    out, err = io.StringIO(), io.StringIO()
    call_command("apply", str(file), stdout=out, stderr=err)
    assert "Tenant shop:" in out.getvalue()
    assert "Warning: buy: What one of its reviewers asks for, nobody can approve" in err.getvalue()
