"""A demo tenant that an earlier version of us made: brought up to date where nobody has touched it since.

The audit log knows what people did: whatever it tells of after the tenant was made, other than our own renewals, stays
as it is, and what was deleted stays away. All else is added, or changed to what this version's document says.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models

from agents.models import Agent, LanguageModel
from platform_site.audit import coming_from
from platform_site.models import AuditEntry, Credential, Tenant
from platform_site.setup.config_file import BadConfiguration, Change, apply_file
from platform_site.setup.config_review import look
from platform_site.tenancy import acting_for
from tools.models import Tool

log = logging.getLogger(__name__)
KINDS: Mapping[str, tuple[type[models.Model], str]] = {
    "credentials": (Credential, "slug"),
    "models": (LanguageModel, "slug"),
    "tools": (Tool, "name"),
    "agents": (Agent, "slug"),
}
"""What is renewed, and what it is called by. People, and the tenant itself, are never."""
OURS = "demo renewal"
"""What the audit log has in place of a request's id."""
PLACE = re.compile(r"(\w+)\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Known:
    """An entry of the document, what the audit log calls its kind, and the row of its name, if there is one."""

    entry: dict[str, Any]
    kind: str
    name: str
    row: models.Model | None


def renew(tenant: Tenant, document: Mapping[str, Any]) -> list[Change]:
    """Bring the tenant up to this document; what was changed. A second time nothing is."""
    with acting_for(tenant):
        wanted = _untouched(document)
    with coming_from("system", request=OURS):
        while any(wanted[section] for section in KINDS):
            try:
                return _apply(tenant, wanted)
            except BadConfiguration as bad:
                if not _leave_out(wanted, bad):
                    log.warning("the demo tenant %s stays as it is: %s", tenant.slug, bad)
                    return []
    return []


def _apply(tenant: Tenant, wanted: dict[str, Any]) -> list[Change]:
    document = {"tenant": {"slug": tenant.slug, "name": tenant.name}, **wanted}
    if not look(document, tenant, None).entries:
        return []
    changes = [change for change in apply_file(document, None).changes if change.outcome != "unchanged"]
    told = ", ".join(f"{change.name} ({change.outcome})" for change in changes)
    log.info("the demo tenant %s was brought up to date: %s", tenant.slug, told)
    return changes


def _leave_out(wanted: dict[str, Any], bad: BadConfiguration) -> bool:
    """Without the entries that cannot be applied to what an admin has left of the tenant; False when there are none."""
    faulty = {(found[1], int(found[2])) for fault in bad.faults if (found := PLACE.match(fault.path))}
    for section in {section for section, _number in faulty}:
        kept = enumerate(wanted[section])
        wanted[section] = [entry for number, entry in kept if (section, number) not in faulty]
    if faulty:
        log.warning("left out of the demo tenant: %s", bad)
    return bool(faulty)


def _untouched(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document's entries that are ours to write."""
    made = AuditEntry.objects.filter(verb="configuration.applied").order_by("number").first()
    since = AuditEntry.objects.filter(number__gt=made.number if made else 0)
    acts = since.exclude(request=OURS).exclude(verb="credential.tested")
    touched = set(acts.values_list("object_kind", "object_id"))
    deleted = set(acts.filter(verb__endswith=".deleted").values_list("object_kind", "object_name"))

    def is_ours(one: Known) -> bool:
        if one.row is None:
            return (one.kind, one.name) not in deleted
        return (one.kind, str(one.row.pk)) not in touched

    return {section: [one.entry for one in _known(section, document) if is_ours(one)] for section in KINDS}


def _known(section: str, document: Mapping[str, Any]) -> Iterator[Known]:
    model, called = KINDS[section]
    rows = {getattr(row, called): row for row in model._default_manager.all()}
    for entry in document.get(section, []):
        yield Known(entry, str(model._meta.model_name), entry[called], rows.get(entry[called]))
