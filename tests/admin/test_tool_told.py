"""A tool's page says what each provider's models are told of it, and what its form cannot say."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, Rows, tool_definition
from tools.catalogue import save_tool


@pytest.fixture
def page_of(console: Client, tenant: Tenant, alice: User):  # type: ignore[no-untyped-def]
    """The page of a tool with this schema."""

    def make(properties: dict[str, object], **changes: object) -> str:
        schema = {"type": "object", "properties": properties}
        with acting_for(tenant):
            tool, _made = save_tool(tool_definition("probe", schema=schema, **changes), alice)
        return console.get(f"{HOME}tools/tool/{tool.pk}/change/").content.decode()

    return make


def panel(page: str) -> str:
    found = re.search(r'<section[^>]*aria-labelledby="console-told".*?</section>', page, re.DOTALL)
    return found.group() if found else ""


def test_each_provider_has_its_form(page_of) -> None:  # type: ignore[no-untyped-def]
    told = panel(page_of({"query": {"type": "string"}}))
    assert [name in told for name in ("OpenAI", "Gemini (JSON Schema)", "Gemini (OpenAPI)")] == [True] * 3
    assert "Null if not given." in told and "&quot;STRING&quot;" in told
    assert re.findall(r">(not strict|strict)<", told) == ["strict", "not strict", "not strict"]
    assert "the whole schema can be told" in told


def test_what_is_lost_is_listed_with_its_reason(page_of) -> None:  # type: ignore[no-untyped-def]
    told = panel(page_of({"query": {"type": "string", "minLength": 2}, "filters": {"type": "object"}}))
    assert "<code>$.properties.query</code>" in told and "<code>minLength</code>" in told
    assert "Told in the description only." in told
    assert "Not strict: entries with names of the model’s choice may stand here." in told


def test_templates_are_told(page_of) -> None:  # type: ignore[no-untyped-def]
    """A10."""
    told = panel(page_of({"body": {"type": "string"}}, templates={"body": "Dear …"}))
    assert told.count("Start from this template:") == 3


def test_what_a_tool_says_is_shown_as_text(page_of) -> None:  # type: ignore[no-untyped-def]
    """The page runs nothing that stands in a definition."""
    told = panel(
        page_of({"q": {"type": "string", "description": "<script>alert(1)</script>"}}, description="<b>x</b>")
    )
    assert "<script" not in told and "<b>" not in told and "style=" not in told and "onclick" not in told
    assert "&lt;script&gt;" in told


def test_a_tool_that_is_not_saved_yet_has_no_panel(console: Client, rows: Rows) -> None:
    assert panel(console.get(HOME + "tools/tool/add/").content.decode()) == ""


def test_a_refused_save_keeps_it(console: Client, rows: Rows) -> None:
    path = f"{HOME}tools/tool/{rows.tool.pk}/change/"
    assert panel(console.post(path, {"schema": "{"}).content.decode())
