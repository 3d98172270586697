"""Reviewer groups: saved from the console and from the section `groups` of the configuration file, and noted.

Members are kept by id. Who has left the tenant, or may not review any more, stays named and has no say: whether they
may is asked when they vote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from pydantic import Field

from platform_site import audit
from platform_site.config_sections import CHANGED, CREATED, UNCHANGED, Done, Section, each
from platform_site.errors import Problem
from platform_site.models import Membership, User
from tools.models import ReviewerGroup, Tool


@dataclass(frozen=True, slots=True)
class Group:
    """What a group says. Each list is sorted and names nothing twice."""

    name: str
    members: list[str]
    tools: list[str]
    domains: list[str]


class GroupSection(Section):
    slug: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,60}$")
    name: str = Field(min_length=1, max_length=80)
    members: list[str]
    tools: list[str] = []
    domains: list[str] = []


def save_group(row: ReviewerGroup, wanted: Group, author: User | None) -> str:
    """Make the row say this; `created`, `changed` or `unchanged`. What counts is what is stored of it now."""
    after = asdict(wanted)
    with audit.recording():
        stored = ReviewerGroup.objects.select_for_update().filter(pk=row.pk).first()
        before = _said(stored) if stored else {}
        if before == after:
            return UNCHANGED
        for key, value in after.items():
            setattr(row, key, value)
        row.save()
        changed = sorted(key for key in after if before.get(key) != after[key])
        was = audit.digest(before) if stored else ""
        audit.note("group.saved", row, by=author, before=was, after=audit.digest(after), changed=changed)
    return CHANGED if stored else CREATED


def delete_group(row: ReviewerGroup, author: User | None) -> None:
    """From now on every reviewer votes on what it alone was for."""
    with audit.recording():
        audit.note("group.deleted", row, by=author, before=audit.digest(_said(row)))
        row.delete()


def apply_groups(entries: Iterable[Mapping[str, Any]], author: User | None) -> Done:
    """Each group is as its entry says. None is taken away."""
    return each("groups", GroupSection, entries, lambda asked: (asked.slug, _apply_one(asked, author)))


def _apply_one(asked: GroupSection, author: User | None) -> str:
    row = ReviewerGroup.objects.filter(slug=asked.slug).first() or ReviewerGroup(slug=asked.slug)
    here = _people_here()
    members = [_found(email.strip().lower(), here) for email in asked.members]
    gone = [member for member in row.members if member not in here.values()]
    _check_names(asked, row)
    wanted = Group(asked.name, _sorted([*members, *gone]), _sorted(asked.tools), _sorted(asked.domains))
    return save_group(row, wanted, author)


def _found(email: str, here: Mapping[str, str]) -> str:
    if email not in here:
        raise Problem(
            400, "bad_request", _("Nobody with the address %(email)s takes part here.") % {"email": email}
        )
    return here[email]


def _check_names(asked: GroupSection, row: ReviewerGroup) -> None:
    """A misspelt name would protect nothing. What the group named before may be gone by now."""
    rows = Tool.objects.values_list("name", "domain")
    tools, domains = {name for name, _domain in rows}, {domain for _name, domain in rows if domain}
    if strange := sorted({*asked.tools} - tools - {*row.tools}):
        raise Problem(400, "bad_request", _("There is no tool %(name)s.") % {"name": strange[0]})
    if strange := sorted({*asked.domains} - domains - {*row.domains}):
        raise Problem(
            400, "bad_request", _("No tool belongs to the group of tools %(name)s.") % {"name": strange[0]}
        )


def export_groups() -> list[dict[str, Any]]:
    """In the form `apply_groups` takes; members by their addresses, without those who left."""
    addresses = {user: email for email, user in _people_here().items()}
    return [
        {
            "slug": row.slug, "name": row.name,
            "members": sorted(addresses[member] for member in row.members if member in addresses),
            **({"tools": row.tools} if row.tools else {}),
            **({"domains": row.domains} if row.domains else {}),
        }
        for row in ReviewerGroup.objects.order_by("slug")
    ]  # fmt: skip


def _people_here() -> dict[str, str]:
    """Who takes part: their ids by their addresses."""
    rows = Membership.objects.filter(is_active=True, user__is_active=True)
    return dict(rows.values_list("user__email", "user_id"))


def _said(row: ReviewerGroup) -> dict[str, Any]:
    return asdict(Group(row.name, _sorted(row.members), _sorted(row.tools), _sorted(row.domains)))


def _sorted(names: Iterable[str]) -> list[str]:
    return sorted({*names})
