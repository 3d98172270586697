"""What is the neighbour's is not there: by list, by id, by filter, by search, by choice, by name in a form."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from agents.models import LanguageModel
from platform_site.models import User
from tests.admin.conftest import HOME, Rows, fields_of
from tools.models import Tool

TABLES = {
    "tool": "tools/tool", "agent": "agents/agent", "model": "agents/languagemodel",
    "credential": "platform_site/credential", "membership": "platform_site/membership",
    "token": "platform_site/apitoken", "run": "conversations/run", "call": "tools/toolcall",
    "confirmation": "tools/confirmation", "group": "tools/reviewergroup",
}  # fmt: skip
BY_ID = [(kind, "change/") for kind in TABLES] + [(kind, "delete/") for kind in TABLES]
BY_ID += [(kind, "history/") for kind in TABLES] + [("tool", "versions/"), ("agent", "versions/")]
POSTS = [("tool", "restore/1/"), ("agent", "restore/1/"), ("token", "revoke/")]


@pytest.mark.parametrize("kind", TABLES)
def test_lists_show_ones_own(console: Client, rows: Rows, foreign: Rows, kind: str) -> None:
    """T32, with its positive control."""
    page = console.get(f"{HOME}{TABLES[kind]}/")
    assert getattr(rows, kind) in page.context["cl"].result_list
    assert getattr(foreign, kind) not in page.context["cl"].result_list
    assert b"zzforeign" not in page.content and b"charlie@" not in page.content


@pytest.mark.parametrize("kind", TABLES)
def test_search_finds_ones_own(console: Client, rows: Rows, foreign: Rows, kind: str) -> None:
    """T34."""
    page = console.get(f"{HOME}{TABLES[kind]}/", {"q": "zzforeign"})
    assert list(page.context["cl"].result_list) == []
    assert not list(
        console.get(f"{HOME}{TABLES[kind]}/", {"q": getattr(foreign, kind).pk}).context["cl"].result_list
    )


@pytest.mark.parametrize(("kind", "page"), BY_ID)
def test_another_tenants_row_is_absent(
    console: Client, rows: Rows, foreign: Rows, kind: str, page: str
) -> None:
    """T32: the same answer as for an id that never was."""
    answers = [
        console.get(f"{HOME}{TABLES[kind]}/{pk}/{page}").status_code
        for pk in (getattr(foreign, kind).pk, "0" * 32)
    ]
    assert answers == ([403, 403] if page == "delete/" else [404, 404])


@pytest.mark.parametrize(("kind", "act"), POSTS)
def test_another_tenants_row_is_not_acted_on(
    console: Client, rows: Rows, foreign: Rows, kind: str, act: str
) -> None:
    """T32."""
    before = _values(getattr(foreign, kind))
    assert console.post(f"{HOME}{TABLES[kind]}/{getattr(foreign, kind).pk}/{act}").status_code == 404
    assert console.post(f"{HOME}{TABLES[kind]}/{getattr(foreign, kind).pk}/change/", {}).status_code in (
        403,
        404,
    )
    assert _values(getattr(foreign, kind)) == before


def _values(row: Any) -> Any:
    return type(row).objects.across_tenants().values().get(pk=row.pk)


def test_the_check_does_not_look_at_another_tenants_tool(console: Client, rows: Rows, foreign: Rows) -> None:
    """T32."""
    assert console.post(f"{HOME}tools/tool/check/?row={foreign.tool.pk}").status_code == 404


@pytest.mark.parametrize("kind", ["call", "run"])
def test_filters_offer_ones_own_people(
    console: Client, rows: Rows, foreign: Rows, bob: User, charlie: User, kind: str
) -> None:
    """T34: a filter over people lists this tenant's alone, and a foreign id in it finds nothing."""
    page = console.get(f"{HOME}{TABLES[kind]}/")
    assert bob.name.encode() in page.content and charlie.name.encode() not in page.content
    found = console.get(f"{HOME}{TABLES[kind]}/", {"requester__id__exact": charlie.pk})
    assert list(found.context["cl"].result_list) == []


def test_a_model_cannot_use_another_tenants_credential(console: Client, rows: Rows, foreign: Rows) -> None:
    """T34: a foreign id in a form's body."""
    form = {"slug": "new", "provider": "openai", "name": "x", "credential": foreign.credential.pk,
            "input_price": "0", "output_price": "0"}  # fmt: skip
    page = console.post(HOME + "agents/languagemodel/add/", form)
    assert "credential" in page.context["adminform"].form.errors
    assert not LanguageModel.objects.across_tenants().filter(slug="new").exists()


def test_an_agent_cannot_use_another_tenants_tool_or_model(
    console: Client, rows: Rows, foreign: Rows
) -> None:
    """T34."""
    change = f"{HOME}agents/agent/{rows.agent.pk}/change/"
    page = console.get(change)
    assert b"zzforeign" not in page.content
    form = fields_of(page) | {"tools": [foreign.tool.name], "models": [foreign.model.slug]}
    assert {"tools", "models"} <= set(console.post(change, form).context["adminform"].form.errors)


def test_a_tool_cannot_use_another_tenants_credential(console: Client, rows: Rows, foreign: Rows) -> None:
    """T34."""
    change = f"{HOME}tools/tool/{rows.tool.pk}/change/"
    form = fields_of(console.get(change)) | {"credential": foreign.credential.slug}
    assert "credential" in console.post(change, form).context["adminform"].form.errors


def test_a_name_the_neighbour_uses_is_free(console: Client, rows: Rows, foreign: Rows) -> None:
    """T34: uniqueness is per tenant, and tells nothing of others."""
    form = fields_of(console.get(f"{HOME}tools/tool/{rows.tool.pk}/change/")) | {"name": foreign.tool.name}
    assert console.post(HOME + "tools/tool/add/", form).status_code == 302
    assert Tool.objects.across_tenants().filter(name=foreign.tool.name).count() == 2


def test_exports_and_figures_are_ones_own(console: Client, rows: Rows, foreign: Rows) -> None:
    """T34: exports, counts."""
    assert b"zzforeign" not in console.get(HOME + "configuration/export/").content
    home = console.get(HOME)
    assert (home.context["conversations"], home.context["pending"]) == (1, 1)
    assert b"zzforeign" not in home.content
