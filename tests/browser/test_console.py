"""The admin console: who gets in, and a tool whose definition is broken and mended."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Enter
from tests.browser.person import Person

PAGES = (
    "", "agents/agent/", "tools/tool/", "agents/languagemodel/", "platform_site/credential/", "configuration/",
    "platform_site/membership/", "platform_site/apitoken/", "conversations/run/", "tools/toolcall/",
    "tools/confirmation/",
)  # fmt: skip


def admin_of(enter: Enter) -> Person:
    person = enter("admin")
    person.page.goto("/t/mall/admin/")
    return person


def open_tool(person: Person, name: str) -> Page:
    person.page.goto("/t/mall/admin/tools/tool/")
    person.page.get_by_role("link", name=name, exact=True).click()
    expect(person.page.locator(".cm-editor").first).to_be_visible()
    return person.page


def write_schema(page: Page, text: str) -> None:
    page.locator("textarea[name=schema] + .cm-editor .cm-content").fill(text)


def version_of(person: Person, tool: str) -> str:
    person.page.goto("/t/mall/admin/tools/tool/")
    row = person.page.locator("#result_list tr", has=person.page.get_by_role("link", name=tool, exact=True))
    found = re.search(r"#\d+", row.inner_text())
    assert found
    return found[0]


def test_every_page_opens(enter: Enter) -> None:
    admin = admin_of(enter)
    for path in PAGES:
        admin.page.goto(f"/t/mall/admin/{path}")
        expect(admin.page).to_have_title(re.compile("Mall Guide"))
    admin.page.goto("/t/mall/admin/agents/agent/")
    admin.page.get_by_role("link", name="mall-guide").click()
    expect(admin.page.get_by_label("Instructions")).to_have_value(re.compile("mall"))


def test_a_member_finds_no_console(enter: Enter, member: Person) -> None:
    """T65: not in the menu, and not by its address."""
    expect(member.page.locator("a[href*='/admin/']")).to_have_count(0)
    member.watch.expect(r"status 40[34]: GET .*/t/mall/admin/", r"status of 40[34] .*/t/mall/admin/")
    answer = member.page.goto("/t/mall/admin/tools/tool/")
    assert answer is not None
    assert answer.status in (403, 404)
    expect(member.page.locator("#result_list")).to_have_count(0)


def test_a_broken_schema_is_shown_in_its_place_and_not_saved(enter: Enter) -> None:
    admin = admin_of(enter)
    before = version_of(admin, "search_stores")
    page = open_tool(admin, "search_stores")
    write_schema(page, '{"type": "object", "properties": {"keyword": {"type": "strin"}}}')
    errors = page.locator(".field-schema .console-errors, .field-schema .errorlist")
    expect(errors).to_contain_text("$.properties.keyword.type")
    expect(page.locator(".field-schema .cm-lintRange-error").first).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".errornote, [role=alert]").first).to_be_visible()
    expect(errors).to_contain_text("$.properties.keyword.type")
    assert version_of(admin, "search_stores") == before


def test_a_slow_check_still_marks_the_place(enter: Enter) -> None:
    """The editor has looked at the text long before the answer comes."""
    page = open_tool(admin_of(enter), "search_stores")
    page.route(re.compile("/check/"), lambda route: (page.wait_for_timeout(1500), route.continue_()))
    write_schema(page, '{"type": "object", "properties": {"keyword": {"type": "strin"}}}')
    expect(page.locator(".field-schema .cm-lintRange-error").first).to_be_visible()


def test_a_changed_definition_is_a_new_version(enter: Enter) -> None:
    admin = admin_of(enter)
    before = int(version_of(admin, "get_store_info").removeprefix("#"))
    page = open_tool(admin, "get_store_info")
    description = page.get_by_label("Description")
    description.fill(description.input_value() + " Opening hours are in it as well.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#result_list")).to_be_visible()
    assert version_of(admin, "get_store_info") == f"#{before + 1}"

    page = open_tool(admin, "get_store_info")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#result_list")).to_be_visible()
    assert version_of(admin, "get_store_info") == f"#{before + 1}", (
        "saving what did not change makes no version"
    )


def test_arguments_that_were_hostile_are_text_in_the_record(enter: Enter, member: Person) -> None:
    """T69: in the console's list and page of a call."""
    member.ask('call search_products {"keyword": "<img src=x onerror=window.__xss=1>"}')
    admin = admin_of(enter)
    admin.page.goto("/t/mall/admin/tools/toolcall/")
    admin.page.locator("#result_list tbody a").first.click()
    expect(admin.page.locator("pre.console-json").first).to_contain_text("<img src=x onerror=window.__xss=1>")
    admin.ran_nothing()


RULE = """[{"name": "no_fog", "check": "!args.keyword.contains('fog')", "severity": "error",
  "message": "Fog is not sold here.", "fix": "Look for something else."}]"""


def test_a_new_rule_changes_the_next_call_without_a_restart(enter: Enter, member: Person) -> None:
    """A4, P2: the admin writes a rule; the very next call meets it, and others go on as before."""
    member.ask('call search_stores {"keyword": "fog lamps"}')
    expect(member.answer).to_contain_text("answered")
    page = open_tool(admin_of(enter), "search_stores")
    page.locator("textarea[name=rules] + .cm-editor .cm-content").fill(RULE)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#result_list")).to_be_visible()

    member.ask('call search_stores {"keyword": "fog horns"}')
    expect(member.answer).to_contain_text("did not succeed (rejected)")
    expect(member.page.locator("#transcript")).to_contain_text("Fog is not sold here.")
    member.ask('call search_stores {"keyword": "lamps"}')
    expect(member.answer).to_contain_text("answered")
