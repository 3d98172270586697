"""A tool as OpenAI's models are told of it: strict where its schema allows, else as it is. Pure.

Strict mode (their "Structured Outputs" guide, supported schemas): every object closed, every property required, no
`allOf`, `oneOf`, `not`, `if`, `default`, `minLength`, …; a schema it does not take fails the whole request. An optional
argument is told as one that may be null: `unstrict` leaves those nulls out again. Also for servers that speak OpenAI's
protocol; one that does not know `strict` ignores it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tools.compile import describe, names, values
from tools.compile.flatten import Flattener
from tools.compile.typed import Dialect, NotStrict
from tools.compile.values import Compiled, Lost, Node
from tools.compile.writer import Writer
from tools.pipeline.phrase import Phrase, gettext_noop
from tools.spec import ToolSpec

LONGEST_DESCRIPTION = 1_024
MOST_PROPERTIES, DEEPEST, MOST_OPTIONS, LONGEST_NAMES = 5_000, 10, 1_000, 120_000
MANY_OPTIONS, LONGEST_OPTIONS = 250, 15_000
_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
STRICT = Dialect(
    words={
        "string": frozenset({"pattern", "format"}), "integer": _NUMBERS, "number": _NUMBERS,
        "array": frozenset({"minItems", "maxItems"}),
    },
    formats=frozenset(
        {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
    ),
    enums=frozenset({"string", "integer", "number", "boolean"}),
    strict=True, references=True,
)  # fmt: skip
_CONTINUED = Phrase(
    gettext_noop("Only {limit} characters fit; the rest stands in the description of the arguments."),
    limit=LONGEST_DESCRIPTION,
)


def compile(spec: ToolSpec) -> Compiled:
    """The function tool: `{"type": "function", "function": {name, description, parameters, strict}}`."""
    schema = describe.with_helps(spec)
    try:
        parameters, lost = _strict(schema)
        strict = True
    except NotStrict as cannot:
        parameters, further = _loose(schema)
        strict, lost = False, (cannot.lost, *further)
    description, rest = _fitting(spec.description)
    if rest:
        parameters["description"] = describe.joined(rest, parameters.get("description", ""))
        lost = (*lost, Lost("$", "description", _CONTINUED))
    return Compiled(names.legal(spec.name), description, parameters, strict, lost)


def _strict(schema: Node) -> tuple[dict[str, Any], tuple[Lost, ...]]:
    """The schema as strict mode takes it. Raises `NotStrict`."""
    writer = Writer(schema, STRICT)
    parameters = writer.parameters()
    if _is_too_big(parameters):
        raise NotStrict("$", values.TOO_BIG)
    return parameters, writer.lost


def _loose(schema: Node) -> tuple[dict[str, Any], list[Lost]]:
    """The schema as it is, but for what is refused everywhere: choices at the top, arrays of nothing in particular."""
    lost: list[Lost] = []
    top, told = Flattener(schema, lambda path, word, why: lost.append(Lost(path, word, why))).top()
    made = {word: _with_items(value) for word, value in top.items() if word not in ("$schema", "$id")}
    if told:
        made["description"] = describe.joined(made.get("description", ""), told)
    return {**made, "type": "object", "properties": made.get("properties", {})}, lost


def _with_items(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_items(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    made = {word: _with_items(inner) for word, inner in value.items()}
    return {**made, "items": {}} if made.get("type") == "array" and "items" not in made else made


def _fitting(text: str) -> tuple[str, str]:
    """What fits into a function's description, cut between words, and what does not."""
    if len(text) <= LONGEST_DESCRIPTION:
        return text, ""
    at = text.rfind(" ", LONGEST_DESCRIPTION // 2, LONGEST_DESCRIPTION)
    at = at if at > 0 else LONGEST_DESCRIPTION
    return text[:at], text[at:].strip()


def _is_too_big(parameters: Node) -> bool:
    """Their limits on names, lists of values and nesting."""
    nodes = list(_nodes(parameters, 0))
    named = [name for node, _depth in nodes for name in (*node.get("properties", ()), *node.get("$defs", ()))]
    listed = [list(map(str, node["enum"])) for node, _depth in nodes if "enum" in node]
    options = sum(map(len, listed))
    return (
        len(named) > MOST_PROPERTIES
        or options > MOST_OPTIONS
        or sum(map(len, named)) + sum(len(one) for some in listed for one in some) > LONGEST_NAMES
        or any(len(some) > MANY_OPTIONS and sum(map(len, some)) > LONGEST_OPTIONS for some in listed)
        or max(depth for _node, depth in nodes) > DEEPEST
    )


def _nodes(node: Node, depth: int) -> Iterator[tuple[Node, int]]:
    """Every subschema, with how many objects it is in."""
    yield node, depth
    for inner in node.get("properties", {}).values():
        yield from _nodes(inner, depth + 1)
    for inner in node.get("$defs", {}).values():
        yield from _nodes(inner, depth)
    for inner in (*node.get("anyOf", ()), *([node["items"]] if "items" in node else ())):
        yield from _nodes(inner, depth)
