"""The `tools` section of the configuration file (protocol.md): applied idempotently, written back out as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.utils.functional import Promise

from platform_site import audit
from platform_site.models import User
from tools import gate
from tools.catalogue import BadDefinition, definitions, save_tool, spec_of
from tools.models import Tool


@dataclass(slots=True)
class Report:
    """What applying did, by name."""

    created: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[str, Literal["created", "changed", "unchanged"]]]:
        yield from ((name, "created") for name in self.created)
        yield from ((name, "changed") for name in self.changed)
        yield from ((name, "unchanged") for name in self.same)


def apply_tools(entries: Iterable[Mapping[str, Any]], author: User | None) -> Report:
    """Save every entry, those that others preview by first; what is not named stays.

    All or nothing: `BadDefinition` names every fault, `[0].schema`…
    """
    report, problems = Report(), list[dict[str, str]]()
    with audit.recording():
        known = set(Tool.objects.values_list("name", flat=True))
        for index, entry in sorted(enumerate(entries), key=lambda numbered: bool(numbered[1].get("preview"))):
            try:
                tool, changed = save_tool(entry, author)
            except BadDefinition as bad:
                problems += [_below(f"[{index}]", error) for error in bad.errors]
                continue
            if changed:
                (report.changed if tool.name in known else report.created).append(tool.name)
            else:
                report.same.append(tool.name)
        if problems:
            raise BadDefinition(problems)
    return report


def unapprovable() -> list[tuple[str, Promise]]:
    """The tools whose calls could be approved by nobody, or not by everybody's reviewers, and why."""
    rows = (
        Tool.objects.filter(is_enabled=True, current__isnull=False).select_related("current").order_by("name")
    )
    return [(row.name, why) for row in rows if row.current for why in gate.warnings_of(spec_of(row.current))]


def export_tools() -> list[dict[str, Any]]:
    """Every tool in the form `apply_tools` takes."""
    return [_without_empty(definition) for definition in definitions()]


def _below(path: str, error: Mapping[str, str]) -> dict[str, str]:
    return {**error, "path": path + error["path"].removeprefix("$")}


def _without_empty(definition: dict[str, Any]) -> dict[str, Any]:
    """Leave out the keys that say nothing; `False` and numbers stay, for a reader's sake."""
    return {key: value for key, value in definition.items() if value not in (None, "", [], {})}
