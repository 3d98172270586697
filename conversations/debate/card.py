"""What the chat page knows of a debate before it begins: who would debate, on which models, by which rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from agents import choice
from agents.models import Agent

Definition = Mapping[str, Any]


class PersonaCard(TypedDict):
    slug: str
    name: str
    avatar: str
    colour: str
    models: list[str]
    """What a person may choose for this persona; nothing where there is no choice."""


class DebateCard(TypedDict):
    personas: list[PersonaCard]
    mode: str
    rounds: int
    mostRounds: int
    presets: list[str]


def debate_card(definition: Definition) -> DebateCard | None:
    """Of an agent of kind `debate`; None for the others."""
    rules = definition.get("debate")
    if not rules:
        return None
    personas = _personas(rules["personas"])
    return DebateCard(
        personas=[_persona_card(one) for one in personas],
        mode=rules["mode"],
        rounds=rules["rounds"],
        mostRounds=rules["most_rounds"],
        presets=list(choice.each_once((), (one.get("presets", {}) for one in (definition, *personas)))),
    )


def _personas(slugs: list[str]) -> list[Definition]:
    """Their definitions as they are now, the first speaker first."""
    rows = Agent.objects.filter(slug__in=slugs, current__isnull=False).select_related("current")
    by_slug = {row.slug: row.current.definition for row in rows if row.current}
    return [by_slug[slug] for slug in slugs if slug in by_slug]


def _persona_card(definition: Definition) -> PersonaCard:
    of_presets = (preset["models"] for preset in definition.get("presets", {}).values())
    models = list(choice.each_once(definition["models"], of_presets))
    return PersonaCard(
        slug=definition["slug"],
        name=definition["name"],
        avatar=definition.get("avatar", ""),
        colour=definition.get("colour", ""),
        models=models if len(models) > 1 else [],
    )
