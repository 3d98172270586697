"""Agents, tools and rejected calls over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from agents.models import Agent
from conversations.models import Conversation, Run
from platform_site.ids import new_id
from platform_site.models import Role, Tenant, User
from platform_site.tenancy import acting_for
from tests.api.conftest import As, same_as_absent
from tests.api.made import SEARCH, make_agent, make_run
from tests.conftest import person
from tools import catalogue
from tools.models import AttemptOutcome, CallAttempt, NextStep, Tool, ToolCall


def test_the_agents_one_can_talk_to(program: As, bob: User, tenant: Tenant, guide: Agent) -> None:
    with acting_for(tenant):
        make_agent("secret")
        Agent.objects.filter(slug="secret").update(is_enabled=False)
    (agent,) = program(bob).get("agents").json()["results"]
    assert agent == {
        "slug": "guide", "name": "Mall guide", "kind": "chat", "models": ["demo"], "is_demo": True,
        "suggestions": ["Nike shoes"], "scenarios": [], "presets": [],
        "choices": [{"slug": "demo", "name": "demo", "images": False, "tools": True}],
        "avatar": "", "colour": "", "debate": None,
    }  # fmt: skip


def test_members_see_what_a_tool_does_and_not_how(program: As, bob: User, search_tool: Tool) -> None:
    (told,) = program(bob).get("tools").json()["results"]
    assert told == program(bob).get(f"tools/{search_tool.pk}").json()
    assert (told["name"], told["risk"], told["version"], told["enabled"]) == (
        "search_products",
        "SAFE",
        1,
        True,
    )
    assert (told["executor"], told["schema"]) == (None, None)


def test_admins_see_how_a_tool_works(program: As, adam: User, search_tool: Tool) -> None:
    told = program(adam).get(f"tools/{search_tool.pk}").json()
    assert told["executor"]["url"] == "https://shop.example/products"
    assert told["schema"]["required"] == ["query"]


def test_an_admins_token_without_the_scope_sees_what_a_member_sees(
    program: As, adam: User, search_tool: Tool
) -> None:
    assert program(adam, "read").get(f"tools/{search_tool.pk}").json()["executor"] is None


def test_an_admin_saves_a_tool(program: As, adam: User, tenant: Tenant) -> None:
    made = program(adam).post("tools", SEARCH)
    again = program(adam).post("tools", SEARCH)
    changed = program(adam).post("tools", SEARCH | {"description": "Look for products."})
    answers = [(answer.status_code, answer.json()["version"]) for answer in (made, again, changed)]
    assert answers == [(201, 1), (200, 1), (200, 2)]
    versions = program(adam).get(f"tools/{made.json()['id']}/versions").json()["results"]
    assert [(version["number"], version["author"]["name"]) for version in versions] == [
        (2, "Adam"),
        (1, "Adam"),
    ]
    assert versions[1]["definition"]["description"] == "Find products."


def test_a_member_sees_that_there_are_versions(program: As, bob: User, search_tool: Tool) -> None:
    (version,) = program(bob).get(f"tools/{search_tool.pk}/versions").json()["results"]
    assert (version["number"], version["definition"]) == (1, None)


def test_a_tool_that_cannot_be_saved_is_refused_with_every_fault(
    program: As, adam: User, tenant: Tenant
) -> None:
    bad = SEARCH | {"risk": "HARMLESS", "shema": {}}
    answer = program(adam).post("tools", bad)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert {fault["path"] for fault in answer.json()["errors"]} >= {"$.risk", "$.shema"}
    with acting_for(tenant):
        assert not Tool.objects.exists()


def test_a_credential_of_another_tenant_cannot_be_named(
    program: As, adam: User, other_tenant: Tenant
) -> None:
    """T34."""
    from platform_site.models import Credential

    with acting_for(other_tenant):
        Credential.objects.create(slug="theirs", provider="http")
    executor: dict[str, Any] = SEARCH["executor"] | {"credential": "theirs"}  # type: ignore[operator]
    answer = program(adam).post("tools", SEARCH | {"executor": executor})
    assert answer.status_code == 400


@pytest.mark.parametrize("who", ["bob", "rita"])
def test_others_save_nothing(program: As, request: Any, tenant: Tenant, search_tool: Tool, who: str) -> None:
    """T05: whoever speaks for a member cannot change a tool."""
    theirs = program(request.getfixturevalue(who))
    answers = [
        theirs.post("tools", SEARCH | {"name": "mine"}),
        theirs.patch(f"tools/{search_tool.pk}", {"is_enabled": False}),
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    with acting_for(tenant):
        assert Tool.objects.get().is_enabled


def test_an_admins_token_for_chatting_saves_nothing(program: As, adam: User, search_tool: Tool) -> None:
    """T05: an agent that got hold of an admin's chat token is refused as well."""
    chatting = program(adam, "chat")
    assert chatting.post("tools", SEARCH | {"risk": "SAFE"}).status_code == 403
    assert chatting.patch(f"tools/{search_tool.pk}", {"is_enabled": False}).status_code == 403


def test_a_tool_is_switched_off_and_on(program: As, adam: User, tenant: Tenant, search_tool: Tool) -> None:
    off = program(adam).patch(f"tools/{search_tool.pk}", {"is_enabled": False})
    assert (off.status_code, off.json()["enabled"]) == (200, False)
    with acting_for(tenant):
        assert catalogue.offered(["search_products"]) == {}
    program(adam).patch(f"tools/{search_tool.pk}", {"is_enabled": True})
    with acting_for(tenant):
        assert list(catalogue.offered(["search_products"])) == ["search_products"]


@pytest.mark.parametrize("body", [{}, {"is_enabled": "no"}, {"is_enabled": True, "risk": "SAFE"}, []])
def test_nothing_else_of_a_tool_is_changed_by_a_patch(
    program: As, adam: User, search_tool: Tool, body: object
) -> None:
    assert program(adam).patch(f"tools/{search_tool.pk}", body).status_code == 400


@pytest.mark.parametrize(
    ("method", "path"), [("get", "tools/{id}"), ("patch", "tools/{id}"), ("get", "tools/{id}/versions")]
)
def test_another_tenants_tool_is_as_if_it_were_not_there(
    program: As, adam: User, other_tenant: Tenant, method: str, path: str
) -> None:
    """T32."""
    with acting_for(other_tenant):
        theirs, _ = catalogue.save_tool(SEARCH, None)
    body = {"body": {"is_enabled": False}} if method == "patch" else {}
    same_as_absent(program(adam), method, path, theirs.pk, **body)


@pytest.fixture
def rejected(tenant: Tenant, bob: User, talk: Conversation, search_tool: Tool) -> CallAttempt:
    """An attempt at a call whose arguments were wrong; the one after it was right."""
    with acting_for(tenant):
        run = make_run(talk, bob, status="finished")
        wrong = [{"path": "$.query", "keyword": "required", "message": "This argument is missing."}]
        first = _attempt(run, bob, search_tool, '{"qeury": "x"}', AttemptOutcome.REJECTED, errors=wrong)
        _attempt(run, bob, search_tool, '{"query": "x"}', AttemptOutcome.VALID, chain=first.pk, number=2)
    return first


def _attempt(run: Run, user: User, tool: Tool, raw: str, outcome: AttemptOutcome, **more: Any) -> CallAttempt:
    same: dict[str, Any] = {
        "topic": run.conversation_id,
        "run": run.pk,
        "version": tool.current,
        "requester": user,
    }
    call = ToolCall.objects.create(name=tool.name, raw=raw, **same)
    id_ = new_id()
    then = NextStep.CORRECTED if outcome == AttemptOutcome.REJECTED else NextStep.WENT_ON
    return CallAttempt.objects.create(
        id=id_, call=call, tool=tool.name, model="demo", agent="guide", raw=raw, outcome=outcome, next_step=then,
        **{"chain": id_, **same, **more},
    )  # fmt: skip


@pytest.mark.parametrize("who", ["rita", "adam", "alice"])
def test_who_looks_after_the_tools_sees_rejected_attempts(
    program: As, request: Any, rejected: CallAttempt, who: str
) -> None:
    """The failed attempts alone, also those somebody marked as known."""
    CallAttempt.objects.across_tenants().update(known_at=timezone.now())
    (failure,) = program(request.getfixturevalue(who)).get("validation-failures").json()["results"]
    assert failure["raw"] == '{"qeury": "x"}'
    assert failure["errors"][0]["path"] == "$.query"
    told = {
        name: failure[name] for name in ("tool", "version", "agent", "model", "outcome", "next_step", "known")
    }
    assert told == {
        "tool": "search_products", "version": 1, "agent": "guide", "model": "demo", "outcome": "rejected",
        "next_step": "corrected", "known": True,
    }  # fmt: skip
    assert (failure["id"], failure["call"], failure["chain"]) == (
        rejected.pk,
        rejected.call_id,
        rejected.chain,
    )


def test_members_do_not_see_rejected_attempts(program: As, bob: User, rejected: CallAttempt) -> None:
    assert program(bob).get("validation-failures").status_code == 403


def test_another_tenants_rejected_attempts_are_not_listed(
    program: As, rejected: CallAttempt, other_tenant: Tenant
) -> None:
    """T32."""
    oscar = person(other_tenant, "Oscar", Role.OWNER)
    assert program(oscar).get("validation-failures").json()["results"] == []
