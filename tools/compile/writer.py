"""A tool's schema rewritten in a provider's dialect: what the dialect lacks is told in descriptions and listed. Pure.

What comes out is never stricter than the schema, but for what strict mode asks for: objects are closed, and optional
arguments are nulls (`unstrict` drops them again). The walk goes along the arguments; references are kept or written
out as the dialect has them, and a schema that would grow too large by that is cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.compile import describe, values
from tools.compile.flatten import Flattener, Way
from tools.compile.merging import ANNOTATIONS, resolved, types_of
from tools.compile.typed import Dialect, NotStrict, TypedWriter
from tools.compile.values import Node

MOST_NODES = 2_500
UNROLLED = 2
"""How often a reference is written out within itself."""


class Writer(TypedWriter):
    """Writes one schema in one dialect."""

    def __init__(self, root: Node, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.root = root
        self._written = 0
        self.flattener = Flattener(root, self.lose)
        self._kept: dict[str, str] = {}

    def parameters(self) -> dict[str, Any]:
        """The whole schema: an object with no alternatives at its top."""
        flat, told = self.flattener.top()
        made = self.typed(flat, "object", "$", ())
        self._describe(made, flat, told)
        if definitions := self._definitions():
            made["$defs"] = definitions
        return made

    def node(self, schema: Any, path: str, way: Way) -> dict[str, Any]:
        """A subschema; `way` are the references that led here."""
        self._written += 1
        if self._written > MOST_NODES:
            return self._too_big(path)
        flat, way = self.flattener.flat(schema, path, way)
        if "$ref" in flat:
            return self._reference(str(flat["$ref"]), path, way)
        if alternatives := self.flattener.alternatives(flat, path, way):
            return self._any_of(flat, alternatives, path)
        types = types_of(flat)
        if not types:
            return self._anything(flat, path)
        named = [one for one in types if one != "null"]
        if len(named) > 1:
            made: dict[str, Any] = {"anyOf": [self.typed(flat, one, path, way) for one in named]}
        else:
            made = self.typed(flat, named[0] if named else "null", path, way)
        made = self.nullable(made) if "null" in types and named else made
        self._describe(made, flat)
        return made

    def nullable(self, made: dict[str, Any]) -> dict[str, Any]:
        """The same, or null."""
        if self.dialect.openapi:
            return {**made, "nullable": True} if made else made
        kind = made.get("type")
        if not made or kind == "null" or (isinstance(kind, list) and "null" in kind):
            return made
        if kind in ("string", "integer", "number", "boolean") and "enum" not in made:
            return {**made, "type": [kind, "null"]}
        null = {"type": "null"}
        if "anyOf" in made:
            return made if null in made["anyOf"] else {**made, "anyOf": [*made["anyOf"], null]}
        description = made.pop("description", "")
        return {"anyOf": [made, null], **({"description": description} if description else {})}

    def _reference(self, ref: str, path: str, way: Way) -> dict[str, Any]:
        if self.dialect.references:
            return {
                "$ref": "#" if ref == "#" else f"#/$defs/{self._kept.setdefault(ref, self._name_for(ref))}"
            }
        target = resolved(self.root, ref)
        if way.count(ref) < UNROLLED and self.flattener.may_grow(way):
            return self.node(target, path, (*way, ref))
        self.lose(path, "$ref", values.CUT)
        kinds = types_of(target) if isinstance(target, Mapping) else ()
        return self.of_type(kinds[0]) if len(kinds) == 1 else {}

    def _name_for(self, ref: str) -> str:
        plain = "".join(
            sign if sign.isalnum() or sign == "_" else "_" for sign in ref.removeprefix("#/$defs/")
        )
        return plain if plain not in self._kept.values() else f"{plain}_{len(self._kept)}"

    def _definitions(self) -> dict[str, Any]:
        """Every definition that is referred to, and those they refer to."""
        made: dict[str, Any] = {}
        while missing := [ref for ref, name in self._kept.items() if ref != "#" and name not in made]:
            for ref in missing:
                made[self._kept[ref]] = self.node(
                    resolved(self.root, ref), f"$.{ref[2:].replace('/', '.')}", (ref,)
                )
        return made

    def _any_of(self, flat: Node, alternatives: list[tuple[Node, Way]], path: str) -> dict[str, Any]:
        written: list[dict[str, Any]] = []
        for index, (one, way) in enumerate(alternatives):
            made = self.node(one, f"{path}.anyOf[{index}]", way)
            if not made:
                return self._anything(flat, path)
            if made not in written:
                written.append(made)
        made = written[0] if len(written) == 1 else self._joined(written)
        self._describe(made, flat)
        return made

    def _joined(self, written: list[dict[str, Any]]) -> dict[str, Any]:
        null = self.of_type("null")
        others = [one for one in written if one != null]
        if len(others) == len(written):
            return {"anyOf": written}
        return self.nullable({"anyOf": others} if len(others) > 1 else others[0])

    def _too_big(self, path: str) -> dict[str, Any]:
        if self.dialect.strict:
            raise NotStrict(path, values.TOO_BIG)
        self.lose(path, "$ref", values.CUT)
        return {}

    def _anything(self, flat: Node, path: str) -> dict[str, Any]:
        if self.dialect.strict:
            raise NotStrict(path, values.ANYTHING)
        made: dict[str, Any] = {}
        told = [
            self.told(word, flat[word], path) for word in flat if word not in ANNOTATIONS and word != "type"
        ]
        self._describe(made, flat, *told)
        return made

    def _describe(self, made: dict[str, Any], flat: Node, *more: str) -> None:
        told = describe.joined(describe.of_node(flat), made.get("description", ""), *more)
        if told and "$ref" not in made:
            made["description"] = told
