"""What a person may choose of an agent for one message: a preset (`budget`), a model, or both. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

from agents.spec import AgentSpec, ModelSpec, Preset

USUAL_PRESETS = frozenset({"premium", "standard"})


@dataclass(frozen=True, slots=True)
class NoSuchChoice:
    """`what` was chosen by a name that the agent does not offer; `offered` are those it does."""

    what: Literal["model", "budget"]
    name: str
    offered: tuple[str, ...]


def offered_models(agent: AgentSpec) -> tuple[str, ...]:
    """Slugs of every model of the agent, its presets' included, each once."""
    return each_once(agent.models, (preset.models for preset in agent.presets))


def each_once(models: Iterable[str], of_presets: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain(models, *of_presets)))


def check(agent: AgentSpec, options: Mapping[str, Any]) -> NoSuchChoice | None:
    """What is wrong with the choice, if anything is.

    An agent without presets has no use for the usual two and ignores them.
    """
    budget, model = options.get("budget"), options.get("model")
    presets = tuple(preset.slug for preset in agent.presets)
    if budget and budget not in presets and (presets or budget not in USUAL_PRESETS):
        return NoSuchChoice("budget", budget, presets)
    if model and model not in (models := offered_models(agent)):
        return NoSuchChoice("model", model, models)
    return None


def chosen_models(agent: AgentSpec, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Slugs of the models that answer, the first first: the one chosen, then the preset's or the agent's."""
    preset = agent.preset(options.get("budget") or "")
    models = (preset.models if preset else ()) or agent.models
    model = options.get("model")
    return (model, *(slug for slug in models if slug != model)) if model in offered_models(agent) else models


def in_debate(
    voice: AgentSpec, host: AgentSpec, options: Mapping[str, Any]
) -> tuple[list[str], Preset | None]:
    """Slugs of the models a voice of a debate speaks through, in order, and the preset that was chosen.

    A preset of the voice's own agent goes before the debate's (`host`); a model chosen for it before one for all.
    """
    budget = options.get("budget") or ""
    preset = voice.preset(budget) or host.preset(budget)
    models = (preset.models if preset else ()) or voice.models
    chosen = (options.get("models") or {}).get(voice.slug) or options.get("model")
    allowed = {*offered_models(voice), *offered_models(host)}
    return [*([chosen] if chosen in allowed else []), *(slug for slug in models if slug != chosen)], preset


def with_settings(
    models: Sequence[ModelSpec], agent: AgentSpec, options: Mapping[str, Any]
) -> list[ModelSpec]:
    """The models with the chosen preset's settings, which go before their own."""
    preset = agent.preset(options.get("budget") or "")
    if preset is None or not preset.settings:
        return list(models)
    return [replace(model, settings={**model.settings, **preset.settings}) for model in models]
