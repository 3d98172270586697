"""Agents and models in the admin console."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.admin import display, register
from django.db.models import ForeignKey
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from agents import catalogue, choice, try_views
from agents.forms import AgentForm
from agents.model_form import PROVIDERS, SETTINGS, LanguageModelForm
from agents.models import Agent, AgentKind, LanguageModel
from agents.providers import access
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
        (
            gettext_lazy("Behaviour"),
            {"fields": ("max_rounds", "kind", "suggestions", "scenarios", "presets")},
        ),
        (gettext_lazy("Looks"), {"fields": ("avatar", "colour")}),
        (
            gettext_lazy("Debate"),
            {"fields": ("personas", "debate_mode", "debate_rounds", "debate_most_rounds")},
        ),
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
    list_display = ("slug", "provider", "name", "key", "images", "tools")
    list_filter = ("provider",)
    search_fields = ("slug", "name")
    ordering = ("slug",)
    list_select_related = ("credential",)
    fieldsets = (
        (None, {"fields": ("slug", "provider", "name", "credential")}),
        (gettext_lazy("What it can do"), {"fields": ("images", "tools", "context")}),
        (gettext_lazy("How it answers"), {"fields": SETTINGS}),
        (gettext_lazy("Prices"), {"fields": ("input_price", "output_price")}),
    )
    change_form_outer_after_template = "admin_console/model_try.html"

    def get_readonly_fields(self, request: HttpRequest, obj: LanguageModel | None = None) -> tuple[str, ...]:
        return ("slug",) if obj else ()

    @display(description=gettext_lazy("key"), ordering="credential__slug")
    def key(self, model: LanguageModel) -> str:
        """Whose key it is asked with; never the key."""
        if model.credential:
            return model.credential.slug
        if model.provider == "demo":
            return "–"
        return _("the installation's own") if access.has_own(model.provider) else _("none")

    def formfield_for_foreignkey(
        self, db_field: ForeignKey, request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField | None:
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field and db_field.name == "credential":
            field.empty_label = _("The installation's own")
            field.help_text = _own_keys()
        return field

    def get_urls(self) -> list[URLPattern]:
        return [
            self._trying("<str:object_id>/try/", "try", try_views.try_model),
            self._trying("credential/<str:object_id>/try/", "try_credential", try_views.try_credential),
            *super().get_urls(),
        ]

    def _trying(self, route: str, name: str, view: Callable[..., HttpResponse]) -> URLPattern:
        def on_page(request: ConsoleRequest, object_id: str) -> HttpResponse:
            request.current_app = self.admin_site.name
            return view(request, object_id, self.admin_site.each_context(request) | {"opts": self.opts})

        guarded = self.admin_site.admin_view(require_POST(on_page))
        return path(route, guarded, name=f"agents_languagemodel_{name}")

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
    """Those of presets as well."""
    agents = Agent.objects.filter(current__isnull=False).select_related("current")
    specs = [catalogue.spec_of(agent.current) for agent in agents if agent.current]
    return {slug for spec in specs for slug in choice.offered_models(spec)}


def _own_keys() -> str:
    """Which keys of its own the installation lends."""
    lent = [label for provider, label in PROVIDERS if provider in access.PUBLIC and access.has_own(provider)]
    if not lent:
        return _("The installation lends no key of its own: choose a credential, except for the demo model.")
    return _("The installation lends its own key for: %(names)s.") % {"names": ", ".join(map(str, lent))}
