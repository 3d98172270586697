"""The argument check as the gate calls it: strict JSON, bounded, every error with its place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.cost import cost_of
from tools import arguments, strictjson
from tools.arguments import Accepted, Rejected
from tools.spec import HttpExecutor, ToolSpec

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 50_000},
        "size": {"type": "integer"},
        "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
        "free": {},
    },
    "$defs": {
        "item": {
            "type": "object",
            "properties": {
                "id": {"type": "string"},
                "quantity": {"type": "integer", "default": 1, "minimum": 1},
            },
            "required": ["id"],
            "additionalProperties": False,
        }
    },
    "additionalProperties": False,
}


def spec(schema: dict[str, Any] = SCHEMA) -> ToolSpec:
    return ToolSpec("look", "", schema, "SAFE", HttpExecutor("GET", "http://shop.test/"))


def check(raw: str, schema: dict[str, Any] = SCHEMA) -> Accepted | Rejected:
    return arguments.check(spec(schema), raw)


def rejected(raw: str, schema: dict[str, Any] = SCHEMA) -> Rejected:
    verdict = check(raw, schema)
    assert isinstance(verdict, Rejected)
    return verdict


def test_good_arguments_pass_unchanged() -> None:
    """T16: values that look like mistakes are values."""
    given = {"text": '}{ ``` // , } \' "quoted" \\n 😀 ,}', "size": 3}
    assert check(json.dumps(given)) == Accepted(given)


@pytest.mark.parametrize("raw", ["", "  ", "\n"])
def test_nothing_at_all_means_no_arguments_only_where_that_can_do_no_harm(raw: str) -> None:
    """T15: it could be all that is left of a longer call."""
    assert arguments.check(replace(spec(), read_only=True), raw) == Accepted({}, ({"name": "empty"},))
    assert check(raw, {"type": "object"}) == Accepted({}, ({"name": "empty"},))
    verdict = check(raw)
    assert isinstance(verdict, Rejected)
    assert [error.keyword for error in verdict.errors] == ["truncated"]


def test_defaults_are_filled_where_the_schema_names_them() -> None:
    verdict = check('{"items": [{"id": "a"}, {"id": "b", "quantity": 2}]}')
    assert isinstance(verdict, Accepted)
    assert verdict.arguments["items"] == [{"id": "a", "quantity": 1}, {"id": "b", "quantity": 2}]
    assert verdict.flags == ({"name": "default", "path": "$.items[0].quantity", "detail": 1},)


def test_a_default_that_does_not_fit_is_not_filled() -> None:
    schema = {"type": "object", "properties": {"size": {"type": "integer", "default": "many"}}}
    assert check("{}", schema) == Accepted({})


@pytest.mark.parametrize(
    "raw",
    [
        '{"size": 1, "size": 2}', '{"free": {"a": 1, "a": 1}}', '{"free": NaN}', '{"free": -Infinity}',
        '{"free": 1e400}', '{"size": 9223372036854775808}', '{"size": 1' + "0" * 5_000 + "}",
        '{"text": "\\ud800"}', '{"\\udc00": 1}', '{"text": "\\u0000"}', '{"text": "\ud800"}', '{"size": 007}',
        '{"a": \x00}', '{"size": 1, "size": 2,}', "{'size': 1e400}", "{free: NaN}", "{'text': '\\ud800'}", "size", "{",
    ],
)  # fmt: skip
def test_what_could_mean_several_things_is_refused(raw: str) -> None:
    """T17: one text means one value, or it is refused; mending it first makes no difference."""
    (error,) = rejected(raw).errors
    assert error.keyword in ("json", "truncated")


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("{'size': 1}", "quotes"), ("{size: 1}", "unquoted"), ('{"size": 1,}', "commas"),
        ('<arguments>{"size": 1}</arguments>', "prose"),
        ('```json\n{"size": 1}\n```', "fence"),
        ('"{\\"size\\": 1}"', "encoded"), ('{/* how many */ "size": 1}', "comments"),
    ],
)  # fmt: skip
def test_what_was_only_written_badly_is_mended_and_said_so(raw: str, name: str) -> None:
    """A2, A9."""
    verdict = check(raw)
    assert isinstance(verdict, Accepted)
    assert (verdict.arguments, json.loads(verdict.mended)) == ({"size": 1}, {"size": 1})
    assert [flag["name"] for flag in verdict.flags] == [name]


@pytest.mark.parametrize(
    "number", ["-9223372036854775808", "9223372036854775807", "-0", "0.1", "1e22", "5e-324"]
)
def test_other_numbers_are_kept_exactly(number: str) -> None:
    """T17."""
    verdict = check(f'{{"free": {number}}}')
    assert isinstance(verdict, Accepted)
    assert verdict.arguments["free"] == json.loads(number)


@pytest.mark.parametrize("raw", ["[]", "3", '"text"', '[{"size": 1}]', "null", "true"])
def test_what_is_not_an_object_is_refused(raw: str) -> None:
    (error,) = rejected(raw).errors
    assert (error.path, error.keyword) == ("$", "type")


@pytest.mark.parametrize(
    "raw",
    [
        '{"free": ' + "[" * 1_000 + "]" * 1_000 + "}",
        '{"free": ' + "[" * 30_000 + "]" * 30_000 + "}",
        '{"free": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        json.dumps({"text": "x" * 10_000_000}),
        json.dumps({f"key{n}": n for n in range(100_000)}),
        json.dumps({f"k{n}": n for n in range(6_000)}),
        "{" + ",".join(['"a":1'] * 9_000) + "}",
        json.dumps({"items": [{"quantity": 0}] * 3_000}),
    ],
    ids=[
        "1000 levels",
        "30000",
        "100000",
        "objects",
        "10 MB",
        "100000 keys",
        "6000 keys",
        "same key",
        "6000 errors",
    ],
)
def test_size_and_depth_are_bounded(raw: str) -> None:
    """T18: a failure in under 100 ms of CPU."""
    assert cost_of(lambda: rejected(raw)) < 0.1
    verdict = rejected(raw)
    assert len(verdict.errors) >= 1
    assert len(str(verdict)) < 10_000_000


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"free": value}
    return value


@pytest.mark.parametrize(
    ("given", "keyword"),
    [
        ({"text": "x" * 10_000_000}, "too_large"), ({f"key{n}": n for n in range(100_000)}, "too_large"),
        (deep(900), "json"), ({"free": float("nan")}, "json"), ({"free": {1, 2}}, "json"), ({"text": "\ud800"}, "json"),
        ({"size": 2**70}, "json"),
    ],
)  # fmt: skip
def test_an_object_is_held_to_the_same_bounds(given: dict[str, Any], keyword: str) -> None:
    """T17, T18: from a person's form, or a provider that reads the text itself."""
    assert cost_of(lambda: arguments.check(spec(), given)) < 0.1
    verdict = arguments.check(spec(), given)
    assert isinstance(verdict, Rejected)
    assert [error.keyword for error in verdict.errors] == [keyword]


def test_a_good_object_passes() -> None:
    assert arguments.check(spec(), {"size": 3, "text": "\n"}) == Accepted({"size": 3, "text": "\n"})


def test_every_error_has_its_place() -> None:
    """A13."""
    errors = rejected('{"size": "three", "items": [{"id": 1}, {"quantity": 0}], "colour": "red"}').errors
    assert {(error.path, error.keyword) for error in errors} == {
        ("$.size", "type"), ("$.items[0].id", "type"), ("$.items[1].id", "required"),
        ("$.items[1].quantity", "minimum"), ("$.colour", "additionalProperties"),
    }  # fmt: skip


def test_a_long_value_is_shown_shortened() -> None:
    """T24: an error shows what was given, not all of it."""
    (error,) = rejected(json.dumps({"text": "x" * 60_000})).errors
    assert len(error.given) < 200


def test_storable_text_replaces_what_no_database_takes() -> None:
    assert strictjson.storable("a\x00b\ud800c😀") == "a\ufffdb\ufffdc😀"
