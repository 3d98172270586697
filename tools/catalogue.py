"""The tenant's tools: saving a definition as a new version, and reading versions as frozen specs.

A version never changes, so its spec is kept in memory under its id; whether a tool is offered is asked each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from platform_site import audit
from platform_site.errors import BadDefinition
from platform_site.models import Credential, User
from tools.canonical import digest
from tools.definition import parsed, spec_from
from tools.kept import Kept
from tools.models import Tool, ToolVersion
from tools.spec import ToolSpec

__all__ = [
    "BadDefinition",
    "check_definition",
    "offered",
    "save_tool",
    "spec_of",
    "switch_tool",
    "version_of",
]

_specs: Kept[ToolSpec] = Kept(2_000)
_versions: Kept[ToolVersion] = Kept(2_000)


def check_definition(definition: Any) -> dict[str, Any]:
    """The normal form of a definition. Raises `BadDefinition`; writes nothing."""
    normal = parsed(definition)
    if problems := [*_credential_problems(normal), *_preview_problems(normal)]:
        raise BadDefinition(problems)
    return normal


def _credential_problems(normal: Mapping[str, Any]) -> list[dict[str, str]]:
    slug = normal["executor"].get("credential")
    if not slug or Credential.objects.filter(slug=slug).exists():
        return []
    message = _("there is no credential %(name)s") % {"name": slug}
    return [{"path": "$.executor.credential", "message": message}]


def _preview_problems(normal: Mapping[str, Any]) -> list[dict[str, str]]:
    """A preview is shown before anybody is asked, so it must be there, change nothing and ask nobody itself."""
    if not normal["preview"]:
        return []
    name = normal["preview"]["tool"]
    spec = offered([name]).get(name)
    if spec is not None and is_preview(spec):
        return []
    message = _("%(name)s is not a SAFE tool that only reads (and has no preview itself)") % {"name": name}
    return [{"path": "$.preview.tool", "message": message}]


def is_preview(spec: ToolSpec) -> bool:
    """Whether a tool may show what another would do: it changes nothing, asks nobody, and is waited for."""
    return spec.risk == "SAFE" and spec.read_only and not spec.preview and spec.run == "inline"


def save_tool(definition: Mapping[str, Any], author: User | None) -> tuple[Tool, bool]:
    """Make a tool, or give it a new version if the definition says something new; returns it and whether it did.

    Raises `BadDefinition`.
    """
    normal = check_definition(definition)
    with audit.recording():
        tool, _new = Tool.objects.get_or_create(name=normal["name"])
        tool = Tool.objects.select_for_update().get(pk=tool.pk)
        if tool.current_id and digest(tool.current.definition) == digest(normal):  # type: ignore[union-attr]
            return tool, False
        _add_version(tool, normal, author)
    return tool, True


def _add_version(tool: Tool, normal: dict[str, Any], author: User | None) -> None:
    newest = tool.versions.order_by("-number").values_list("number", flat=True).first() or 0
    before = tool.current.sha256 if tool.current else ""
    tool.current = ToolVersion.objects.create(
        tool=tool,
        number=newest + 1,
        definition=normal,
        risk=normal["risk"],
        sha256=digest(normal),
        author=author,
    )
    tool.domain = normal["domain"]
    tool.save(update_fields=["current", "domain"])
    audit.note(
        "tool.version_saved", tool, by=author, before=before, after=tool.current.sha256,
        version=tool.current.number, risk=tool.current.risk,
    )  # fmt: skip


def switch_tool(tool: Tool, on: bool, by: User | None) -> None:
    """Offer the tool to agents, or not."""
    with audit.recording():
        if Tool.objects.filter(pk=tool.pk).exclude(is_enabled=on).update(is_enabled=on):
            audit.note("tool.switched_on" if on else "tool.switched_off", tool, by=by)
    tool.is_enabled = on


def spec_of(version: ToolVersion) -> ToolSpec:
    """The frozen value of a version."""
    spec = _specs.get(version.pk)
    if spec is None:
        spec = _specs.put(version.pk, spec_from(version.definition, version=version.pk, tool=version.tool_id))
        _versions.put(version.pk, version)
    return spec


def version_of(spec: ToolSpec) -> ToolVersion:
    """The stored version a spec was read from, without asking the database if it was read lately."""
    found = _versions.get(spec.version)
    return ToolVersion.objects.get(pk=spec.version) if found is None else found


def offered(names: Iterable[str]) -> dict[str, ToolSpec]:
    """Those of `names` that exist and are enabled, in the order asked, at their current version."""
    names = list(names)
    rows = Tool.objects.filter(name__in=names, is_enabled=True, current__isnull=False)
    current = dict(rows.values_list("name", "current_id"))
    specs = {version: spec for version in current.values() if (spec := _specs.get(version or ""))}
    missing = [version for version in current.values() if version not in specs]
    if missing:
        specs |= {version.pk: spec_of(version) for version in ToolVersion.objects.filter(pk__in=missing)}
    return {name: specs[current[name]] for name in names if name in current}


def definitions() -> list[dict[str, Any]]:
    """The current definition of every tool, by name."""
    rows = Tool.objects.filter(current__isnull=False).order_by("name")
    return list(rows.annotate(definition=F("current__definition")).values_list("definition", flat=True))
