"""Writing agents and models in the console."""

from __future__ import annotations

import pytest
from django.test import Client

from agents.catalogue import save_agent, save_model
from agents.models import AgentVersion, LanguageModel
from platform_site.models import Tenant
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, Rows, errors_at, fields_of
from tools.models import Tool


@pytest.fixture
def change(rows: Rows) -> str:
    return f"{HOME}agents/agent/{rows.agent.pk}/change/"


def newest(rows: Rows) -> AgentVersion:
    return AgentVersion.objects.across_tenants().filter(agent=rows.agent).latest("number")


def test_saving_it_unchanged_makes_no_version(console: Client, rows: Rows, change: str) -> None:
    assert console.post(change, fields_of(console.get(change))).status_code == 302
    assert newest(rows).number == 1


def test_models_keep_the_order_they_were_put_in(
    console: Client, rows: Rows, tenant: Tenant, change: str
) -> None:
    with acting_for(tenant):
        save_model({"slug": "better", "provider": "demo", "name": "demo"})
    console.post(change, fields_of(console.get(change)) | {"models": ["demo", "better"]})
    assert newest(rows).definition["models"] == ["demo", "better"]
    console.post(change, fields_of(console.get(change)) | {"models": ["better", "demo"]})
    assert newest(rows).definition["models"] == ["better", "demo"]
    page = console.get(change).content.decode()
    assert page.index('value="better"') < page.index('value="demo"')


def test_a_new_agent_is_saved(console: Client, rows: Rows) -> None:
    form = {"slug": "helper", "is_enabled": "on", "name": "Helper", "instructions": "Help.", "models": ["demo"],
            "tools": ["find_products"], "max_rounds": "5", "kind": "chat",
            "suggestions": "Hello\r\n\r\n Bye "}  # fmt: skip
    assert console.post(HOME + "agents/agent/add/", form).status_code == 302
    made = AgentVersion.objects.across_tenants().get(agent__slug="helper").definition
    assert (made["suggestions"], made["max_rounds"]) == (["Hello", "Bye"], 5)
    assert "taken" in errors_at(console.post(HOME + "agents/agent/add/", form), "slug")


def test_a_fault_in_a_scenario_is_told_there(console: Client, rows: Rows, change: str) -> None:
    scenarios = '[{"slug": "s", "name": "S", "instructions": "", "tools": ["nothing"]}]'
    page = console.post(change, fields_of(console.get(change)) | {"scenarios": scenarios})
    assert "$[0].tools" in errors_at(page, "scenarios")
    assert newest(rows).number == 1


def test_the_live_check_says_the_same(console: Client, rows: Rows, change: str) -> None:
    form = fields_of(console.get(change)) | {"max_rounds": "900"}
    found = console.post(f"{HOME}agents/agent/check/?row={rows.agent.pk}", form).json()["fields"]
    assert list(found) == ["max_rounds"]


def test_tools_stand_in_groups_with_their_risk(console: Client, rows: Rows, change: str) -> None:
    page = console.get(change).content.decode()
    assert "<h4>shop</h4>" in page and '<span class="console-badge SAFE">' in page


def test_a_disabled_tool_is_marked(console: Client, rows: Rows, tenant: Tenant, change: str) -> None:
    with acting_for(tenant):
        Tool.objects.update(is_enabled=False)
    assert b"find_products (disabled)" in console.get(change).content


def test_a_models_credential_fits_its_provider(console: Client, rows: Rows) -> None:
    form = {"slug": "gpt", "provider": "openai", "name": "gpt", "credential": rows.credential.pk,
            "input_price": "1", "output_price": "2"}  # fmt: skip
    page = console.post(HOME + "agents/languagemodel/add/", form)
    assert "another provider" in errors_at(page, "credential")
    assert console.post(HOME + "agents/languagemodel/add/", form | {"credential": ""}).status_code == 302
    assert LanguageModel.objects.across_tenants().get(slug="gpt").tenant_id == rows.model.tenant_id
    assert "taken" in errors_at(
        console.post(HOME + "agents/languagemodel/add/", form | {"credential": ""}), "slug"
    )


def test_a_debate_is_written_in_the_console(console: Client, rows: Rows, tenant: Tenant) -> None:
    """Who debates, how, and how they look; saved again unchanged it makes no version."""
    with acting_for(tenant):
        for slug in ("anna", "ben"):
            entry = {"slug": slug, "name": slug, "instructions": "", "models": ["demo"], "tools": []}
            save_agent(entry, None)
    form = {"slug": "duel", "is_enabled": "on", "name": "Duel", "instructions": "", "models": ["demo"],
            "max_rounds": "5", "kind": "debate", "suggestions": "", "avatar": "🦉", "colour": "teal",
            "personas": ["ben", "anna"], "debate_mode": "ai", "debate_rounds": "3",
            "debate_most_rounds": "6"}  # fmt: skip
    add = HOME + "agents/agent/add/"
    assert console.post(add, form).status_code == 302
    made = AgentVersion.objects.across_tenants().get(agent__slug="duel")
    assert made.definition["debate"] == {
        "personas": ["ben", "anna"],
        "mode": "ai",
        "rounds": 3,
        "most_rounds": 6,
    }
    assert (made.definition["avatar"], made.definition["colour"]) == ("🦉", "teal")
    change = f"{HOME}agents/agent/{made.agent_id}/change/"
    assert console.post(change, fields_of(console.get(change))).status_code == 302
    assert AgentVersion.objects.across_tenants().filter(agent=made.agent_id).count() == 1
    one = console.post(add, form | {"slug": "other", "personas": ["ben"]})
    assert errors_at(one, "personas")
    assert "avatar" in errors_at(console.post(add, form | {"slug": "other", "avatar": "Cog"}), "avatar")
