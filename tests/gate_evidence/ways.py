"""The ways in: how a call of a tool comes about, and how it goes on once everybody who has to agree has agreed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from django.test import Client

from agents.catalogue import save_agent
from conversations import actions, steps
from conversations.debate import steering
from conversations.models import Run, RunStatus
from platform_site import tokens
from platform_site.models import User
from tests.conversations.conftest import Talk
from tests.conversations.test_runner import let_go
from tests.walk.test_ways_in import by_agui, by_api, by_edit, by_regenerate, by_reminder, by_retry, by_socket
from tools.models import Confirmation, Correction, ToolCall

HAT, HUT = {"item": "hat"}, {"item": "hut"}


@dataclass
class Visit:
    """One person who wants `deed` done to a hat, in a conversation or the playground."""

    talk: Talk
    admin: User

    def call(self) -> ToolCall:
        return ToolCall.objects.filter(name="deed").latest("proposed_at")

    def question(self) -> Confirmation:
        return Confirmation.objects.get(call=self.call())

    def go_on(self) -> None:
        """Whatever waits for a runner."""
        while Run.objects.filter(status=RunStatus.QUEUED).exists():
            self.talk.move()


class Way:
    """A model asks in a conversation, whichever way the words came."""

    edits: dict[str, str] | None = None
    """Other arguments, which the first who agrees puts in their place."""

    def __init__(self, say: Callable[[Talk, str], None]) -> None:
        self.say = say

    def ask(self, visit: Visit) -> None:
        self.say(visit.talk, f"call deed {json.dumps(HAT)}")
        visit.go_on()

    def go_on(self, visit: Visit) -> None:
        visit.go_on()

    def requester(self, visit: Visit) -> User:
        return visit.talk.actor.user


class Correcting(Way):
    """The model gets it wrong twice, and the person fills in the form."""

    def ask(self, visit: Visit) -> None:
        wrong = 'call deed {"item": 7}'
        self.say(visit.talk, f"{wrong}\nthen\n{wrong}")
        visit.go_on()
        form = Correction.objects.get(status="pending")
        answer = by_token(visit.talk.actor.user, f"corrections/{form.pk}/submit", {"arguments": HAT})
        assert answer.status_code == 200, answer.content
        visit.go_on()


class Editing(Way):
    """The first who agrees changes what is asked for."""

    edits = HAT

    def ask(self, visit: Visit) -> None:
        self.say(visit.talk, f"call deed {json.dumps(HUT)}")
        visit.go_on()


class Playground(Way):
    """A person asks instead of a model, without a run, and carries it out from the page of the try."""

    def ask(self, visit: Visit) -> None:
        tries = ToolCall.objects.filter(run="").count()
        body = {"tool": "deed", "raw": json.dumps(HAT), "key": f"try {tries}"}
        assert self.browser(visit).post("/t/acme/review/playground/run/", body).status_code == 302

    def go_on(self, visit: Visit) -> None:
        if visit.call().status == "approved":
            self.browser(visit).post(f"/t/acme/review/playground/tries/{visit.call().pk}/", {"do": "go_on"})

    def requester(self, visit: Visit) -> User:
        return visit.admin

    def browser(self, visit: Visit) -> Client:
        browser = Client()
        browser.force_login(visit.admin)
        return browser


class Debating(Way):
    """A persona asks in its turn of a debate, which was paused and goes on; the other one has no tools."""

    def ask(self, visit: Visit) -> None:
        talk = visit.talk
        quiet = {"slug": "quiet", "name": "Quiet", "instructions": "", "models": ["demo"], "tools": []}
        debate = {"personas": ["quiet", "helper"], "rounds": 1}
        for entry in (quiet, {**quiet, "slug": "duel", "kind": "debate", "debate": debate}):
            save_agent(entry, None)
        talk.conversation = actions.create_conversation(talk.actor, "duel")
        run = talk.say("Tea or coffee?")
        assert steps.claim(run.pk, "gone")
        self.say(talk, f"call deed {json.dumps(HAT)}")
        steering.steer(talk.actor, talk.conversation.pk, "pause")
        let_go(run)
        talk.move(run)
        answer = by_token(talk.actor.user, f"conversations/{talk.conversation.pk}/debate", {"do": "resume"})
        assert answer.status_code == 200, answer.content
        visit.go_on()


def by_token(user: User, path: str, body: dict[str, object]) -> object:
    _, bearer = tokens.make(user, "a program", ["chat", "review", "read"])
    program = Client(headers={"Authorization": f"Bearer {bearer}"})
    return program.post(f"/api/v1/t/acme/{path}", json.dumps(body), content_type="application/json")


def by_verb(talk: Talk, text: str) -> None:
    talk.say(text)


WAYS: dict[str, Way] = {
    "websocket": Way(by_socket), "http api": Way(by_api), "AG-UI": Way(by_agui), "retry": Way(by_retry),
    "said differently": Way(by_edit), "another answer": Way(by_regenerate),
    "correction form": Correcting(by_verb), "edit and approve": Editing(by_verb), "playground": Playground(by_verb),
    "reminder": Way(by_reminder), "debate": Debating(by_verb),
}  # fmt: skip
"""A standing grant is a way of its own: see `test_matrix.test_a_standing_yes_opens_only_what_asks_for_a_click`."""

DOORS: dict[str, str] = {
    "frame message.send": "websocket", "frame run.retry": "retry", "frame input.submit": "correction form",
    "frame confirmation.decide": "edit and approve", "post conversations/<id:conversation>/messages": "http api",
    "post runs/<id:run>/retry": "retry", "post corrections/<id:correction>/submit": "correction form",
    "post confirmations/<id:confirmation>/decide": "edit and approve", "post agents/<id:agent>/ag-ui": "AG-UI",
    "page playground/run/": "playground", "page playground/tries/<str:call>/": "playground",
    "page queue/<id:confirmation>/decide/": "edit and approve",
    "frame message.edit": "said differently", "post messages/<id:message>/edit": "said differently",
    "frame debate.steer": "debate", "post conversations/<id:conversation>/debate": "debate",
    "post reminders": "reminder", "post reminders/<id:reminder>/resume": "reminder",
    "frame message.regenerate": "another answer", "post messages/<id:message>/regenerate": "another answer",
}  # fmt: skip
"""What a client can send that leads to a call, or decides on one, and the way above that goes through it."""
REPEATS = {"page unknown/<id:call>/"}
"""What was claimed before may be sent again from here, under the same key: `gate.resolve`, in tests/tools."""
HARMLESS = {
    "frame conversation.create", "frame subscribe", "frame unsubscribe", "frame ping", "frame run.stop",
    "frame job.cancel", "post calls/<id:call>/cancel", "post reminders/<id:reminder>/pause",
    "frame branch.switch", "post conversations/<id:conversation>/branch", "frame typing", "frame read.mark",
    "post conversations/<id:conversation>/read", "post conversations/<id:conversation>/leave",
    "post conversations/<id:conversation>/invitations", "post conversations/<id:conversation>/people/owner",
    "post conversations/<id:conversation>/people/remove", "post invitations/<id:invitation>/accept",
    "post invitations/<id:invitation>/decline",
    "post uploads", "post conversations", "post tools", "post runs/<id:run>/stop", "post grants/<id:grant>/revoke",
    "page ", "page queue.json", "page queue/<id:confirmation>/", "page unknown/",
    "page failures/", "page failures/export.json", "page failures/export.csv", "page failures/<str:attempt>/",
    "page failures/<str:attempt>/known/", "page insights/", "page playground/", "page playground/check/",
}  # fmt: skip
