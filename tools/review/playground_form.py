"""What somebody chose in the playground: a tool's version, a text, and in what situation. Read from any request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from platform_site.access import Actor
from platform_site.models import Role
from tools import catalogue
from tools.models import CallAttempt, Tool, ToolVersion
from tools.review.playground_look import WhatIf
from tools.review.trying import tries


@dataclass(frozen=True, slots=True)
class Chosen:
    """`version` is None until a tool is chosen, or when what was asked for is not there; `lost` says the latter."""

    tools: list[Tool]
    versions: list[ToolVersion]
    version: ToolVersion | None
    raw: str
    what_if: WhatIf
    lost: bool = False

    @property
    def is_current(self) -> bool:
        """Whether it is what an agent would be offered now."""
        tool = self.version.tool if self.version else None
        return tool is not None and tool.is_enabled and self.version == tool.current


def choose(actor: Actor, given: Mapping[str, str]) -> Chosen:
    """`version` decides if it belongs to `tool`; an `attempt` or a `try` gives its text and version."""
    rows = Tool.objects.filter(current__isnull=False).select_related("current").defer("current__definition")
    tools = list(rows.order_by("domain", "name"))
    version, raw, lost = _found(given, tools)
    if raw is None:
        raw = starting_text(version) if version else ""
    versions = _versions_of(version.tool) if version else []
    return Chosen(tools, versions, version, raw.replace("\r\n", "\n"), _what_if(actor, given), lost)


def _found(given: Mapping[str, str], tools: list[Tool]) -> tuple[ToolVersion | None, str | None, bool]:
    raw = given.get("raw")
    if earlier := given.get("attempt") or given.get("try"):
        rows = CallAttempt.objects.all() if given.get("attempt") else tries()
        row = rows.filter(pk=_clean(earlier)).select_related("version__tool__current").first()
        return (row.version, row.raw, row.version is None) if row else (None, raw, True)
    name, asked = _clean(given.get("tool", "")), _clean(given.get("version", ""))
    version = ToolVersion.objects.filter(pk=asked).select_related("tool__current").first() if asked else None
    if version and name in ("", version.tool.name):
        return version, raw, False
    tool = next((tool for tool in tools if tool.name == name), None)
    current = tool.current if tool else None
    return current, raw, current is None and bool(name or asked)


def _versions_of(tool: Tool) -> list[ToolVersion]:
    """The current one first, then the newest."""
    rows = tool.versions.defer("definition").order_by("-number")
    return sorted(rows, key=lambda version: version.pk != tool.current_id)


def _what_if(actor: Actor, given: Mapping[str, str]) -> WhatIf:
    role = given.get("role", "")
    return WhatIf(
        user=actor.user, role=role if role in Role.values else str(actor.role),
        tainted=given.get("tainted") == "on", truncated=given.get("truncated") == "on",
    )  # fmt: skip


def starting_text(version: ToolVersion) -> str:
    """The schema's own example, or its required arguments to be filled in."""
    schema = catalogue.spec_of(version).schema
    examples = schema.get("examples")
    example = examples[0] if isinstance(examples, list) and examples else _sketch(schema)
    return json.dumps(example, ensure_ascii=False, indent=2)


def _sketch(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties: Mapping[str, Any] = schema.get("properties") or {}
    required = [name for name in schema.get("required", ()) if isinstance(properties.get(name), Mapping)]
    return {name: _value(properties[name]) for name in required}


def _value(node: Mapping[str, Any]) -> Any:
    for source in (node.get("examples"), node.get("enum")):
        if isinstance(source, list) and source:
            return source[0]
    if "default" in node:
        return node["default"]
    blank: dict[Any, Any] = {
        "string": "",
        "integer": 0,
        "number": 0,
        "boolean": False,
        "array": [],
        "object": {},
    }
    kind = node.get("type")
    return blank.get(kind if isinstance(kind, str) else "")


def _clean(text: str) -> str:
    """PostgreSQL stores no NUL, so nothing could match one."""
    return text.replace("\0", "")[:200]
