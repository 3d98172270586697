"""The agents one can talk to, over HTTP."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from agents import catalogue
from agents.models import Agent
from conversations.api_base import ApiView, answer
from conversations.api_debate_shapes import DebateRules
from conversations.api_docs import operation
from conversations.api_paging import PageQuery, cut
from conversations.api_shapes import Page, Shape


class ScenarioShape(Shape):
    slug: str
    name: str


class ModelChoice(Shape):
    slug: str
    name: str = Field(description="What the provider calls it.")
    images: bool = Field(description="It sees pictures.")
    tools: bool = Field(description="It calls tools.")


class AgentShape(Shape):
    slug: str
    name: str
    kind: str = Field(description="`chat` or `debate`.")
    models: list[str] = Field(description="Slugs of its models: the first answers, the others stand in.")
    choices: list[ModelChoice] = Field(
        description="What `options.model` may name: these models and those of the presets."
    )
    presets: list[str] = Field(description="What `options.budget` may name.")
    is_demo: bool = Field(description="A scripted model answers, no real one.")
    suggestions: list[str]
    scenarios: list[ScenarioShape]
    avatar: str = Field(description="An emoji, or one or two letters; empty when nobody chose one.")
    colour: str
    debate: DebateRules | None = Field(description="Of an agent of kind `debate`.")

    @classmethod
    def of(cls, row: Agent) -> Self:
        assert row.current is not None
        spec = catalogue.spec_of(row.current)
        offered = {model.slug: model for model in catalogue.models_offered(spec)}
        models = [offered[slug] for slug in spec.models if slug in offered]
        choices = [
            ModelChoice(slug=model.slug, name=model.name, images=model.images, tools=model.tools)
            for model in offered.values()
        ]
        scenarios = [ScenarioShape(slug=scenario.slug, name=scenario.name) for scenario in spec.scenarios]
        return cls(
            slug=row.slug, name=spec.name, kind=spec.kind, models=[model.slug for model in models],
            is_demo=bool(models) and models[0].provider == "demo", suggestions=list(spec.suggestions),
            scenarios=scenarios, choices=choices, presets=[preset.slug for preset in spec.presets],
            avatar=spec.avatar, colour=spec.colour, debate=DebateRules.of(spec.debate),
        )  # fmt: skip


class AgentPage(Page[AgentShape]):
    """A part of the list of agents, by slug."""


class Agents(ApiView):
    @operation("agents_list", "The agents one can talk to", {200: AgentPage}, query=PageQuery)
    def get(self, request: Request, **kwargs: Any) -> Response:
        rows = Agent.objects.filter(is_enabled=True, current__isnull=False).select_related("current")
        found, after = cut(rows, ("slug",), self.query(PageQuery))
        return answer(AgentPage(results=[AgentShape.of(row) for row in found], next=after))
