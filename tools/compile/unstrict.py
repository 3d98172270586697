"""The way back from OpenAI's strict form: nulls that stand for "not given" are left out again. Pure.

`unstrict(schema, value)` is for the arguments of a call to a tool that was told as strict, before they are checked:
a null is left out where the schema makes the argument optional and does not allow null there. Each is flagged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from tools.compile.merging import resolved
from tools.compile.values import Node
from tools.pipeline.values import Flag

FLAG = "strict_null"
DEEPEST = 64
MOST_TRIED = 1_000
"""Forms of `anyOf` that are tried on one call's arguments; beyond, nulls stay and the check refuses them."""
_ROOT = "the_whole_schema"


def unstrict(schema: Node, value: Any) -> tuple[Any, tuple[Flag, ...]]:
    """The arguments as the schema has them, and a flag `strict_null` with its path for each null left out."""
    reader = _Reader(schema)
    made = reader.read([reader.root], value, "$", 0)
    return made, tuple({"name": FLAG, "path": path} for path in reader.left_out)


class _Reader:
    def __init__(self, schema: Node) -> None:
        self.definitions = {name: _named_root(node) for name, node in schema.get("$defs", {}).items()}
        self.root = _named_root({word: value for word, value in schema.items() if word != "$defs"})
        self.definitions[_ROOT] = self.root
        self.left_out: list[str] = []
        self._tried = 0
        self._validators: dict[int, jsonschema_rs.Validator] = {}

    def read(self, schemas: list[Any], value: Any, path: str, depth: int) -> Any:
        """`value` without such nulls; `schemas` all speak of it."""
        if depth > DEEPEST or not isinstance(value, dict | list):
            return value
        nodes = [node for schema in schemas for node in self._here(schema, value, path, depth)]
        if isinstance(value, dict):
            return self._object(nodes, value, path, depth)
        return [
            self.read([_item(node, index) for node in nodes], one, f"{path}[{index}]", depth + 1)
            for index, one in enumerate(value)
        ]

    def _object(self, nodes: list[Node], value: dict[str, Any], path: str, depth: int) -> dict[str, Any]:
        required = {name for node in nodes for name in node.get("required", ())}
        made: dict[str, Any] = {}
        for name, one in value.items():
            about = [node["properties"][name] for node in nodes if name in node.get("properties", {})]
            here = f"{path}.{name[:60]}"
            if (
                one is None
                and about
                and name not in required
                and not all(self._fits(node, None) for node in about)
            ):
                self.left_out.append(here)
            else:
                made[name] = self.read(about, one, here, depth + 1)
        return made

    def _here(self, schema: Any, value: Any, path: str, depth: int) -> Iterator[Node]:
        """The subschemas that speak of one place: behind references, in `allOf`, and the form that was meant."""
        if not isinstance(schema, Mapping) or depth > DEEPEST:
            return
        yield schema
        if "$ref" in schema:
            target = resolved({"$defs": self.definitions}, str(schema["$ref"]))
            yield from self._here(target, value, path, depth + 1)
        for one in schema.get("allOf", ()):
            yield from self._here(one, value, path, depth + 1)
        for word in ("anyOf", "oneOf"):
            if word in schema:
                yield from self._here(self._meant(schema[word], value, path, depth), value, path, depth + 1)

    def _meant(self, forms: list[Any], value: Any, path: str, depth: int) -> Any:
        """The form that `value` has once its nulls are left out; nothing if none fits."""
        before = len(self.left_out)
        for form in forms:
            self._tried += 1
            fits = self._tried <= MOST_TRIED and self._fits(form, self.read([form], value, path, depth + 1))
            del self.left_out[before:]
            if fits:
                return form
        return True

    def _fits(self, schema: Any, value: Any) -> bool:
        if not isinstance(schema, Mapping):
            return bool(schema)
        validator = self._validators.get(id(schema))
        if validator is None:
            validator = jsonschema_rs.validator_for({**schema, "$defs": self.definitions})
            self._validators[id(schema)] = validator
        return validator.is_valid(value)


def _named_root(node: Any) -> Any:
    """The same, with references to the whole schema by a name, so that a part of it can be tried alone."""
    if isinstance(node, list):
        return [_named_root(one) for one in node]
    if not isinstance(node, Mapping):
        return node
    made = {word: _named_root(value) for word, value in node.items()}
    return {**made, "$ref": f"#/$defs/{_ROOT}"} if made.get("$ref") == "#" else made


def _item(node: Node, index: int) -> Any:
    first = node.get("prefixItems", ())
    return first[index] if index < len(first) else node.get("items", True)
