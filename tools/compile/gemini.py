"""A tool as Gemini's models are told of it, in either of the two forms of a function declaration. Pure.

`compile`: `parametersJsonSchema`, a documented part of JSON Schema (v1beta). `compile_openapi`: `parameters`, their
`Schema`, a part of OpenAPI 3.0 (also v1); a field it does not know fails the whole request. References are written out
in both: beside one nothing may stand, and one that leads back to itself may not be in a required property.
"""

from __future__ import annotations

from tools.compile import describe, names
from tools.compile.typed import Dialect
from tools.compile.values import Compiled
from tools.compile.writer import Writer
from tools.spec import ToolSpec

_LIMITS = frozenset({"minimum", "maximum"})
JSON_SCHEMA = Dialect(
    words={
        "string": frozenset({"format"}), "integer": _LIMITS, "number": _LIMITS,
        "array": frozenset({"minItems", "maxItems"}),
    },
    formats=frozenset({"date-time", "date", "time"}),
    enums=frozenset({"string", "integer", "number"}),
    tuples=True, maps=True, plain_names=True,
)  # fmt: skip
OPENAPI = Dialect(
    words={
        "string": frozenset({"minLength", "maxLength", "pattern", "format"}), "integer": _LIMITS, "number": _LIMITS,
        "array": frozenset({"minItems", "maxItems"}), "object": frozenset({"minProperties", "maxProperties"}),
    },
    formats=frozenset({"date-time"}),
    enums=frozenset({"string"}),
    plain_names=True, openapi=True,
)  # fmt: skip


def compile(spec: ToolSpec) -> Compiled:
    """The declaration with `parametersJsonSchema`."""
    return _compiled(spec, JSON_SCHEMA)


def compile_openapi(spec: ToolSpec) -> Compiled:
    """The declaration with `parameters`; they are left out (None) for a tool without any."""
    return _compiled(spec, OPENAPI)


def _compiled(spec: ToolSpec, dialect: Dialect) -> Compiled:
    writer = Writer(describe.with_helps(spec), dialect)
    made = writer.parameters()
    nothing = dialect.openapi and not made.get("properties")
    return Compiled(names.legal(spec.name), spec.description, None if nothing else made, False, writer.lost)
