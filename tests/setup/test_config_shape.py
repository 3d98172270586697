"""What a configuration document may look like, and how its faults are told."""

from __future__ import annotations

import pytest

from platform_site.setup.config_shape import Fault, faults_of

TENANT = {"slug": "acme", "name": "Acme"}


def told(document: object) -> list[str]:
    return [str(fault) for fault in faults_of(document)]


def test_a_tenant_alone_is_enough() -> None:
    assert faults_of({"tenant": TENANT}) == []


def test_an_unknown_key_is_named_with_its_path_and_what_it_may_have_meant() -> None:
    document = {"tenant": TENANT, "agents": [{**agent(), "instructons": "Be kind."}]}
    assert told(document) == ["agents[0] (guide).instructons: unknown key; did you mean “instructions”?"]


def test_an_unknown_key_unlike_any_other_lists_those_there_are() -> None:
    assert told({"tenant": {**TENANT, "zzz": 1}}) == [
        "tenant.zzz: unknown key; known are slug, name, locale, timezone, egress, notify_after_s"
    ]


def test_an_http_key_in_a_python_executor_is_unknown() -> None:
    tool = {
        "name": "look",
        "description": "Looks.",
        "risk": "SAFE",
        "executor": {"kind": "python", "handler": "a.b"},
    }
    tool["executor"]["url"] = "http://x/"  # type: ignore[index]
    assert told({"tenant": TENANT, "tools": [tool]}) == [
        "tools[0] (look).executor.url: unknown key; known are kind, handler"
    ]


def test_every_fault_is_told_at_once() -> None:
    document = {"tenant": {"slug": 3, "nam": "x"}, "extra": 1}
    assert sorted(fault.path for fault in faults_of(document)) == [
        "extra",
        "tenant.nam",
        "tenant.name",
        "tenant.slug",
    ]


def test_two_entries_of_one_name_are_refused() -> None:
    people = [{"email": "a@acme.test", "role": "member"}, {"email": "A@acme.test", "role": "owner"}]
    assert faults_of({"tenant": TENANT, "people": people}) == [
        Fault("people[1] (A@acme.test)", "this stands twice")
    ]


@pytest.mark.parametrize("document", [None, [], "text", 3, {}])
def test_what_is_no_configuration_at_all_is_said_to_be_so(document: object) -> None:
    assert told(document)


def agent() -> dict[str, object]:
    return {"slug": "guide", "name": "Guide", "instructions": "Help.", "models": ["demo"], "tools": []}
