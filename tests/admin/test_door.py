"""Who gets into the console, and what its path allows a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from platform_site.models import Role, Tenant, User
from tests.admin.conftest import HOME, Rows
from tests.conftest import person
from tools.models import Tool

LISTS = (
    "", "configuration/", "agents/agent/", "agents/languagemodel/", "tools/tool/", "tools/toolcall/",
    "tools/confirmation/", "platform_site/membership/", "platform_site/apitoken/", "platform_site/credential/",
    "conversations/run/", "tools/reviewergroup/",
)  # fmt: skip
ADDS = tuple(f"{table}add/" for table in (*LISTS[2:5], *LISTS[7:10], LISTS[11]))
Browser = Callable[[User], Client]


@pytest.mark.parametrize("page", [*LISTS, *ADDS, "configuration/export/", "jsi18n/"])
def test_an_owner_sees_every_page(console: Client, rows: Rows, page: str) -> None:
    assert console.get(HOME + page).status_code == 200


@pytest.mark.parametrize("page", [*LISTS, *ADDS, "configuration/export/"])
def test_a_member_and_a_reviewer_see_none(signed_in: Browser, bob: User, rita: User, page: str) -> None:
    """T65: list, detail and action respect the role."""
    assert [signed_in(who).get(HOME + page).status_code for who in (bob, rita)] == [403, 403]


@pytest.mark.parametrize("query", ["time__year=0", "time__year=99999999999999999999", "time__gte=x"])
def test_a_filter_that_means_nothing_leads_back_to_the_list(console: Client, query: str) -> None:
    table = f"{HOME}platform_site/auditentry/"
    answer = console.get(f"{table}?{query}")
    assert (answer.status_code, answer["Location"]) == (302, f"{table}?e=1")
    assert console.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("page", LISTS)
def test_the_neighbours_owner_learns_nothing(
    signed_in: Browser, tenant: Tenant, other_tenant: Tenant, page: str
) -> None:
    """T32: same answer as for a tenant that does not exist."""
    browser = signed_in(person(other_tenant, "Olga", Role.OWNER))
    assert browser.get(HOME + page).status_code == browser.get(f"/t/nowhere/admin/{page}").status_code == 404


def test_a_stranger_is_sent_to_sign_in(tenant: Tenant, client: Client) -> None:
    answer = client.get(HOME + "tools/tool/")
    assert answer.status_code == 302
    assert answer["Location"] == "/accounts/login/?next=/t/acme/admin/tools/tool/"


@pytest.mark.parametrize(
    "page", ["login/", "logout/", "password_change/", "search/?s=a", "r/1/1/", "autocomplete/"]
)
def test_pages_that_know_no_tenant_are_not_there(console: Client, page: str) -> None:
    """T34: unfold's search caches under the person alone; signing in is done elsewhere."""
    assert console.get(HOME + page).status_code == 404


def test_its_policy_is_relaxed_on_its_own_path_alone(console: Client) -> None:
    """T66: what unfold needs, and nothing beyond."""
    policy = set(console.get(HOME)["Content-Security-Policy"].split("; "))
    assert {"script-src 'self' 'unsafe-eval'", "style-src 'self' 'unsafe-inline'"} <= policy
    assert {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= policy
    assert "unsafe" not in console.get("/accounts/password/change/")["Content-Security-Policy"]


def test_looking_changes_nothing(console: Client, rows: Rows) -> None:
    """T65: what changes something takes a POST."""
    before = Tool.objects.across_tenants().values().get(pk=rows.tool.pk)
    acts = [
        f"tools/tool/{rows.tool.pk}/restore/1/",
        f"platform_site/apitoken/{rows.token.pk}/revoke/",
        "tools/tool/check/",
    ]
    assert [console.get(HOME + act).status_code for act in acts] == [405, 405, 405]
    for table, row in (("tools/tool", rows.tool), ("agents/agent", rows.agent)):
        assert console.get(f"{HOME}{table}/{row.pk}/change/").status_code == 200
        assert console.get(f"{HOME}{table}/{row.pk}/versions/").status_code == 200
    assert Tool.objects.across_tenants().values().get(pk=rows.tool.pk) == before


def test_a_forged_form_is_refused(alice: User, rows: Rows) -> None:
    """T65: CSRF on everything that changes something."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    for act in (f"tools/tool/{rows.tool.pk}/restore/1/", "tools/tool/check/", "configuration/"):
        assert browser.post(HOME + act).status_code == 403


def test_nothing_with_a_history_is_deleted(console: Client, rows: Rows) -> None:
    for table, row in (
        ("tools/tool", rows.tool),
        ("agents/agent", rows.agent),
        ("tools/toolcall", rows.call),
    ):
        assert console.post(f"{HOME}{table}/{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_a_model_goes_when_no_agent_speaks_through_it(console: Client, rows: Rows, tenant: Tenant) -> None:
    from agents.catalogue import save_model
    from platform_site.tenancy import acting_for

    with acting_for(tenant):
        spare, _made = save_model({"slug": "spare", "provider": "demo", "name": "demo"})
    path = HOME + "agents/languagemodel/{}/delete/"
    assert console.post(path.format(rows.model.pk), {"post": "yes"}).status_code == 403
    assert console.post(path.format(spare.pk), {"post": "yes"}).status_code == 302
