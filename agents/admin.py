"""Agents and models in the admin console."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import display, register
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from agents import catalogue
from agents.forms import AgentForm, LanguageModelForm
from agents.models import Agent, AgentKind, LanguageModel
from platform_site import audit
from platform_site.admin_site import site
from platform_site.console.base import ConsoleRequest, is_let_in
from platform_site.console.overtaking import LockedWhileSaved
from platform_site.console.versions import VersionedAdmin
from platform_site.models import User


@register(Agent, site=site)
class AgentAdmin(VersionedAdmin):
    """Somebody to talk to."""

    form = AgentForm
    refusal = catalogue.BadDefinition
    list_display = ("slug", "called", "kind", "models", "shown_version", "is_enabled")
    list_filter = ("is_enabled",)
    search_fields = ("slug",)
    ordering = ("slug",)
    list_select_related = ("current",)
    fieldsets = (
        (None, {"fields": ("slug", "is_enabled", "name", "instructions", "models", "tools")}),
        (gettext_lazy("Behaviour"), {"fields": ("max_rounds", "kind", "suggestions", "scenarios")}),
    )
    change_form_before_template = "admin_console/agent_check.html"

    def get_readonly_fields(self, request: HttpRequest, obj: Agent | None = None) -> tuple[str, ...]:
        return ("slug",) if obj else ()

    @display(description=gettext_lazy("name"))
    def called(self, agent: Agent) -> str:
        return _of(agent, "name")

    @display(description=gettext_lazy("kind"))
    def kind(self, agent: Agent) -> str:
        return str(AgentKind(_of(agent, "kind")).label) if agent.current else "–"

    @display(description=gettext_lazy("models"))
    def models(self, agent: Agent) -> str:
        return ", ".join(agent.current.definition["models"]) if agent.current else "–"

    @display(description=gettext_lazy("version"))
    def shown_version(self, agent: Agent) -> str:
        return str(agent.current or "–")

    def saved(self, definition: dict[str, Any], author: User) -> tuple[Agent, bool]:
        return catalogue.save_agent(definition, author)


def _of(agent: Agent, key: str) -> str:
    return str(agent.current.definition[key]) if agent.current else "–"


@register(LanguageModel, site=site)
class LanguageModelAdmin(LockedWhileSaved):
    """What agents may speak through."""

    form = LanguageModelForm
    list_display = ("slug", "provider", "name", "credential", "images", "tools")
    list_filter = ("provider",)
    search_fields = ("slug", "name")
    ordering = ("slug",)
    list_select_related = ("credential",)
    fieldsets = (
        (None, {"fields": ("slug", "provider", "name", "credential")}),
        (gettext_lazy("What it can do"), {"fields": ("images", "tools")}),
        (gettext_lazy("Prices"), {"fields": ("input_price", "output_price")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: LanguageModel | None = None) -> tuple[str, ...]:
        return ("slug",) if obj else ()

    def save_model(self, request: ConsoleRequest, obj: Any, form: Any, change: bool) -> None:
        with audit.recording():
            before = LanguageModel.objects.filter(pk=obj.pk).first()
            super().save_model(request, obj, form, change)
            catalogue.note_model(obj, before, request.user)

    def delete_model(self, request: ConsoleRequest, obj: Any) -> None:
        with audit.recording():
            audit.note("model.deleted", obj, by=request.user)
            super().delete_model(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: LanguageModel | None = None) -> bool:
        """Until an agent speaks through it."""
        return is_let_in(request) and obj is not None and obj.slug not in _models_in_use()


def _models_in_use() -> set[str]:
    spoken = Agent.objects.filter(current__isnull=False).values_list("current__definition__models", flat=True)
    return {slug for slugs in spoken for slug in slugs}
