"""What the chat page starts a debate from: who would debate and by which rules, as the agents are now."""

from __future__ import annotations

from typing import Any

from agents.models import Agent, AgentVersion
from conversations.debate.card import debate_card
from platform_site.models import Tenant, User
from platform_site.tenancy import acting_for
from tests.front.test_pages import page_data, signed_in


def agent(slug: str, **definition: Any) -> None:
    row = Agent.objects.create(slug=slug)
    whole = {"slug": slug, "name": slug.title(), "models": ["demo"], **definition}
    row.current = AgentVersion.objects.create(agent=row, number=1, definition=whole, sha256="0" * 64)
    row.save(update_fields=["current"])


def test_a_debate_tells_who_debates_and_what_can_be_chosen(tenant: Tenant, bob: User) -> None:
    with acting_for(tenant):
        agent("muse", avatar="M", colour="violet", presets={"premium": {"models": ["big"], "settings": {}}})
        agent("cognito", avatar="C", colour="teal")
        rules = {"personas": ["cognito", "muse"], "mode": "fixed", "rounds": 3, "most_rounds": 8}
        agent("debate", kind="debate", debate=rules)
    cards = {card["slug"]: card for card in page_data(signed_in(bob).get("/t/acme/"))["agents"]}
    assert cards["debate"]["debate"] == {
        "personas": [
            {"slug": "cognito", "name": "Cognito", "avatar": "C", "colour": "teal", "models": []},
            {"slug": "muse", "name": "Muse", "avatar": "M", "colour": "violet", "models": ["demo", "big"]},
        ],
        "mode": "fixed",
        "rounds": 3,
        "mostRounds": 8,
        "presets": ["premium"],
    }
    assert cards["muse"]["debate"] is None


def test_a_persona_that_is_gone_is_left_out(tenant: Tenant) -> None:
    rules = {"personas": ["cognito", "muse"], "mode": "ai", "rounds": 3, "most_rounds": 8}
    with acting_for(tenant):
        card = debate_card({"debate": rules})
    assert card is not None and card["personas"] == []
