"""Two tenants with one of everything, and everybody who may knock at a door."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time, timedelta

from django.utils import timezone

from agents.debate import Settings, Voice, to_json
from agents.models import LanguageModel, UsageLimit
from conversations.debate.models import Debate
from conversations.groups.models import Invitation
from conversations.models import Conversation, Message, Participant
from conversations.reminders.models import Reminder
from platform_site import audit, tokens
from platform_site.ids import new_id
from platform_site.models import AuditEntry, Credential, Membership, Role, Tenant, User, Webhook
from platform_site.notices import outbox
from platform_site.tenancy import acting_for
from tests.api.made import SEARCH, ask_for_arguments, hold, make_agent, make_conversation, make_upload
from tests.conftest import person
from tools import catalogue, gate
from tools.gate import granting
from tools.models import CallStatus, ReviewerGroup, ToolCall
from tools.packs.storyboard.models import Story

ABSENT = "0" * 32
ROLES = ("anonymous", "stranger", "removed", "colleague", "member", "reviewer", "admin")
"""`member` began the conversation; `colleague` is a member too; `removed` was one; `stranger` is another tenant's."""


@dataclass
class World:
    """`ids` of our tenant's things and of the other's, under the same names; `people` by role."""

    ids: dict[str, str]
    foreign: dict[str, str]
    people: dict[str, User | None]


def make_world() -> World:
    ours = Tenant.objects.create(slug="acme", name="Acme")
    theirs = Tenant.objects.create(slug="globex", name="Globex")
    people: dict[str, User | None] = {
        "anonymous": None,
        "stranger": person(theirs, "Charlie", Role.MEMBER),
        "removed": person(ours, "Rob", Role.MEMBER),
        "colleague": person(ours, "Cora", Role.MEMBER),
        "member": person(ours, "Bob", Role.MEMBER),
        "reviewer": person(ours, "Rita", Role.REVIEWER),
        "admin": person(ours, "Adam", Role.ADMIN),
    }
    bob, charlie = people["member"], people["stranger"]
    assert bob and charlie
    with acting_for(ours):
        Membership.objects.filter(user=people["removed"]).update(is_active=False)
    return World(_things(ours, bob), _things(theirs, charlie), people)


def _things(tenant: Tenant, user: User) -> dict[str, str]:
    """One of everything this person's tenant can have; returns their ids by name."""
    with acting_for(tenant):
        agent = make_agent()
        tool, _ = catalogue.save_tool(SEARCH, None)
        talk = make_conversation(agent, user)
        question = hold(talk, user, confirmation={"by": "reviewer"})
        confirmation = hold(talk, user)
        call = confirmation.call
        talk.runs.update(status="failed", outcome="")
        ToolCall.objects.create(topic=talk.pk, run=call.run, name="x", raw="{", status=CallStatus.REJECTED)
        correction = ask_for_arguments(talk, user)
        tried = ToolCall.objects.create(
            topic=new_id(),
            name=tool.name,
            version=tool.current,
            requester=user,
            raw="{}",
            status=CallStatus.SUCCEEDED,
        )
        lost = ToolCall.objects.create(
            topic=talk.pk, run=call.run, name=tool.name, version=tool.current, requester=user, raw="{}",
            arguments={}, status=CallStatus.UNKNOWN,
        )  # fmt: skip
        said, reply = _versions(talk, user)
        _debated(talk, said)
        model = LanguageModel.objects.create(slug="spare", provider="demo", name="demo")
        with audit.recording():
            grant = granting.grant(confirmation, user, gate.Wanted(["query"], 3, 60))
        credential = Credential.objects.create(slug="shop", provider="openai")
        hook = Webhook.objects.create(name="ops", url="https://hooks.example.com/")
        token, _ = tokens.make(user, "a program", ["read"])
        return {
            "slug": tenant.slug, "agent": agent.pk, "tool": tool.pk, "conversation": talk.pk, "run": call.run,
            "message": said.pk, "reply": reply.pk,
            "confirmation": confirmation.pk, "digest": confirmation.digest, "toolcall": call.pk,
            "correction": correction.pk, "attempt": correction.call.attempts.latest("number").pk,
            "question": question.pk, "shown": question.digest, "lost": lost.pk,
            "try": tried.pk, "languagemodel": model.pk, "credential": credential.pk, "apitoken": token.pk,
            "auditentry": AuditEntry.objects.order_by("number").values_list("pk", flat=True)[0],
            "membership": Membership.objects.get(user=user).pk,
            "grant": grant.pk,
            "usagelimit": UsageLimit.objects.create(kind="monthly_tokens", amount=10**9).pk,
            "webhook": hook.pk, "notice": outbox.send_test(hook).pk,
            "reviewergroup": ReviewerGroup.objects.create(slug="lawyers", name="Lawyers").pk,
            "upload": make_upload(user).pk,
            "reminder": _reminder(talk, user).pk,
            **_others(tenant, talk, user),
            "story": Story.objects.create(topic=talk.pk, title="The Light").pk,
        }  # fmt: skip


def _others(tenant: Tenant, talk: Conversation, user: User) -> dict[str, str]:
    """Somebody who takes part besides, and the colleague, who is invited."""
    guest = person(tenant, "Gina", Role.MEMBER)
    cora = User.objects.filter(email=f"cora@{tenant.slug}.test").first() or person(
        tenant, "Cora", Role.MEMBER
    )
    Participant.objects.create(conversation=talk, user=guest, is_owner=False)
    invitation = Invitation.objects.create(conversation=talk, person=cora, invited_by=user)
    return {"guest": guest.pk, "invitation": invitation.pk}


def _debated(talk: Conversation, question: Message) -> None:
    """A debate that rests, with its question."""
    settings = Settings((Voice("a", "A"), Voice("b", "B")), Voice("c", "C"))
    debate = Debate.objects.create(conversation=talk, settings=to_json(settings))
    Message.objects.filter(pk=question.pk).update(debate=debate)


def _reminder(talk: Conversation, user: User) -> Reminder:
    rule = {"kind": "daily", "time": time(9), "zone": "UTC", "content": "Stand up"}
    due = timezone.now() + timedelta(days=1)
    return Reminder.objects.create(conversation=talk, owner=user, next_due=due, **rule)


def _versions(talk: Conversation, user: User) -> tuple[Message, Message]:
    """Something said and its answer, the latter shown."""
    said = Message.objects.create(conversation=talk, position=1, role="user", author=user, parts=[])
    reply = Message.objects.create(conversation=talk, position=2, role="assistant", parts=[], parent=said)
    Conversation.objects.filter(pk=talk.pk).update(head=reply)
    return said, reply
