"""Which parts of a JSON Schema look at one place of a value, and the steps of a JSON path. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

Node = Mapping[str, Any]
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_SAME_PLACE = ("allOf", "anyOf", "oneOf")


class Place:
    """All subschemas that look at one place, `$ref` and alternatives followed; places below are found once."""

    def __init__(self, root: Node, starts: Iterable[Any]) -> None:
        self.root = root
        self.forms = list(_forms(root, starts))
        self._below: dict[str | int, Place] = {}

    def below(self, step: str | int) -> Place:
        """The place one step deeper: a property by name, an item by number."""
        key = (
            step if any(_is_named(form, step) for form in self.forms) else -1 if isinstance(step, int) else ""
        )
        if key not in self._below:
            self._below[key] = Place(self.root, [one for form in self.forms for one in _inner(form, step)])
        return self._below[key]

    def at(self, steps: Iterable[str | int]) -> Place:
        """The place that these steps lead to."""
        place = self
        for step in steps:
            place = place.below(step)
        return place

    @property
    def types(self) -> set[str]:
        """The types that are named for it."""
        named = [form.get("type", []) for form in self.forms]
        return {one for types in named for one in ([types] if isinstance(types, str) else types)}

    @property
    def names(self) -> list[str]:
        """The properties that are named for it."""
        return list(dict.fromkeys(name for form in self.forms for name in form.get("properties") or ()))


def steps_of(path: str) -> list[str | int]:
    """The steps of a JSON path as `path_of` writes it; a name with a dot or a bracket in it is not found again."""
    return [match[1] if match[1] is not None else int(match[2]) for match in _STEP.finditer(path)]


def pointed(root: Node, ref: str) -> Any:
    """What a reference inside the schema (`#/$defs/…`) leads to, or None."""
    found: Any = root
    for step in ref[1:].split("/")[1:]:
        step = unquote(step).replace("~1", "/").replace("~0", "~")
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def within(schema: Any, steps: Iterable[str | int]) -> Any:
    """The part of a schema that a validator's path leads to; it names the property "0" by the number 0."""
    for step in steps:
        if isinstance(schema, list) and isinstance(step, int):
            schema = schema[step]
        else:
            schema = schema.get(str(step), {}) if isinstance(schema, Mapping) else {}
    return schema


def _forms(root: Node, starts: Iterable[Any]) -> Iterator[Node]:
    todo, seen = list(starts), set[int]()
    while todo:
        node = todo.pop(0)
        if not isinstance(node, Mapping) or id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if isinstance(ref := node.get("$ref"), str):
            todo.append(pointed(root, ref))
        for word in _SAME_PLACE:
            todo += node.get(word) or ()


def _is_named(form: Node, step: str | int) -> bool:
    if isinstance(step, int):
        return step < len(form.get("prefixItems") or ())
    return step in (form.get("properties") or ())


def _inner(form: Node, step: str | int) -> Iterator[Any]:
    if _is_named(form, step):
        yield form["prefixItems"][step] if isinstance(step, int) else form["properties"][step]
    else:
        yield form.get("items" if isinstance(step, int) else "additionalProperties")
