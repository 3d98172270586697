"""A subschema without `allOf`, `const` and words beside `$ref`: what the writer of a dialect walks over. Pure.

References are opened only where something stands beside them; one that leads back to itself stays closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tools.compile import describe, values
from tools.compile.merging import ANNOTATIONS, merged, resolved
from tools.compile.values import Node
from tools.pipeline.phrase import Phrase

MOST_OPENED = 300
LONGEST_WAY = 24
_CHOICES = ("anyOf", "oneOf")

Way = tuple[str, ...]
"""The references that led to a place."""


class Flattener:
    """Flattens the subschemas of one root; `lose` hears of what is left out."""

    def __init__(self, root: Node, lose: Callable[[str, str, Phrase], None]) -> None:
        self.root = root
        self.lose = lose
        self._opened = 0

    def may_grow(self, way: Way) -> bool:
        """Whether one more reference may be opened here."""
        self._opened += 1
        return self._opened <= MOST_OPENED and len(way) < LONGEST_WAY

    def flat(self, schema: Any, path: str, way: Way) -> tuple[Node, Way]:
        """The node, or nothing but its reference; and the way, with what was opened."""
        node = _without_constant(schema)
        parts = [*([{"$ref": node["$ref"]}] if "$ref" in node else []), *node.get("allOf", ())]
        rest: dict[str, Any] = {word: value for word, value in node.items() if word not in ("$ref", "allOf")}
        if "$ref" in node and len(parts) == 1 and not rest:
            return node, way
        for part in parts:
            inner, way = self._open(part, path, way)
            if inner is None:
                self.lose(path, "$ref", values.BESIDE_REFERENCE)
                if len(parts) == 1 and rest.keys() <= ANNOTATIONS:
                    return _without_constant(part), way
                continue
            rest, lost = merged(rest, inner)
            for word in lost:
                self.lose(path, word, values.MERGED)
        return self._without_needs(rest, path), way

    def top(self) -> tuple[Node, str]:
        """The whole schema as one object: the properties of its alternatives are taken up, their choice is told."""
        flat, way = self.flat(self.root, "$", ())
        made, told = dict(flat), ""
        for word in _CHOICES:
            for one in made.pop(word, ()):
                inner, _way = self._open(one, "$", way)
                made["properties"] = _either(made.get("properties", {}), (inner or {}).get("properties", {}))
        for word in (*_CHOICES, "not", "enum"):
            if word in flat:
                made.pop(word, None)
                told = describe.joined(told, describe.sentence(word, flat[word]))
                self.lose("$", word, values.TOLD if describe.sentence(word, flat[word]) else values.UNTOLD)
        return made, told

    def alternatives(self, flat: Node, path: str, way: Way) -> list[tuple[Node, Way]]:
        """The forms of which a node is one, each with what stands beside the choice; empty if it offers none."""
        word = next((word for word in _CHOICES if word in flat), "")
        if not word:
            return []
        if "oneOf" in flat:
            self.lose(path, "oneOf", values.LOOSER if word == "oneOf" else values.UNTOLD)
        base = {key: value for key, value in flat.items() if key not in _CHOICES and key not in ANNOTATIONS}
        return [self._with_base(one, base, path, way) for one in flat[word] if one is not False]

    def _with_base(self, one: Any, base: Node, path: str, way: Way) -> tuple[Node, Way]:
        node = _without_constant(one)
        if not base or (base.keys() == {"type"} and "$ref" in node):
            return node, way
        inner, inner_way = self._open(node, path, way)
        if inner is None:
            return base, way
        made, lost = merged(inner, base)
        for word in lost:
            self.lose(path, word, values.MERGED)
        return made, inner_way

    def _open(self, part: Any, path: str, way: Way) -> tuple[Node | None, Way]:
        """A node whose reference is opened; None if it leads back to itself, or too far."""
        flat, way = self.flat(part, path, way)
        if "$ref" not in flat:
            return flat, way
        ref = str(flat["$ref"])
        if ref in way or not self.may_grow(way):
            return None, way
        return self._open(resolved(self.root, ref), path, (*way, ref))

    def _without_needs(self, node: dict[str, Any], path: str) -> Node:
        """A choice between lists of required names, in words."""
        for word in _CHOICES:
            groups = [_needed(one) for one in node.get(word, ())]
            if groups and all(groups):
                self.lose(path, word, values.TOLD)
                told = describe.joined(
                    str(node.get("description", "")), describe.required_alternatives(groups)
                )
                return {key: value for key, value in node.items() if key != word} | {"description": told}
        return node


def _needed(form: Any) -> list[str]:
    """The names a form requires, if it says nothing else."""
    return list(form["required"]) if isinstance(form, Mapping) and form.keys() == {"required"} else []


def _without_constant(schema: Any) -> Node:
    if not isinstance(schema, Mapping):
        return {}
    if "const" not in schema:
        return schema
    options = [schema["const"]]
    rest = {word: value for word, value in schema.items() if word != "const"}
    return {**rest, "enum": options}


def _either(first: Node, second: Node) -> dict[str, Any]:
    """The properties of two alternatives: one named in both may have either form."""
    made = dict(first)
    for name, node in second.items():
        if name in made and made[name] != node:
            made[name] = {"anyOf": [made[name], node]}
        else:
            made[name] = node
    return made
