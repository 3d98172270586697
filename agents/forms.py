"""The form of an agent: its definition field by field, checked by `catalogue`."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from agents import catalogue
from agents.models import Agent, AgentKind, LanguageModel
from platform_site.console.widgets import ChoicesInGroups, ChoicesInOrder, in_groups
from platform_site.models import User
from tools.definition_form import DefinitionForm, LongText, choice, text_input, whole_number
from tools.json_field import JsonField
from tools.models import Risk, Tool

SCENARIOS_EXAMPLE = """[
  {"slug": "extract", "name": "Extract facts", "instructions": "Only extract.", "tools": ["add_character"]}
]"""
PRESETS_EXAMPLE = """{
  "premium": {"models": ["large"], "settings": {"reasoning_effort": "high"}},
  "standard": {"models": ["small"]}
}"""


class ToolChoices(ChoicesInGroups):
    """The tenant's tools by group, each with its risk."""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        risks = Tool.objects.filter(current__isnull=False).values_list("name", "current__risk")
        self.notes = {tool: (risk, str(Risk(risk).label)) for tool, risk in risks}
        return super().get_context(name, value, attrs)


def _models() -> list[tuple[str, str]]:
    rows = LanguageModel.objects.order_by("slug").values_list("slug", "provider", "name")
    return [(slug, f"{slug} ({provider}: {name})") for slug, provider, name in rows]


def _tools() -> list[Any]:
    rows = Tool.objects.order_by("domain", "name").values_list("domain", "name", "is_enabled")
    off = _("%(name)s (disabled)")
    return in_groups(
        (domain or str(_("Others")), name, name if on else off % {"name": name}) for domain, name, on in rows
    )


class AgentForm(DefinitionForm):
    """An agent as its author sees it."""

    name = forms.CharField(
        label=_("Name"), max_length=120, widget=text_input(), help_text=_("What people see.")
    )
    instructions = LongText(
        label=_("Instructions"), rows=18, required=False,
        help_text=_("Told to the model before every conversation. Never put a secret here."),
    )  # fmt: skip
    models = forms.MultipleChoiceField(
        label=_("Models"), choices=_models, widget=ChoicesInOrder(),
        help_text=_("The first answers; the next ones step in, in this order, when its quota is used up."),
    )  # fmt: skip
    tools = forms.MultipleChoiceField(label=_("Tools"), choices=_tools, required=False, widget=ToolChoices())
    max_rounds = whole_number(
        _("Most rounds"), _("How often it may use tools before it has to answer."), initial=10
    )
    kind = choice(_("Kind"), AgentKind.choices)
    scenarios = JsonField(list, label=_("Scenarios"), rows=8, placeholder=SCENARIOS_EXAMPLE)
    presets = JsonField(
        dict, label=_("Presets"), rows=6, placeholder=PRESETS_EXAMPLE,
        help_text=_("What people may choose for a message: other models, or other settings, than usual."),
    )  # fmt: skip
    suggestions = LongText(
        label=_("First suggestions"), rows=4, required=False,
        help_text=_("One a line; offered as buttons in a new conversation."),
    )  # fmt: skip

    class Meta:
        model = Agent
        fields = ("slug", "is_enabled")

    def _flat(self, definition: Any) -> dict[str, Any]:
        return super()._flat(definition) | {"suggestions": "\n".join(definition["suggestions"])}

    def definition(self) -> dict[str, Any]:
        given = self.cleaned_data
        plain = ("name", "instructions", "models", "tools", "max_rounds", "kind", "scenarios", "presets")
        suggestions = [line.strip() for line in given["suggestions"].splitlines() if line.strip()]
        slug = given.get("slug") or self.instance.slug
        return {name: given[name] for name in plain} | {"slug": slug, "suggestions": suggestions}

    def clean_tools(self) -> list[str]:
        """In the order they had; those that are new come last."""
        chosen = self.cleaned_data["tools"]
        before = self.initial.get("tools", [])
        return [name for name in before if name in chosen] + [name for name in chosen if name not in before]

    def check_definition(self) -> dict[str, Any]:
        return catalogue.check_agent(self.definition())

    def store(self, author: User) -> tuple[Agent, bool]:
        """Save the definition; the agent, and whether it got a new version."""
        agent, made = catalogue.save_agent(self.definition(), author)
        if agent.is_enabled != self.cleaned_data["is_enabled"]:
            catalogue.switch_agent(agent, self.cleaned_data["is_enabled"], author)
        return agent, made
