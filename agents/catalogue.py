"""The tenant's agents and models: saving definitions, and reading them as frozen specs.

An agent version never changes, so its spec is kept in memory under its id. A model has no versions: it names what a
provider offers, and a conversation should use the model as it is configured now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from agents import choice, providers
from agents.definition import parsed_agent, parsed_model, spec_from
from agents.fitting import FITTING, fits
from agents.models import Agent, AgentVersion, LanguageModel
from agents.spec import AgentSpec, ModelSpec, Price, Scenario
from platform_site import audit
from platform_site.errors import BadDefinition
from platform_site.models import Credential, Membership, User
from tools.canonical import digest
from tools.definition import Problems
from tools.kept import Kept
from tools.models import Tool

__all__ = [
    "AgentSpec",
    "BadDefinition",
    "ModelSpec",
    "Scenario",
    "agents_for",
    "check_agent",
    "check_model",
    "model_named",
    "models_for",
    "models_in_debate",
    "models_of",
    "models_offered",
    "note_model",
    "save_agent",
    "save_model",
    "spec_of",
    "spec_of_model",
    "state_of_model",
    "switch_agent",
]

_specs: Kept[AgentSpec] = Kept(2_000)


def check_agent(definition: Any) -> dict[str, Any]:
    """The normal form of an agent's definition. Raises `BadDefinition`, also for what it names and does not exist."""
    normal = parsed_agent(definition)
    presets = normal.get("presets", {})
    named = [*normal["models"], *(slug for preset in presets.values() for slug in preset["models"])]
    models = set(LanguageModel.objects.filter(slug__in=named).values_list("slug", flat=True))
    tools = set(Tool.objects.filter(name__in=normal["tools"]).values_list("name", flat=True))
    problems = [
        *_missing(_("there is no model %(name)s"), "models", normal, models),
        *_missing(_("there is no tool %(name)s"), "tools", normal, tools),
    ]
    problems += _persona_problems(normal)
    for slug, preset in presets.items():
        missing = _missing(_("there is no model %(name)s"), "models", preset, models)
        problems += [{**one, "path": one["path"].replace("$", f"$.presets.{slug}", 1)} for one in missing]
    if problems:
        raise BadDefinition(problems)
    return normal


def _persona_problems(normal: Mapping[str, Any]) -> Problems:
    """Those who debate are agents that can be talked to."""
    personas = normal.get("debate", {}).get("personas", [])
    found = Agent.objects.filter(slug__in=personas, current__isnull=False).select_related("current")
    kinds = {agent.slug: agent.current.definition["kind"] for agent in found if agent.current}
    words = {None: _("there is no agent %(name)s"), "debate": _("%(name)s is a debate itself")}
    return [
        {"path": f"$.debate.personas[{index}]", "message": words[kinds.get(slug)] % {"name": slug}}
        for index, slug in enumerate(personas)
        if kinds.get(slug) != "chat"
    ]


def save_agent(definition: Mapping[str, Any], author: User | None) -> tuple[Agent, bool]:
    """Make an agent, or give it a new version if the definition says something new; returns it and whether it did.

    Raises `BadDefinition`.
    """
    normal = check_agent(definition)
    with audit.recording():
        Agent.objects.get_or_create(slug=normal["slug"])
        agent = (
            Agent.objects.select_for_update(of=("self",)).select_related("current").get(slug=normal["slug"])
        )
        if agent.current and digest(agent.current.definition) == digest(normal):
            return agent, False
        _add_version(agent, normal, author)
    return agent, True


def spec_of(version: AgentVersion) -> AgentSpec:
    """The frozen value of a version."""
    return _specs.get_or_make(
        version.pk, lambda: spec_from(version.definition, version=version.pk, agent=version.agent_id)
    )


def agents_for(user: User) -> list[AgentSpec]:
    """The enabled agents this person may talk to in the acting tenant, by name; none for somebody who is no member."""
    if not Membership.objects.filter(user=user, is_active=True).exists():
        return []
    rows = Agent.objects.filter(is_enabled=True, current__isnull=False).select_related("current")
    specs = [spec_of(agent.current) for agent in rows if agent.current]
    return sorted(specs, key=lambda spec: (spec.name.casefold(), spec.slug))


def check_model(definition: Any) -> dict[str, Any]:
    """The normal form of a model's definition. Raises `BadDefinition`, also for a provider that is not here, and for an
    unknown or unfit credential.
    """
    normal = parsed_model(definition)
    known = sorted({*FITTING, *providers.known()})
    if normal["provider"] not in known:
        named = {"name": normal["provider"], "known": ", ".join(known)}
        message = _("there is no provider %(name)s; there are %(known)s") % named
        raise BadDefinition([{"path": "$.provider", "message": message}])
    slug = normal["credential"]
    if slug:
        credential = Credential.objects.filter(slug=slug).first()
        if credential is None:
            raise BadDefinition(
                [{"path": "$.credential", "message": _("there is no credential %(name)s") % {"name": slug}}]
            )
        if not fits(credential.provider, normal["provider"]):
            named = {"name": slug, "provider": credential.provider, "wanted": normal["provider"]}
            message = _("the credential %(name)s is for %(provider)s, not for %(wanted)s") % named
            raise BadDefinition([{"path": "$.credential", "message": message}])
    return normal


def save_model(definition: Mapping[str, Any], author: User | None = None) -> tuple[LanguageModel, bool]:
    """Make a model or change it to what the definition says; returns it and whether anything changed.

    Raises `BadDefinition`.
    """
    normal = check_model(definition)
    price = normal.pop("price")
    slug, credential = normal.pop("slug"), normal.pop("credential")
    values = {
        **normal,
        "credential": Credential.objects.get(slug=credential) if credential else None,
        "input_price": _stored(price["input"]),
        "output_price": _stored(price["output"]),
    }
    with audit.recording():
        before = LanguageModel.objects.filter(slug=slug).first()
        model, created = LanguageModel.objects.get_or_create(slug=slug, defaults=values)
        changed = {name: value for name, value in values.items() if getattr(model, name) != value}
        for name, value in changed.items():
            setattr(model, name, value)
        if changed:
            model.save(update_fields=list(changed))
        note_model(model, before, author)
    return model, created or bool(changed)


NOTED = (
    "provider", "name", "images", "tools", "credential_id", "input_price", "output_price", "context", "settings",
)  # fmt: skip


def note_model(model: LanguageModel, before: LanguageModel | None, by: User | None) -> None:
    """Note what differs from `before`, in the transaction that saved it."""
    was, now = ({name: getattr(one, name, None) for name in NOTED} for one in (before, model))
    changed = [name.removesuffix("_id") for name in NOTED if was[name] != now[name]]
    if changed:
        audit.note(
            "model.saved", model, by=by, before=audit.digest(was) if before else "", after=audit.digest(now),
            changed=changed,
        )  # fmt: skip


def state_of_model(model: LanguageModel) -> str:
    """A fingerprint of what can be changed of a model."""
    return audit.digest({name: getattr(model, name) for name in NOTED})


def model_named(slug: str) -> ModelSpec | None:
    """The tenant's model of that slug; None when there is none."""
    found = _models([slug])
    return found[0] if found else None


def models_of(agent: AgentSpec) -> list[ModelSpec]:
    """The models an agent may use, in its order. One that was removed since is left out."""
    return _models(agent.models)


def models_for(agent: AgentSpec, options: Mapping[str, Any]) -> list[ModelSpec]:
    """The models that answer a message sent with these options, in order, with the settings that were chosen."""
    return choice.with_settings(_models(choice.chosen_models(agent, options)), agent, options)


def models_in_debate(voice: AgentSpec, host: AgentSpec, options: Mapping[str, Any]) -> list[ModelSpec]:
    """The models that speak for a voice of `host`'s debate, in order, with the settings that were chosen."""
    slugs, preset = choice.in_debate(voice, host, options)
    settings = preset.settings if preset else {}
    return [replace(model, settings={**model.settings, **settings}) for model in _models(slugs)]


def models_offered(agent: AgentSpec) -> list[ModelSpec]:
    """Every model a person may choose with this agent."""
    return _models(choice.offered_models(agent))


def _models(slugs: Iterable[str]) -> list[ModelSpec]:
    wanted = list(slugs)
    rows = {model.slug: model for model in LanguageModel.objects.filter(slug__in=wanted)}
    return [spec_of_model(rows[slug]) for slug in wanted if slug in rows]


def spec_of_model(model: LanguageModel) -> ModelSpec:
    """The frozen value of a model as it is now."""
    return ModelSpec(
        slug=model.slug,
        provider=model.provider,
        name=model.name,
        images=model.images,
        tools=model.tools,
        credential=model.credential_id or "",
        price=Price(model.input_price, model.output_price),
        context=model.context,
        settings=model.settings,
        tenant=str(model.tenant_id),
    )


def _add_version(agent: Agent, normal: dict[str, Any], author: User | None) -> None:
    newest = agent.versions.order_by("-number").values_list("number", flat=True).first() or 0
    before = agent.current.sha256 if agent.current else ""
    agent.current = AgentVersion.objects.create(
        agent=agent, number=newest + 1, definition=normal, sha256=digest(normal), author=author
    )
    agent.save(update_fields=["current"])
    audit.note(
        "agent.version_saved", agent, by=author, before=before, after=agent.current.sha256,
        version=agent.current.number,
    )  # fmt: skip


def switch_agent(agent: Agent, on: bool, by: User | None) -> None:
    """Let people talk to the agent, or not."""
    with audit.recording():
        if Agent.objects.filter(pk=agent.pk).exclude(is_enabled=on).update(is_enabled=on):
            audit.note("agent.switched_on" if on else "agent.switched_off", agent, by=by)
    agent.is_enabled = on


def _stored(price: float) -> Decimal:
    """As the column keeps it, so that an unchanged price is seen to be unchanged."""
    return Decimal(str(price)).quantize(Decimal("0.000001"))


def _missing(words: str, section: str, normal: Mapping[str, Any], known: set[str]) -> Problems:
    return [
        {"path": f"$.{section}[{index}]", "message": words % {"name": name}}
        for index, name in enumerate(normal[section])
        if name not in known
    ]
