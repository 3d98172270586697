"""What OpenAI's models are told: strict where the schema allows it, and what strict mode cannot say."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest

from tests.cost import cost_of
from tests.tools.compile.subsets import refused_by_loose, refused_by_strict
from tests.tools.compile.tools_of import of, tool
from tools.compile import openai
from tools.compile.values import Compiled

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}
TREE = {
    "type": "object",
    "properties": {"label": {"type": "string"}, "below": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
    "required": ["label"], "additionalProperties": False,
}  # fmt: skip


def compiled(schema: dict[str, Any], **changes: Any) -> Compiled:
    made = openai.compile(tool(schema, **changes))
    assert made.parameters is not None
    assert not (refused_by_strict if made.strict else refused_by_loose)(made.parameters)
    return made


def argument(node: Any, *, required: bool = True) -> dict[str, Any]:
    """How one argument `x` is told, strictly."""
    made = compiled(of(x=node) | ({"required": ["x"]} if required else {}))
    assert made.strict and made.parameters
    return made.parameters["properties"]["x"]


def lost(schema: dict[str, Any], **changes: Any) -> dict[tuple[str, str], str]:
    return {(one.path, one.keyword): str(one.why) for one in compiled(schema, **changes).lost}


class TestStrict:
    """Every object closed, every argument required, optional ones nullable."""

    def test_a_plain_tool(self) -> None:
        made = compiled(
            of(query={"type": "string"}) | {"required": ["query"]}, name="find", description="Finds."
        )
        assert (made.name, made.description, made.strict, made.lost) == ("find", "Finds.", True, ())
        assert made.parameters == of(query={"type": "string"}) | {"required": ["query"]}

    def test_a_tool_without_arguments(self) -> None:
        assert compiled(of()).parameters == of() | {"required": []}

    @pytest.mark.parametrize(
        ("node", "told"),
        [
            ({"type": "string"}, {"type": ["string", "null"]}),
            ({"enum": ["a"]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
            ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
            (
                {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
            ),
            (PERSON, {"anyOf": [PERSON, {"type": "null"}]}),
        ],
    )
    def test_an_optional_argument_may_be_null(self, node: Any, told: Any) -> None:
        assert argument(node, required=False) == told | {"description": "Null if not given."}

    @pytest.mark.parametrize(
        "node",
        [
            {"type": "string", "format": "date-time"}, {"type": "string", "pattern": "^[a-z]+-\\d{2}$"},
            {"type": "integer", "minimum": 1, "maximum": 9},
            {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
            {"type": "string", "enum": ["a", "b"]},
        ],
    )  # fmt: skip
    def test_what_it_takes_is_told_as_it_is(self, node: dict[str, Any]) -> None:
        assert argument(node) == node

    @pytest.mark.parametrize(
        ("node", "keyword", "words"),
        [
            ({"type": "string", "minLength": 3}, "minLength", "At least 3 characters."),
            ({"type": "string", "maxLength": 9}, "maxLength", "At most 9 characters."),
            ({"type": "string", "format": "uri"}, "format", "Format: uri."),
            ({"type": "string", "pattern": "x|y"}, "pattern", "Must match the regular expression x|y."),
            ({"type": "string", "pattern": "^a|b$"}, "pattern", "Must match the regular expression ^a|b$."),
            ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, "uniqueItems", "All items differ."),
            ({**PERSON, "minProperties": 1}, "minProperties", "At least 1 entries."),
            ({"type": "integer", "not": {"const": 4}}, "not", 'JSON Schema not: {"const": 4}'),
            (
                {**PERSON, "dependentRequired": {"name": ["age"]}},
                "dependentRequired",
                'JSON Schema dependentRequired: {"name": ["age"]}',
            ),
        ],
    )  # fmt: skip
    def test_what_it_does_not_take_is_told_in_words(self, node: Any, keyword: str, words: str) -> None:
        assert argument(node)["description"] == words
        assert (
            lost(of(x=node) | {"required": ["x"]})[("$.properties.x", keyword)]
            == "Told in the description only."
        )

    def test_what_is_too_long_for_words_is_listed(self) -> None:
        node = {**PERSON, "if": {"properties": {"name": {"enum": [str(n) for n in range(99)]}}}, "then": {}}
        assert "not told" in lost(of(x=node) | {"required": ["x"]})[("$.properties.x", "if")]

    def test_words_about_other_types_say_nothing(self) -> None:
        assert argument({"type": "integer", "minLength": 3}) == {"type": "integer"}

    def test_a_constant_is_a_list_of_one(self) -> None:
        assert argument({"const": "cat"}) == {"type": "string", "enum": ["cat"]}

    def test_values_of_several_types_are_told_by_type(self) -> None:
        assert argument({"enum": ["a", 1, None]}) == {
            "anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}, {"type": "null"}]
        }

    def test_one_of_is_any_of(self) -> None:
        node = {"oneOf": [{"type": "string"}, {"type": "integer"}]}
        assert argument(node) == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
        assert ("$.properties.x", "oneOf") in lost(of(x=node))

    def test_what_stands_beside_a_choice_goes_into_each_form(self) -> None:
        node = {"type": "string", "format": "date", "anyOf": [{"pattern": "^2.*$"}, {"enum": ["2026-01-01"]}]}
        assert argument(node) == {
            "anyOf": [
                {"type": "string", "format": "date", "pattern": "^2.*$"},
                {"type": "string", "format": "date", "enum": ["2026-01-01"]},
            ]
        }

    def test_all_of_is_put_together(self) -> None:
        more = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
        told = argument(
            {
                "allOf": [{k: v for k, v in PERSON.items() if k != "additionalProperties"}, more],
                "unevaluatedProperties": False,
            }
        )
        assert told["properties"] == {"name": {"type": "string"}, "age": {"type": "integer"}}
        assert told["required"] == ["name", "age"]

    def test_defaults_and_examples_are_told(self) -> None:
        node = {"type": "integer", "default": 10, "examples": [5, 20], "description": "How many"}
        assert argument(node) == {"type": "integer", "description": "How many. Default: 10. Examples: 5, 20."}

    def test_references_are_kept_and_definitions_are_strict_too(self) -> None:
        schema = of(tree={"$ref": "#/$defs/Tree"}) | {
            "required": ["tree"],
            "$defs": {"Tree": TREE, "Unused": {}},
        }
        made = compiled(schema).parameters
        assert made is not None and made["properties"]["tree"] == {"$ref": "#/$defs/Tree"}
        assert made["$defs"]["Tree"]["required"] == ["label", "below"] and "Unused" not in made["$defs"]

    def test_words_beside_a_reference_open_it(self) -> None:
        schema = of(who={"$ref": "#/$defs/P", "description": "Who."}) | {
            "required": ["who"],
            "$defs": {"P": PERSON},
        }
        made = compiled(schema).parameters
        assert made is not None and made["properties"]["who"] == PERSON | {"description": "Who."}

    def test_words_beside_one_that_leads_back_to_itself_are_listed(self) -> None:
        again = {"$ref": "#/$defs/T", "description": "Below."}
        schema = of(x={"$ref": "#/$defs/T"}) | {"$defs": {"T": of(below=again)}}
        assert ("$.$defs.T.properties.below", "$ref") in lost(schema)

    def test_an_object_that_does_not_say_it_is_closed_is_closed(self) -> None:
        """As Pydantic writes nested models."""
        node = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
        assert argument(node)["additionalProperties"] is False
        assert ("$.properties.x", "additionalProperties") in lost(of(x=node))


class TestNotStrict:
    """Where strict mode cannot say it, the schema goes as it is, and the reason is listed first."""

    @pytest.mark.parametrize(
        ("node", "why"),
        [
            ({"type": "object"}, "names of the model’s choice"),
            ({"type": "object", "additionalProperties": {"type": "string"}}, "names of the model’s choice"),
            (
                {"type": "object", "properties": {}, "patternProperties": {"^x": {}}},
                "names of the model’s choice",
            ),
            ({}, "any value"),
            (True, "any value"),
            ({"type": "array"}, "any value"),
            ({"minLength": 3}, "any value"),
            ({"type": "object", "required": ["a"], "additionalProperties": False}, "any value"),
        ],
    )
    def test_free_forms(self, node: Any, why: str) -> None:
        made = compiled(of(x=node))
        assert not made.strict and made.lost[0].keyword == "strict" and why in str(made.lost[0].why)
        assert made.parameters and made.parameters["properties"]["x"] == (
            {**node, "items": {}} if node == {"type": "array"} else node
        )

    @pytest.mark.parametrize(
        "schema",
        [
            of(x={"enum": [f"{n:04}" for n in range(1_001)]}),
            of(x={"enum": ["x" * 70 + str(n) for n in range(300)]}),
            of(**{f"p{n}": {"type": "string"} for n in range(5_001)}),
        ],
    )
    def test_more_than_its_limits(self, schema: dict[str, Any]) -> None:
        made = compiled(schema)
        assert not made.strict and "larger" in str(made.lost[0].why)

    def test_deeper_than_its_limit(self) -> None:
        def nested(levels: int) -> dict[str, Any]:
            return of(x=nested(levels - 1)) | {"required": ["x"]} if levels else of()

        assert (compiled(nested(10)).strict, compiled(nested(11)).strict) == (True, False)

    def test_choices_at_the_top_give_their_arguments_and_are_told(self) -> None:
        """`anyOf` and the like are refused at the top of any function."""
        forms = [{"properties": {"id": {"type": "integer"}}}, {"properties": {"name": {"type": "string"}}}]
        made = compiled({"type": "object", "anyOf": forms, "additionalProperties": True})
        assert made.parameters and made.parameters["properties"] == {
            "id": {"type": "integer"},
            "name": {"type": "string"},
        }
        assert "JSON Schema anyOf" in made.parameters["description"]
        assert ("$", "anyOf") in {(one.path, one.keyword) for one in made.lost}

    def test_needing_one_of_some_arguments_is_told_in_words(self) -> None:
        schema = of(a={"type": "string"}, b={"type": "string"}, c={"type": "string"})
        made = compiled(schema | {"anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]})
        assert made.strict and made.parameters and made.parameters["description"] == "Needed: a, or b and c."


class TestDescriptions:
    def test_templates_stand_with_their_parameter(self) -> None:
        """A10."""
        schema = of(outline={"type": "string", "description": "The outline.", "default": "-"}) | {
            "required": ["outline"]
        }
        made = compiled(schema, templates={"outline": "Opening: …\nTurn: …"})
        assert made.parameters and made.parameters["properties"]["outline"]["description"] == (
            'The outline. Default: "-".\nStart from this template:\nOpening: …\nTurn: …'
        )

    def test_a_good_example_of_all_arguments(self) -> None:
        made = compiled(of(q={"type": "string"}) | {"examples": [{"q": "red shoes"}, {"q": "x"}]})
        assert made.parameters and made.parameters["description"] == 'Examples: {"q": "red shoes"}.'

    def test_a_long_description_goes_on_with_the_arguments(self) -> None:
        """A function's description has at most 1,024 characters."""
        text = "word " * 300
        made = compiled(of(), description=text.strip())
        assert len(made.description) <= 1_024 and made.parameters
        assert f"{made.description} {made.parameters['description']}" == text.strip()
        assert [one.keyword for one in made.lost] == ["description"]


@pytest.mark.parametrize("tried", ["widening references", "a choice within a choice"])
def test_a_schema_made_to_grow_is_cut(tried: str) -> None:
    """T19: compiling is bounded, as checking is."""
    if tried == "widening references":
        level = {
            f"L{n}": of(
                a={"$ref": f"#/$defs/L{n + 1}", "title": "A"}, b={"$ref": f"#/$defs/L{n + 1}", "title": "B"}
            )
            for n in range(30)
        }
        schema = of(x={"$ref": "#/$defs/L0"}) | {"$defs": {**level, "L30": {"type": "string"}}}
    else:
        node: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
        for n in range(12):
            node = {
                "type": "object",
                "properties": {f"p{n}": node},
                "anyOf": [{"minProperties": 1}, {"maxProperties": n + 2}],
            }
        schema = of(x=node)
    made = compiled(schema)
    assert cost_of(lambda: compiled(schema)) < 1 and len(json.dumps(made.parameters)) < 1_000_000


def test_the_schema_itself_is_left_alone() -> None:
    schema = of(x={"allOf": [PERSON], "default": {"name": "x"}}) | {"$defs": {"P": PERSON}}
    before = json.dumps(schema)
    compiled(schema, templates={"x": "t"})
    assert json.dumps(schema) == before and jsonschema_rs.is_valid(schema, {})
