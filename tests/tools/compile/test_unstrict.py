"""Nulls that stand for "not given" are left out before the arguments are checked; other nulls stay."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from tests.cost import cost_of
from tests.tools.compile.tools_of import of
from tools.compile.unstrict import unstrict

TEXT = {"type": "string"}
CAT = of(kind={"const": "cat"}, lives={"type": "integer"}) | {"required": ["kind"]}
DOG = of(kind={"const": "dog"}, tricks={"type": "array", "items": TEXT}) | {"required": ["kind"]}


@pytest.mark.parametrize(
    ("schema", "told", "meant", "left_out"),
    [
        (of(a=TEXT, b=TEXT), {"a": "x", "b": None}, {"a": "x"}, ["$.b"]),
        (of(a={"type": ["string", "null"]}), {"a": None}, {"a": None}, []),
        (of(a={"anyOf": [TEXT, {"type": "null"}]}), {"a": None}, {"a": None}, []),
        (of(a={"enum": ["x", None]}), {"a": None}, {"a": None}, []),
        (of(a={}), {"a": None}, {"a": None}, []),
        (of(a=TEXT) | {"required": ["a"]}, {"a": None}, {"a": None}, []),
        (of(a=TEXT), {"z": None}, {"z": None}, []),
        (of(a=of(b=TEXT)), {"a": {"b": None}}, {"a": {}}, ["$.a.b"]),
        (
            of(a={"type": "array", "items": of(b=TEXT)}),
            {"a": [{"b": None}, {"b": "x"}]}, {"a": [{}, {"b": "x"}]}, ["$.a[0].b"],
        ),
        (of(a={"type": "array", "items": TEXT}), {"a": [None]}, {"a": [None]}, []),
        (of(a={"allOf": [of(b=TEXT)]}), {"a": {"b": None}}, {"a": {}}, ["$.a.b"]),
        (of(a={"anyOf": [CAT, DOG]}), {"a": {"kind": "dog", "tricks": None}}, {"a": {"kind": "dog"}}, ["$.a.tricks"]),
        (of(a={"oneOf": [CAT, DOG]}), {"a": {"kind": "cat", "lives": None}}, {"a": {"kind": "cat"}}, ["$.a.lives"]),
        (
            of(a={"$ref": "#/$defs/Cat"}) | {"$defs": {"Cat": CAT}},
            {"a": {"kind": "cat", "lives": None}}, {"a": {"kind": "cat"}}, ["$.a.lives"],
        ),
        (
            of(again={"$ref": "#"}, a=TEXT), {"again": {"again": None, "a": None}, "a": None}, {"again": {}},
            ["$.again.again", "$.again.a", "$.a"],
        ),
    ],
)  # fmt: skip
def test_each_null(schema: dict[str, Any], told: Any, meant: Any, left_out: list[str]) -> None:
    value, flags = unstrict(schema, told)
    assert value == meant
    assert [(flag["name"], flag["path"]) for flag in flags] == [("strict_null", path) for path in left_out]


@pytest.mark.parametrize("value", [None, [], "x", 3, {"a": {"b": [[[{"c": None}]]]}}])
def test_what_is_of_another_form_stays(value: Any) -> None:
    """The check tells what is wrong with it."""
    assert unstrict(of(a=TEXT), value) == (value, ())


def test_a_choice_within_a_choice_is_bounded() -> None:
    """T19: what cannot be told in time keeps its nulls, and is refused by the check."""
    either = {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}
    schema = of(x=either) | {"$defs": {"A": of(x=either, a=TEXT), "B": of(x=either, a=TEXT, b=TEXT)}}
    value: dict[str, Any] = {"b": "only B has it", "a": None}
    for _ in range(40):
        value = {"x": value}
    made, _flags = unstrict(schema, value)
    assert cost_of(lambda: unstrict(schema, value)) < 1
    assert made == value or jsonschema_rs.is_valid(schema, made)
