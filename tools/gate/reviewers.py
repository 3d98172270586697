"""Who may vote on a tool's calls: the tenant's reviewers, or those of the groups that cover the tool."""

from __future__ import annotations

from django.db.models import QuerySet

from platform_site.models import Membership, User
from tools import policy
from tools.models import ReviewerGroup
from tools.spec import ToolSpec


def reviewers_of(spec: ToolSpec) -> QuerySet[Membership]:
    """The memberships whose people may review calls of this tool."""
    able = Membership.objects.filter(is_active=True, user__is_active=True, role__in=policy.REVIEWER_ROLES)
    members = _members_of(spec)
    return able if members is None else able.filter(user__in=members)


def may_review(user: User, spec: ToolSpec) -> bool:
    """Whether this person is among them. What their session or token allows is asked elsewhere."""
    return reviewers_of(spec).filter(user=user).exists()


def groups_for(spec: ToolSpec) -> list[ReviewerGroup]:
    """The groups that cover the tool. Where there are any, their people alone vote."""
    return [group for group in ReviewerGroup.objects.all() if _covers(group, spec)]


def _members_of(spec: ToolSpec) -> set[str] | None:
    """The people of all groups that cover the tool; None when no group does."""
    groups = groups_for(spec)
    return {member for group in groups for member in group.members} if groups else None


def _covers(group: ReviewerGroup, spec: ToolSpec) -> bool:
    return spec.name in group.tools or bool(spec.domain and spec.domain in group.domains)
