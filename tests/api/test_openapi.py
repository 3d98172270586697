"""The OpenAPI document: valid, complete, and true about who may call what."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

from conversations import api_schema, api_urls
from platform_site import access
from platform_site.models import User
from tests.api.conftest import As, Program

VERBS = ("get", "post", "put", "patch", "delete")


@pytest.fixture
def document(db: None) -> Any:
    return json.loads(Client().get("/api/v1/schema").content)


def operations(document: Any) -> list[tuple[str, str, Any]]:
    return [
        (path, verb, item[verb]) for path, item in document["paths"].items() for verb in VERBS if verb in item
    ]


def test_it_is_valid_openapi(document: Any) -> None:
    assert document["openapi"].startswith("3.1")
    validate_schema(document)


def test_making_it_warns_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    api_schema.document.cache_clear()
    api_schema.document()
    told = capsys.readouterr()
    assert told.err == told.out == ""


def test_every_route_and_method_is_in_it(document: Any) -> None:
    described = {(path, verb) for path, verb, _ in operations(document)}
    expected = {("/api/v1/auth/token", "post")}
    for route in api_urls.in_tenant:
        path = "/api/v1/t/{slug}/" + str(route.pattern).replace("<id:", "{").replace(">", "}")
        expected |= {(path, verb) for verb in VERBS if hasattr(route.callback.view_class, verb)}
    assert described == expected


def test_every_operation_says_who_may_call_it(document: Any) -> None:
    for path, verb, operation in operations(document):
        if path != "/api/v1/auth/token":
            assert operation["security"], f"{verb} {path}"
            (needed,) = [need["token"] for need in operation["security"] if "token" in need]
            assert len(needed) == 1 and needed[0] in access.SCOPES
            assert {"401", "403", "404"} <= operation["responses"].keys()


OTHER_THAN_JSON = {"ag-ui": "text/event-stream", "content": "image/*"}


def test_every_answer_has_a_shape(document: Any) -> None:
    for path, verb, operation in operations(document):
        for status, answer in operation["responses"].items():
            if status != "204":
                (content,) = answer["content"].items()
                good = OTHER_THAN_JSON.get(path.rpartition("/")[2], "application/json")
                kind = "application/problem+json" if status >= "400" else good
                assert content[0] == kind, f"{verb} {path} {status}"
                assert content[1]["schema"]["$ref"] in refs(document)


def refs(document: Any) -> set[str]:
    return {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}


def test_no_reference_leads_nowhere(document: Any) -> None:
    def found(value: Any) -> set[str]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        own = {value["$ref"]} if isinstance(value, dict) and isinstance(value.get("$ref"), str) else set()
        return own.union(*(found(item) for item in inner)) if inner else own

    assert found(document) <= refs(document)


def filled(path: str) -> str:
    return path.replace("{slug}", "acme").replace("{", "").replace("}", "")


def test_without_sign_in_all_that_declares_it_is_refused(document: Any, bob: User) -> None:
    """T79: declared is enforced."""
    for path, verb, operation in operations(document):
        if operation.get("security"):
            answer = getattr(Client(), verb)(filled(path))
            assert answer.status_code == 401, f"{verb} {path}"


def test_without_the_declared_scope_a_token_is_refused(document: Any, program: As, alice: User) -> None:
    """T79: a token with every scope but the declared one gets 403; `read` comes with each of the others."""
    for path, verb, operation in operations(document):
        for needed in (need["token"][0] for need in operation.get("security", []) if "token" in need):
            if needed != "read":
                caller: Program = program(alice, *(access.SCOPES - {needed}))
                answer = caller.raw(verb.upper(), filled(path).removeprefix("/api/v1/t/acme/"), b"{}")
                assert answer.status_code == 403, f"{verb} {path}"
