"""One type of a node, written in a dialect: the keywords that speak of this type, its properties, its items. Pure."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tools.compile import describe, values
from tools.compile.merging import type_of, types_of
from tools.compile.values import Lost, Node
from tools.pipeline.phrase import Phrase

_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"})
_SPEAKS_OF: Mapping[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "integer": _NUMBERS,
    "number": _NUMBERS,
    "boolean": frozenset(),
    "array": frozenset(
        {"minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems"}
    ),
    "object": frozenset(
        {
            "minProperties",
            "maxProperties",
            "propertyNames",
            "dependentRequired",
            "dependentSchemas",
            "patternProperties",
        }
    ),
}
_OF_ANY = frozenset({"not", "if"})
_WHOLE_PATTERN = re.compile(r"\^(?:[^\\(|^$]|\\[dDwWsS.\-/+*?\[\](){}|^$\\]|\((?!\?)|\((?=\?:))*\$")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_INCLUSIVE = {"exclusiveMinimum": ("minimum", 1), "exclusiveMaximum": ("maximum", -1)}
Way = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one form of schema can say. `words`: the keywords of each type that are taken as they are."""

    words: Mapping[str, frozenset[str]]
    formats: frozenset[str]
    enums: frozenset[str]
    """The types whose values can be listed."""
    strict: bool = False
    references: bool = False
    tuples: bool = False
    maps: bool = False
    plain_names: bool = False
    openapi: bool = False
    """`nullable` instead of a second type, and types in capitals."""


class NotStrict(ValueError):
    """Strict mode cannot say this."""

    def __init__(self, path: str, why: Phrase) -> None:
        super().__init__(path)
        self.lost = Lost(path, "strict", why)


class TypedWriter(ABC):
    """Writes what is about one type; `node` writes what is below."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._lost: dict[tuple[str, str, str], Lost] = {}

    @abstractmethod
    def node(self, schema: Any, path: str, way: Way) -> dict[str, Any]: ...

    @abstractmethod
    def nullable(self, made: dict[str, Any]) -> dict[str, Any]: ...

    @property
    def lost(self) -> tuple[Lost, ...]:
        """What could not be said, each once."""
        return tuple(self._lost.values())

    def lose(self, path: str, keyword: str, why: Phrase) -> None:
        self._lost.setdefault((path, keyword, why.text), Lost(path, keyword, why))

    def told(self, keyword: str, value: Any, path: str) -> str:
        """A keyword in words, for the description."""
        told = describe.sentence(keyword, value)
        self.lose(path, keyword, values.TOLD if told else values.UNTOLD)
        return told

    def of_type(self, kind: str) -> dict[str, Any]:
        return {"type": kind.upper() if self.dialect.openapi else kind}

    def typed(self, flat: Node, kind: str, path: str, way: Way) -> dict[str, Any]:
        """The node as far as it is about `kind`."""
        made, told = self.of_type(kind), list[str]()
        for word, value in self._limits(flat, kind, path, told):
            if word in self.dialect.words.get(kind, ()) and self._can_say(word, value):
                made[word] = value
            else:
                told.append(self.told(word, value, path))
        if "enum" in flat and kind != "null":
            made |= self._options(flat, kind, path, told)
        if kind == "object":
            made |= self._object(flat, path, way, told)
        elif kind == "array":
            made |= self._array(flat, path, way, told)
        return made | ({"description": describe.joined(*told)} if any(told) else {})

    def _limits(self, flat: Node, kind: str, path: str, told: list[str]) -> Iterator[tuple[str, Any]]:
        """The keywords about this type; a limit that is excluded is included where the dialect knows no other."""
        kept = self.dialect.words.get(kind, frozenset())
        found = {
            word: value for word, value in flat.items() if word in _SPEAKS_OF.get(kind, ()) or word in _OF_ANY
        }
        for word, (wider, step) in _INCLUSIVE.items():
            if word in found and word not in kept and wider in kept:
                limit = found.pop(word)
                if kind == "integer" and float(limit).is_integer():
                    limit = int(limit) + step
                else:
                    told.append(self.told(word, limit, path))
                found[wider] = (max if step > 0 else min)(found.get(wider, limit), limit)
        if "if" in found:
            found["if"] = {word: flat[word] for word in ("if", "then", "else") if word in flat}
        yield from found.items()

    def _can_say(self, word: str, value: Any) -> bool:
        """Patterns are read as searches here and as whole texts there: only one that is both is kept."""
        if word == "pattern":
            return bool(_WHOLE_PATTERN.fullmatch(str(value)))
        return word != "format" or value in self.dialect.formats

    def _options(self, flat: Node, kind: str, path: str, told: list[str]) -> dict[str, Any]:
        alike = {kind, "integer"} if kind == "number" and "integer" not in types_of(flat) else {kind}
        options = [option for option in flat["enum"] if type_of(option) in alike]
        if kind in self.dialect.enums:
            return {"enum": options}
        told.append(self.told("enum", options, path))
        return {}

    def _object(self, flat: Node, path: str, way: Way, told: list[str]) -> dict[str, Any]:
        given = {name: node for name, node in flat.get("properties", {}).items() if node is not False}
        required = [name for name in flat.get("required", ()) if name in given]
        if missing := [name for name in flat.get("required", ()) if name not in given]:
            self._refuse_if_strict(f"{path}.required", values.ANYTHING)
            told.append(self.told("required", missing, path))
        properties = {
            name: self._property(name, node, name in required, path, way) for name, node in given.items()
        }
        if self.dialect.strict:
            self._check_closed(flat, path)
            return {"properties": properties, "required": list(properties), "additionalProperties": False}
        made: dict[str, Any] = {"properties": properties} if properties or not self.dialect.openapi else {}
        made |= {"required": required} if required else {}
        return made | self._further(flat, path, way, told)

    def _property(self, name: str, node: Any, required: bool, path: str, way: Way) -> dict[str, Any]:
        here = f"{path}.properties.{name[:60]}"
        if self.dialect.plain_names and not _PLAIN_NAME.fullmatch(name):
            self.lose(here, "properties", values.ODD_NAME)
        made = self.node(node, here, way)
        if required or not self.dialect.strict:
            return made
        made = self.nullable(made)
        return {**made, "description": describe.joined(made.get("description", ""), "Null if not given.")}

    def _check_closed(self, flat: Node, path: str) -> None:
        """Strict mode has objects with known names alone. One that merely does not say so is closed."""
        further = flat.get("additionalProperties", flat.get("unevaluatedProperties"))
        if further is None and flat.get("properties") and not flat.get("patternProperties"):
            self.lose(path, "additionalProperties", values.CLOSED)
        elif further is not False or flat.get("patternProperties"):
            self._refuse_if_strict(path, values.OPEN)

    def _refuse_if_strict(self, path: str, why: Phrase) -> None:
        if self.dialect.strict:
            raise NotStrict(path, why)

    def _further(self, flat: Node, path: str, way: Way, told: list[str]) -> dict[str, Any]:
        further = flat.get("additionalProperties")
        if self.dialect.maps and isinstance(further, bool) and not flat.get("patternProperties"):
            return {"additionalProperties": further}
        if self.dialect.maps and isinstance(further, Mapping) and not flat.get("patternProperties"):
            return {"additionalProperties": self.node(further, f"{path}.additionalProperties", way)}
        if isinstance(further, Mapping):
            told.append(self.told("additionalProperties", further, path))
        return {}

    def _array(self, flat: Node, path: str, way: Way, told: list[str]) -> dict[str, Any]:
        first, rest = list(flat.get("prefixItems", ())), flat.get("items", True)
        most = {"maxItems": min(len(first), flat.get("maxItems", len(first)))} if rest is False else {}
        if not first:
            return {"items": self.node(rest, f"{path}.items", way)} | most
        if self.dialect.tuples:
            written = [self.node(one, f"{path}.prefixItems[{index}]", way) for index, one in enumerate(first)]
            return {"prefixItems": written} | (most or {"items": self.node(rest, f"{path}.items", way)})
        told.append(self.told("prefixItems", first, path))
        return {"items": self.node({"anyOf": [*first, rest]}, f"{path}.prefixItems", way)} | most
