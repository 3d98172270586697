"""What a tool's JSON Schema may look like before it is compiled: size, depth, and how often it looks at one value.

Pure. A validator short-cuts nothing when it explains an error: a chain of `anyOf`s, each with two references to the
next, takes 2**n steps (16 links took 4 s). So the schema is walked as a validator would walk it, counting how many
subschemas meet at one place of the arguments; recursion that goes deeper each time settles, recursion that branches
grows and is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tools.pipeline.phrase import Phrase
from tools.pipeline.phrase import gettext_noop as _
from tools.pipeline.places import pointed

MAX_BYTES = 64 * 1024
MAX_DEPTH = 32
MAX_SUBSCHEMAS = 2_000
MAX_MEETING = 200
MAX_PLACES = 3_000
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs")
_SINGLES = (
    "not", "if", "then", "else", "additionalProperties", "propertyNames", "unevaluatedProperties",
    "items", "contains", "unevaluatedItems",
)  # fmt: skip
_HERE_LISTS = ("allOf", "anyOf", "oneOf")
_HERE_SINGLES = ("not", "if", "then", "else")
_FORBIDDEN = (
    "$id",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "definitions",
)

Node = Mapping[str, Any]
Place = Counter[int]
"""The subschemas that look at one place of the arguments, by identity, and how often each does."""


class TooMuch(ValueError):
    """A schema this platform does not take. `path` is where, the message why."""

    def __init__(self, message: Phrase, path: str = "$") -> None:
        super().__init__(message)
        self.message = message
        self.path = path


def check_form(schema: Any) -> None:
    """Size, depth, and nothing outside itself; true of any JSON, before it is compiled. Raises `TooMuch`."""
    _check_size(schema)
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise TooMuch(
            Phrase(_('a tool’s arguments are an object: the schema needs "type": "object"')), "$.type"
        )
    if schema.get("$schema", DIALECT) != DIALECT:
        raise TooMuch(Phrase(_("only {dialect} is understood"), dialect=DIALECT), "$.$schema")
    _check_nodes(schema)


def most_meeting(schema: Node) -> int:
    """How many subschemas meet at one place at most; for a schema that compiles. Raises `TooMuch`."""
    return _Walk(schema).most()


def _check_size(schema: Any) -> None:
    try:
        text = json.dumps(schema, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise TooMuch(Phrase(_("it is not JSON"))) from None
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise TooMuch(Phrase(_("it is larger than {limit} KiB"), limit=MAX_BYTES // 1024))
    if _depth(schema) > MAX_DEPTH:
        raise TooMuch(Phrase(_("it is nested more than {limit} levels deep"), limit=MAX_DEPTH))


def _depth(value: Any) -> int:
    deepest, todo = 0, [(value, 0)]
    while todo:
        item, depth = todo.pop()
        deepest = max(deepest, depth)
        inner = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        todo += [(one, depth + 1) for one in inner]
    return deepest


def _check_nodes(schema: Node) -> None:
    """References stay inside the schema, as JSON pointers into $defs."""
    for number, (node, path) in enumerate(_subschemas(schema, "$")):
        if number >= MAX_SUBSCHEMAS:
            raise TooMuch(Phrase(_("it has more than {limit} subschemas"), limit=MAX_SUBSCHEMAS))
        for word in _FORBIDDEN:
            if word in node and (word != "$id" or path != "$"):
                words = _("{word} is not supported; use $defs and $ref with #/$defs/…")
                raise TooMuch(Phrase(words, word=word), f"{path}.{word}")
        ref = node.get("$ref", "#")
        if ref != "#" and not str(ref).startswith("#/$defs/"):
            words = _("only references inside the schema are followed: #/$defs/…")
            raise TooMuch(Phrase(words), f"{path}.$ref")


def _subschemas(node: Any, path: str) -> Iterator[tuple[Node, str]]:
    if not isinstance(node, Mapping):
        return
    yield node, path
    for word in _LISTS:
        if isinstance(inner := node.get(word), list):
            for index, one in enumerate(inner):
                yield from _subschemas(one, f"{path}.{word}[{index}]")
    for word in _MAPS:
        if isinstance(inner := node.get(word), Mapping):
            for name, one in inner.items():
                yield from _subschemas(one, f"{path}.{word}.{name}")
    for word in _SINGLES:
        yield from _subschemas(node.get(word), f"{path}.{word}")


class _Walk:
    """The walk of a validator over every value that could be given."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.nodes = {id(node): node for node, _path in _subschemas(root, "$")}

    def most(self) -> int:
        most = 0
        first = self._meeting(Counter({id(self.root): 1}))
        seen, todo = {_key(first)}, [first]
        while todo:
            place = todo.pop()
            most = max(most, place.total())
            for below in map(self._meeting, self._below(place)):
                if below and (key := _key(below)) not in seen:
                    seen.add(key)
                    todo.append(below)
            if len(seen) > MAX_PLACES:
                raise TooMuch(Phrase(_("it is too intricate: its alternatives combine in too many ways")))
        return most

    def _meeting(self, place: Place) -> Place:
        """All subschemas that look at this place once `allOf`, `anyOf`, `$ref`, … are followed."""
        met: Place = Counter()
        for start, times in place.items():
            self._follow(self.nodes[start], times, met, set())
        return met

    def _follow(self, node: Node, times: int, met: Place, on_the_way: set[int]) -> None:
        if id(node) in on_the_way:
            raise TooMuch(Phrase(_("a subschema refers to itself without going deeper into the arguments")))
        met[id(node)] += times
        if met.total() > MAX_MEETING:
            words = _("more than {limit} alternatives meet at one place; use fewer anyOf and oneOf")
            raise TooMuch(Phrase(words, limit=MAX_MEETING))
        on_the_way.add(id(node))
        for inner in self._here(node):
            if isinstance(inner, Mapping):
                self._follow(inner, times, met, on_the_way)
        on_the_way.discard(id(node))

    def _here(self, node: Node) -> Iterator[Any]:
        for word in _HERE_LISTS:
            yield from node.get(word) or ()
        for word in _HERE_SINGLES:
            yield node.get(word)
        yield from (node.get("dependentSchemas") or {}).values()
        if "$ref" in node:
            yield self._target(str(node["$ref"]))

    def _target(self, ref: str) -> Node:
        found = pointed(self.root, ref)
        if not isinstance(found, Mapping) or id(found) not in self.nodes:
            raise TooMuch(Phrase(_("{ref} leads to no subschema"), ref=ref))
        return found

    def _below(self, place: Place) -> Iterator[Place]:
        """The places one step deeper: each named property, any other one, items by number, other items, names."""
        steps: dict[Step, Place] = {}
        for key, times in place.items():
            for step, inner in _steps(self.nodes[key]):
                if isinstance(inner, Mapping):
                    steps.setdefault(step, Counter())[id(inner)] += times
        nowhere: Place = Counter()
        for (kind, _name), below in steps.items():
            yield below + steps.get((f"other {kind}", ""), nowhere)


Step = tuple[str, str | int]


def _steps(node: Node) -> Iterator[tuple[Step, Any]]:
    for name, inner in (node.get("properties") or {}).items():
        yield ("property", name), inner
    for inner in (node.get("patternProperties") or {}).values():
        yield ("other property", ""), inner
    for word in ("additionalProperties", "unevaluatedProperties"):
        yield ("other property", ""), node.get(word)
    for index, inner in enumerate(node.get("prefixItems") or ()):
        yield ("item", index), inner
    for word in ("items", "contains", "unevaluatedItems"):
        yield ("other item", ""), node.get(word)
    yield ("name", ""), node.get("propertyNames")


def _key(place: Place) -> frozenset[tuple[int, int]]:
    return frozenset(place.items())
