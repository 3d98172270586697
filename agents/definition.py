"""The `agents` and `models` entries of the configuration file: their form, defaults, and what needs no database.

`parsed_agent` and `parsed_model` turn an entry into its normal form. An unknown key is an error that names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from agents.spec import AgentSpec, Colour, DebateSpec, Kind, Preset, Scenario
from platform_site.errors import BadDefinition
from platform_site.shape_words import words_of
from tools.schema_words import path_of

Problems = list[dict[str, str]]
Slug = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=60)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Instructions = Annotated[str, StringConstraints(max_length=100_000)]
ToolName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Suggestion = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Money = Annotated[float, Field(ge=0, le=999_999, allow_inf_nan=False, strict=False)]
MOST_ROUNDS = 50
MOST_DEBATED = 20
"""Rounds of a debate."""


class Form(BaseModel):
    """Strict: no unknown keys, no guessing at types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ScenarioForm(Form):
    slug: Slug
    name: Name
    instructions: Instructions
    tools: list[ToolName] = Field(default_factory=list, max_length=200)


Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh"]
MOST_TOKENS = 100_000_000


class SettingsForm(Form):
    """What is sent with each request to a model; what is left out is the provider's own default."""

    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False, strict=False)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False, strict=False)] | None = None
    max_output_tokens: int | None = Field(default=None, ge=1, le=MOST_TOKENS)
    reasoning_effort: Effort | None = None
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1)


class PresetForm(Form):
    """What a person may choose for a message: other models, or other settings, than the agent's own."""

    models: list[Slug] = Field(default_factory=list, max_length=10)
    settings: SettingsForm = Field(default_factory=SettingsForm)


class DebateForm(Form):
    """Who debates and how, unless a person chooses otherwise.

    `fixed`: so many `rounds`; `ai`: the personas decide, up to `most_rounds`.
    """

    personas: list[Slug] = Field(min_length=2, max_length=2)
    mode: Literal["fixed", "ai"] = "fixed"
    rounds: int = Field(default=3, ge=1, le=MOST_DEBATED)
    most_rounds: int = Field(default=8, ge=1, le=MOST_DEBATED)

    @model_validator(mode="after")
    def _two(self) -> DebateForm:
        if self.personas[0] == self.personas[1]:
            raise ValueError(_("a debate needs two different personas"))
        return self


def _is_avatar(text: str) -> str:
    """One or two letters or digits, or one emoji, which may be several code points."""
    if (
        text
        and not (text.isalnum() and len(text) <= 2)
        and any(one.isalnum() or one.isspace() for one in text)
    ):
        raise ValueError(_("an avatar is one emoji, or one or two letters"))
    return text


Avatar = Annotated[str, StringConstraints(max_length=8), AfterValidator(_is_avatar)]


class AgentForm(Form):
    slug: Slug
    name: Name
    instructions: Instructions
    models: list[Slug] = Field(min_length=1, max_length=10)
    tools: list[ToolName] = Field(default_factory=list, max_length=200)
    max_rounds: int = Field(default=10, ge=1, le=MOST_ROUNDS)
    kind: Kind = "chat"
    scenarios: list[ScenarioForm] = Field(default_factory=list, max_length=50)
    suggestions: list[Suggestion] = Field(default_factory=list, max_length=10)
    presets: dict[Slug, PresetForm] = Field(default_factory=dict, max_length=10)
    debate: DebateForm | None = None
    avatar: Avatar = ""
    colour: Colour | None = None

    @model_validator(mode="after")
    def _debates(self) -> AgentForm:
        if (self.kind == "debate") != (self.debate is not None):
            wrong = _("an agent of kind debate needs “debate”: who debates") if self.debate is None else ""
            raise ValueError(wrong or _("only an agent of kind debate has “debate”"))
        return self

    @model_validator(mode="after")
    def _nothing_twice(self) -> AgentForm:
        named = {
            "models": self.models,
            "tools": self.tools,
            "scenarios": [one.slug for one in self.scenarios],
            **{f"presets.{slug}.models": preset.models for slug, preset in self.presets.items()},
        }
        for section, names in named.items():
            if double := _double(names):
                raise ValueError(
                    _("%(name)s stands twice in %(section)s") % {"name": repr(double), "section": section}
                )
        return self


class PriceForm(Form):
    input: Money = 0
    output: Money = 0


class ModelForm(Form):
    slug: Slug
    provider: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$", max_length=20)]
    credential: Annotated[str, StringConstraints(max_length=60)] | None = None
    name: Name
    images: bool = False
    tools: bool = True
    price: PriceForm = Field(default_factory=PriceForm)
    context: int = Field(default=0, ge=0, le=MOST_TOKENS)
    settings: SettingsForm = Field(default_factory=SettingsForm)

    @model_validator(mode="after")
    def _answer_fits(self) -> ModelForm:
        if self.context and (self.settings.max_output_tokens or 0) >= self.context:
            raise ValueError(_("the longest answer must be shorter than the context window"))
        return self


def parsed_agent(definition: Any) -> dict[str, Any]:
    """The normal form of an agent: defaults filled in, JSON-safe. Raises `BadDefinition`."""
    normal = _parsed(AgentForm, definition)
    problems = [
        {
            "path": f"$.scenarios[{index}].tools",
            "message": _("the agent itself has no tool %(name)s") % {"name": name},
        }
        for index, scenario in enumerate(normal["scenarios"])
        for name in scenario["tools"]
        if name not in normal["tools"]
    ]
    if problems:
        raise BadDefinition(problems)
    return _without_unsaid(_with_presets(normal))


def _with_presets(normal: dict[str, Any]) -> dict[str, Any]:
    """Presets hold only what was said, and without any nothing is said of them."""
    presets = {
        slug: {"models": preset["models"], "settings": _said(preset["settings"])}
        for slug, preset in normal.pop("presets").items()
    }
    return normal | ({"presets": presets} if presets else {})


def _without_unsaid(normal: dict[str, Any]) -> dict[str, Any]:
    """Nothing is said of a debate, an avatar or a colour that is not there."""
    unsaid = {name for name in ("debate", "avatar", "colour") if not normal[name]}
    return {name: value for name, value in normal.items() if name not in unsaid}


def parsed_model(definition: Any) -> dict[str, Any]:
    """The normal form of a model; its settings hold only what was said. Raises `BadDefinition`."""
    normal = _parsed(ModelForm, definition)
    return {**normal, "settings": _said(normal["settings"])}


def _said(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}


def spec_from(normal: dict[str, Any], *, version: str = "", agent: str = "") -> AgentSpec:
    """The frozen value of an agent's normal form."""
    scenarios = (Scenario(**{**one, "tools": tuple(one["tools"])}) for one in normal["scenarios"])
    lists = {key: tuple(normal[key]) for key in ("models", "tools", "suggestions")}
    presets = tuple(
        Preset(slug, tuple(preset["models"]), preset["settings"])
        for slug, preset in normal.get("presets", {}).items()
    )
    made: dict[str, Any] = {"scenarios": tuple(scenarios), "presets": presets}
    if debate := normal.get("debate"):
        made["debate"] = DebateSpec(**{**debate, "personas": tuple(debate["personas"])})
    return AgentSpec(**{**normal, **lists, **made}, version=version, agent=agent)


def _parsed(form: type[Form], definition: Any) -> dict[str, Any]:
    try:
        return form.model_validate(definition).model_dump(mode="json")
    except ValidationError as error:
        raise BadDefinition([_in_words(one) for one in error.errors(include_url=False)]) from None


def _in_words(error: Any) -> dict[str, str]:
    return {"path": path_of(error["loc"]), "message": words_of(error)}


def _double(names: Iterable[str]) -> str:
    return next((name for name, count in Counter(names).items() if count > 1), "")
