"""What happened, looked at in the console: complete, escaped, unchangeable."""

from __future__ import annotations

import pytest
from django.test import Client

from conversations.models import Run
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.admin.conftest import HOME, Rows
from tools.models import Confirmation, ToolCall, Vote

NASTY = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize("kind", ["run", "call", "confirmation"])
def test_a_record_is_never_changed(console: Client, rows: Rows, kind: str) -> None:
    row = getattr(rows, kind)
    table = f"{HOME}{row._meta.app_label}/{row._meta.model_name}/"
    assert console.post(f"{table}{row.pk}/change/", {"status": "done"}).status_code == 403
    assert console.get(table + "add/").status_code == console.post(table + "add/").status_code == 403


def test_what_models_and_tools_wrote_is_text(
    console: Client, rows: Rows, tenant: Tenant, alice: User
) -> None:
    """T69: on this path injected HTML would be script."""
    with acting_for(tenant):
        ToolCall.objects.filter(pk=rows.call.pk).update(
            name=NASTY, raw=NASTY, arguments={NASTY: NASTY}, result={"content": NASTY}, errors=[{"message": NASTY}],
            flags=[{"name": NASTY}], reasons=[NASTY], status="failed", model=NASTY,
        )  # fmt: skip
        Confirmation.objects.filter(pk=rows.confirmation.pk).update(preview={"a": NASTY})
        Vote.objects.create(
            confirmation=rows.confirmation,
            user=alice,
            part="user",
            decision="reject",
            reason=NASTY,
            digest="",
        )
        Run.objects.filter(pk=rows.run.pk).update(status="failed", error_code=NASTY[:24], error_message=NASTY)
    User.objects.filter(pk=alice.pk).update(name=NASTY)
    Tenant.objects.filter(pk=tenant.pk).update(name=NASTY)
    pages = ["", "platform_site/membership/", f"platform_site/membership/{rows.membership.pk}/change/"]
    for row in (rows.call, rows.confirmation, rows.run):
        table = f"{row._meta.app_label}/{row._meta.model_name}/"
        pages += [table, f"{table}{row.pk}/change/", f"{table}?q={NASTY}"]
    for page in pages:
        content = console.get(HOME + page).content.decode()
        assert "<img src=x" not in content and "&lt;img src=x" in content, page


def test_a_call_is_shown_whole(console: Client, rows: Rows, tenant: Tenant) -> None:
    with acting_for(tenant):
        ToolCall.objects.filter(pk=rows.call.pk).update(
            raw="{'query': 'Schuhe'",
            arguments={"query": "鞋"},
            errors=[{"path": "$.query", "message": "too short"}],
        )
    page = console.get(f"{HOME}tools/toolcall/{rows.call.pk}/change/").content.decode()
    assert "{&#x27;query&#x27;: &#x27;Schuhe&#x27;" in page and "鞋" in page and "too short" in page


def test_the_overview_counts_today(console: Client, rows: Rows, tenant: Tenant) -> None:
    with acting_for(tenant):
        ToolCall.objects.filter(pk=rows.call.pk).update(status="failed")
    shown = console.get(HOME).context
    assert [failure.what for failure in shown["failures"]] == ["find_products"]
    assert [(str(title), [(str(label), n) for label, n in counts]) for title, counts, _link in shown["counts"]] == [
        ("Runs today", [("Queued", 1)]), ("Tool calls today", [("Failed", 1)]),
    ]  # fmt: skip


def test_the_overview_is_cheap(console: Client, rows: Rows, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(13):  # type: ignore[operator]
        console.get(HOME)
