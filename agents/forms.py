"""The form of an agent: its definition field by field, checked by `catalogue`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from agents import catalogue
from agents.definition import MOST_DEBATED
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


MODES = [("fixed", _("So many rounds")), ("ai", _("Until both have nothing to add"))]
COLOURS = {
    "teal": _("Teal"), "violet": _("Violet"), "amber": _("Amber"), "blue": _("Blue"), "green": _("Green"),
    "rose": _("Rose"), "indigo": _("Indigo"), "slate": _("Slate"),
}  # fmt: skip


def _personas() -> list[tuple[str, str]]:
    """Agents one can talk to: each may take part in a debate."""
    rows = Agent.objects.filter(current__isnull=False).select_related("current").order_by("slug")
    said = [(agent.slug, agent.current.definition) for agent in rows if agent.current]
    return [(slug, f"{slug} ({one['name']})") for slug, one in said if one["kind"] == AgentKind.CHAT]


class AgentForm(DefinitionForm):
    """An agent as its author sees it."""

    fields_inside: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "debate": {"mode": "debate_mode", "rounds": "debate_rounds", "most_rounds": "debate_most_rounds"}
    }
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
    avatar = forms.CharField(
        label=_("Avatar"), max_length=8, required=False, widget=text_input(),
        help_text=_("One emoji, or one or two letters; else the name's first letter."),
    )  # fmt: skip
    colour = choice(_("Colour"), [("", _("Automatic")), *COLOURS.items()], required=False)
    personas = forms.MultipleChoiceField(
        label=_("Personas"), choices=_personas, required=False, widget=ChoicesInOrder(),
        help_text=_("Of a debate: the two agents that debate; the first opens."),
    )  # fmt: skip
    debate_mode = choice(_("Ends"), MODES, required=False)
    debate_rounds = whole_number(
        _("Rounds"), _("Both speak once in each."), initial=3, required=False, max_value=MOST_DEBATED
    )
    debate_most_rounds = whole_number(
        _("At most"),
        _("Rounds of a debate that ends by itself."),
        initial=8,
        required=False,
        max_value=MOST_DEBATED,
    )
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
        chosen = {name: given[name] for name in ("avatar", "colour") if given[name]} | self._debate()
        return {name: given[name] for name in plain} | {"slug": slug, "suggestions": suggestions} | chosen

    def _debate(self) -> dict[str, Any]:
        """Who debates and how; nothing for an agent that answers itself."""
        given = self.cleaned_data
        if given["kind"] != AgentKind.DEBATE:
            return {}
        rules = {name: given[field] for name, field in self.fields_inside["debate"].items() if given[field]}
        return {"debate": {"personas": given["personas"], **rules}}

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
