"""Two people edit the same thing: the second is told, sees what changed, and decides."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from agents.models import LanguageModel
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, Rows, errors_at, fields_of
from tools.catalogue import switch_tool
from tools.models import Tool

RULE = '[{"name": "short", "check": "size(args.query) < 9", "severity": "error", "message": "Too long."}]'


@pytest.fixture
def tool_page(rows: Rows) -> str:
    return f"{HOME}tools/tool/{rows.tool.pk}/change/"


def saved(rows: Rows) -> Any:
    return Tool.objects.across_tenants().select_related("current").get(pk=rows.tool.pk)


def test_the_second_save_does_not_erase_the_first(
    console: Client, as_admin: Client, rows: Rows, tool_page: str
) -> None:
    """Alice adds a rule while Adam edits the description: Adam is told, and what he typed stays."""
    of_adam = fields_of(as_admin.get(tool_page)) | {"description": "Finds more."}
    console.post(tool_page, fields_of(console.get(tool_page)) | {"rules": RULE})
    page = as_admin.post(tool_page, of_adam)
    assert page.status_code == 200
    assert "version 2 while you were editing (Alice" in errors_at(page, "overwrite")
    shown = page.content.decode()
    assert "Finds more." in shown and f"{rows.tool.pk}/versions/?old=1&amp;new=2" in shown
    assert (saved(rows).current.number, len(saved(rows).current.definition["rules"])) == (2, 1)


def test_who_was_told_may_save_over_it(console: Client, as_admin: Client, rows: Rows, tool_page: str) -> None:
    of_adam = fields_of(as_admin.get(tool_page)) | {"description": "Finds more."}
    console.post(tool_page, fields_of(console.get(tool_page)) | {"rules": RULE})
    assert as_admin.post(tool_page, of_adam | {"overwrite": "on"}).status_code == 302
    assert (saved(rows).current.number, saved(rows).current.definition["rules"]) == (3, [])


def test_one_after_the_other_is_no_conflict(
    console: Client, as_admin: Client, rows: Rows, tool_page: str
) -> None:
    console.post(tool_page, fields_of(console.get(tool_page)) | {"rules": RULE})
    form = fields_of(as_admin.get(tool_page)) | {"description": "Finds more."}
    assert as_admin.post(tool_page, form).status_code == 302
    assert (saved(rows).current.number, len(saved(rows).current.definition["rules"])) == (3, 1)


def test_a_tool_switched_off_meanwhile_stays_off(
    as_admin: Client, rows: Rows, tool_page: str, tenant: Tenant, alice: User
) -> None:
    form = fields_of(as_admin.get(tool_page)) | {"description": "Finds more."}
    with acting_for(tenant):
        switch_tool(rows.tool, False, alice)
    assert "switched it on or off" in errors_at(as_admin.post(tool_page, form), "overwrite")
    assert not saved(rows).is_enabled


def test_a_form_that_does_not_say_what_it_was_loaded_from_is_refused(
    console: Client, rows: Rows, tool_page: str
) -> None:
    form = fields_of(console.get(tool_page)) | {"description": "Finds more."}
    del form["loaded"]
    assert errors_at(console.post(tool_page, form), "overwrite")


def test_the_live_check_tells_it_already(
    console: Client, as_admin: Client, rows: Rows, tool_page: str
) -> None:
    form = fields_of(as_admin.get(tool_page))
    console.post(tool_page, fields_of(console.get(tool_page)) | {"rules": RULE})
    found = as_admin.post(f"{HOME}tools/tool/check/?row={rows.tool.pk}", form).json()["fields"]
    assert list(found) == ["overwrite"]


def test_the_same_holds_for_an_agent(console: Client, as_admin: Client, rows: Rows) -> None:
    path = f"{HOME}agents/agent/{rows.agent.pk}/change/"
    of_adam = fields_of(as_admin.get(path)) | {"name": "Helper"}
    console.post(path, fields_of(console.get(path)) | {"instructions": "Be brief."})
    assert "version 2" in errors_at(as_admin.post(path, of_adam), "overwrite")
    assert as_admin.post(path, of_adam | {"overwrite": "on"}).status_code == 302


def test_the_same_holds_for_a_model(console: Client, as_admin: Client, rows: Rows) -> None:
    """A model has no versions, so only that it was saved is told."""
    path = f"{HOME}agents/languagemodel/{rows.model.pk}/change/"
    of_adam = fields_of(as_admin.get(path)) | {"input_price": "9"}
    assert console.post(path, fields_of(console.get(path)) | {"input_price": "3"}).status_code == 302
    assert "while you were editing" in errors_at(as_admin.post(path, of_adam), "overwrite")
    assert LanguageModel.objects.across_tenants().get(pk=rows.model.pk).input_price == 3
    assert as_admin.post(path, of_adam | {"overwrite": "on"}).status_code == 302
    assert LanguageModel.objects.across_tenants().get(pk=rows.model.pk).input_price == 9


def test_a_new_one_is_nobodys(console: Client, rows: Rows) -> None:
    page = console.get(HOME + "tools/tool/add/")
    form = fields_of(page) | {
        "name": "weather",
        "description": "Tells.",
        "risk": "SAFE",
        "url": "https://a.example/",
    }
    form |= {"schema": '{"type": "object"}', "executor_kind": "http", "method": "GET", "run": "inline"}
    assert console.post(HOME + "tools/tool/add/", form).status_code == 302
