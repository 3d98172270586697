"""Pages for people: choosing a place, and the chat. The transcript itself comes over the websocket."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, TypedDict, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from agents import choice
from agents.models import Agent, LanguageModel
from conversations.access import conversation_for, conversations_for
from conversations.api_groups import InvitationShape
from conversations.debate.card import DebateCard, debate_card
from conversations.groups import inviting
from conversations.groups.reading import Standing, standings
from conversations.models import Conversation
from platform_site.access import Actor
from platform_site.context import tenants_of
from platform_site.errors import Problem, answer
from platform_site.middleware import TenantRequest

LISTED = 20
MOST_INVITATIONS = 20


class AgentCard(TypedDict):
    """What the page knows of an agent before a word is said."""

    slug: str
    name: str
    suggestions: list[str]
    scenarios: list[dict[str, str]]
    isDemo: bool
    models: list[str]
    presets: list[str]
    """What a person may choose for a message; nothing where there is no choice."""
    seesImages: bool
    debate: DebateCard | None


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """`/`: straight on for who belongs to one place, else a choice."""
    tenants = tenants_of(request.user)  # type: ignore[arg-type]  # login_required saw to it
    if len(tenants) == 1:
        return redirect("chat", slug=tenants[0].slug)
    return render(request, "pages/places.html", {"tenants": tenants})


@require_safe
@never_cache
@ensure_csrf_cookie
def chat(request: HttpRequest, slug: str, conversation: str = "") -> HttpResponse:
    """`/t/<slug>/` begins a conversation, `/t/<slug>/c/<id>/` shows one."""
    actor = cast(TenantRequest, request).actor
    try:
        shown = conversation_for(actor, conversation) if conversation else None
    except Problem as problem:
        return answer(request, problem)
    return render(request, "chat/page.html", {"data": page_data(actor, shown)})


def page_data(actor: Actor, shown: Conversation | None) -> dict[str, Any]:
    """What the page's script starts from."""
    newest = list(conversations_for(actor).select_related("agent")[:LISTED])
    mine = standings(actor.user, {row.pk for row in [*newest, *([shown] if shown else [])]})
    return {
        "tenant": {"slug": actor.tenant.slug, "name": actor.tenant.name},
        "user": {"id": actor.user.pk, "name": str(actor.user)},
        "role": actor.role,
        "locale": get_language(),
        "agents": agent_cards(),
        "conversation": listed(shown, mine[shown.pk]) if shown else None,
        "conversations": [listed(row, mine[row.pk]) for row in newest],
        "invitations": [
            InvitationShape.of(row).model_dump(mode="json")
            for row in inviting.invitations_for(actor)[:MOST_INVITATIONS]
        ],
    }


def listed(row: Conversation, mine: Standing) -> dict[str, Any]:
    """A line of the list, as the API gives it."""
    return {
        "id": row.pk,
        "title": row.title,
        "agent": row.agent.slug,
        "updated_at": row.updated_at.isoformat(),
        **asdict(mine),
    }


def agent_cards() -> list[AgentCard]:
    """The agents one can talk to, in the order they were made."""
    agents = Agent.objects.filter(is_enabled=True, current__isnull=False).select_related("current")
    demo_models = set(LanguageModel.objects.filter(provider="demo").values_list("slug", flat=True))
    seeing = set(LanguageModel.objects.filter(images=True).values_list("slug", flat=True))
    return [agent_card(agent, demo_models, seeing) for agent in agents.order_by("created_at", "pk")]


def agent_card(agent: Agent, demo_models: set[str], seeing: set[str]) -> AgentCard:
    assert agent.current is not None
    definition = agent.current.definition
    presets = definition.get("presets", {})
    models = choice.each_once(definition.get("models", []), (one["models"] for one in presets.values()))
    return AgentCard(
        slug=agent.slug,
        name=definition["name"],
        suggestions=definition.get("suggestions", []),
        scenarios=[{"slug": one["slug"], "name": one["name"]} for one in definition.get("scenarios", [])],
        isDemo=any(model in demo_models for model in definition.get("models", [])[:1]),
        seesImages=any(model in seeing for model in models),
        models=list(models) if len(models) > 1 else [],
        presets=list(presets),
        debate=debate_card(definition),
    )
