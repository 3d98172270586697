"""Reviewer groups in the console: chosen among who may review, for what there is, noted, and taken away again."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from platform_site.models import AuditEntry, Membership, Role, Tenant, User
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, Rows, errors_at, tool_definition
from tools.catalogue import save_tool
from tools.models import ReviewerGroup

TABLE = HOME + "tools/reviewergroup/"
ADD = TABLE + "add/"


def form(**changes: Any) -> dict[str, Any]:
    return {"slug": "money", "name": "Money", "members": [], "tools": [], "domains": [], **changes}


def group(slug: str = "money") -> ReviewerGroup:
    return ReviewerGroup.objects.across_tenants().get(slug=slug)


def noted(tenant: Tenant) -> list[tuple[str, str]]:
    with acting_for(tenant):
        rows = AuditEntry.objects.filter(verb__startswith="group.").order_by("number")
        return list(rows.values_list("verb", "actor_name"))


def test_a_group_is_made_changed_and_taken_away_and_each_is_noted(
    console: Client, rows: Rows, tenant: Tenant, alice: User, rita: User
) -> None:
    given = form(members=[rita.pk, alice.pk], tools=["find_products"], domains=["shop"])
    assert console.post(ADD, given).status_code == 302
    made = group()
    assert (sorted(made.members), made.tools, made.domains) == (
        sorted([alice.pk, rita.pk]), ["find_products"], ["shop"],
    )  # fmt: skip
    path = f"{TABLE}{made.pk}/"
    assert console.post(path + "change/", given | {"domains": []}).status_code == 302
    assert (group().domains, group().slug) == ([], "money")
    assert console.post(path + "delete/", {"post": "yes"}).status_code == 302
    assert not ReviewerGroup.objects.across_tenants().filter(slug="money").exists()
    assert noted(tenant) == [("group.saved", alice.email)] * 2 + [("group.deleted", alice.email)]


def test_saving_what_is_there_notes_nothing(console: Client, rows: Rows, tenant: Tenant, rita: User) -> None:
    given = form(members=[rita.pk])
    console.post(ADD, given)
    console.post(f"{TABLE}{group().pk}/change/", given)
    assert len(noted(tenant)) == 1


def test_only_who_may_review_here_can_be_chosen(
    console: Client, rows: Rows, bob: User, rita: User, charlie: User
) -> None:
    """T33: a name in a form opens nothing of the neighbour's."""
    page = console.get(ADD).content.decode()
    assert rita.email in page and "Reviewer" in page
    assert bob.email not in page and charlie.email not in page
    for stranger in (bob, charlie):
        assert errors_at(console.post(ADD, form(members=[stranger.pk])), "members")
    assert errors_at(console.post(ADD, form(tools=["nothing"])), "tools")
    assert not ReviewerGroup.objects.across_tenants().filter(slug="money").exists()


def test_its_short_name_stays_and_is_taken_once(console: Client, rows: Rows) -> None:
    console.post(ADD, form())
    assert "taken" in errors_at(console.post(ADD, form()), "slug")
    console.post(f"{TABLE}{group().pk}/change/", form(slug="other", name="Other"))
    assert group().name == "Other"


@pytest.mark.parametrize("members", ["", "rita"])
def test_tools_that_nobody_could_approve_any_more_are_told(
    console: Client, rows: Rows, tenant: Tenant, rita: User, adam: User, members: str
) -> None:
    with acting_for(tenant):
        save_tool(tool_definition("wipe", risk="CRITICAL"), None)
    chosen = [rita.pk, adam.pk] if members else []
    page = console.post(ADD, form(tools=["wipe"], members=chosen), follow=True).content.decode()
    assert ("wipe: Nobody can approve it" in page) is not bool(members)


def test_who_may_not_review_any_more_is_not_kept_when_it_is_saved(
    console: Client, rows: Rows, rita: User, adam: User
) -> None:
    console.post(ADD, form(members=[rita.pk, adam.pk]))
    Membership.objects.across_tenants().filter(user=rita).update(role=Role.MEMBER)
    path = f"{TABLE}{group().pk}/change/"
    assert errors_at(console.post(path, form(members=[rita.pk, adam.pk])), "members")
    assert console.post(path, form(members=[adam.pk])).status_code == 302
    assert group().members == [adam.pk]
