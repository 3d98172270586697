"""What importing a document would change, to be looked at before it is applied: entry by entry, place by place.

The document is applied and undone in one transaction, so that what is shown is what would happen. `pin` names exactly
this document on exactly this configuration: what is applied later is what somebody has seen, or nothing (T30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from platform_site.models import Tenant, User
from platform_site.notices import config as webhooks
from platform_site.setup.config_file import Change, apply_file, export_tenant, warnings
from platform_site.setup.config_shape import name_of
from platform_site.tenancy import acting_for
from tools.canonical import digest
from tools.review.beside import Place, beside

SECRET = {"credentials": ("api_key",), "people": ("password",), "webhooks": ("secret",)}
"""What is given in a file and never comes out: that it is there is said, not what it is."""

ELSEWHERE = ("", "description")
"""Places with no line of their own: the entry as a whole, and what is shown in full."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that would be made or changed. `description`: what models read of a tool, before and after, in full."""

    section: str
    name: str
    outcome: str
    places: Sequence[Place]
    description: tuple[str, str] | None = None
    new_secrets: Sequence[str] = ()

    @property
    def is_reworded(self) -> bool:
        """A tool that is known already, and is described in other words than it was."""
        return self.description is not None and "" not in self.description and len(set(self.description)) > 1


@dataclass(frozen=True, slots=True)
class Looked:
    """`pin` is what an apply has to bring along."""

    entries: Sequence[Entry]
    warnings: Sequence[str]
    pin: str


def look(document: Mapping[str, Any], tenant: Tenant, author: User | None) -> Looked:
    """What applying would do. Changes nothing; raises what `apply_file` raises."""
    before = _as_it_is(tenant)
    with transaction.atomic():
        report = apply_file(document, author)
        after, warned = _as_it_is(report.tenant), warnings(report.tenant)
        transaction.set_rollback(True)
    changes = [change for change in report.changes if change.outcome != "unchanged"]
    return Looked(
        [_entry(change, document, before, after) for change in changes], warned, pin_of(document, before)
    )


def _as_it_is(tenant: Tenant) -> dict[str, Any]:
    """What an export holds, and what it leaves out that can be shown."""
    with acting_for(tenant):
        return export_tenant(tenant) | {"webhooks": webhooks.entries()}


def pin_of(document: Any, before: Mapping[str, Any]) -> str:
    return digest({"document": document, "before": before})


def _entry(
    change: Change, document: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]
) -> Entry:
    old, new = _found(before, change), _found(after, change)
    places = [place for place in beside(old, new) if place.changed and place.path not in ELSEWHERE]
    given = _found(document, change)
    hidden = [key for key in SECRET.get(change.section, ()) if given.get(key)]
    return Entry(change.section, change.name, change.outcome, places, _description(change, old, new), hidden)


def _description(change: Change, old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, str] | None:
    if change.section != "tools":
        return None
    return str(old.get("description", "")), str(new.get("description", ""))


def _found(document: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """The entry as it stands in this document; empty where it is not there."""
    if change.section == "tenant":
        return dict(document.get("tenant", {}))
    return next(_named(document, change), {})


def _named(document: Mapping[str, Any], change: Change) -> Iterator[dict[str, Any]]:
    called = change.name.lower() if change.section == "people" else change.name
    for entry in document.get(change.section, []):
        if name_of(change.section, entry) == called:
            yield entry
