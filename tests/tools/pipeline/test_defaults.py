"""Defaults are filled where the schema says so, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tools.pipeline.shop import accepted, rejected, tool, verdict
from tools.pipeline import size
from tools.pipeline.defaults import MOST_GAPS
from tools.pipeline.flags import MOST
from tools.pipeline.values import Accepted, Rejected

ITEM = {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer", "default": 1}}}


def test_a_default_is_filled_and_told() -> None:
    found = accepted(tool({"size": {"type": "integer", "default": 3}}), {})
    assert found.arguments == {"size": 3}
    assert found.flags == ({"name": "default", "path": "$.size", "detail": 3},)


def test_what_was_given_stays() -> None:
    spec = tool({"size": {"type": ["integer", "null"], "default": 3}})
    assert accepted(spec, {"size": None}).arguments == {"size": None}


@pytest.mark.parametrize("item", [ITEM, {"$ref": "#/$defs/item"}])
def test_also_inside_objects_and_lists(item: dict[str, Any]) -> None:
    spec = tool({"items": {"type": "array", "items": item}, "one": item}, **{"$defs": {"item": ITEM}})
    found = accepted(spec, {"items": [{"id": "a"}, {"id": "b", "n": 2}], "one": {}})
    assert found.arguments == {"items": [{"id": "a", "n": 1}, {"id": "b", "n": 2}], "one": {"n": 1}}
    assert [flag["path"] for flag in found.flags] == ["$.items[0].n", "$.one.n"]


def test_an_object_is_not_invented_for_its_defaults() -> None:
    assert accepted(tool({"one": ITEM}), {}).arguments == {}


@pytest.mark.parametrize("wrong", ["many", 99])
def test_a_default_that_does_not_fit_is_not_filled(wrong: Any) -> None:
    spec = tool({"size": {"type": "integer", "maximum": 9, "default": wrong}})
    assert accepted(spec, {}).arguments == {}


def test_defaults_of_a_schema_are_never_shared() -> None:
    spec = tool({"tags": {"type": "array", "default": []}})
    accepted(spec, {}).arguments["tags"].append("mine")
    assert accepted(spec, {}).arguments == {"tags": []}


LINES = tool({"items": {"type": "array", "items": ITEM}})


def test_a_field_of_many_items_is_told_once() -> None:
    found = accepted(LINES, {"items": [{}, {}, {"n": 2}, {}]})
    assert [item["n"] for item in found.arguments["items"]] == [1, 1, 2, 1]
    assert found.flags == ({"name": "default", "path": "$.items[].n", "detail": 1, "times": 3},)


def test_few_defaults_are_filled_and_many_refused() -> None:
    """T18: `[{},{},…]` is short, what it calls for is not."""
    assert accepted(LINES, {"items": [{}] * MOST_GAPS}).arguments["items"] == [{"n": 1}] * MOST_GAPS
    found = rejected(LINES, {"items": [{}] * (MOST_GAPS + 1)})
    assert [error.keyword for error in found.errors] == ["too_large"]
    assert found.flags == ({"name": "too_large"},)


@pytest.mark.parametrize(("items", "fits"), [(3, True), (4, False)])
def test_what_was_filled_may_not_be_larger_than_what_may_be_sent(items: int, fits: bool) -> None:
    """T18."""
    each = {"type": "object", "properties": {"text": {"type": "string", "default": "x" * 20_000}}}
    found = verdict(tool({"items": {"type": "array", "items": each}}), {"items": [{}] * items})
    assert isinstance(found, Accepted) is fits
    assert fits or (isinstance(found, Rejected) and found.errors == (size.TOO_LARGE,))


def test_flags_are_capped_and_the_last_says_how_many_more() -> None:
    """T18: every flag is stored, sent and shown."""
    spec = tool({f"a{n}": {"type": "integer", "default": n} for n in range(130)})
    found = accepted(spec, {})
    assert len(found.arguments) == 130
    assert len(found.flags) == MOST
    assert found.flags[-1] == {"name": "more", "detail": 31}


def test_whole_numbers_of_many_items_are_told_once() -> None:
    spec = tool({"sizes": {"type": "array", "items": {"type": "integer"}}})
    told = {"name": "coerced", "before": 1.0, "after": 1, "detail": "number_to_integer"}
    assert accepted(spec, {"sizes": [1.0]}).flags == (told | {"path": "$.sizes[0]"},)
    assert accepted(spec, {"sizes": [1.0] * 900}).flags == (told | {"path": "$.sizes[]", "times": 900},)
