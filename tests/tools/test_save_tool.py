"""Tools as records: a definition is checked whole, each change is a new version, and the file form round-trips."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from platform_site.models import Credential, Tenant, User
from platform_site.tenancy import acting_for
from tests.tools.conftest import definition
from tools.catalogue import BadDefinition, offered, save_tool, spec_of
from tools.config import apply_tools, export_tools
from tools.models import Tool, ToolVersion

pytestmark = pytest.mark.usefixtures("inside")
HTTP = {"kind": "http", "method": "GET", "url": "https://shop.test/x"}


def problems(**more: Any) -> dict[str, str]:
    with pytest.raises(BadDefinition) as bad:
        save_tool(definition(**more), None)
    return {error["path"]: error["message"] for error in bad.value.errors}


def test_the_first_save_makes_version_one(alice: User) -> None:
    tool, changed = save_tool(definition(domain="shopping"), alice)
    assert changed
    assert tool.current
    assert (tool.current.number, tool.current.author, tool.current.risk, tool.domain) == (
        1,
        alice,
        "SAFE",
        "shopping",
    )


def test_saving_the_same_changes_nothing() -> None:
    save_tool(definition(), None)
    tool, changed = save_tool(json.loads(json.dumps(definition(read_only=False, timeout_s=30))), None)
    assert (changed, tool.versions.count()) == (False, 1)


def test_a_change_is_a_new_version_and_the_old_one_stays() -> None:
    tool, _ = save_tool(definition(), None)
    old = tool.current
    tool, changed = save_tool(definition(risk="CONFIRM"), None)
    assert changed
    assert tool.current
    assert (tool.current.number, offered(["look"])["look"].risk) == (2, "CONFIRM")
    assert spec_of(ToolVersion.objects.get(pk=old.pk)).risk == "SAFE"  # type: ignore[union-attr]


def test_defaults_are_protocol_s() -> None:
    save_tool(definition("pay", "CRITICAL", confirmation={"by": "user"}), None)
    policy = offered(["pay"])["pay"].confirmation
    assert policy
    assert (policy.by, policy.proof, policy.decide_within_s, policy.execute_within_s) == (
        "user",
        "any",
        72 * 3600,
        900,
    )


def test_a_schema_that_does_not_say_so_is_closed_to_unknown_arguments() -> None:
    """T07."""
    save_tool(definition(), None)
    assert offered(["look"])["look"].schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"colour": 1}, "$.colour"), ({"name": "a b"}, "$.name"), ({"risk": "LOW"}, "$.risk"),
        ({"description": ""}, "$.description"), ({"rate_limit": "often"}, "$.rate_limit"),
        ({"timeout_s": 0}, "$.timeout_s"),
        ({"schema": {"type": "array"}}, "$.schema.type"), ({"schema": None}, "$.schema"),
        ({"executor": {"kind": "shell", "command": "id"}}, "$.executor"),
        ({"executor": {"kind": "python", "handler": "os.system"}}, "$.executor.handler"),
        ({"executor": {**HTTP, "cert": 1}}, "$.executor.cert"),
        ({"confirmation": {"by": "nobody"}}, "$.confirmation.by"),
        ({"confirmation": {"votes": 0}}, "$.confirmation.votes"),
        ({"labels": {"en": {"titel": ""}}}, "$.labels.en.titel"), ({"templates": {"nope": "x"}}, "$.templates.nope"),
        ({"rules": [{"name": "a", "check": "nope", "severity": "error", "message": "m"}]}, "$.rules[0].check"),
        ({"rules": [{"name": "a", "check": "true", "severity": "lower", "message": "m"}]}, "$.rules[0].severity"),
        ({"read_only": "yes"}, "$.read_only"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_its_path(more: dict[str, Any], path: str) -> None:
    assert path in problems(**more)
    assert not Tool.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://shop.test/", "shop.test/x", "https://{item}/x", "https://{item}.shop.test/", "https://shop.test:{count}/",
        "https://user:pw@shop.test/", "https://shop.test/../x", "https://shop.test/%2e%2e/x", "https://shop.test/#x",
        "https://shop.test/{nope}", "https://shop.test/{count}", "https://shop.test/{item", "https://shop.test/{item!r}",
        "https://shop.test/ x", "https://shop.test\\@evil.test/", "https:///x", "https://shop.test/\r\nX: 1", "file:///etc/passwd",
    ],
)  # fmt: skip
def test_a_url_template_reaches_neither_host_nor_beyond_its_path(url: str) -> None:
    """T49, T53, T56."""
    assert "$.executor.url" in problems(executor={**HTTP, "url": url})


@pytest.mark.parametrize(
    "headers",
    [{"Host": "x"}, {"X-Acting-User": "x"}, {"idempotency-key": "x"}, {"A\r\nB": "x"}, {"A": "x\r\nB: y"}],
)
def test_headers_of_ours_and_broken_ones_are_refused(headers: dict[str, str]) -> None:
    """T53."""
    (path,) = problems(executor={**HTTP, "headers": headers})
    assert path.startswith("$.executor.headers.")


def test_a_credential_must_be_this_tenants(other_tenant: Tenant) -> None:
    """T34."""
    with acting_for(other_tenant):
        Credential.objects.create(slug="theirs", provider="http")
    assert "$.executor.credential" in problems(executor={**HTTP, "credential": "theirs"})


def test_tools_of_another_tenant_are_not_offered(other_tenant: Tenant) -> None:
    save_tool(definition(), None)
    with acting_for(other_tenant):
        assert offered(["look"]) == {}
        save_tool(definition(risk="CRITICAL"), None)
    assert offered(["look"])["look"].risk == "SAFE"


def test_offered_costs_one_query() -> None:
    for name in ("look", "order"):
        save_tool(definition(name), None)
    offered(["look", "order"])
    with CaptureQueriesContext(connection) as queries:
        assert list(offered(["order", "nope", "look"])) == ["order", "look"]
    assert len(queries) == 1


def test_the_file_form_round_trips() -> None:
    rule = {"name": "dear", "check": "args.count < 5", "severity": "confirm", "message": "That is a lot."}
    entries = [
        definition(rules=[rule], labels={"en": {"title": "Look"}}, templates={"item": "shoes"}, rate_limit="5/m"),
        definition("pay", "CRITICAL", confirmation={"by": "user", "proof": "password"}),
        {"name": "suggest_replies", "description": "Buttons.", "risk": "SAFE",
         "executor": {"kind": "python", "handler": "general.suggest_replies"}},
    ]  # fmt: skip
    report = apply_tools(entries, None)
    assert (report.created, report.changed, report.same) == (["look", "pay", "suggest_replies"], [], [])
    exported = export_tools()
    again = apply_tools(json.loads(json.dumps(exported)), None)
    assert (again.same, next(iter(again))) == (["look", "pay", "suggest_replies"], ("look", "unchanged"))
    assert export_tools() == exported


def test_a_file_with_a_fault_applies_nothing() -> None:
    with pytest.raises(BadDefinition) as bad:
        apply_tools(
            [definition(), {**definition("order"), "risk": "?"}, {**definition("pay"), "color": 1}], None
        )
    assert [error["path"] for error in bad.value.errors] == ["[1].risk", "[2].color"]
    assert not Tool.objects.exists()
