"""The configuration as a file, exported and imported in the console."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agents.models import AgentVersion
from platform_site.models import Membership, Role, Tenant, User
from tests.admin.conftest import HOME, Rows
from tools.models import ToolVersion

PAGE = HOME + "configuration/"


def exported(browser: Client) -> dict[str, Any]:
    answer = browser.get(PAGE + "export/")
    assert answer["Content-Disposition"] == 'attachment; filename="acme.json"'
    document: dict[str, Any] = answer.json()
    return document


def imported(browser: Client, document: Any) -> Any:
    return browser.post(PAGE, {"text": document if isinstance(document, str) else json.dumps(document)})


def faults(page: Any) -> str:
    return " ".join(f"{fault.path}: {fault.message}" for fault in page.context["imported"].faults)


def test_importing_the_export_changes_nothing(console: Client, rows: Rows) -> None:
    page = imported(console, exported(console))
    assert b"Nothing was different" in page.content, faults(page)
    assert ToolVersion.objects.across_tenants().count() == AgentVersion.objects.across_tenants().count() == 1


def test_an_uploaded_file_is_applied(console: Client, rows: Rows) -> None:
    document = exported(console)
    document["agents"][0]["name"] = "Other"
    file = SimpleUploadedFile("acme.json", json.dumps(document).encode())
    page = console.post(PAGE, {"file": file})
    assert [(change.section, change.outcome) for change in page.context["imported"].changes] == [
        ("agents", "changed")
    ]
    assert AgentVersion.objects.across_tenants().filter(agent=rows.agent).count() == 2


def test_faults_are_told_by_path_and_nothing_is_changed(console: Client, rows: Rows) -> None:
    document = exported(console)
    document["agents"][0]["name"] = "Other"
    document["tools"][0] |= {"risk": "NONE"}
    assert "risk" in faults(imported(console, document))
    assert AgentVersion.objects.across_tenants().count() == 1


@pytest.mark.parametrize("text", ["", "{", '{"a": 1, "a": 1}', "[" * 500, "[]", '{"tenant": 1}'])
def test_what_is_no_configuration_is_told(console: Client, text: str) -> None:
    page = imported(console, text)
    assert page.status_code == 200
    assert page.context["form"].errors or page.context["imported"].faults


def test_private_hosts_are_the_operators(console: Client, tenant: Tenant) -> None:
    document = {"tenant": {"slug": "acme", "name": "Acme", "egress": ["10.0.0.1:80"]}}
    assert faults(imported(console, document))
    tenant.refresh_from_db()
    assert tenant.egress == []


def test_another_tenants_file_is_refused(console: Client, other_tenant: Tenant, alice: User) -> None:
    """T34: even by somebody who configures both."""
    from platform_site.tenancy import acting_for

    with acting_for(other_tenant):
        Membership.objects.create(user=alice, role=Role.OWNER)
    page = imported(console, {"tenant": {"slug": "globex", "name": "Taken over"}})
    assert "tenant.slug" in faults(page)
    other_tenant.refresh_from_db()
    assert other_tenant.name == "Globex"


def test_an_admin_makes_no_owner(as_admin: Client, alice: User, bob: User) -> None:
    document = {"tenant": {"slug": "acme", "name": "Acme"}, "people": [{"email": bob.email, "role": "owner"}]}
    assert "owner" in faults(imported(as_admin, document))
    assert Membership.objects.across_tenants().get(user=bob).role == Role.MEMBER
