"""Things in a tenant for the API and the walk to find: made as the product makes them, as far as it does."""

from __future__ import annotations

from typing import Any

from agents.models import Agent, AgentVersion, LanguageModel
from conversations import uploads
from conversations.models import Conversation, Participant, Run
from conversations.uploads_models import Upload
from conversations.uploads_picture import Kept, made_anew
from platform_site import ledger
from platform_site.access import actor_for_session
from platform_site.ids import new_id
from platform_site.models import Role, Tenant, Topic, User
from platform_site.tenancy import current_tenant_id
from tests.uploads.pictures import picture
from tools import catalogue, gate
from tools.models import CallStatus, Confirmation, Correction

SEARCH = {
    "name": "search_products", "description": "Find products.", "risk": "SAFE", "read_only": True, "domain": "shop",
    "schema": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    "executor": {"kind": "http", "method": "GET", "url": "https://shop.example/products"},
}  # fmt: skip
ORDER = SEARCH | {"name": "create_order", "risk": "CONFIRM", "read_only": False}


def make_agent(slug: str = "guide", **more: Any) -> Agent:
    """An agent that answers with the demo model."""
    LanguageModel.objects.get_or_create(slug="demo", defaults={"provider": "demo", "name": "demo"})
    definition = {
        "slug": slug, "name": "Mall guide", "instructions": "Help.", "models": ["demo"], "tools": ["search_products"],
        "max_rounds": 10, "kind": "chat", "scenarios": [], "suggestions": ["Nike shoes"],
    } | more  # fmt: skip
    agent = Agent.objects.create(slug=slug)
    agent.current = AgentVersion.objects.create(agent=agent, number=1, definition=definition, sha256="-")
    agent.save(update_fields=["current"])
    return agent


def make_conversation(agent: Agent, user: User, title: str = "") -> Conversation:
    conversation = Conversation.objects.create(topic=Topic.objects.create(), agent=agent, title=title)
    Participant.objects.create(conversation=conversation, user=user)
    return conversation


def make_upload(user: User, talk: Conversation | None = None, name: str = "cat.png") -> Upload:
    """A picture of this person's, in a conversation or not sent yet."""
    made = made_anew(picture())
    assert isinstance(made, Kept)
    actor = actor_for_session(user, Tenant.objects.get(pk=current_tenant_id()).slug)
    assert actor
    upload = uploads.keep(actor, made, name)
    if talk:
        uploads.attach(actor, talk, [upload.pk])
    return upload


def make_run(talk: Conversation, user: User, **more: Any) -> Run:
    version = talk.agent.current
    return Run.objects.create(
        conversation=talk, requester=user, agent_version=version, cause="message", **more
    )


def hold(talk: Conversation, user: User, **definition: Any) -> Confirmation:
    """A call of Bob's conversation that waits for people."""
    run = make_run(talk, user, status="finished", outcome="interrupt")
    tool, _ = catalogue.save_tool(ORDER | definition, None)
    assert tool.current is not None
    asked = gate.Asked(
        id=new_id(), model_call_id="m1", name="create_order", raw='{"query": "shoes"}', position=0, topic=talk.pk,
        run=run.pk, message=new_id(), model="demo",
    )  # fmt: skip
    with ledger.writing(talk.pk) as log:
        spec = catalogue.spec_of(tool.current)
        call = gate.propose(log, asked, {"create_order": spec}, gate.Requester(user, Role.MEMBER))
    assert call.status == CallStatus.HELD
    return Confirmation.objects.select_related("call").get(call=call)


def ask_for_arguments(talk: Conversation, user: User) -> Correction:
    """A call of Bob's conversation that waits for him to put its arguments right."""
    spec = catalogue.offered(["search_products"])["search_products"]
    tries = gate.Tries()
    for _ in range(2):
        asked = gate.Asked(
            id=new_id(), model_call_id="m2", name=spec.name, raw='{"query": {}}', position=0, topic=talk.pk,
            run=new_id(), message=new_id(), model="demo", agent="guide",
        )  # fmt: skip
        with ledger.writing(talk.pk) as log:
            call = gate.propose(log, asked, {spec.name: spec}, gate.Requester(user, Role.MEMBER), tries)
    assert call.status == CallStatus.ASKING
    return Correction.objects.select_related("call").get(call=call)
