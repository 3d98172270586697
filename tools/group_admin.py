"""Reviewer groups in the admin console: who alone votes on calls of which tools."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import display
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from platform_site.console.base import ConsoleRequest, TenantModelAdmin, UniqueInTenantForm, is_let_in
from platform_site.console.widgets import ChoicesInGroups, in_groups
from platform_site.models import Membership, Role
from tools import catalogue, gate, policy
from tools.groups import Group, delete_group, save_group
from tools.models import ReviewerGroup, Risk, Tool


class MemberChoices(ChoicesInGroups):
    """Who may review, each with their role."""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        roles = _reviewers().values_list("user_id", "role")
        self.notes = {user: ("", str(Role(role).label)) for user, role in roles}
        return super().get_context(name, value, attrs)


class ToolChoices(ChoicesInGroups):
    """The tools that may ask, each with its risk."""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        risks = Tool.objects.filter(current__isnull=False).values_list("name", "current__risk")
        self.notes = {tool: (risk, str(Risk(risk).label)) for tool, risk in risks}
        return super().get_context(name, value, attrs)


def _reviewers() -> Any:
    able = Membership.objects.filter(is_active=True, user__is_active=True, role__in=policy.REVIEWER_ROLES)
    return able.order_by("user__name", "user__email")


def _people() -> list[Any]:
    rows = _reviewers().values_list("user_id", "user__name", "user__email")
    return in_groups(("", user, f"{name} ({email})" if name else email) for user, name, email in rows)


def _tools() -> list[Any]:
    rows = Tool.objects.order_by("domain", "name").values_list("domain", "name")
    return in_groups((domain or str(_("Others")), name, name) for domain, name in rows)


def _domains() -> list[tuple[str, str]]:
    rows = Tool.objects.exclude(domain="").order_by("domain").values_list("domain", flat=True)
    return [(domain, domain) for domain in dict.fromkeys(rows)]


class GroupForm(UniqueInTenantForm):
    """Who, and for what. Whoever is chosen and does not review any more is not kept."""

    members = forms.MultipleChoiceField(
        label=gettext_lazy("Members"), choices=_people, required=False, widget=MemberChoices(),
        help_text=gettext_lazy("They alone vote on the calls below. Only who may review can be chosen."),
    )  # fmt: skip
    domains = forms.MultipleChoiceField(
        label=gettext_lazy("Groups of tools"), choices=_domains, required=False, widget=ChoicesInGroups(),
        help_text=gettext_lazy("All tools of these, also those that are added later."),
    )  # fmt: skip
    tools = forms.MultipleChoiceField(
        label=gettext_lazy("Single tools"), choices=_tools, required=False, widget=ToolChoices()
    )

    class Meta:
        model = ReviewerGroup
        fields = ("slug", "name", "members", "domains", "tools")

    def wanted(self) -> Group:
        given = self.cleaned_data
        return Group(given["name"], *(sorted(given[key]) for key in ("members", "tools", "domains")))


class ReviewerGroupAdmin(TenantModelAdmin):
    """Where a group is for a tool, other reviewers have no say in it."""

    form = GroupForm
    list_display = ("slug", "name", "who", "what")
    search_fields = ("slug", "name")
    ordering = ("slug",)
    fields = ("slug", "name", "members", "domains", "tools")

    def get_readonly_fields(self, request: HttpRequest, obj: ReviewerGroup | None = None) -> tuple[str, ...]:
        return ("slug",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_let_in(request) and obj is not None

    @display(description=gettext_lazy("members"))
    def who(self, group: ReviewerGroup) -> str:
        rows = Membership.objects.filter(user__in=group.members).order_by("user__email")
        return ", ".join(rows.values_list("user__email", flat=True)) or "–"

    @display(description=gettext_lazy("tools"))
    def what(self, group: ReviewerGroup) -> str:
        return ", ".join([*(f"{domain}/*" for domain in group.domains), *group.tools]) or "–"

    def save_model(self, request: ConsoleRequest, obj: Any, form: Any, change: bool) -> None:
        save_group(obj, form.wanted(), request.user)
        for tool, why in warnings_about(obj):
            messages.warning(request, f"{tool}: {why}")

    def delete_model(self, request: ConsoleRequest, obj: Any) -> None:
        delete_group(obj, request.user)


def warnings_about(group: ReviewerGroup) -> list[tuple[str, Promise]]:
    """Which tools of this group could be approved by nobody, and why."""
    rows = (
        Tool.objects.filter(is_enabled=True, current__isnull=False).select_related("current").order_by("name")
    )
    mine = [tool for tool in rows if tool.name in group.tools or tool.domain in group.domains]
    specs = [catalogue.spec_of(tool.current) for tool in mine if tool.current]
    return [(spec.name, why) for spec in specs for why in gate.warnings_of(spec)]
