"""What Gemini's models are told, in both forms of a function declaration."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cost import cost_of
from tests.tools.compile.subsets import refused_by_gemini, refused_by_openapi
from tests.tools.compile.tools_of import of, tool
from tools.compile import gemini
from tools.compile.values import Compiled

PERSON = of(name={"type": "string"}) | {"required": ["name"]}
TREE = of(label={"type": "string"}, below={"type": "array", "items": {"$ref": "#/$defs/Tree"}})


def compiled(schema: dict[str, Any], **changes: Any) -> Compiled:
    made = gemini.compile(tool(schema, **changes))
    assert made.parameters is not None and not refused_by_gemini(made.parameters) and not made.strict
    return made


def compiled_openapi(schema: dict[str, Any], **changes: Any) -> Compiled:
    made = gemini.compile_openapi(tool(schema, **changes))
    assert made.parameters is None or not refused_by_openapi(made.parameters)
    return made


def argument(node: Any) -> Any:
    return compiled(of(x=node)).parameters["properties"]["x"]  # type: ignore[index]


def openapi_argument(node: Any) -> Any:
    return compiled_openapi(of(x=node)).parameters["properties"]["x"]  # type: ignore[index]


class TestJsonSchema:
    """`parametersJsonSchema`."""

    @pytest.mark.parametrize(
        "node",
        [
            {"type": "string", "format": "date-time"}, {"type": "integer", "minimum": 1, "maximum": 9},
            {"type": ["string", "null"]}, {"type": "number", "enum": [1.5, 2.5]}, {"type": "string", "enum": ["a"]},
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
            {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
            {"type": "object", "properties": {}, "additionalProperties": {"type": "integer"}},
            {"anyOf": [{"type": "string"}, {"type": "integer"}]}, PERSON, {},
        ],
    )  # fmt: skip
    def test_what_it_takes_is_told_as_it_is(self, node: dict[str, Any]) -> None:
        assert argument(node) == node

    @pytest.mark.parametrize(
        ("node", "words"),
        [
            (
                {"type": "string", "minLength": 3, "maxLength": 9},
                "At least 3 characters. At most 9 characters.",
            ),
            ({"type": "string", "pattern": "^a$"}, "Must match the regular expression ^a$."),
            ({"type": "string", "format": "email"}, "Format: email."),
            ({"type": "number", "exclusiveMinimum": 0}, "More than 0."),
            ({"type": "number", "multipleOf": 0.5}, "A multiple of 0.5."),
            ({"const": True}, "One of true."),
        ],
    )
    def test_what_it_does_not_take_is_told_in_words(self, node: Any, words: str) -> None:
        assert argument(node)["description"] == words
        assert compiled(of(x=node)).lost

    def test_an_excluded_limit_of_an_integer_is_the_next_one(self) -> None:
        node = {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10, "maximum": 5}
        assert argument(node) == {"type": "integer", "minimum": 1, "maximum": 5}
        assert compiled(of(x=node)).lost == ()

    def test_references_are_written_out(self) -> None:
        schema = of(who={"$ref": "#/$defs/P", "description": "Who."}) | {"$defs": {"P": PERSON}}
        made = compiled(schema)
        assert made.parameters == of(who=PERSON | {"description": "Who."}) and made.lost == ()

    def test_one_that_leads_back_to_itself_is_cut(self) -> None:
        made = compiled(of(tree={"$ref": "#/$defs/Tree"}) | {"$defs": {"Tree": TREE}})
        text = json.dumps(made.parameters)
        assert "$ref" not in text and text.count('"label"') == 2
        assert [(one.keyword, "refers to itself" in str(one.why)) for one in made.lost] == [("$ref", True)]

    def test_names_it_does_not_document_are_listed(self) -> None:
        made = compiled(of(**{"标题": {"type": "string"}}))
        assert [(one.path, one.keyword) for one in made.lost] == [("$.properties.标题", "properties")]

    def test_a_name_that_is_required_and_described_nowhere(self) -> None:
        made = compiled({"type": "object", "properties": {}, "required": ["a"], "additionalProperties": True})
        assert made.parameters and "required" not in made.parameters
        assert made.parameters["description"] == 'JSON Schema required: ["a"]'


class TestOpenApi:
    """`parameters`."""

    @pytest.mark.parametrize(
        ("node", "told"),
        [
            ({"type": "string", "minLength": 3}, {"type": "STRING", "minLength": 3}),
            ({"type": "string", "pattern": "^a$"}, {"type": "STRING", "pattern": "^a$"}),
            ({"type": ["string", "null"]}, {"type": "STRING", "nullable": True}),
            ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "INTEGER", "nullable": True}),
            ({"type": ["string", "integer"]}, {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}),
            ({"const": "cat"}, {"type": "STRING", "enum": ["cat"]}),
            ({"enum": [1, 2]}, {"type": "INTEGER", "description": "One of 1, 2."}),
            ({"type": "array", "items": {"type": "string"}}, {"type": "ARRAY", "items": {"type": "STRING"}}),
            ({"type": "array"}, {"type": "ARRAY", "items": {}}),
            (PERSON, {"type": "OBJECT", "properties": {"name": {"type": "STRING"}}, "required": ["name"]}),
            ({"type": "object", "minProperties": 1}, {"type": "OBJECT", "minProperties": 1}),
            (
                {"type": "object", "additionalProperties": {"type": "integer"}},
                {"type": "OBJECT", "description": 'JSON Schema additionalProperties: {"type": "integer"}'},
            ),
            (
                {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
                {
                    "type": "ARRAY", "items": {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}, "maxItems": 2,
                    "description": 'JSON Schema prefixItems: [{"type": "string"}, {"type": "integer"}]',
                },
            ),
        ],
    )  # fmt: skip
    def test_each_keyword(self, node: Any, told: Any) -> None:
        assert openapi_argument(node) == told

    def test_a_tool_without_arguments_has_no_parameters(self) -> None:
        """An object without properties is refused at the top."""
        assert compiled_openapi(of()).parameters is None
        assert compiled(of()).parameters == of()


def test_templates_and_examples_are_told() -> None:
    """A10."""
    schema = of(outline={"type": "string"}) | {"examples": [{"outline": "Once …"}]}
    for compile_for in (compiled, compiled_openapi):
        made = compile_for(schema, templates={"outline": "Opening: …"})
        assert made.parameters is not None
        assert (
            made.parameters["properties"]["outline"]["description"] == "Start from this template:\nOpening: …"
        )
        assert made.parameters["description"] == 'Examples: {"outline": "Once …"}.'


@pytest.mark.parametrize("compile_for", [compiled, compiled_openapi])
@pytest.mark.parametrize("tried", ["wide", "long"])
def test_a_schema_made_to_grow_is_cut(compile_for: Any, tried: str) -> None:
    """T19: references written out double at each level, or go on for a thousand."""
    if tried == "wide":
        level = {
            f"L{n}": of(a={"$ref": f"#/$defs/L{n + 1}"}, b={"$ref": f"#/$defs/L{n + 1}"}) for n in range(30)
        }
    else:
        level = {f"L{n}": of(a={"$ref": f"#/$defs/L{n + 1}"}) for n in range(1_000)}
    schema = of(x={"$ref": "#/$defs/L0"}) | {"$defs": {**level, f"L{len(level)}": {"type": "string"}}}
    made = compile_for(schema)
    assert cost_of(lambda: compile_for(schema)) < 1 and len(json.dumps(made.parameters)) < 1_000_000
    assert any(one.keyword == "$ref" for one in made.lost)
