"""Whatever the schema: each provider's form is one it takes, and takes every value the schema takes."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tools.compile.subsets import (
    as_json_schema,
    refused_by_gemini,
    refused_by_loose,
    refused_by_openapi,
    refused_by_strict,
)
from tests.tools.compile.tools_of import filled, tool
from tools.compile import gemini, openai
from tools.compile.unstrict import unstrict
from tools.schema import check_schema

Pair = tuple[Any, Any]
"""A schema and a value that it takes."""
NAMES = st.sampled_from(["a", "b", "c", "size", "名"])
WORDS = st.text(st.sampled_from("abc1é "), max_size=6)


@st.composite
def texts(draw: st.DrawFn) -> Pair:
    value = draw(WORDS)
    words: dict[str, Any] = {
        "minLength": draw(st.integers(0, len(value))), "maxLength": len(value) + draw(st.integers(0, 3)),
        "pattern": draw(st.sampled_from(["^[\\s\\S]*$", "", "^(?:.|\\n)*$"])),
        "title": "T", "description": "D.", "default": "x",
        "examples": ["x"],
    }  # fmt: skip
    return {"type": "string"} | some_of(draw, words), value


@st.composite
def numbers(draw: st.DrawFn) -> Pair:
    value = draw(st.integers(-50, 50) | st.sampled_from([0.5, 2.0, -1.25]))
    below, above = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    words = {
        "minimum": value - below,
        "maximum": value + above,
        "exclusiveMinimum": value - below,
        "exclusiveMaximum": value + above,
    }
    kind = draw(st.sampled_from(["integer", "number"])) if isinstance(value, int) else "number"
    return {"type": kind} | some_of(draw, words | ({"multipleOf": 0.25})), value


@st.composite
def listed(draw: st.DrawFn) -> Pair:
    options = draw(
        st.lists(WORDS | st.integers(0, 9) | st.none() | st.booleans() | st.just(1.5), min_size=1, max_size=4)
    )
    value = draw(st.sampled_from(options))
    if draw(st.booleans()):
        return {"const": value}, value
    return {"enum": options}, value


def some_of(draw: st.DrawFn, words: dict[str, Any]) -> dict[str, Any]:
    return {word: value for word, value in words.items() if draw(st.booleans())}


SIMPLE: st.SearchStrategy[Pair] = (
    texts() | numbers() | listed() | st.booleans().map(lambda value: ({"type": "boolean"}, value))
    | st.just(({"type": "null"}, None))
    | st.sampled_from([(True, 3), ({}, {"free": 1}), ({"description": "Any."}, "x")])
)  # fmt: skip


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    pairs = draw(st.dictionaries(NAMES, inner, max_size=4))
    value = {name: one for name, (_schema, one) in pairs.items() if draw(st.booleans())}
    required = [name for name in value if draw(st.booleans())]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: schema for name, (schema, _one) in pairs.items()},
    }
    words = {
        "required": required,
        "minProperties": len(value),
        "maxProperties": len(pairs),
        "description": "O.",
    }
    further = draw(
        st.sampled_from(
            [{"additionalProperties": False}] * 4 + [{}, {"additionalProperties": {"type": "integer"}}]
        )
    )
    return schema | some_of(draw, words) | further, value


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    schema, value = draw(inner)
    count = draw(st.integers(0, 2))
    words = {"minItems": count, "maxItems": count + 1, "items": schema}
    if draw(st.booleans()) and count:
        first = {"prefixItems": [schema], "items": draw(st.sampled_from([schema, True]))}
        return {"type": "array"} | first | some_of(draw, {"minItems": 1}), [value] * count
    return {"type": "array"} | words, [value] * count


@st.composite
def choices(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    (first, value), (second, _other) = draw(inner), draw(inner)
    forms = draw(st.permutations([first, second]))
    beside = draw(st.sampled_from([{}, {"description": "C."}]))
    return {"anyOf": forms, **beside}, value


@st.composite
def together(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    schema, value = draw(inner)
    assume(isinstance(schema, dict))
    words = list(schema)
    cut = draw(st.integers(0, len(words)))
    parts = [{word: schema[word] for word in words[:cut]}, {word: schema[word] for word in words[cut:]}]
    return {"allOf": parts}, value


ANY: st.SearchStrategy[Pair] = st.recursive(
    SIMPLE, lambda inner: objects(inner) | arrays(inner) | choices(inner) | together(inner), max_leaves=8
)


@st.composite
def tools_and_values(draw: st.DrawFn) -> Pair:
    """A tool's schema, some of its parts put behind references, and arguments that fit it."""
    schema, value = draw(objects(ANY))
    definitions: dict[str, Any] = {}
    for name, node in list(schema["properties"].items()):
        if isinstance(node, dict) and draw(st.booleans()):
            definitions[f"D{len(definitions)}"] = node
            beside = draw(st.sampled_from([{}, {"description": "Beside."}]))
            schema["properties"][name] = {"$ref": f"#/$defs/D{len(definitions) - 1}", **beside}
    schema = schema | ({"$defs": definitions} if definitions else {})
    assume(not check_schema(schema) and jsonschema_rs.is_valid(schema, value))
    return schema, value


@given(tools_and_values())
@settings(max_examples=120, deadline=None)
def test_openai(case: Pair) -> None:
    schema, value = case
    made = openai.compile(tool(schema))
    assert made.parameters is not None
    if not made.strict:
        assert not refused_by_loose(made.parameters)
        assert jsonschema_rs.is_valid(made.parameters, value)
        return
    assert not refused_by_strict(made.parameters)
    if not any(lost.keyword == "additionalProperties" for lost in made.lost):
        given = filled(made.parameters, made.parameters, value)
        assert jsonschema_rs.is_valid(made.parameters, given)
        back, _flags = unstrict(schema, given)
        assert jsonschema_rs.is_valid(schema, back)


@given(tools_and_values())
@settings(max_examples=120, deadline=None)
def test_gemini(case: Pair) -> None:
    schema, value = case
    made = gemini.compile(tool(schema))
    assert made.parameters is not None and not refused_by_gemini(made.parameters)
    assert jsonschema_rs.is_valid(made.parameters, value)


@given(tools_and_values())
@settings(max_examples=120, deadline=None)
def test_gemini_openapi(case: Pair) -> None:
    schema, value = case
    made = gemini.compile_openapi(tool(schema))
    if made.parameters is None:
        assert not schema["properties"]
        return
    assert not refused_by_openapi(made.parameters)
    assert jsonschema_rs.is_valid(as_json_schema(made.parameters), value)


@given(tools_and_values())
@settings(max_examples=100, deadline=None)
def test_what_is_lost_names_its_place_and_reason(case: Pair) -> None:
    for compile_for in (openai.compile, gemini.compile, gemini.compile_openapi):
        for lost in compile_for(tool(case[0])).lost:
            assert lost.path.startswith("$") and lost.keyword and re.search(r"\w", str(lost.why))
