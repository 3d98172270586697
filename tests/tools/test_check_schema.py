"""What a tool's schema may look like: closed in itself, bounded, and cheap at every call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cost import cost_of
from tools import schema
from tools.schema_limits import most_meeting


def chain(links: int) -> dict[str, Any]:
    """Each link offers the next one twice."""
    defs: dict[str, Any] = {"n0": {"type": "string"}}
    for n in range(1, links + 1):
        defs[f"n{n}"] = {
            "anyOf": [{"$ref": f"#/$defs/n{n - 1}"}, {"minLength": 1, "$ref": f"#/$defs/n{n - 1}"}]
        }
    return {"type": "object", "$defs": defs, "properties": {"x": {"$ref": f"#/$defs/n{links}"}}}


def nested(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        inner = {"type": "object", "properties": {"a": inner}}
    return inner


TREE = {
    "type": "object",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}},
        }
    },
    "properties": {"root": {"$ref": "#/$defs/node"}},
}
BRANCHING = {
    "type": "object",
    "$defs": {
        "node": {
            "anyOf": [
                {"properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["next"]},
                {"properties": {"next": {"$ref": "#/$defs/node"}, "more": True}, "required": ["more"]},
            ]
        }
    },
    "properties": {"root": {"$ref": "#/$defs/node"}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        (3, "$.type"), ({}, "$.type"), ({"type": "array"}, "$.type"),
        ({"type": "object", "properties": []}, "$.properties"),
        ({"type": "object", "properties": {"a": {"type": "text"}}}, "$.properties.a.type"),
        ({"type": "object", "properties": {"a": {"pattern": "("}}}, "$.properties.a.pattern"),
        ({"type": "object", "properties": {"a": {"pattern": "(?=look)"}}}, "$.properties.a.pattern"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}, "$"),
        ({"type": "object", "properties": {"a": {"$dynamicRef": "#a"}}}, "$.properties.a.$dynamicRef"),
        ({"type": "object", "properties": {"a": {"$id": "http://x/"}}}, "$.properties.a.$id"),
        ({"type": "object", "allOf": [{"$ref": "#"}]}, "$"),
        ({"type": "object", "default": float("nan")}, "$"),
        (nested(40), "$"), (chain(12), "$"), (chain(40), "$"), (BRANCHING, "$"),
        ({"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(2_500)}}, "$"),
        ({"type": "object", "description": "x" * 70_000}, "$"),
    ],
)  # fmt: skip
def test_a_bad_schema_is_refused_with_its_place(bad: Any, path: str) -> None:
    """T19: at once, also the ones that would take exponential time."""
    problems = schema.check_schema(bad)
    assert [problem["path"] for problem in problems] == [path]
    assert cost_of(lambda: schema.check_schema(bad)) < 0.2


@pytest.mark.parametrize("good", [{"type": "object"}, TREE, chain(5), nested(10)])
def test_good_ones_pass(good: dict[str, Any]) -> None:
    assert schema.check_schema(good) == []


def test_recursion_that_goes_deeper_settles() -> None:
    assert most_meeting(TREE) < 5


@pytest.mark.parametrize(
    "ref",
    ["http://canary.test/s.json", "https://canary.test/", "file:///etc/passwd", "//canary.test/x", "other.json",
     "https://json-schema.org/draft/2020-12/schema", "#anchor", "urn:x"],
)  # fmt: skip
def test_nothing_is_ever_fetched(ref: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """T20: no request and no file, at save and at call."""
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("connected"))
    monkeypatch.setattr("builtins.open", lambda *_, **__: pytest.fail("opened"))
    remote = {"type": "object", "properties": {"a": {"$ref": ref}}}
    assert schema.check_schema(remote)[0]["path"] == "$.properties.a.$ref"
    with pytest.raises(ValueError, match="retriev"):
        schema.judge_of("", {"type": "object", "properties": {"a": {"$ref": "http://canary.test/s.json"}}})


def test_patterns_are_linear() -> None:
    """T19."""
    evil = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
    text = "a" * 60_000 + "b"
    assert schema.errors_of("", evil, {"a": text})
    assert cost_of(lambda: schema.errors_of("", evil, {"a": text})) < 0.05


def test_the_worst_schema_that_is_let_through_is_bounded_at_call() -> None:
    """T19: 50 ms."""
    worst = {"type": "object", "properties": {"l": {"type": "array", "items": chain(5)["properties"]["x"]}}}
    worst["$defs"] = chain(5)["$defs"]
    assert schema.check_schema(worst) == []
    values = {"l": list(range(10_000))}
    assert len(json.dumps(values)) < 64 * 1024
    schema.judge_of("worst", worst)
    assert schema.errors_of("worst", worst, values)
    assert cost_of(lambda: schema.errors_of("worst", worst, values)) < 0.05


def test_errors_do_not_name_files_or_servers() -> None:
    """T24."""
    told = str(
        schema.check_schema({"type": "object", "properties": {"a": {"$ref": "file:///srv/secret.json"}}})
    )
    assert "/srv" not in told


def test_an_optional_value_is_explained_by_the_form_that_was_meant() -> None:
    optional = {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}},
    }
    (error,) = schema.errors_of("", optional, {"a": "x"})
    assert (error.path, error.keyword, error.expected) == ("$.a", "minLength", 3)
    (error,) = schema.errors_of("", optional, {"a": 4})
    assert (error.keyword, error.expected) == ("anyOf", ["string", "null"])
