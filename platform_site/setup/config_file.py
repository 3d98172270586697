"""A tenant's configuration as one document: `apply_file` takes it in, `export_tenant` writes it out.

All or nothing, in one transaction. Applying is idempotent: what exists is updated, what the document does not name
stays, and `apply_file(export_tenant(tenant))` changes nothing. The sections are applied by those who own them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from agents import config as agents_config
from agents.usage import config as limits_config
from platform_site import audit, config_sections
from platform_site.errors import BadDefinition
from platform_site.models import ADMIN_ROLES, Membership, Tenant, User
from platform_site.notices import config as notices_config
from platform_site.setup.config_shape import Fault, faults_of, spelled
from platform_site.tenancy import acting_for
from tools import config as tools_config
from tools import groups


class BadConfiguration(Exception):
    """Nothing was applied; `faults` says why, each with its path."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = list(faults)


@dataclass(frozen=True)
class Change:
    section: str
    name: str
    outcome: str
    """`created`, `changed` or `unchanged`."""


@dataclass
class Report:
    """What an apply did, entry by entry."""

    tenant: Tenant
    changes: list[Change] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        return sum(change.outcome == outcome for change in self.changes)


Applying = Callable[[Iterable[Mapping[str, Any]], User | None], Iterable[tuple[str, str]]]
SECTIONS: dict[str, Applying] = {
    "people": config_sections.apply_people,
    "credentials": config_sections.apply_credentials,
    "models": agents_config.apply_models,
    "tools": tools_config.apply_tools,
    "groups": groups.apply_groups,
    "agents": agents_config.apply_agents,
    "limits": limits_config.apply_limits,
    "webhooks": notices_config.apply_webhooks,
}
"""In the order in which one needs another."""


def apply_file(document: object, author: User | None) -> Report:
    """Take the document in, or raise `BadConfiguration` and change nothing.

    `author` is None for the operator. Anyone else must configure the tenant the document names, and the sections
    keep from them what belongs to the operator or to other people.
    """
    if faults := faults_of(document):
        raise BadConfiguration(faults)
    assert isinstance(document, dict)
    if author and not _configures(author, document["tenant"]["slug"]):
        raise BadConfiguration([Fault("tenant.slug", _("this names a tenant that you do not configure"))])
    with audit.recording():
        return _apply(document, author)


def _configures(author: User, slug: str) -> bool:
    with_rights = Membership.objects.across_tenants().filter(
        user=author, is_active=True, role__in=ADMIN_ROLES
    )
    return author.is_active and with_rights.filter(tenant__slug=slug, tenant__is_active=True).exists()


def _apply(document: dict[str, Any], author: User | None) -> Report:
    with _told_by_path(document, "tenant"):
        tenant, outcome = config_sections.apply_tenant(document["tenant"], author)
    report = Report(tenant, [Change("tenant", tenant.slug, outcome)])
    with acting_for(tenant):
        for section, apply in SECTIONS.items():
            with _told_by_path(document, section):
                done = apply(document.get(section, []), author)
            report.changes += [Change(section, name, outcome) for name, outcome in done]
        counts = {outcome: report.count(outcome) for outcome in ("created", "changed", "unchanged")}
        audit.note("configuration.applied", tenant, by=author, entries=counts)
    return report


@contextmanager
def _told_by_path(document: dict[str, Any], section: str) -> Iterator[None]:
    """A section's faults, told as ours. Their paths begin at the document (`$.tools[2]`) or at the section (`[2]`)."""
    try:
        yield
    except BadDefinition as bad:
        raise BadConfiguration([_fault(document, section, one) for one in bad.errors]) from bad


def _fault(document: dict[str, Any], section: str, error: Mapping[str, str]) -> Fault:
    path = error["path"] if error["path"].startswith("$") else section + error["path"]
    steps = re.findall(r"\[(\d+)\]|([^.\[\]$]+)", path)
    return Fault(
        spelled(document, [int(number) if number else key for number, key in steps]), str(error["message"])
    )


def warnings(tenant: Tenant) -> list[str]:
    """What works as configured and is hardly meant: tools whose calls nobody could approve."""
    with acting_for(tenant):
        return [f"{tool}: {why}" for tool, why in tools_config.unapprovable()]


def note_exported(tenant: Tenant, by: User | None) -> None:
    """Note that somebody (None: the operator) takes the configuration out."""
    with acting_for(tenant), audit.recording():
        audit.note("configuration.exported", tenant, by=by)


def export_tenant(tenant: Tenant) -> dict[str, Any]:
    """The tenant's configuration, secrets left out, and with them webhooks: their addresses may hold keys."""
    with acting_for(tenant):
        return {
            "tenant": config_sections.export_tenant(tenant),
            "people": config_sections.export_people(),
            "credentials": config_sections.export_credentials(),
            "models": agents_config.export_models(),
            "tools": tools_config.export_tools(),
            "groups": groups.export_groups(),
            "agents": agents_config.export_agents(),
            "limits": limits_config.export_limits(),
        }
