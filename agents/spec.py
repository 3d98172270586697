"""The frozen values of an agent version and of a model: what the engine and the router read. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

Kind = Literal["chat", "debate"]
Colour = Literal["teal", "violet", "amber", "blue", "green", "rose", "indigo", "slate"]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named way of using an agent: more instructions, and optionally fewer tools."""

    slug: str
    name: str
    instructions: str
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice for a message (`premium`, `standard`): which models answer, and with which settings.

    Without models it is the agent's own that answer.
    """

    slug: str
    models: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DebateSpec:
    """Who debates, slugs of two agents, and by which rules unless a person chooses others."""

    personas: tuple[str, str]
    mode: Literal["fixed", "ai"] = "fixed"
    rounds: int = 3
    most_rounds: int = 8


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """One agent version. `version` is the AgentVersion's id and `agent` the Agent's; empty when not stored."""

    slug: str
    name: str
    instructions: str
    models: tuple[str, ...]
    tools: tuple[str, ...]
    max_rounds: int = 10
    kind: Kind = "chat"
    scenarios: tuple[Scenario, ...] = ()
    suggestions: tuple[str, ...] = ()
    presets: tuple[Preset, ...] = ()
    debate: DebateSpec | None = None
    """Of an agent of kind `debate`; None for the others."""
    avatar: str = ""
    """An emoji, or one or two letters."""
    colour: Colour | Literal[""] = ""
    version: str = ""
    agent: str = ""

    def scenario(self, slug: str) -> Scenario | None:
        """The scenario of that name; None when there is none."""
        return next((scenario for scenario in self.scenarios if scenario.slug == slug), None)

    def preset(self, slug: str) -> Preset | None:
        """The preset of that name; None when there is none."""
        return next((preset for preset in self.presets if preset.slug == slug), None)


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost."""

    input: Decimal = Decimal(0)
    output: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model of a tenant. Read once, so that it may cross into async code."""

    slug: str
    provider: str
    name: str
    images: bool = False
    tools: bool = True
    credential: str = ""
    """The Credential's id; empty for the installation's own."""
    price: Price = field(default_factory=Price)
    context: int = 0
    """Tokens it can take in; 0 when nobody said."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Sent with each request: `temperature`, `top_p`, `max_output_tokens`, `reasoning_effort`, `seed`."""
    tenant: str = ""
