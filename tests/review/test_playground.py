"""Looking: whoever reviews may see what would come of a text, and nothing runs and nothing is stored by it."""

from __future__ import annotations

import json

import pytest

from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.review.bench import HAPPENED, HOME, Bench, bench, person_at, switch_off, version
from tools.catalogue import save_tool
from tools.models import CallAttempt, CallStatus, ToolCall
from tools.registry import find

__all__ = ["bench"]


def definition(name: str, **changes: object) -> dict[str, object]:
    handler = find("tests.look")
    assert handler
    return handler.definition() | {"name": name} | changes


def attempt(raw: str, tool: str = "look") -> CallAttempt:
    """What a model once sent."""
    call = ToolCall.objects.create(topic="t" * 32, run="r" * 32, name=tool, raw=raw, version=version(tool))
    return CallAttempt.objects.create(
        call=call, chain="c" * 32, topic=call.topic, run=call.run, tool=tool, version=call.version, raw=raw,
        outcome="rejected", next_step="sent_back",
    )  # fmt: skip


@pytest.mark.parametrize("tool", ["look", "buy", "wipe"])
def test_nothing_runs_and_nothing_is_stored_by_looking(bench: Bench, tool: str) -> None:
    bench.open(tool=tool)
    bench.browser.post(HOME, {"tool": tool, "raw": '{"item": "hat"}'})
    bench.check(tool)
    assert HAPPENED == []
    assert not ToolCall.objects.exists()
    assert not CallAttempt.objects.exists()


def test_it_says_what_would_happen(bench: Bench) -> None:
    assert "It would run at once" in bench.check("look")["html"]
    assert "It would wait for people" in bench.check("buy")["html"]
    rejected = bench.check("buy", '{"item": 7}')
    assert "It would be rejected" in rejected["html"]
    assert rejected["errors"][0]["path"] == "$.item"


def test_a_coercion_shows_the_values_as_json(bench: Bench) -> None:
    """A text that was read as a number is seen to have been one."""
    schema = {"type": "object", "properties": {"count": {"type": "integer"}}}
    save_tool(definition("look", schema=schema), None)
    page = bench.check("look", '{"count": "1"}')["html"]
    assert "<del>&quot;1&quot;</del>" in page and "<ins>1</ins>" in page


def test_a_browser_without_scripts_gets_the_same_from_the_form(bench: Bench) -> None:
    page = bench.browser.post(HOME, {"tool": "buy", "raw": '{"item": "hat"}'}).content.decode()
    assert "It would wait for people" in page
    assert "{&quot;item&quot;: &quot;hat&quot;}" in page


def test_what_the_text_holds_stays_text(bench: Bench) -> None:
    """T01: in the form, in the steps, and in what a model would be told."""
    hostile = json.dumps({"item": "<img src=x onerror=alert(1)>\u202e"}, ensure_ascii=False)
    page = bench.browser.post(HOME, {"tool": "buy", "raw": hostile}).content.decode()
    assert "<img" not in page
    assert '<span class="hidden-mark">RLO</span>' in page


def test_it_starts_from_an_attempt_of_a_model(bench: Bench) -> None:
    page = bench.open(attempt=attempt('{"item": 12345}').pk)
    assert page.context["chosen"].raw == '{"item": 12345}'
    assert page.context["chosen"].version == version("look")
    assert page.context["looked"].outcome == "rejected"


def test_it_starts_from_a_tool_with_something_to_change(bench: Bench) -> None:
    page = bench.open(tool="buy")
    assert json.loads(page.context["chosen"].raw) == {"item": ""}


def test_every_version_can_be_looked_at_and_the_current_one_comes_first(bench: Bench) -> None:
    save_tool(definition("look", description="Newer."), None)
    page = bench.open(tool="look", version=version("look", 1).pk)
    assert [one.number for one in page.context["chosen"].versions] == [2, 1]
    assert page.context["spec"].description == "Look at an item."
    assert not page.context["can_run"]


def test_another_tool_brings_its_own_versions(bench: Bench) -> None:
    found = bench.check("buy", version=version("look").pk)
    assert found["version"] == version("buy").pk
    assert version("look").pk not in found["versions"]


def test_what_is_switched_off_can_be_looked_at_but_not_run(bench: Bench) -> None:
    switch_off("look")
    assert bench.check("look")["canRun"] is False
    assert "It would run at once" in bench.check("look")["html"]


def test_rules_are_shown_one_by_one(bench: Bench) -> None:
    fires = {
        "name": "no_hats",
        "check": 'args.item != "hat"',
        "severity": "critical",
        "message": "Hats are dear.",
    }
    rests = {"name": "no_cats", "check": 'args.item != "cat"', "severity": "error", "message": "No cats."}
    save_tool(definition("look", rules=[fires, rests]), None)
    page = bench.browser.post(HOME, {"tool": "look", "raw": '{"item": "hat"}'})
    assert [(seen.rule.name, seen.fired) for seen, _ in page.context["rules"]] == [
        ("no_hats", True),
        ("no_cats", False),
    ]
    assert page.context["looked"].risk == "CRITICAL"
    assert "Hats are dear." in page.content.decode()


def test_a_reviewer_may_look_and_a_member_may_not(bench: Bench, rita: User, bob: User) -> None:
    assert person_at(rita).open(tool="look").status_code == 200
    assert person_at(rita).check("look")["canRun"] is False
    bobs = person_at(bob)
    assert bobs.open(tool="look").status_code == 403
    assert bobs.browser.post(f"{HOME}check/", {"tool": "look"}).status_code == 403


def test_another_tenants_things_are_as_if_they_were_not_there(
    bench: Bench, other_tenant: Tenant, charlie: User
) -> None:
    """T32: a real id of somebody else answers like one that never was."""
    with acting_for(other_tenant):
        save_tool(definition("secret_tool"), None)
        theirs = attempt('{"item": "secret"}', "secret_tool")
        foreign = version("secret_tool").pk
    for asked in (
        {"attempt": theirs.pk},
        {"version": foreign},
        {"tool": "secret_tool"},
        {"try": theirs.call_id},
    ):
        page = bench.open(**asked)
        assert page.status_code == 200
        assert page.context["chosen"].lost
        assert b"secret" not in page.content.replace(b"secret_tool", b"") or asked == {"tool": "secret_tool"}
        assert page.context["chosen"].version is None
    assert bench.open(attempt="0" * 32).context["chosen"].lost
    assert bench.browser.post(f"{HOME}run/", {"version": foreign, "raw": "{}"}).status_code == 200
    assert not ToolCall.objects.filter(run="").exists()


def test_only_tries_are_shown_as_tries(bench: Bench) -> None:
    """A model's call in a conversation is not a try, whoever knows its id."""
    call = attempt("{}").call
    ToolCall.objects.filter(pk=call.pk).update(requester=bench.user, status=CallStatus.HELD)
    assert bench.show(call).status_code == 404
    assert bench.open(**{"try": call.pk}).context["chosen"].lost
