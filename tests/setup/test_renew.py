"""A demo tenant that an earlier version made is brought up to date; what its admins did to it stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Max
from django.test import Client

from agents.catalogue import save_agent, save_model, switch_agent
from agents.models import Agent
from platform_site.audit import coming_from
from platform_site.models import AuditEntry, Membership, Tenant, User
from platform_site.setup import seed as seeding
from platform_site.setup.config_file import apply_file, export_tenant
from platform_site.setup.seed import seed
from platform_site.tenancy import acting_for
from tools.catalogue import save_tool, switch_tool
from tools.models import Tool

ORIGINS = {"mall": "http://127.0.0.1:8801", "desk": "http://127.0.0.1:8802"}
OLD = Path(__file__).with_name("old-desk.json")
"""The desk as it was before there were reminders, search, summaries and debates."""
NEW_TOOLS = {
    "market_report",
    "perplexity_search",
    "summary",
    "reminder_set",
    "reminder_list",
    "reminder_delete",
}


@pytest.fixture
def old(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tenant:
    """The demo as an earlier version left it."""
    with monkeypatch.context() as earlier:
        earlier.setattr(seeding, "FILES", {"desk": OLD})
        earlier.setattr(seeding, "ADDED", {})
        assert seed(tmp_path, ORIGINS) == ["desk"]
    return Tenant.objects.get(slug="desk")


@pytest.fixture
def owner(old: Tenant) -> User:
    return User.objects.get(email="owner@desk.test")


def start(data_dir: Path) -> None:
    """This version starts."""
    seed(data_dir, ORIGINS)


def state(tenant: Tenant) -> dict[str, Any]:
    """The configuration, without who the people are."""
    exported = export_tenant(tenant)
    return {section: exported[section] for section in ("credentials", "models", "tools", "agents")}


def agent(tenant: Tenant, slug: str = "assistant") -> dict[str, Any]:
    return next(one for one in export_tenant(tenant)["agents"] if one["slug"] == slug)


def test_it_becomes_what_a_new_one_would_be(old: Tenant, tmp_path: Path) -> None:
    with acting_for(old):
        assert not NEW_TOOLS & set(Tool.objects.values_list("name", flat=True))
    start(tmp_path)
    renewed = state(old)
    Tenant.objects.filter(pk=old.pk).update(slug="old-desk")
    Membership.objects.across_tenants().filter(tenant=old).delete()
    seed(tmp_path, ORIGINS)
    assert renewed == state(Tenant.objects.get(slug="desk"))
    assert {tool["name"] for tool in renewed["tools"]} >= NEW_TOOLS


def test_a_second_start_changes_and_notes_nothing(old: Tenant, tmp_path: Path) -> None:
    start(tmp_path)
    newest = AuditEntry.objects.across_tenants().aggregate(Max("number"))
    start(tmp_path)
    assert AuditEntry.objects.across_tenants().aggregate(Max("number")) == newest


def test_the_audit_log_says_that_it_changed_by_itself(old: Tenant, tmp_path: Path) -> None:
    start(tmp_path)
    with acting_for(old):
        applied = AuditEntry.objects.filter(verb="configuration.applied").order_by("number")
        ways = list(applied.values_list("way", flat=True))
    assert ways == ["command", "system"]


def test_the_next_version_renews_what_this_one_renewed(
    old: Tenant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tmp_path)
    later = json.loads(seeding.FILES["desk"].read_text())
    later["agents"][0]["instructions"] = "Be brief."
    file = tmp_path / "desk.json"
    file.write_text(json.dumps(later))
    monkeypatch.setitem(seeding.FILES, "desk", file)
    start(tmp_path)
    assert agent(old)["instructions"] == "Be brief."


def test_an_agent_that_an_admin_changed_stays(old: Tenant, owner: User, tmp_path: Path) -> None:
    with acting_for(old), coming_from("console"):
        save_agent({**agent(old), "instructions": "Ours."}, owner)
    start(tmp_path)
    assert agent(old)["instructions"] == "Ours."
    with acting_for(old):
        assert set(Tool.objects.values_list("name", flat=True)) >= NEW_TOOLS, "what is new comes all the same"


def test_what_the_operator_applied_stays(old: Tenant, tmp_path: Path) -> None:
    with coming_from("command"):
        changed = {**agent(old), "instructions": "Ours."}
        apply_file({"tenant": {"slug": "desk", "name": old.name}, "agents": [changed]}, None)
    start(tmp_path)
    assert agent(old)["instructions"] == "Ours."


def test_what_a_script_of_the_operator_changed_stays(old: Tenant, tmp_path: Path) -> None:
    """`manage.py shell`, by nobody's name and on no known way."""
    with acting_for(old):
        save_agent({**agent(old), "instructions": "Ours."}, None)
    start(tmp_path)
    start(tmp_path)
    assert agent(old)["instructions"] == "Ours."


def test_what_an_admin_switched_off_stays_off_and_as_it_was(old: Tenant, owner: User, tmp_path: Path) -> None:
    before = agent(old)
    with acting_for(old):
        switch_agent(Agent.objects.get(slug="assistant"), False, owner)
        switch_tool(Tool.objects.get(name="get_price"), False, owner)
    start(tmp_path)
    with acting_for(old):
        assert not Agent.objects.get(slug="assistant").is_enabled
        assert not Tool.objects.get(name="get_price").is_enabled
    assert agent(old) == before


def test_a_model_that_an_admin_deleted_does_not_come_back(old: Tenant, owner: User, tmp_path: Path) -> None:
    """A new agent that speaks through it is left out; the rest is renewed."""
    new = next(one for one in seeding._document("desk")["models"] if one["slug"] == "demo-thorough")
    with acting_for(old), coming_from("console"):
        model, _changed = save_model(new, owner)
    console = Client()
    console.force_login(owner)
    url = f"/t/desk/admin/agents/languagemodel/{model.pk}/delete/"
    assert console.post(url, {"post": "yes"}).status_code == 302
    start(tmp_path)
    renewed = state(old)
    assert "demo-thorough" not in {one["slug"] for one in renewed["models"]}
    assert {one["slug"] for one in renewed["agents"]} == {"assistant", "cognito", "muse"}
    assert {one["name"] for one in renewed["tools"]} >= NEW_TOOLS


def test_with_the_model_there_the_new_agents_come(old: Tenant, tmp_path: Path) -> None:
    start(tmp_path)
    assert {one["slug"] for one in state(old)["agents"]} == {"assistant", "cognito", "muse", "debate"}


def test_somebodys_own_tenant_of_the_same_name_is_left_alone(db: None, alice: User, tmp_path: Path) -> None:
    (tmp_path / "market-origin").write_text(ORIGINS["desk"])
    own = Tenant.objects.create(slug="desk", name="Desk & Co")
    start(tmp_path)
    assert state(own) == {"credentials": [], "models": [], "tools": [], "agents": []}


def test_a_tool_that_was_moved_with_its_backend_is_renewed(old: Tenant, tmp_path: Path) -> None:
    """That was us, too."""
    seeding.SAMPLES["desk"].follow(tmp_path, "http://127.0.0.1:9902")
    start(tmp_path)
    assert {tool["name"] for tool in state(old)["tools"]} >= NEW_TOOLS
    search = next(one for one in state(old)["credentials"] if one["slug"] == "search")
    assert search["base_url"].startswith("http://127.0.0.1:9902/")


def test_a_changed_tool_of_an_admin_stays(old: Tenant, owner: User, tmp_path: Path) -> None:
    with acting_for(old):
        tool = next(one for one in state(old)["tools"] if one["name"] == "suggest_replies")
        save_tool({**tool, "description": "Ours."}, owner)
    start(tmp_path)
    assert "Ours." in {tool["description"] for tool in state(old)["tools"]}
