"""Values are read as the type their schema wants where the meaning is beyond doubt, and nowhere else (A3, T21)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cost import cost_of
from tests.tools.pipeline.shop import accepted, rejected, tool, verdict
from tests.tools.pipeline.test_properties import PROFILE, exactly
from tools.pipeline.values import Accepted
from tools.spec import ToolSpec

ITEM = {
    "type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}, "required": ["id"],
    "additionalProperties": False,
}  # fmt: skip
INTEGER, NUMBER, BOOLEAN, TEXT = ({"type": one} for one in ("integer", "number", "boolean", "string"))
TEXTS, ITEMS = {"type": "array", "items": TEXT}, {"type": "array", "items": ITEM}
NUMBERS = {"type": "array", "items": INTEGER}
FREE_LIST = {"type": "array"}


def one(wanted: dict[str, Any]) -> ToolSpec:
    return tool({"a": wanted})


@pytest.mark.parametrize(
    ("wanted", "given", "after", "detail"),
    [
        (INTEGER, "10", 10, "text_to_integer"), (INTEGER, "-3", -3, "text_to_integer"),
        (INTEGER, "3.0", 3, "text_to_integer"), (INTEGER, 3.0, 3, "number_to_integer"),
        (NUMBER, "1.5", 1.5, "text_to_number"), (NUMBER, "7", 7, "text_to_number"),
        (NUMBER, "2e3", 2000.0, "text_to_number"),
        (BOOLEAN, "true", True, "text_to_boolean"), (BOOLEAN, "False", False, "text_to_boolean"),
        (TEXTS, "shoes", ["shoes"], "wrapped_in_list"), (NUMBERS, 7, [7], "wrapped_in_list"),
        (ITEMS, {"id": "a"}, [{"id": "a"}], "wrapped_in_list"),
        (ITEM, '{"id": "a"}', {"id": "a"}, "parsed_json_text"), (TEXTS, '["a", "b"]', ["a", "b"], "parsed_json_text"),
        ({"enum": [1, 2, 3]}, "2", 2, "text_to_number"), ({"enum": [True]}, "true", True, "text_to_boolean"),
        ({"const": 7}, "7", 7, "text_to_number"), ({"enum": ["1", "2"]}, 2, "2", "number_to_text"),
        ({"type": ["integer", "null"]}, "3", 3, "text_to_integer"),
        ({"anyOf": [NUMBER, {"type": "null"}]}, "3", 3, "text_to_number"),
        ({"anyOf": [INTEGER, NUMBER]}, "3", 3, "text_to_integer"),
        ({"anyOf": [INTEGER, BOOLEAN]}, "true", True, "text_to_boolean"),
        ({"anyOf": [{"type": "null"}, ITEM]}, '{"id": "a"}', {"id": "a"}, "parsed_json_text"),
    ],
)  # fmt: skip
def test_what_is_beyond_doubt_is_read(wanted: dict[str, Any], given: Any, after: Any, detail: str) -> None:
    found = accepted(one(wanted), {"a": given})
    assert exactly(found.arguments) == exactly({"a": after})
    assert found.flags == (
        {"name": "coerced", "path": "$.a", "before": given, "after": after, "detail": detail},
    )


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        *((INTEGER, text) for text in ("10 apples", "1,5", "1.5", "", " ", "007", "1e3", "0x10", "ten", "٣", "+1")),
        *((INTEGER, value) for value in (3.7, True, None, [3], {"a": 3}, "9" * 20, "null")),
        *((NUMBER, text) for text in ("1,5", "€5", "50%", "NaN", "1e400", ".5", "5.", "0.1234567890123456")),
        *((BOOLEAN, value) for value in ("yes", "no", "1", "on", "", 1, 0, None, [True], "truely")),
        *((TEXT, value) for value in (3, True, None, ["x"], {})),
        *((TEXTS, value) for value in (None, "", "a, b", "a;b", "a\nb", "红、蓝", '["a", "b"', "{}", 3, '{"a": 1}')),
        *((ITEMS, value) for value in ({"item": [{"id": "a"}]}, '{"id": "a"}', "a", {"n": 3})),
        (FREE_LIST, "a"), (FREE_LIST, {"a": 1}), (ITEM, "id: a"), (ITEM, '{"id": "a", "id": "b"}'),
        (ITEM, "{'id': 'a'}"),
        (ITEM, [{"id": "a"}]), ({"enum": ["red"]}, "Red"), ({"enum": ["red"]}, ["red"]), ({"enum": [1, 2]}, "3"),
        ({"anyOf": [INTEGER, TEXTS]}, "3"), ({"type": ["integer", "array"], "items": TEXT}, "3"),
        ({"type": "integer", "minimum": 5}, "3"),
    ],
)  # fmt: skip
def test_what_is_in_doubt_is_refused_as_it_was_given(wanted: dict[str, Any], given: Any) -> None:
    """T21: never guessed, at no risk; the form for the person shows what was given."""
    for risk in ("SAFE", "CONFIRM", "CRITICAL"):
        found = rejected(tool({"a": wanted}, risk=risk), {"a": given})
        assert exactly(found.value) == exactly({"a": given})
        assert not found.flags


def test_each_change_is_told_with_its_place_at_any_depth() -> None:
    """T21: every coercion is listed."""
    spec = tool({"items": ITEMS, "sizes": NUMBERS, "gift": BOOLEAN})
    found = accepted(spec, {"items": '[{"id": "a", "n": "2"}]', "sizes": "4", "gift": "true"})
    assert found.arguments == {"items": [{"id": "a", "n": 2}], "sizes": [4], "gift": True}
    assert {(flag["path"], flag["detail"]) for flag in found.flags} == {
        ("$.items", "parsed_json_text"), ("$.items[0].n", "text_to_integer"), ("$.sizes", "wrapped_in_list"),
        ("$.sizes[0]", "text_to_integer"), ("$.gift", "text_to_boolean"),
    }  # fmt: skip


def test_a_critical_call_may_be_coerced() -> None:
    """How a value is typed is not how a text is mended: it is listed, and a person decides on it."""
    assert accepted(tool({"a": INTEGER}, risk="CRITICAL"), {"a": "3"}).arguments == {"a": 3}


def test_what_is_right_is_read_beside_what_is_wrong() -> None:
    """The person's form starts from the best there is."""
    found = rejected(tool({"a": INTEGER, "b": INTEGER, "o": ITEM}), {"a": "1", "b": "x", "o": '{"n": "2"}'})
    assert found.value == {"a": 1, "b": "x", "o": {"n": 2}}
    assert [error.path for error in found.errors] == ["$.b", "$.o.id"]


def test_a_text_that_may_stay_one_is_left_alone() -> None:
    spec = tool({"a": {"anyOf": [TEXT, INTEGER]}, "b": {}, "c": {"type": ["string", "array"], "items": TEXT}})
    given = {"a": "3", "b": "true", "c": '["a"]'}
    assert accepted(spec, given) == Accepted(given)


def test_an_alternative_of_objects_is_chosen_by_its_marker() -> None:
    shapes = [
        {"type": "object", "properties": {"kind": {"const": kind}, size: NUMBER}, "required": ["kind", size]}
        for kind, size in (("circle", "radius"), ("square", "side"))
    ]
    found = accepted(one({"oneOf": shapes}), {"a": {"kind": "square", "side": "2"}})
    assert found.arguments == {"a": {"kind": "square", "side": 2}}


ODD_NAMES = ["0", "10", "-1", "a/b", "a~b", "%20", "$ref", "items", "a.b", "a[0]", "é", "\n"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_name_can_be_read_under(name: str) -> None:
    """The validator's paths write the name "0" as a number."""
    spec = tool({name: INTEGER, "map": {"type": "object", "additionalProperties": NUMBERS}})
    assert accepted(spec, {name: "3", "map": {name: "4"}}).arguments == {name: 3, "map": {name: [4]}}


@pytest.mark.parametrize("name", ["", "007"])
def test_where_the_validators_paths_are_not_exact_nothing_is_changed(name: str) -> None:
    given_ = {name: {"a": "3"}, "a": "3", "7": {"a": "3"}}
    spec = tool({name: {"type": "object", "properties": {"a": INTEGER}}, "a": {}, "7": {}})
    found = rejected(spec, given_)
    assert (found.value, found.flags) == (given_, ())


SCHEMAS = [
    INTEGER, NUMBER, BOOLEAN, TEXT, TEXTS, NUMBERS, ITEM, ITEMS, {"enum": [1, "a", None]}, {"anyOf": [INTEGER, TEXTS]},
    {"type": ["integer", "null"]}, {"anyOf": [ITEM, NUMBERS, {"type": "null"}]}, {},
]  # fmt: skip
DOUBTFUL = ["3", "3.0", "true", "", "x", "a, b", '["a"]', '{"id": "a"}', "007", "null", "1e3"]
ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from([0.5, 3.0]) | st.sampled_from(DOUBTFUL),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "n", "z"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@PROFILE
@given(st.lists(st.sampled_from(SCHEMAS), min_size=1, max_size=3), st.lists(ANY, min_size=3, max_size=3))
def test_only_what_the_schema_refuses_changes(schemas: list[dict[str, Any]], values: list[Any]) -> None:
    """Valid in, same out; and what is changed passes, with one flag a change."""
    spec = tool({f"p{n}": schema for n, schema in enumerate(schemas)})
    given_ = {f"p{n}": value for n, value in enumerate(values[: len(schemas)])}
    found = verdict(spec, given_)
    for n, schema in enumerate(schemas):
        alone = verdict(tool({"a": schema}), {"a": values[n]})
        changed = [flag for flag in found.flags if flag["path"].split(".")[1].split("[")[0] == f"p{n}"]
        assert len(changed) == len(alone.flags), "one argument's reading does not depend on another"
        result = found.arguments if isinstance(found, Accepted) else found.value
        assert changed or exactly(result[f"p{n}"]) == exactly(values[n])


@PROFILE
@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.booleans(), max_size=6))
def test_what_was_written_as_texts_comes_back(values: list[Any]) -> None:
    spec = tool({f"p{n}": BOOLEAN if isinstance(value, bool) else INTEGER for n, value in enumerate(values)})
    right = {f"p{n}": value for n, value in enumerate(values)}
    found = accepted(spec, {name: json.dumps(value) for name, value in right.items()})
    assert exactly(found.arguments) == exactly(right)


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        (NUMBERS, ["1"] * 300), (NUMBERS, ["1"] * 12_000), (NUMBERS, ["x"] * 12_000),
        (ITEMS, [{"id": "a", "n": "1"}] * 2_500),
        (ITEMS, ['{"id": "a"}'] * 4_000), (ITEM, '{"id":' * 9_000),
        (ITEMS, json.dumps([{"id": "a", "n": "1"}] * 2_000)),
        ({"type": "array", "items": {"anyOf": [INTEGER, TEXTS, BOOLEAN, ITEM]}}, ["1"] * 600),
        ({"type": "array", "items": {"enum": [f"{'colour' * 8}{n}" for n in range(300)]}}, ["colours"] * 5_000),
        (INTEGER, "1" * 60_000), (NUMBER, "1" * 60_000),
    ],
)  # fmt: skip
def test_looking_for_readings_is_bounded(wanted: dict[str, Any], given: Any) -> None:
    """T18, T19: 100 ms of CPU."""
    spec, raw = one(wanted), json.dumps({"a": given}, separators=(",", ":"))
    assert cost_of(lambda: verdict(spec, raw)) < 0.1
