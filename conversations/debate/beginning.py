"""How a debate begins: everything that was chosen is written down once, and holds until it is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from agents import catalogue, choice
from agents.debate import Mode, Settings, Voice, to_json
from agents.definition import MOST_DEBATED
from agents.models import Agent, AgentVersion
from agents.spec import AgentSpec
from conversations import exact
from conversations.debate import telling
from conversations.debate.models import Debate
from conversations.debate.notepad import Notepad, whole_patch
from conversations.models import Message
from platform_site import ledger, wire
from platform_site.errors import Problem
from tools import registry
from tools.catalogue import save_tool
from tools.models import Tool

MODES: Mapping[str, Mode] = {"fixed": "fixed", "ai": "ai"}
HANDLERS = ("debate.notepad_update", "debate.nothing_to_add")


def settings_for(host: AgentSpec, options: Mapping[str, Any]) -> Settings:
    """What a debate would begin with now. Raises a Problem that says why there can be none."""
    spec = host.debate
    if spec is None:
        raise Problem(409, "conflict", _("This agent does not say who debates."))
    mode = MODES.get(options.get("mode") or spec.mode)
    rounds = options.get("rounds") or 0
    if mode is None or rounds > MOST_DEBATED:
        words = _("A debate is `fixed` or `ai`, and has at most %(most)s rounds.")
        raise Problem(400, "bad_request", words % {"most": MOST_DEBATED})
    personas = [_persona(slug) for slug in spec.personas]
    _check_models(host, personas, options)
    first, second = (_voice(one, host, options) for one in personas)
    return Settings(
        (first, second), _voice(host, host, options), mode,
        rounds=(mode == "fixed" and rounds) or spec.rounds,
        most_rounds=(mode == "ai" and rounds) or spec.most_rounds,
        budget=options.get("budget") or "",
    )  # fmt: skip


def see_images(host: AgentSpec, options: Mapping[str, Any]) -> bool:
    """Whether both personas see pictures."""
    voices = settings_for(host, options).personas
    return all(any(model["images"] for model in voice.models) for voice in voices)


def _persona(slug: str) -> AgentSpec:
    agent = Agent.objects.filter(slug=slug).select_related("current").first()
    if agent is None or agent.current is None or not agent.is_enabled:
        raise Problem(
            409, "conflict", _("%(name)s, who is to debate, is not here any more.") % {"name": slug}
        )
    spec = catalogue.spec_of(agent.current)
    if spec.kind != "chat":
        raise Problem(
            409, "conflict", _("%(name)s is a debate itself, and cannot take part in one.") % {"name": slug}
        )
    return spec


def _check_models(host: AgentSpec, personas: Sequence[AgentSpec], options: Mapping[str, Any]) -> None:
    """A model that was chosen for a persona is one of its own, or of the debate's."""
    offered = {one.slug: {*choice.offered_models(one), *choice.offered_models(host)} for one in personas}
    for slug, model in (options.get("models") or {}).items():
        if model not in offered.get(slug, ()):
            words = _("“%(model)s” cannot be chosen for “%(name)s”.")
            raise Problem(400, "bad_request", words % {"model": model, "name": slug})


def _voice(spec: AgentSpec, host: AgentSpec, options: Mapping[str, Any]) -> Voice:
    models = exact.models_to_json(catalogue.models_in_debate(spec, host, options))
    return Voice(spec.slug, spec.name, spec.version, tuple(models), spec.avatar, spec.colour)


def begin(log: ledger.Log, host: AgentSpec, options: Mapping[str, Any], said: Sequence[str]) -> Debate:
    """A debate of the question that the first of these messages asks; the others were said right after it."""
    settings = settings_for(host, options)
    _provide_tools()
    debate = Debate.objects.create(conversation_id=log.topic, settings=to_json(settings))
    Message.objects.filter(pk__in=said).update(debate=debate)
    log.tell(telling.started(debate.pk, said[0], settings), wire.state_delta(whole_patch(Notepad(debate.pk))))
    return debate


def _provide_tools() -> None:
    """A tenant gets the tools of debates with its first one; what an admin makes of them stays."""
    for handler in filter(None, map(registry.find, HANDLERS)):
        if not Tool.objects.filter(name=handler.name).exists():
            save_tool(handler.definition(), None)


def are_here(settings: Settings) -> bool:
    """Whether nobody who debates was switched off meanwhile."""
    slugs = {one.slug for one in settings.personas}
    return Agent.objects.filter(slug__in=slugs, is_enabled=True).count() == len(slugs)


def spec_of(voice: Voice) -> AgentSpec:
    """The agent as it was when the debate began."""
    return catalogue.spec_of(AgentVersion.objects.get(pk=voice.version))
