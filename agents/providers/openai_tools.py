"""The tools of one request as OpenAI's protocols are told of them, and the way back for what a model calls. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tools import strictjson
from tools.compile import names, openai
from tools.compile.unstrict import unstrict
from tools.compile.values import Compiled
from tools.kept import Kept
from tools.spec import ToolSpec

_compiled: Kept[Compiled] = Kept(2_000)


class Toolbox:
    """Told names and schemas of the offered tools."""

    def __init__(self, specs: Sequence[ToolSpec]) -> None:
        self.table = names.Table(specs)
        self._tools = [(self.table.told(spec.name), spec, compiled(spec)) for spec in specs]
        self._by_name = {spec.name: (spec, told) for _name, spec, told in self._tools}

    def for_chat(self) -> list[dict[str, Any]]:
        """`tools` of chat completions."""
        return [
            {"type": "function", "function": {
                "name": name, "description": told.description, "parameters": told.parameters,
                **({"strict": True} if told.strict else {}),
            }}
            for name, _spec, told in self._tools
        ]  # fmt: skip

    def for_responses(self) -> list[dict[str, Any]]:
        """`tools` of the Responses API, where strict is what is meant unless it is said."""
        return [
            {
                "type": "function", "name": name, "description": told.description,
                "parameters": told.parameters, "strict": told.strict,
            }
            for name, _spec, told in self._tools
        ]  # fmt: skip

    def is_changed(self, name: str) -> bool:
        """Whether arguments for our tool `name` may hold nulls that strict mode forced on the model."""
        spec, told = self._by_name.get(name, (None, None))
        return spec is not None and told is not None and told.strict and _has_optional(spec.schema)

    def mended(self, name: str, arguments: str) -> str:
        """The arguments without such nulls; the same text if there are none, or if it is not strict JSON."""
        spec, _told = self._by_name[name]
        try:
            value, left_out = unstrict(spec.schema, strictjson.loads(arguments))
        except strictjson.NotJson:
            return arguments
        return json.dumps(value, ensure_ascii=False) if left_out else arguments


def compiled(spec: ToolSpec) -> Compiled:
    """The tool as OpenAI's models are told of it; made once a version."""
    if not spec.version:
        return openai.compile(spec)
    return _compiled.get_or_make(spec.version, lambda: openai.compile(spec))


def _has_optional(schema: Any) -> bool:
    """Whether any object in the schema has a property that is not required."""
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        if isinstance(properties, Mapping) and set(properties) - set(_listed(schema.get("required"))):
            return True
        return any(map(_has_optional, schema.values()))
    return isinstance(schema, list) and any(map(_has_optional, schema))


def _listed(required: Any) -> Iterable[str]:
    return required if isinstance(required, list | tuple) else ()
