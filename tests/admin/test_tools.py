"""Writing tools in the console: versions, faults at their fields, the live check, going back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from platform_site.models import Role, Tenant, User
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, SCHEMA, Rows, errors_at, fields_of, tool_definition
from tests.conftest import person
from tools.catalogue import save_tool
from tools.models import Tool, ToolVersion

ADD = HOME + "tools/tool/add/"
REMOTE = {"type": "object", "properties": {"a": {"$ref": "https://evil.example/schema.json"}}}
NOT_A_TYPE = {"type": "object", "properties": {"size": {"type": "strin"}}}


@pytest.fixture
def change(rows: Rows) -> str:
    return f"{HOME}tools/tool/{rows.tool.pk}/change/"


def versions(rows: Rows) -> int:
    return ToolVersion.objects.across_tenants().filter(tool=rows.tool).count()


def new_form(**changes: Any) -> dict[str, Any]:
    return {"name": "weather", "is_enabled": "on", "description": "Tells the weather.", "risk": "SAFE",
            "schema": json.dumps(SCHEMA), "executor_kind": "http", "method": "GET",
            "url": "https://api.example.com/weather", "run": "inline", "timeout_s": "5", **changes}  # fmt: skip


def test_a_new_tool_begins_with_version_1(console: Client, alice: User, tenant: Tenant) -> None:
    assert console.post(ADD, new_form(rate_limit="30/m")).status_code == 302
    tool = Tool.objects.across_tenants().select_related("current__author").get(name="weather")
    assert (tool.tenant, tool.is_enabled, tool.current.number, tool.current.author) == (
        tenant,
        True,
        1,
        alice,
    )
    assert tool.current.definition["rate_limit"] == "30/m"


def test_saving_it_unchanged_makes_no_version(console: Client, rows: Rows, change: str) -> None:
    page = console.post(change, fields_of(console.get(change)), follow=True)
    assert b"no new version was made" in page.content
    assert versions(rows) == 1


def test_every_field_survives_being_looked_at(
    console: Client, rows: Rows, tenant: Tenant, alice: User
) -> None:
    """A definition with everything in it, trailing line and all, is saved as it was."""
    full = tool_definition(
        "full", description="One.\n\nTwo.\n", risk="CRITICAL", idempotent=True, untrusted=True, run="background",
        timeout_s=12.5, rate_limit="3/h", templates={"query": "a\nb"}, preview={"tool": "peek"},
        confirmation={"by": "reviewer", "proof": "password", "votes": 2},
        rules=[{"name": "r", "check": "size(args.query) > 1", "severity": "warn", "message": "Short."}],
        labels={"en": {"title": "Find", "summary": "Find {query}"}}, executor={
            "kind": "http", "method": "POST", "url": "https://shop.example.com/x", "credential": "shop",
            "headers": {"Accept-Language": "en"}},
    )  # fmt: skip
    with acting_for(tenant):
        save_tool(tool_definition("peek", read_only=True), alice)
        tool, _made = save_tool(full, alice)
    path = f"{HOME}tools/tool/{tool.pk}/change/"
    assert console.post(path, fields_of(console.get(path))).status_code == 302
    assert ToolVersion.objects.across_tenants().filter(tool=tool).count() == 1


def test_a_change_makes_the_next_version(console: Client, rows: Rows, change: str) -> None:
    console.post(change, fields_of(console.get(change)) | {"description": "Finds more."})
    newest = ToolVersion.objects.across_tenants().filter(tool=rows.tool).latest("number")
    assert (newest.number, newest.definition["description"]) == (2, "Finds more.")


def test_disabling_is_no_new_version(console: Client, rows: Rows, change: str) -> None:
    form = fields_of(console.get(change))
    del form["is_enabled"]
    console.post(change, form)
    assert not Tool.objects.across_tenants().get(pk=rows.tool.pk).is_enabled
    assert versions(rows) == 1


def test_its_name_stays(console: Client, rows: Rows, change: str) -> None:
    console.post(change, fields_of(console.get(change)) | {"name": "other"})
    assert Tool.objects.across_tenants().get(pk=rows.tool.pk).name == "find_products"


def test_a_taken_name_is_told(console: Client, rows: Rows) -> None:
    page = console.post(ADD, new_form(name="find_products"))
    assert "taken" in errors_at(page, "name")


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("schema", json.dumps(NOT_A_TYPE), "$.properties.size.type"),
        ("schema", json.dumps(REMOTE), "$.properties.a"),
        ("schema", '{"type": "object", "type": "object"}', "stands twice"),
        ("schema", "{", "not JSON"),
        ("schema", "[]", "in braces"),
        (
            "rules",
            '[{"name": "r", "check": "args.quety == 1", "severity": "error", "message": "m"}]',
            "$[0].check",
        ),
        ("rules", '[{"name": "r", "check": "1 +", "severity": "error", "message": "m"}]', "$[0].check"),
        ("rules", '[{"name": "r"}]', "$[0].check"),
        ("url", "file:///etc/passwd", ""),
        ("headers", '{"Host": "x"}', "Host"),
        ("rate_limit", "often", ""),
        ("templates", '{"nothing": "x"}', "$.nothing"),
        ("labels", '{"fr": {}}', "$.fr"),
        ("decide_within_s", "0", ""),
        ("preview", "find_nothing", ""),
    ],
)
def test_a_fault_is_told_at_its_field(console: Client, rows: Rows, field: str, value: str, told: str) -> None:
    """T20 among them: a remote reference is refused at save, before anything is fetched."""
    page = console.post(ADD, new_form(confirm_by="user", **{field: value}))
    assert errors_at(page, field) and told in errors_at(page, field)
    assert not Tool.objects.across_tenants().filter(name="weather").exists()


def test_the_live_check_says_the_same_and_stores_nothing(console: Client, rows: Rows) -> None:
    form = new_form(schema=json.dumps(NOT_A_TYPE))
    found = console.post(HOME + "tools/tool/check/", form).json()["fields"]
    assert [problem["path"] for problem in found["schema"]] == ["$.properties.size.type"]
    assert console.post(HOME + "tools/tool/check/", new_form()).json() == {"fields": {}, "warnings": []}
    assert Tool.objects.across_tenants().count() == 1


def test_sample_arguments_meet_schema_and_rules(console: Client, rows: Rows) -> None:
    rules = '[{"name": "long", "check": "size(args.query) < 9", "severity": "confirm", "message": "Long."}]'

    def tried(example: str) -> list[dict[str, str]]:
        form = new_form(rules=rules, example=example)
        return console.post(HOME + "tools/tool/check/", form).json()["fields"].get("example", [])

    assert [problem["path"] for problem in tried('{"query": "x", "colour": 1}')] == ["$.query", "$.colour"]
    assert ["Long." in problem["message"] for problem in tried('{"query": "red running shoes"}')] == [True]
    assert tried('{"query": "shoes"}') == []


def test_versions_are_compared(console: Client, rows: Rows, change: str) -> None:
    console.post(change, fields_of(console.get(change)) | {"description": "Finds <b>more</b>."})
    page = console.get(f"{HOME}tools/tool/{rows.tool.pk}/versions/")
    lines = {line.kind: line.text for line in page.context["comparison"].lines}
    assert "Finds." in lines["removed"] and "Finds <b>more</b>." in lines["added"]
    assert b"<b>more</b>" not in page.content


def test_restoring_makes_a_new_version(console: Client, rows: Rows, change: str) -> None:
    console.post(change, fields_of(console.get(change)) | {"description": "Finds more."})
    page = console.post(f"{HOME}tools/tool/{rows.tool.pk}/restore/1/", follow=True)
    assert b"Version 1 is back, as version 3." in page.content
    newest = ToolVersion.objects.across_tenants().filter(tool=rows.tool).latest("number")
    assert (newest.number, newest.definition) == (3, rows.tool.current.definition)


def test_what_cannot_be_restored_is_told(console: Client, rows: Rows, tenant: Tenant, alice: User) -> None:
    """The credential of the old version is gone."""
    executor = {"kind": "http", "method": "GET", "url": "https://shop.example.com/find", "credential": "shop"}
    with acting_for(tenant):
        tool, _made = save_tool(tool_definition("keyed", executor=executor), alice)
        save_tool(tool_definition("keyed"), alice)
        rows.credential.delete()
    page = console.post(f"{HOME}tools/tool/{tool.pk}/restore/1/", follow=True)
    assert b"cannot be restored" in page.content
    assert ToolVersion.objects.across_tenants().filter(tool=tool).count() == 2


def test_the_list_counts_uses_and_failures(console: Client, rows: Rows, tenant: Tenant) -> None:
    with acting_for(tenant):
        type(rows.call).objects.filter(pk=rows.call.pk).update(status="failed")
    (tool,) = console.get(HOME + "tools/tool/").context["cl"].result_list
    assert (tool.use["failed"], tool.use["last"]) == (1, rows.call.proposed_at)


def test_a_tool_that_nobody_can_approve_is_told_while_it_is_written_and_when_it_is_saved(
    console: Client, rows: Rows, tenant: Tenant
) -> None:
    """Alice is the only reviewer here: she could not agree to what she asks for herself."""
    form = new_form(risk="CRITICAL")
    (live,) = console.post(HOME + "tools/tool/check/", form).json()["warnings"]
    assert "nobody can approve" in live
    saved = console.post(ADD, form, follow=True)
    assert live in saved.content.decode()
    assert Tool.objects.across_tenants().filter(name=form["name"]).exists(), "it is said, not refused"
    person(tenant, "Rita", Role.REVIEWER)
    assert console.post(HOME + "tools/tool/check/", form).json()["warnings"] == []
